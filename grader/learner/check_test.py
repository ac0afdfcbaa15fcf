"""Tests of check and list: the verdict is ctest's, in words, and is remembered."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest.mock import patch

from grader.learner.fixture import SENTENCES, WorkbookTest, is_running
from grader.learner.list_command import state_of
from grader.learner.progress import Store


class Check(WorkbookTest):
    def test_every_way_a_test_can_end_has_its_word_and_points(self):
        for words, marks, points, status, rest in (
                ("pass pass pass", ["passed"] * 3, "20 of 20", 0, "All tests passed."),
                ("pass pass half", ["passed", "passed", "partly"], "17 of 20", 0, "There are points left"),
                ("pass fail todo", ["passed", "FAILED", "not begun"], "10 of 20", 1, "1 failed, 1 not begun"),
                ("todo todo todo", ["not begun"] * 3, "0 of 20", 1, "Begin with the handout, labs/first_steps/alpha/README.md"),
                ("pass todo todo", ["passed", "not begun", "not begun"], "10 of 20", 1, "What you have begun is right."),
                ("crash unclear pass", ["FAILED", "unclear", "passed"], "6 of 20", 1, "1 failed, 1 unclear")):
            self.answer("alpha", words)
            self.assertEqual(self.run_command("check", "alpha"), status, words)
            lines = [line for line in self.out.split("\n") if " of " in line and line.startswith("  ")]
            self.assertEqual([line[2:11].strip() for line in lines], marks, self.out)
            self.assertIn(f"alpha: {points} points", self.out)
            self.assertIn(rest, " ".join(self.out.split()))
            self.assertNotIn("\x1b", self.out)

    def test_who_earned_a_part_of_a_tests_points_did_not_fail_it(self):
        self.answer("alpha", "pass pass slow")
        self.assertEqual(self.run_command("check", "alpha"), 1)
        self.assertIn("  partly     1.5 of 6    ", self.out)
        self.assertIn(f"Why '{SENTENCES[2]}' does not earn all points:", self.out)
        self.assertIn("alpha: 15.5 of 20 points. 2 of 3 tests passed, 1 in part.", self.out)
        self.assertNotIn("ailed", self.out)

    def test_the_compilers_warnings_are_shown_once_with_paths_from_the_root(self):
        warning = "{}/labs/first_steps/alpha/alpha.cu(3): warning #940-D: missing return\n    }}\n    ^\n\n\n"
        self.answer("alpha", "pass fail pass")
        self.run_command("check", "alpha")
        manifest = json.loads((self.build / "manifests" / "alpha.json").read_text(encoding="utf-8"))
        log = Path(manifest["results_folder"]) / "build_warnings.log"
        log.write_text(2 * warning.format(self.project), encoding="utf-8")
        self.run_command("check", "alpha")
        self.assertIn("The compiler warns:\n  labs/first_steps/alpha/alpha.cu(3): warning #940-D: missing return\n      }\n"
                      "      ^\n\n", self.out)
        self.assertEqual(self.out.count("#940-D"), 1)

    def test_lines_that_still_say_not_started_are_told(self):
        waiting = "int a() { return 1; }\nint b() {\n  not_started();\n}\nint c() {\n  not_started();\n}\n"
        self.answer("alpha", "pass todo todo", waiting)
        self.run_command("check", "alpha")
        self.assertIn("What you have begun is right.", self.out)
        self.assertIn("Line 7 still calls warpbook::not_started(): the code after it does not run.", " ".join(self.out.split()))
        self.answer("alpha", "todo fail todo", waiting)
        self.run_command("check", "alpha")
        self.assertIn("Lines 4, 7 still call warpbook::not_started()", self.out)
        self.answer("alpha", "todo todo todo", waiting)
        self.run_command("check", "alpha")
        self.assertIn("Begin with the handout", self.out)
        self.assertIn("Lines 4, 7 still call", self.out)
        self.answer("alpha", "pass fail pass", waiting)  # No test has come to such a line.
        self.run_command("check", "alpha")
        self.assertNotIn("still call", self.out)

    def test_a_passing_answer_is_told_its_place_on_the_ladder(self):
        lab = self.project / "labs/first_steps/alpha/lab.json"
        self.answer("alpha", "pass pass pass")
        self.run_command("check", "alpha")
        self.assertNotIn("ladder", self.out)  # It has no rungs.
        rungs = [{"rung": name, "title": name, "source": f"{name}.cu"} for name in ("naive", "tiled", "padded")]
        lab.write_text(json.dumps(json.loads(lab.read_text()) | {"rungs": rungs}))
        self.run_command("check", "alpha")
        self.assertNotIn("ladder", self.out)  # They are not built.
        manifest = self.build / "manifests/alpha.json"
        known = json.loads(manifest.read_text())
        for rung in rungs:
            program = self.build / rung["rung"]
            program.write_text("")
            known["workers"][rung["source"]] = str(program)
        manifest.write_text(json.dumps(known))
        self.run_command("check", "alpha")
        self.assertIn("On the ladder (predicted times on the benchmark): 'naive' 68.1 us, 'tiled' 22 us, 'padded' 9 us, "
                      "your answer 9 us.", " ".join(self.out.split()))
        ran = self.build / "labs/alpha/rungs/ladder.json"
        ran.parent.mkdir(parents=True)
        ran.write_text(json.dumps({"rungs": [{"rung": "naive", "time_us": 70.5}]}))
        self.run_command("check", "alpha")  # The rungs are not run again.
        self.assertIn("benchmark): 'naive' 70.5 us, your answer 9 us.", " ".join(self.out.split()))
        self.assertNotIn("run once", self.out)
        with patch("grader.learner.ladder.AT_ONCE_S", 0):
            self.run_command("check", "alpha")
        verdict, waits, place = (self.out.find(text) for text in ("All tests passed.", "The rungs of the lab's ladder run once", "On the ladder"))
        self.assertTrue(0 < verdict < waits < place, self.out)
        self.answer("alpha", "pass fail pass")
        self.run_command("check", "alpha")
        self.assertNotIn("ladder", self.out)

    def test_the_exit_status_is_that_of_ctest_for_the_same_answer(self):
        for words in ("pass pass pass", "pass fail pass", "crash pass pass", "pass pass half"):
            self.answer("alpha", words)
            ours = self.run_command("check", "alpha")
            theirs = subprocess.run(["ctest", "--test-dir", self.build, "-R", r"^alpha\."], capture_output=True).returncode
            self.assertEqual(ours == 0, theirs == 0, words)

    def test_the_first_failure_is_explained_and_with_all_every_one(self):
        self.answer("alpha", "fail fail half")
        self.run_command("check", "alpha")
        self.assertEqual(self.out.count("Why '"), 1)
        self.assertIn(f"Why '{SENTENCES[0]}' failed:\n  The sum is 4 and not 5.\n    At line 3 ?[31m it is red.\n", self.out)
        self.assertIn("2 more tests to fix after this one", self.out)
        self.run_command("check", "alpha", "--all")
        self.assertEqual(self.out.count("Why '"), 3)
        self.assertIn(f"Why '{SENTENCES[2]}' does not earn all points:\n  Slow: 2 us.", self.out)

    def test_what_does_not_compile_is_told_with_the_compilers_words(self):
        self.answer("alpha", "pass pass pass")
        self.run_command("check", "alpha")
        self.answer("alpha", "pass pass pass", "syntax error")
        self.assertEqual(self.run_command("check", "alpha"), 1)
        self.assertIn("x.cu(3): error: expected a ;", self.out)
        self.assertIn("alpha: not graded, as it does not build.", self.out)
        self.assertEqual(self.progress_of("alpha")["best_points"], 20)
        self.run_command("next")
        self.assertIn("Start beta", self.out)  # Alpha was complete before.
        self.answer("alpha", "pass fail pass")
        self.assertEqual(self.run_command("check", "alpha"), 1)
        self.assertIn("16 of 20 points", self.out)

    def test_what_is_no_source_is_said_in_one_sentence(self):
        source = self.project / "labs/first_steps/alpha/alpha.cu"
        for data, sentence in ((b" \n", "The file is empty: there is nothing to compile."),
                               (b"\x7fELF" + bytes(90), "The file is not text, but a program: hand in the source, alpha.cu, saved as UTF-8."),
                               ("// é\n".encode("utf-16"), "The file was saved as UTF-16, which compilers do not read: save it as UTF-8.")):
            source.write_bytes(data)
            self.assertEqual(self.run_command("check", "alpha"), 2)
            self.assertIn(f"labs/first_steps/alpha/alpha.cu: {sentence}", self.error)

    def test_what_is_missing_is_named(self):
        source = self.project / "labs/first_steps/alpha/alpha.cu"
        source.unlink()
        self.assertEqual(self.run_command("check", "alpha"), 2)
        self.assertIn("labs/first_steps/alpha/alpha.cu: there is no such file", self.error)
        self.answer("beta", "pass")
        (self.build / "manifests/beta.json").unlink()
        self.assertEqual(self.run_command("check", "beta"), 2)
        self.assertIn("the lab 'beta' is not built in", self.error)
        self.answer("gamma_rays", "pass")
        (self.build / "CTestTestfile.cmake").write_text("")
        self.assertEqual(self.run_command("check", "gamma_rays"), 2)
        self.assertIn("the tests did not run. ctest said:", self.error)

    def test_points_are_compared_with_the_best_before(self):
        for words, said in (("pass pass todo", ""), ("pass todo todo", "Your best so far is 14."),
                            ("pass pass pass", "Your best so far; it was 14.")):
            self.answer("alpha", words)
            self.run_command("check", "alpha")
            self.assertIn(said, self.out)

    def test_who_gains_nothing_three_times_is_offered_a_hint(self):
        self.answer("alpha", "pass fail fail")
        for i in range(4):
            self.run_command("check", "alpha")
            self.assertEqual("`warpbook hint alpha`" in self.out, i == 3, i)

    def test_ctrl_c_ends_everything_and_is_told(self):
        self.answer("alpha", "hang pass pass")
        process = self.start("check", "alpha")
        hangs = self.build / "results/alpha/hangs"
        while not hangs.exists() or not hangs.read_text():
            time.sleep(0.05)
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), 130)
        self.assertIn("warpbook check: interrupted.", process.stdout.read())
        self.assertFalse(is_running(int(hangs.read_text())))

    def test_a_closed_terminal_leaves_nothing_running(self):
        for number in (signal.SIGHUP, signal.SIGTERM):
            self.answer("alpha", "hang pass pass")
            hangs = self.build / "results/alpha/hangs"
            hangs.unlink(missing_ok=True)
            process = self.start("check", "alpha")
            while not hangs.exists() or not hangs.read_text():
                time.sleep(0.05)
            process.send_signal(number)
            self.assertEqual(process.wait(30), 130)
            self.assertFalse(is_running(int(hangs.read_text())))

    def test_two_checks_at_a_time_take_turns(self):
        self.answer("alpha", "hang pass pass")
        self.answer("beta", "pass pass pass")
        first = self.start("check", "alpha")
        hangs = self.build / "results/alpha/hangs"
        while not hangs.exists() or not hangs.read_text():
            time.sleep(0.05)
        second = self.start("check", "beta")
        lines = [second.stdout.readline() for _ in range(2)]
        self.assertEqual(lines[1], "Another check is running; waiting for it to finish.\n")
        time.sleep(0.5)
        self.assertIsNone(second.poll())
        first.send_signal(signal.SIGINT)
        self.assertEqual(second.wait(60), 0)

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        status = subprocess.run(
            f"{sys.executable} -m grader.learner list --project {self.project} --build-folder {self.build} | head -n 1; "
            "exit ${PIPESTATUS[0]}", shell=True, executable="/bin/bash", capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": os.getcwd()})
        self.assertEqual((status.returncode, status.stderr), (0, ""))


class List(WorkbookTest):
    def row(self, lab: str) -> list[str]:
        self.assertEqual(self.run_command("list"), 0)
        line, = [line for line in self.out.split("\n") if f" {lab} " in line]
        return line.split()

    def test_states_and_points(self):
        self.assertEqual(self.row("alpha"), ["1", "alpha", "lab", "75", "min", "-", "new", "-"])
        self.assertEqual(self.row("gamma_rays")[5:], ["1,", "2", "new", "-"])
        self.answer("alpha", "pass fail todo")
        self.run_command("check", "alpha")
        self.assertEqual(self.row("alpha")[6:], ["begun", "10", "of", "20"])
        self.answer("alpha", "pass pass pass")
        self.assertEqual(self.row("alpha")[6:], ["begun,", "changed", "10", "of", "20"])
        self.run_command("check", "alpha")
        self.assertEqual(self.row("alpha")[6:], ["complete", "20", "of", "20"])
        self.assertIn("1 of 3 labs complete; the others take about 2 h 30 min.", " ".join(self.out.split()))
        for lab in ("beta", "gamma_rays"):
            self.answer(lab, "pass pass pass")
            self.run_command("check", lab)
        self.run_command("list")
        self.assertIn("3 of 3 labs complete. `warpbook next`", " ".join(self.out.split()))

    def test_what_ctest_graded_counts_too(self):
        self.answer("beta", "pass pass fail")
        subprocess.run(["ctest", "--test-dir", self.build, "-R", r"^beta\."], capture_output=True)
        self.assertEqual(self.row("beta")[6:], ["begun", "14", "of", "20"])
        time.sleep(0.01)
        self.answer("beta", "pass pass pass")  # Saved and not graded: what ctest left is of another answer.
        self.assertEqual(self.row("beta")[6:], ["new", "-"])

    def test_half_written_records_are_as_if_there_were_none(self):
        self.answer("beta", "pass pass pass")
        subprocess.run(["ctest", "--test-dir", self.build, "-R", r"^beta\."], capture_output=True)
        for damage in (b"", b"{", b"[]", b'{"format": "warpbook.test", "version": 9}', b"\xff"):
            (self.build / "results/beta/student/time.json").write_bytes(damage)
            self.assertEqual(self.row("beta")[6:], ["new", "-"], damage)

    def test_narrow_terminals_get_a_line_for_each_value(self):
        self.run_command("list", columns=40)
        self.assertIn("3 gamma_rays\n    kind: lab\n    takes: 75 min\n    needs: 1, 2\n    state: new\n", self.out)
        self.assertLessEqual(max(map(len, self.out.split("\n"))), 40)

    def test_a_worked_example_is_to_be_read(self):
        path = self.project / "labs/first_steps/alpha/lab.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "worked_example": True}))
        lab = self.labs()[0]
        self.assertEqual(state_of(lab, Store(self.project).read().of("alpha")), "solved, to read")
        self.run_command("next")
        self.assertIn("Read and check alpha", self.out)


if __name__ == "__main__":
    unittest.main()
