"""The suite's judgement of reports, its reading of markers and recorded answers, and the script that records them."""

import json
import os
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

import recorded
import suite
from expectations import Case, SuiteError, family_cases, markers
from judgement import Outcome, judge, read_findings

HERE = Path(__file__).resolve().parent


def finding(check="race", lines=(), tier="error", file="/a/tiles.cu"):
    sites = [{"role": "write", "file": file, "line": line} for line in lines] or [{"role": "copy", "file": "", "line": 0}]
    return {"check": check, "kind": "k", "tier": tier, "message": "m", "sites": sites}


def outcome(case, *rows, strict=False):
    report = {"format": "warpbook check report", "version": 1, "findings": list(rows)}
    return judge(case, read_findings(case, report), strict).outcome


def case(expect, lines=(), host=()):
    return Case("tiles", "x", expect, frozenset(lines), frozenset(host))


class Judging(unittest.TestCase):
    def test_a_race_is_found_when_exactly_the_marked_lines_are_named(self):
        race = case("race", (3, 5))
        self.assertIs(outcome(race, finding(lines=(3, 5))), Outcome.FOUND)
        self.assertIs(outcome(race, finding(lines=(5, 3)), finding(lines=(5, 5))), Outcome.FOUND)
        self.assertIs(outcome(race), Outcome.MISSED)
        for wrong in ((3,), (3, 6), (5,), (3, 5, 6)):
            self.assertIs(outcome(race, finding(lines=wrong)), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, finding(lines=(3, 5)), finding(lines=(3, 9))), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, finding(lines=(3,)), finding(lines=(5,))), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, finding(lines=(3, 5), file="/a/other.h")), Outcome.ELSEWHERE)

    def test_sites_beside_the_accesses_are_no_lines_of_a_race(self):
        row = finding(lines=(3, 5))
        row["sites"].append({"role": "allocation", "file": "/a/case.h", "line": 40})
        self.assertIs(outcome(case("race", (3, 5)), row), Outcome.FOUND)
        row["sites"][-1]["role"] = "read"
        self.assertIs(outcome(case("race", (3, 5)), row), Outcome.ELSEWHERE)

    def test_the_tier_of_a_race_counts(self):
        self.assertIs(outcome(case("race", (3,)), finding(lines=(3, 3), tier="same_value")), Outcome.ELSEWHERE)
        self.assertIs(outcome(case("race_same_value", (3,)), finding(lines=(3, 3), tier="same_value")), Outcome.FOUND)
        self.assertIs(outcome(case("race_same_value", (3,)), finding(lines=(3, 3))), Outcome.ELSEWHERE)

    def test_other_findings_are_consequences_on_marked_lines_only(self):
        race = case("race", (3, 5))
        unset = finding("init", (5,))
        self.assertIs(outcome(race, finding(lines=(3, 5)), unset), Outcome.FOUND)
        self.assertIs(outcome(race, finding(lines=(3, 5)), unset, strict=True), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, finding(lines=(3, 5)), finding("init", (6,))), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, finding(lines=(3, 5)), finding("leak")), Outcome.ELSEWHERE)
        self.assertIs(outcome(race, unset), Outcome.MISSED)

    def test_other_checks_name_one_marked_line_at_least(self):
        self.assertIs(outcome(case("init", (3, 5)), finding("init", (5,))), Outcome.FOUND)
        self.assertIs(outcome(case("init", (3, 5)), finding("init", (6,))), Outcome.ELSEWHERE)
        self.assertIs(outcome(case("init", (3,)), finding("init")), Outcome.ELSEWHERE)
        self.assertIs(outcome(case("sync_hang", (3,)), finding("sync", (3, 8))), Outcome.FOUND)

    def test_the_hosts_lines_may_be_unknown(self):
        self.assertIs(outcome(case("leak", host=(7,)), finding("leak")), Outcome.FOUND)
        self.assertIs(outcome(case("leak", host=(7,)), finding("leak", (7,))), Outcome.FOUND)
        self.assertIs(outcome(case("leak", host=(7,)), finding("leak", (8,))), Outcome.ELSEWHERE)
        early = case("host_race", (3,), (9,))
        self.assertIs(outcome(early, finding(lines=(3,))), Outcome.FOUND)
        self.assertIs(outcome(early, finding(lines=(3, 9))), Outcome.FOUND)
        self.assertIs(outcome(early, finding(lines=(9,))), Outcome.ELSEWHERE)
        self.assertIs(outcome(early, finding("sync", (9,))), Outcome.FOUND)

    def test_any_finding_on_a_clean_case_is_a_false_alarm(self):
        self.assertIs(outcome(case("clean")), Outcome.CLEAN)
        self.assertIs(outcome(case("clean"), finding("leak")), Outcome.FALSE_ALARM)


class Sources(unittest.TestCase):
    def test_markers_name_lines_of_kernels_and_of_the_host(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "f.cu"
            path.write_text("a;\nb;  // race: x, y\nc;  // host race: x\n// race: in a sentence, not at an end.\n")
            self.assertEqual(markers(path), {"x": ({2}, {3}), "y": ({2}, set())})
            rows = [("x", "race"), ("y", "race"), ("z", "clean")]
            self.assertEqual([c.lines for c in family_cases(path, rows)], [{2}, {2}, set()])
            for wrong in (rows[1:], [("x", "clean"), *rows[1:]], [*rows, ("w", "race")], [("x", "rice"), *rows[1:]]):
                with self.assertRaises(SuiteError):
                    family_cases(path, wrong)

    def test_every_faulty_case_of_every_family_is_marked(self):
        import re

        faulty = clean = 0
        for path in sorted(HERE.glob("*.cu")):
            rows = re.findall(r"^CASE\((\w+), (\w+)\)", path.read_text(), re.M)
            self.assertTrue(rows, path)
            cases = family_cases(path, rows)
            self.assertEqual(len({c.name for c in cases}), len(cases), path)
            faulty += sum(c.faulty for c in cases)
            clean += sum(not c.faulty for c in cases)
        self.assertGreaterEqual(faulty, 80)
        self.assertGreaterEqual(clean, 80)

    def test_the_families_are_those_that_are_built(self):
        text = (HERE / "CMakeLists.txt").read_text()
        built = text.split("set(families", 1)[1].split(")", 1)[0].split()
        self.assertEqual(built, sorted(path.stem for path in HERE.glob("*.cu")))


def executable(path, text):
    path.write_text("#!/usr/bin/env bash\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


PROGRAM = """case $1 in
  --list) echo '{"case": "bad", "expect": "race"}'; echo '{"case": "good", "expect": "clean"}'
          echo '{"case": "stuck", "expect": "sync_hang"}' ;;
  stuck) sleep 100 ;;
  *) echo "says \\"$1\\", plainly" ;;
esac
"""
SOURCE = "int a;  // race: bad\nint b;  // sync: stuck\n"


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "tiles.cu").write_text(SOURCE)
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        executable(self.programs / "tiles", PROGRAM)

    def run_suite(self, script, *more):
        warpbook = executable(self.folder / "warpbook", script)
        json_file = self.folder / "raw.json"
        status = suite.main(["--warpbook", str(warpbook), "--programs", str(self.programs), "--sources", str(self.folder),
                             "--json", str(json_file), "--markdown", str(self.folder / "t.md"), "-j2", *more])
        return status, {row["case"]: row for row in json.loads(json_file.read_text())}

    def report(self, findings):
        return f"echo '{json.dumps({'format': 'warpbook check report', 'version': 1, 'findings': findings})}' > \"$5\"\n"

    def test_the_driver_passes_when_all_is_found_and_says_what_is_not(self):
        race = self.report([finding(lines=(1, 1))])
        sync = self.report([finding("sync", (2,))])
        script = f'case ${{8}} in bad) {race};; stuck) {sync};; *) {self.report([])};; esac\n'
        status, rows = self.run_suite(script)
        self.assertEqual(status, 0, rows)
        self.assertEqual([rows[name]["outcome"] for name in ("bad", "good", "stuck")], ["found", "clean", "found"])
        self.assertIn("| tiles | 2 | 1 | 2 | 0 | 0 | 0 | 0 |", (self.folder / "t.md").read_text())
        status, rows = self.run_suite(race)
        self.assertEqual(status, 1)
        self.assertEqual([rows[name]["outcome"] for name in ("bad", "good", "stuck")], ["found", "false alarm", "missed"])
        status, rows = self.run_suite(self.report([]) + "exit 1\n")
        self.assertEqual(rows["good"]["outcome"], "not run")
        status, rows = self.run_suite("echo \"'mbarrier' is not supported by the virtual GPU\"\n" + self.report([]))
        self.assertEqual({row["outcome"] for row in rows.values()}, {"not run"})
        status, rows = self.run_suite("echo no\n")
        self.assertEqual((status, rows["bad"]["outcome"]), (1, "not run"))

    def record(self, tool, **variables):
        executable(self.folder / "nvcc", 'while [[ $1 != -o ]]; do shift; done; cp "$PROGRAM" "$2"; chmod +x "$2"\n')
        executable(self.folder / "compute-sanitizer", tool)
        script = self.folder / "compute_sanitizer.sh"
        script.write_text((HERE / "compute_sanitizer.sh").read_text())
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "PROGRAM": str(self.programs / "tiles")}
        out = self.folder / "out"
        ended = subprocess.run(["bash", str(script), str(out)], env={**environment, "LIMIT_S": "2", "JOBS": "4", **variables},
                               capture_output=True, text=True, timeout=120)
        return ended, recorded.read_answers(out)

    def test_a_race_of_another_order_is_looked_for_in_another_order(self):
        (self.folder / "tiles.cu").write_text("int a;  // race: odd\n")
        executable(self.programs / "tiles", """echo '{"case": "odd", "expect": "race_in_another_order"}'\n""")
        report = self.report([finding(lines=(1, 1))])
        asks = f'[[ "$6 $7 $8" == "--schedule-seed SEED --" ]] || exit 3\n{report}'
        self.assertEqual(self.run_suite(asks.replace("SEED", "1"))[1]["odd"]["outcome"], "found")
        self.assertEqual(self.run_suite(asks.replace("SEED", "2"))[1]["odd"]["outcome"], "not run")
        self.assertEqual(self.run_suite(asks.replace("SEED", "2"), "--schedule-seed", "2")[1]["odd"]["outcome"], "found")

    def test_host_accesses_are_checked_in_orders_that_do_not_delay_work(self):
        self.assertEqual([Case("tiles", "early", "host_race").seed(wanted) for wanted in (0, 1, 4, 6, 13)], [0, 1, 0, 2, 9])
        self.assertEqual(Case("tiles", "bad", "race").seed(6), 6)

    def test_a_race_with_a_free_may_be_found_as_an_access_of_freed_memory(self):
        case = Case("tiles", "freed", "race_with_a_free", frozenset({2}), frozenset({5}))
        for check, lines, outcome in (("memory", (2,), Outcome.FOUND), ("race", (2, 5), Outcome.FOUND), ("init", (2,), Outcome.MISSED),
                                      ("memory", (3,), Outcome.ELSEWHERE)):
            report = {"format": "warpbook check report", "version": 1, "findings": [finding(check=check, lines=lines)]}
            self.assertIs(judge(case, read_findings(case, report)).outcome, outcome)

    def test_the_script_records_each_tools_answer(self):
        ended, answers = self.record(
            'echo "========= COMPUTE-SANITIZER"\n'
            'if [[ $2 == memcheck ]]; then [[ $3$4 == --leak-checkfull ]] || exit 9; shift 2; fi\n'
            'if [[ $4 == bad && $2 == racecheck ]]; then\n'
            '  echo "========= Error: Race reported between \\"a\\", b"\n'
            '  echo "========= RACECHECK SUMMARY: 3 hazards displayed (2 errors, 1 warning)"; exit 1\n'
            'fi\n'
            '[[ $4 == good && $2 == initcheck ]] && sleep 30\n'
            'echo "========= ERROR SUMMARY: 0 errors"\n')
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len(answers), 10)
        self.assertEqual(answers["tiles", "bad", "racecheck"], recorded.Answer(1, 3, 'Error: Race reported between "a", b'))
        self.assertEqual(answers["tiles", "good", "initcheck"].exit, 124)
        self.assertEqual(answers["tiles", "bad", "memcheck"], recorded.Answer(0, 0, ""))
        self.assertEqual(answers["tiles", "good", "plain"], recorded.Answer(0, 0, 'says "good", plainly'))
        bad, good = Case("tiles", "bad", "race", frozenset({1})), Case("tiles", "good", "clean")
        self.assertIs(recorded.found(answers, bad), True)
        self.assertIs(recorded.found(answers, good), False)
        self.assertIsNone(recorded.found(answers, Case("tiles", "good", "init", frozenset({1}))))
        self.assertIsNone(recorded.found(answers, Case("tiles", "stuck", "sync_hang", frozenset({2}))))
        self.assertEqual(recorded.wrong_on_hardware(answers, [bad, good]), [])
        answers["tiles", "good", "plain"] = recorded.Answer(1, 0, "element 3 is wrong")
        self.assertEqual(len(recorded.wrong_on_hardware(answers, [bad, good])), 1)

    def test_the_script_records_cases_that_wait_for_ever_by_themselves(self):
        executable(self.folder / "nvidia-smi", "exit 0\n")
        ended, answers = self.record(
            '[[ $2 == memcheck ]] && shift 2\n'
            '[[ $2 == synccheck ]] && echo "========= Barrier error detected. Divergent thread(s) in warp."\n'
            '[[ $2 == racecheck ]] || sleep 30\n'
            'echo "========= ERROR SUMMARY: 0 errors"\n', HANGS="1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual({(name, tool) for _, name, tool in answers},
                         {("stuck", tool) for tool in ("plain", "memcheck", "racecheck", "initcheck", "synccheck")})
        still = recorded.Answer(124, 0, "no verdict: still running after 2 s")
        self.assertEqual([answers["tiles", "stuck", tool] for tool in ("plain", "memcheck", "initcheck")], [still] * 3)
        self.assertEqual(answers["tiles", "stuck", "racecheck"].exit, 0)
        self.assertEqual(answers["tiles", "stuck", "synccheck"],
                         recorded.Answer(124, 1, "Barrier error detected. Divergent thread(s) in warp."))
        stuck = Case("tiles", "stuck", "sync_hang", frozenset({2}))
        self.assertIs(recorded.found(answers, stuck), True)
        self.assertIs(recorded.waits(answers, stuck), False)
        answers["tiles", "stuck", "synccheck"] = still
        self.assertIs(recorded.found(answers, stuck), False)
        self.assertIs(recorded.waits(answers, stuck), True)
        self.assertIs(recorded.waits(answers, Case("tiles", "stuck", "sync", frozenset({2}))), False)

    def test_the_script_ends_when_the_gpu_no_longer_answers(self):
        executable(self.folder / "nvidia-smi", "exit 1\n")
        ended, answers = self.record("exit 0\n", HANGS="1")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("does not answer after 'tiles stuck plain'", ended.stderr)
        self.assertEqual(list(answers), [("tiles", "stuck", "plain")])


if __name__ == "__main__":
    unittest.main()
