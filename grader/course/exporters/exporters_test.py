"""Tests of the exporters: every format read back, and nothing of hidden tests in what students read."""

import csv
import io
import json
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from grader.course.exporters import EXPORTERS, export
from grader.course.exporters.view import Classroom, file_name
from grader.course.policy.points import number
from grader.course.gradebook import Found, Grade, Gradebook, Job, Student, Submitted, Test

SECRET = "sums of a million"  # The sentence of the hidden test.


def tests_of(job: str, lab: str, hidden_status: str = "passed", hidden: bool = False) -> list[Test]:
    bad = "" if hidden_status == "passed" else "SECRET-MESSAGE: off by one\nline 7"
    return [Test(job, 0, f"{lab}.correctness.every shape, even 1 x 1", "correctness", "passed", 40, 40, "", False),
            Test(job, 1, f"{lab}.counters.stores fill sectors", "counters", "passed", 30, 30, "", False),
            Test(job, 2, f"{lab}.time.{SECRET}", "time", hidden_status, 30 if hidden_status == "passed" else 0, 30, bad, hidden)]


class ExportersTest(unittest.TestCase):
    """s001 fails one test of `sum`, hidden where a test says so; s002 is late; s003 handed in nothing; the grader failed
    on s004's; s005's does not compile."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.book = Gradebook.create(self.out / "gradebook.sqlite")
        self.addCleanup(self.book.close)

    def fill(self, hidden: bool = False, **weights: float) -> None:
        with self.book.transaction():
            self.book.set_course("labs", '["sum", "scan"]')
            self.book.set_course("titles", '{"sum": "Sums, all of them", "scan": "Scan"}')
            self.book.set_course("weights", json.dumps(weights))
            self.book.write([Student("s001", "Öne, S.", "s001@example.org", "A"), Student("s002"), Student("s003", "=1+1"),
                             Student("s004"), Student("s005")])
            self.book.write([Job("j1", "sum", "failed", f"1 of 3 tests fails; the first, time.{SECRET}: SECRET-MESSAGE", 70,
                                 100, 12.5, "bubblewrap"),
                             Job("j2", "sum", "passed", "", 100, 100, 10.25, "bubblewrap"),
                             Job("j4", "sum", "not_graded", "No space.", 0, 100, None, "bubblewrap"),
                             Job("j5", "sum", "build_failed", "Line 3: no ';'", 0, 100, None, "bubblewrap")])
            self.book.write([*tests_of("j1", "sum", "failed", hidden), *tests_of("j2", "sum", "passed", hidden)])
            for student, job in (("s001", "j1"), ("s002", "j2"), ("s004", "j4"), ("s005", "j5")):
                self.book.write([Submitted(student, "sum", job * 32, job, None, 1, f"{student}/sum.cu", True)])
            self.book.write([
                Grade("s001", "sum", 70, 100, 0, 0, 1, 70, "failed", f"1 of 3 tests fails; the first, time.{SECRET}: SECRET-MESSAGE."),
                Grade("s002", "sum", 100, 100, 2, 1, 0.9, 90, "passed", "2 days late."),
                Grade("s003", "sum", 0, 100, 0, 0, 1, 0, "missing", "Nothing was handed in."),
                Grade("s004", "sum", 0, 100, 0, 0, 1, 0, "not_graded", "Not graded: no space."),
                Grade("s005", "sum", 0, 100, 0, 0, 1, 0, "build_failed", "Line 3: no ';'."),
                Grade("s001", "scan", 33.333, 33.333, 0, 0, 1, 33.333, "passed", "")])
            self.book.write([Found("", "", "note", "junk", "all.zip/x", "Ignored."),
                             Found("s001", "sum", "suspicion", "asm", "s001/sum.cu", "=HYPERLINK(1)")])

    def write(self, name: str) -> Path:
        return export([name], self.book, self.out)[0]

    def table(self, name: str) -> list[list[str]]:
        return list(csv.reader(io.StringIO(self.write(name).read_text(encoding="utf-8"))))

    def test_every_format_is_written_twice_with_the_same_bytes(self):
        self.fill()
        for name in EXPORTERS:
            path = self.write(name)
            files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
            self.assertTrue(files, name)
            before = [file.read_bytes() for file in files]
            self.write(name)
            self.assertEqual([file.read_bytes() for file in files], before, name)

    def test_gradebook_csv_has_a_row_for_each_student(self):
        self.fill(scan=300)
        head, *rows = self.table("csv")
        self.assertEqual(head[:8], ["student", "name", "email", "section", "points", "max_points", "percent", "sum"])
        by_id = {row[0]: dict(zip(head, row)) for row in rows}
        self.assertEqual(list(by_id), ["s001", "s002", "s003", "s004", "s005"])
        self.assertEqual((by_id["s001"]["points"], by_id["s001"]["max_points"], by_id["s001"]["percent"]), ("103.33", "133.33", "92.5"))
        self.assertEqual((by_id["s002"]["sum"], by_id["s002"]["sum days late"], by_id["s002"]["scan"]), ("90", "2", ""))
        self.assertEqual(by_id["s003"]["name"], "'=1+1")  # No formula.
        self.assertEqual([by_id[key]["sum status"] for key in ("s003", "s004", "s005")], ["missing", "not_graded", "build_failed"])
        self.assertEqual(self.table("findings")[1], ["suspicion", "asm", "s001", "sum", "s001/sum.cu", "'=HYPERLINK(1)"])

    def test_control_characters_of_strangers_reach_no_terminal(self):
        self.fill()
        with self.book.transaction():
            self.book.write([Student("s002", "a\x1b[2J\x00b\x9bc\u202e\u2066"), Found("s002", "sum", "error", "x", "p", "\x1b]0;owned\x07")])
        for name in ("csv", "findings", "canvas", "moodle"):
            self.assertNotRegex(self.write(name).read_text(encoding="utf-8"), "[\x00\x07\x1b\x9b\u202e\u2066]")
        self.assertEqual(self.table("csv")[2][1], "a\ufffd[2J\ufffdb\ufffdc\ufffd\ufffd")
        self.assertEqual(self.table("canvas")[3][0], "a\ufffd[2J\ufffdb\ufffdc\ufffd\ufffd")

    def test_no_name_is_a_formula_in_any_table(self):
        self.fill()
        with self.book.transaction():
            self.book.write([Student("s002", "=1+1", "@x", "-A")])
        self.assertEqual(self.table("canvas")[3][:5], ["'=1+1", "", "s002", "'@x", "'-A"])
        self.assertEqual(self.table("moodle")[2][:3], ["s002", "'@x", "'=1+1"])
        self.assertEqual(self.table("csv")[2][1:4], ["'=1+1", "'@x", "'-A"])

    def test_nobody_has_100_percent_with_a_point_missing(self):
        self.fill()
        with self.book.transaction():
            self.book.write([Grade("s002", "sum", 99.998, 100, 0, 0, 1, 99.998, "failed", "nearly")])
        classroom = Classroom.read(self.book)
        self.assertEqual(classroom.percent(Student("s002")), 99.99)
        with self.book.transaction():
            self.book.write([Grade("s002", "sum", 100, 100, 0, 0, 1, 100, "passed", "")])
        self.assertEqual(Classroom.read(self.book).percent(Student("s002")), 100)

    def test_canvas_and_moodle_leave_ungraded_cells_alone(self):
        self.fill()
        canvas = self.table("canvas")
        self.assertEqual(canvas[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sums, all of them", "Scan"])
        self.assertEqual(canvas[1], ["    Points Possible", "", "", "", "", "100", "33.33"])
        self.assertEqual(canvas[2], ["Öne, S.", "", "s001", "s001@example.org", "A", "70", "33.33"])
        self.assertEqual([row[5] for row in canvas[3:]], ["90", "0", "", "0"])
        moodle = self.table("moodle")
        self.assertEqual(moodle[0][:5], ["ID number", "Email address", "Name", "Sums, all of them", "Sums, all of them (feedback)"])
        self.assertEqual([row[3] for row in moodle[1:]], ["70", "90", "0", "-", "0"])
        self.assertEqual(moodle[2][4], "2 days late.")

    def test_columns_are_called_as_the_policy_says(self):
        self.fill()
        course = {"format": "warpbook.course", "version": 1, "labs": {"sum": {"column": "Lab 2 (48211)"}}}
        with self.book.transaction():
            self.book.set_course("policy", json.dumps(course))
        self.assertEqual(self.table("canvas")[0][5:], ["Lab 2 (48211)", "Scan"])
        self.assertEqual(self.table("moodle")[0][3:6], ["Lab 2 (48211)", "Lab 2 (48211) (feedback)", "Scan"])

    def test_gradescope_gets_scores_visibility_and_a_leaderboard(self):
        self.fill(hidden=True)
        folder = self.write("gradescope_results")
        first = json.loads((folder / "s001" / "sum.json").read_text(encoding="utf-8"))
        self.assertEqual(first["score"], 70)
        self.assertEqual([test["visibility"] for test in first["tests"]], ["visible", "visible", "hidden"])
        self.assertEqual([(test["score"], test["max_score"], test["status"]) for test in first["tests"]],
                         [(40, 40, "passed"), (30, 30, "passed"), (0, 30, "failed")])
        self.assertEqual(first["leaderboard"], [{"name": "points", "value": 70, "order": "desc"}])  # No time: that is hidden.
        self.assertEqual(first["output"], "2 of 2 visible tests passed: 70 of 70 points so far. More tests count later.")
        for other, text in (("s003", "Nothing was handed in."), ("s005", "Line 3: no ';'.")):
            record = json.loads((folder / other / "sum.json").read_text(encoding="utf-8"))
            self.assertEqual((record["tests"][0]["output"], record["tests"][0]["score"], len(record["leaderboard"])), (text, 0, 1))

    def test_only_right_answers_have_a_time_on_the_leaderboard(self):
        self.fill()
        folder = self.write("gradescope_results")
        times = {"name": "predicted time (us)", "value": 10.25, "order": "asc"}
        self.assertIn(times, json.loads((folder / "s002" / "sum.json").read_text(encoding="utf-8"))["leaderboard"])
        with self.book.transaction():
            self.book.write([Test("j2", 0, "sum.correctness.x", "correctness", "failed", 0, 40, "wrong", False)])
        self.write("gradescope_results")
        self.assertNotIn("time", (folder / "s002" / "sum.json").read_text(encoding="utf-8").split('"leaderboard"')[1].split("]")[0])

    def test_autolab_gets_a_score_for_each_kind(self):
        self.fill()
        first = json.loads((self.write("autolab") / "s001" / "sum.json").read_text(encoding="utf-8"))
        self.assertEqual(first, {"scores": {"correctness": 40, "counters": 30, "time": 0}, "scoreboard": [70, 12.5]})

    def test_junit_counts_failures_errors_and_survives_any_text(self):
        self.fill()
        with self.book.transaction():
            self.book.write([Test("j1", 2, "sum.time.x", "time", "failed", 0, 30, "bad \x1b[31m \x00 <&> \ud800 text", False)])
        root = xml.parse(self.write("junit") / "sum.xml").getroot()
        self.assertEqual([root.get(key) for key in ("tests", "failures", "errors", "skipped")], ["9", "3", "1", "0"])
        self.assertEqual([suite.get("name") for suite in root], [f"sum.s00{i}" for i in range(1, 6)])
        self.assertIn("<&> \\ud800 text", root.find("testsuite/testcase/failure").text)

    def test_nothing_that_a_student_reads_tells_how_hidden_tests_ended(self):
        self.fill(hidden=True)
        results = self.write("results")
        autolab, gradescope = self.write("autolab"), self.write("gradescope_results")
        first = json.loads((results / "s001" / "results.json").read_text(encoding="utf-8"))
        lab = first["labs"][0]
        self.assertEqual((first["format"], first["version"]), ("warpbook.results", 2))
        self.assertEqual((lab["status"], lab["points"], lab["max_points"], lab["hidden_tests"]), ("passed", 70, 70, 1))
        self.assertNotIn("grade", lab)
        for path in (results / "s001" / "results.json", autolab / "s001" / "sum.json"):
            text = path.read_text(encoding="utf-8")
            self.assertNotIn("SECRET-MESSAGE", text, path)
            self.assertNotIn(SECRET, text, path)
        record = json.loads((gradescope / "s001" / "sum.json").read_text(encoding="utf-8"))
        shown = {key: value for key, value in record.items() if key not in ("tests", "extra_data", "score")}
        shown["tests"] = [test for test in record["tests"] if test["visibility"] == "visible"]
        self.assertNotIn("SECRET-MESSAGE", json.dumps(shown))
        feedback = {row[0]: row[4] for row in self.table("moodle")[1:]}
        self.assertNotIn("SECRET", feedback["s001"])
        # Who passed the hidden test, and who failed it, read the same words.
        self.assertEqual(feedback["s001"], feedback["s002"])

    def test_a_part_that_is_not_begun_is_no_pass_while_other_tests_are_hidden(self):
        self.fill(hidden=True)
        for status, shown in (("passed", "passed"), ("inconclusive", "inconclusive"), ("skipped", "failed"), ("failed", "failed")):
            with self.book.transaction():
                self.book.delete(Test, job="j1", position=1)
                self.book.write([Test("j1", 1, "sum.counters.stores fill sectors", "counters", status, 0, 30, "", False)])
            self.assertEqual(Classroom.read(self.book).entries["s001", "sum"].shown_status, shown)

    def test_labs_without_a_verdict_are_only_named(self):
        self.fill()
        folder = self.write("results")
        for student, key in (("s003", "missing"), ("s004", "not_graded")):
            results = json.loads((folder / student / "results.json").read_text(encoding="utf-8"))
            self.assertEqual((results["labs"], results[key]), ([], ["sum"]))

    def test_released_tests_are_told_like_all_others(self):
        self.fill(hidden=False)
        lab = json.loads((self.write("results") / "s001" / "results.json").read_text(encoding="utf-8"))["labs"][0]
        self.assertEqual((lab["status"], lab["points"], lab["max_points"], lab["hidden_tests"], len(lab["tests"])),
                         ("failed", 70, 100, 0, 3))
        self.assertEqual(lab["grade"]["points"], 70)

    def test_folders_of_people_who_left_go_and_no_id_leads_out_of_the_folder(self):
        self.fill()
        folder = self.write("results")
        with self.book.transaction():
            self.book.delete(Student, student="s002")
            self.book.write([Student("../../s666"), Student(".."), Student("")])
        self.write("results")
        names = sorted(path.name for path in folder.iterdir())
        self.assertNotIn("s002", names)
        self.assertEqual(len(names), 7)
        self.assertFalse([path for path in self.out.parent.glob("s666*")])

    def test_names_of_files_are_safe_and_differ(self):
        ids = ["s001", "S001", "s/001", "s_001", "..", ".", "", "-rf", "ä" * 300, "a b", "a\nb", "a_b", "x" * 81, "x" * 82]
        names = [file_name(one) for one in ids]
        self.assertEqual(len({name.lower() for name in names}), len(ids), names)
        for name in names:
            self.assertRegex(name, r"^[A-Za-z0-9_@+][A-Za-z0-9._@+-]{0,120}$")
        self.assertEqual(names[0], "s001")

    def test_numbers_have_no_useless_digits(self):
        self.assertEqual([number(value) for value in (0, 5.0, 0.5, 33.333, 100, 1e3)], ["0", "5", "0.5", "33.33", "100", "1000"])


class SeveralAttemptsTest(unittest.TestCase):
    """s001 and s002 handed in the same attempts, as far as tests show; a hidden test made another one count."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.book = Gradebook.create(self.out / "gradebook.sqlite")
        self.addCleanup(self.book.close)

    def fill(self, hidden: bool = True, rule: str = "best", ran: bool = True) -> None:
        """Attempt 1 does not build or lacks 10 points of what shows; attempt 2 is shown; attempt 3 is equal and later."""
        policy = {"format": "warpbook.course", "version": 1, "labs": {"sum": {"submission": rule, "due": "2026-10-01T00:00:00Z"},
                                                                   "not_graded_yet": {"due": "2026-11-01T00:00:00Z"}},
                  "extensions": [{"student": "s009", "lab": "not_graded_yet", "days": 7}]}
        chosen = {"s001": 1, "s002": 3} if rule == "best" else {"s001": 3, "s002": 3}
        with self.book.transaction():
            for key, value in (("labs", '["sum"]'), ("titles", '{"sum": "Sums"}'), ("policy", json.dumps(policy))):
                self.book.set_course(key, value)
            self.book.delete(Submitted)
            for student in ("s001", "s002"):
                self.book.write([Student(student)])
                for attempt in (1, 2, 3):
                    job = f"{student}-{attempt}"
                    good = chosen[student] == attempt
                    failed = attempt == 1 and not ran
                    status = "build_failed" if failed else "passed" if good and attempt > 1 else "failed"
                    self.book.write([Job(job, "sum", status, SECRET, 0, 100, None if failed else 10.5, "bubblewrap")])
                    self.book.write([
                        Test(job, 0, "sum.correctness.every shape", "correctness", "not_run" if failed else "passed",
                             0 if failed else 60 if attempt > 1 else 50, 60, "", False),
                        Test(job, 1, f"sum.correctness.{SECRET}", "correctness", "not_run" if failed else "passed" if good else
                             "failed", 40 if good and not failed else 0, 40, "" if good else "SECRET-MESSAGE", hidden)])
                    self.book.write([Submitted(student, "sum", str(attempt) * 64, job, f"2026-10-0{attempt}T12:00:00Z", attempt,
                                               f"{attempt}/sum.cu", good)])
                points = 90 if chosen[student] == 1 else 100
                self.book.write([Grade(student, "sum", points, 100, chosen[student], 0, 1, points, "passed", f"{SECRET}: all.")])

    def read(self, name: str, pattern: str) -> dict[str, str]:
        """A format's data for each student, without ids."""
        (path,) = export([name], self.book, self.out)
        found = {}
        for student in ("s001", "s002"):
            record = json.loads((path / student / pattern).read_text(encoding="utf-8"))
            if name == "gradescope_results":  # The rest is for the instructor.
                self.assertEqual([test["visibility"] for test in record["tests"]], ["visible", "hidden"])
                record = {"output": record["output"], "leaderboard": record["leaderboard"], "tests": record["tests"][:1]}
            found[student] = json.dumps(record, sort_keys=True).replace(student, "ID")
        return found

    FORMATS = (("results", "results.json"), ("gradescope_results", "sum.json"), ("autolab", "sum.json"))

    def test_nothing_that_students_read_tells_which_attempt_hidden_tests_chose(self):
        for ran in (False, True):
            self.fill(ran=ran)
            counted = {row.student: row.attempt for row in self.book.read(Submitted, chosen=True)}
            self.assertEqual(counted, {"s001": 1, "s002": 3})
            for name, pattern in self.FORMATS:
                read = self.read(name, pattern)
                self.assertEqual(read["s001"], read["s002"], name)
                self.assertNotIn("SECRET", read["s001"])
        record = json.loads((self.out / "results/s001/results.json").read_text())["labs"][0]
        self.assertEqual((record["submission"]["attempt"], record["points"], record["time_us"]), (2, 60, None))
        self.assertIn("This is attempt 2, the best one by the tests shown here. Which attempt counts", record["reason"])
        instructors = json.loads((self.out / "export/gradescope/s001/sum.json").read_text())
        self.assertEqual((instructors["score"], instructors["tests"][1]["score"]), (90, 40))

    def test_released_the_attempt_that_counts_is_told(self):
        self.fill(hidden=False)
        self.assertIn('"attempt": 1', self.read("results", "results.json")["s001"])
        self.assertIn('"attempt": 3', self.read("results", "results.json")["s002"])

    def test_the_latest_attempt_is_told_because_hidden_tests_do_not_choose_it(self):
        self.fill(rule="latest")
        for text in self.read("results", "results.json").values():
            self.assertIn('"attempt": 3', text)
            self.assertNotIn("Which attempt counts", text)


if __name__ == "__main__":
    unittest.main()
