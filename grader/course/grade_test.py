"""Tests of `warpbook grade` on a fake class: every grade as expected, whatever interrupts it."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.gradebook import Change, Found, Gradebook, Grade, Job, Run, Similarity, Student, Submitted, Test
from grader.course.testing.fake_class import ROOT, FakeClass

PASS, HALF = "tests: passed passed passed", "tests: passed failed passed"
DECIDED = ("student", "submission", "finding", "job", "test", "grade", "history", "change", "similarity",
           "course")


class GradeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.school = FakeClass(Path(folder.name))
        self.school.make_labs()

    def book(self) -> Gradebook:
        book = Gradebook.open(self.school.out / "gradebook.sqlite")
        self.addCleanup(book.close)
        return book

    def grades(self) -> dict[tuple[str, str], tuple[float, str]]:
        return {(row.student, row.lab): (row.points, row.status) for row in self.book().read(Grade)}

    def grade(self, *arguments, status: int = 0) -> str:
        code, output = self.school.grade(*arguments)
        self.assertEqual(code, status, output)
        return output

    def runs_of(self, text: str) -> int:
        """How often the task of the file with this text ran."""
        (source,) = [path for path in self.school.out.glob("jobs/*/*.cu") if path.read_text() == f"// {text}\n"]
        return len((source.parent / "runs").read_text())


class Grades(GradeTest):
    def test_everybody_gets_a_row_for_every_lab(self):
        for student, text in (("s001", PASS), ("s002", HALF), ("s003", "build_failed"), ("s004", "not_started")):
            self.school.hand_in(student, "alpha", text)
        self.school.hand_in("s001", "beta", PASS)
        self.school.hand_in("s009", "beta", PASS)
        output = self.grade("--roster", self.school.roster("s001", "s002", "s003", "s004", "s005"))
        self.assertIn("5 submissions of 4 students in 2 labs: 5 different files to grade.", output)
        grades = self.grades()
        self.assertEqual({key: value for key, value in grades.items() if key[1] == "alpha"}, {
            ("s001", "alpha"): (100, "passed"), ("s002", "alpha"): (70, "failed"), ("s003", "alpha"): (0, "build_failed"),
            ("s004", "alpha"): (0, "not_started"), ("s005", "alpha"): (0, "missing")})
        self.assertEqual(grades["s001", "beta"], (100, "passed"))
        self.assertEqual(grades["s005", "beta"], (0, "missing"))
        self.assertEqual(len(grades), 10)
        reasons = {row.student: row.reason for row in self.book().read(Grade, lab="alpha")}
        self.assertEqual(reasons, {"s001": "", "s002": "1 of 3 tests failed.", "s003": "It does not compile: line 3.",
                                   "s004": "Nobody has begun.", "s005": "Nothing was handed in."})

    def test_grading_without_a_sandbox_is_on_record(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.assertIn("without a sandbox", self.grade("--isolation", "none"))
        self.assertEqual(self.book().course("isolation"), "none")
        self.assertEqual([row.isolation for row in self.book().read(Job)], ["none"])
        self.assertIn("not_isolated", (self.school.out / "findings.csv").read_text())
        self.assertNotIn("without a sandbox", self.grade())
        self.assertEqual([row.isolation for row in self.book().read(Job)], ["bubblewrap"])

    def test_the_same_file_is_graded_once_for_each_lab(self):
        for student in ("s001", "s002", "s003"):
            self.school.hand_in(student, "alpha", PASS)
        self.school.hand_in("s001", "beta", PASS)
        self.grade()
        jobs = self.book().read(Job)
        self.assertEqual([job.lab for job in jobs], ["alpha", "beta"])
        self.assertEqual(len({row.job for row in self.book().read(Submitted)}), 2)

    def test_the_policy_is_applied(self):
        self.school.hand_in("s001", "alpha", HALF, "2026-10-03T12:00:00+00:00")
        self.school.hand_in("s001", "beta", PASS, "2026-10-03T12:00:00+00:00")
        self.school.hand_in("s002", "alpha", HALF)
        policy = self.school.policy(
            course="CUDA", grace={"days": 1}, defaults={"late": {"percent_per_day": 20}},
            labs={"alpha": {"points": 50, "due": "2026-10-01", "hidden": {"tests": ["*.time.*"]}}, "beta": {"due": "2026-10-02", "weight": 10}})
        self.grade("--policy", policy)
        rows = {(row.student, row.lab): row for row in self.book().read(Grade)}
        alpha = rows["s001", "alpha"]
        self.assertEqual((alpha.raw_points, alpha.max_points, alpha.late_days, alpha.grace_days_used, alpha.factor, alpha.points),
                         (35, 50, 2, 1, 0.8, 28))
        self.assertEqual(alpha.reason, "1 of 3 tests failed. 2 days late, 1 paid by grace: 80 % of the points.")
        self.assertEqual((rows["s001", "beta"].late_days, rows["s001", "beta"].grace_days_used, rows["s001", "beta"].points), (1, 0, 80))
        self.assertEqual(rows["s002", "alpha"].points, 35)
        tests = self.book().read(Test, job=self.book().chosen()["s001", "alpha"].job)
        self.assertEqual([(test.kind, test.points, test.max_points, test.hidden) for test in tests],
                         [("correctness", 20, 20, False), ("counters", 0, 15, False), ("time", 15, 15, True)])
        self.assertEqual(self.book().course("title"), "CUDA")

    def test_grace_days_used_in_labs_graded_before_are_gone(self):
        policy = self.school.policy(grace={"days": 1}, defaults={"late": {"percent_per_day": 20}},
                                    labs={"alpha": {"due": "2026-10-01"}, "beta": {"due": "2026-10-02"}})
        self.school.hand_in("s001", "alpha", PASS, "2026-10-02T12:00:00+00:00")
        self.school.hand_in("s001", "beta", PASS, "2026-10-03T12:00:00+00:00")
        self.grade("--policy", policy, "--labs", "alpha")
        self.assertEqual(self.grades(), {("s001", "alpha"): (100, "passed")})
        self.grade("--policy", policy, "--labs", "beta")
        self.assertEqual(self.grades(), {("s001", "alpha"): (100, "passed"), ("s001", "beta"): (80, "passed")})

    def test_labs_that_were_graded_by_other_rules_are_named(self):
        early = {"labs": {"alpha": {"points": 50}}}
        later = {"labs": {"alpha": {"points": 50}, "beta": {"points": 20}}}  # The same for alpha.
        self.school.hand_in("s001", "alpha", PASS)
        output = self.grade("--policy", self.school.policy(**early))
        self.assertIn("1 submission of 1 student in 1 lab: 1 different file to grade.", output)
        (self.school.submissions / "s001" / "alpha.cu").unlink()
        self.school.hand_in("s001", "beta", PASS)
        self.assertNotIn("other rules", self.grade("--policy", self.school.policy(**later)))
        output = self.grade("--policy", self.school.policy(**later, grace={"students": {"s001": 2}}))
        self.assertIn("Graded by other rules, in earlier runs: alpha. Those grades stay", output)
        self.school.hand_in("s001", "alpha", PASS)
        output = self.grade("--policy", self.school.policy(**early), "--only", "s001")
        self.assertIn("in earlier runs: beta.", output)  # Of others, who were not graded now.
        self.assertNotIn("other rules", self.grade("--policy", self.school.policy(**early)))

    def test_what_was_unexpected_in_one_lab_stays_when_another_one_is_graded(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.school.hand_in("s009", "alpha", PASS)
        roster = self.school.roster("s001")
        self.grade("--roster", roster)
        shutil.rmtree(self.school.submissions)
        self.school.hand_in("s001", "beta", PASS)
        self.grade("--roster", roster)
        found = [(row.lab, row.code) for row in self.book().read(Found) if row.severity == "error"]
        self.assertEqual(found, [("alpha", "not_on_roster")])

    def test_the_best_attempt_counts_or_the_latest(self):
        self.school.hand_in("s001", "alpha", PASS, folder="attempt_1")
        self.school.hand_in("s001", "alpha", HALF, folder="attempt_2")
        self.grade()
        self.assertEqual(self.grades()["s001", "alpha"], (100, "passed"))
        self.assertEqual([row.chosen for row in self.book().read(Submitted)], [True, False])
        self.grade("--policy", self.school.policy(defaults={"submission": "latest"}))
        self.assertEqual(self.grades()["s001", "alpha"], (70, "failed"))
        self.assertEqual([(row.chosen, row.job != "") for row in self.book().read(Submitted)], [(False, False), (True, True)])

    def test_a_grader_that_fails_is_no_fault_of_the_student(self):
        self.school.hand_in("s001", "alpha", "grader_fails")
        self.school.hand_in("s002", "alpha", PASS)
        output = self.grade(status=1)
        self.assertIn("Could not be graded: 1", output)
        self.assertIn("no space left on device", output)
        (row,) = self.book().read(Grade, student="s001")
        self.assertEqual(row.status, "not_graded")
        self.assertIn("the grader failed 2 times", row.reason)
        self.assertNotIn(str(self.school.folder), row.reason)
        self.assertEqual(self.grades()["s002", "alpha"], (100, "passed"))
        self.assertEqual(self.runs_of("grader_fails"), 2)
        self.grade(status=1)
        self.assertEqual((self.runs_of("grader_fails"), self.runs_of(PASS)), (4, 1))


class Alike(GradeTest):
    CODE = (Path(__file__).parent / "similarity/testdata/reduction/written_2.cu").read_text(encoding="utf-8")

    def test_copies_are_named_to_a_person_and_cost_nobody_a_point(self):
        other = (Path(__file__).parent / "similarity/testdata/reduction/written_1.cu").read_text(encoding="utf-8")
        for student, code in (("s001", self.CODE), ("s002", self.CODE.replace("partial", "mine2")), ("s003", other)):
            self.school.hand_in(student, "alpha", f"{PASS}\n{code}")
        self.assertIn("1 pair of answers alike, which changes no points: `warpbook similarity", self.grade())
        pairs = [(row.a, row.b, row.cluster) for row in self.book().read(Similarity)]
        self.assertEqual(pairs, [("s001", "s002", 1)])
        self.assertEqual({points for points, _ in self.grades().values()}, {100})
        # Killed between grades and comparison: going on makes up for it.
        with Gradebook.create(self.school.out / "gradebook.sqlite") as book, book.transaction():
            book.delete(Similarity)
        self.grade("--resume")
        self.assertEqual(len(self.book().read(Similarity)), 1)
        # And what is alike no more is gone.
        self.school.hand_in("s002", "alpha", HALF)
        self.assertNotIn("alike", self.grade())
        self.assertEqual(self.book().read(Similarity), [])


class Again(GradeTest):
    def test_only_a_changed_file_is_graded_again_and_the_change_is_explained(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.school.hand_in("s002", "alpha", HALF)
        self.grade()
        self.school.hand_in("s002", "alpha", "tests: passed passed failed")
        self.school.hand_in("s003", "alpha", "tests: failed failed failed")
        output = self.grade()
        self.assertEqual(self.runs_of(PASS), 1)
        self.school.hand_in("s002", "alpha", PASS)
        output = self.grade()
        self.assertIn("s002, alpha: 70 -> 100 points (failed -> passed): another file was handed in (in/s002/alpha.cu); "
                      "'alpha.time.is nearly as fast' failed (0%) before, passed (100%) now", output)
        self.assertEqual([(row.run, row.student) for row in self.book().read(Change)], [(3, "s002")])
        self.assertEqual(self.runs_of(PASS), 1)

    def test_a_file_that_compiles_now_is_told_without_its_tests(self):
        for text, told in (("build_failed", ""), (PASS, "it did not compile before"), ("build_failed", "it does not compile now")):
            self.school.hand_in("s001", "alpha", text)
            output = self.grade()
            if told:
                self.assertIn(f"another file was handed in (in/s001/alpha.cu); {told}\n", output)

    def test_a_file_that_lies_elsewhere_is_another_file_and_no_other_attempt(self):
        self.school.hand_in("s001", "alpha", HALF)
        self.grade()
        (self.school.submissions / "s001" / "alpha.cu").unlink()
        self.school.hand_in("s001", "alpha", PASS, folder="new")
        self.assertIn("another file was handed in: in/s001/new/alpha.cu, before in/s001/alpha.cu; ", self.grade())

    def test_another_grader_grades_everything_again(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.grade()
        jobs = {self.book().read(Job)[0].job}
        for name in ("alpha_test", "calls.o"):
            (self.school.folder / "build" / name).write_text("version 2")
            self.grade()
            jobs.add(self.book().read(Job)[0].job)
        self.assertEqual(len(jobs), 3)

    def test_regrade_runs_again_and_tells_changes_of_the_policy(self):
        self.school.hand_in("s001", "alpha", HALF)
        self.grade()
        self.grade()
        self.assertEqual(self.runs_of(HALF), 1)
        output = self.grade("--regrade", "--policy", self.school.policy(labs={"alpha": {"kinds": {"correctness": 1}}}))
        self.assertEqual(self.runs_of(HALF), 2)
        self.assertIn("s001, alpha: 70 -> 100 points (failed): the policy weights the tests differently", output)
        output = self.grade("--policy", self.school.policy(defaults={"due": "2026-09-30", "late": {"percent_per_day": 10}}))
        self.assertIn("s001, alpha: 100 -> 63 points (failed): on time before, 1 day late, 0 of them paid by grace, factor 0.9 now", output)

    def test_only_one_student_is_touched(self):
        for student in ("s001", "s002"):
            self.school.hand_in(student, "alpha", HALF)
        self.grade()
        self.school.hand_in("s001", "alpha", PASS)
        self.school.hand_in("s002", "alpha", PASS + " again")
        self.grade("--only", "s001")
        self.assertEqual(self.grades(), {("s001", "alpha"): (100, "passed"), ("s002", "alpha"): (70, "failed")})
        self.assertEqual(len(self.book().read(Submitted)), 2)

    def test_labs_that_are_not_named_keep_their_grades(self):
        self.school.hand_in("s001", "alpha", HALF)
        self.school.hand_in("s001", "beta", HALF)
        self.grade()
        self.school.hand_in("s001", "alpha", PASS)
        self.school.hand_in("s001", "beta", PASS)
        self.grade("--labs", "beta")
        self.assertEqual(self.grades(), {("s001", "alpha"): (70, "failed"), ("s001", "beta"): (100, "passed")})

    def test_what_was_taken_back_is_gone(self):
        for student in ("s001", "s002"):
            self.school.hand_in(student, "alpha", PASS)
        self.grade()
        shutil.rmtree(self.school.submissions / "s002")
        self.grade()
        self.assertEqual([row.student for row in self.book().read(Student)], ["s001"])
        roster = self.school.roster("s001", "s002")
        self.school.hand_in("s002", "alpha", PASS)
        self.grade("--roster", roster)
        (self.school.submissions / "s002" / "alpha.cu").unlink()
        output = self.grade("--roster", roster)
        self.assertIn("s002, alpha: 100 -> 0 points (passed -> missing): no longer among the submissions (in/s002/alpha.cu)", output)


class Interrupted(GradeTest):
    COUNT = 12

    def hand_in_many(self):
        for i in range(self.COUNT):
            self.school.hand_in(f"s{i:03}", "alpha", f"{PASS if i % 3 else HALF} nap {i}")

    def contents(self) -> dict[str, list]:
        """All that must not depend on how often the run was interrupted."""
        connection = sqlite3.connect(self.school.out / "gradebook.sqlite")
        self.addCleanup(connection.close)
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in DECIDED}

    def is_started(self) -> bool:
        try:
            return bool(self.book().read(Run))
        except BatchError:
            return False

    def wait_for_results(self, process, count: int):
        end = time.monotonic() + 60
        while len(list(self.school.out.glob("jobs/*/result.json"))) < count:
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_ctrl_c_loses_nothing_and_resume_goes_on(self):
        self.hand_in_many()
        process = self.school.start("--jobs", "2")
        self.wait_for_results(process, 4)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, output)
        self.assertIn("Nothing is lost: continue with `warpbook grade --resume --out", output)
        done = {path: path.stat().st_mtime_ns for path in self.school.out.glob("jobs/*/result.json")}
        self.assertGreaterEqual(len(done), 4)
        self.assertLess(len(done), self.COUNT)
        self.assertEqual(self.book().read(Grade), [])
        output = self.grade("--resume")
        self.assertRegex(output, f"12 different files to grade, {len(done)} of them graded before")
        for path, when in done.items():
            self.assertEqual(path.stat().st_mtime_ns, when)
        self.assertEqual(len(self.grades()), self.COUNT)
        (run,) = self.book().read(Run)
        self.assertIsNotNone(run.finished_at)
        self.assertIn("No run was interrupted", self.grade("--resume"))

    def test_when_nobody_reads_its_output_it_ends_as_if_interrupted(self):
        self.school.hand_in("s001", "alpha", PASS)
        command = self.school.command("grade", self.school.submissions, "--out", self.school.out)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
            process.stdout.close()
            self.assertIn("continue with `warpbook grade --resume", process.stderr.read())
        self.assertEqual(process.returncode, 130)
        self.grade("--resume")
        self.assertEqual(self.grades(), {("s001", "alpha"): (100, "passed")})

    def test_a_later_run_cannot_leave_out_the_roster_or_the_policy(self):
        self.school.hand_in("s001", "alpha", HALF)
        roster, policy = self.school.roster("s001", "s002"), self.school.policy(labs={"alpha": {"points": 50}})
        self.grade("--roster", roster, "--policy", policy)
        before = self.grades()
        self.assertIn(f"was graded with --roster {roster}", self.grade("--policy", policy, status=2))
        self.assertIn(f"was graded with --policy {policy}", self.grade("--roster", roster, status=2))
        self.assertIn("was graded with --roster", self.grade("--only", "s001", status=2))
        self.assertIn("--labs names no lab", self.grade("--labs", ",", status=2))
        self.assertEqual(self.grades(), before)

    def test_there_is_nothing_to_resume_where_no_run_began(self):
        self.assertIn("holds no gradebook, so no run began there", self.grade("--resume", status=2))
        self.assertFalse(self.school.out.exists())

    def test_killed_at_random_points_it_comes_to_the_same_gradebook(self):
        self.hand_in_many()
        self.grade("--jobs", "4")
        expected = self.contents()
        (self.school.out / "gradebook.sqlite").unlink()
        for path in self.school.out.glob("jobs/*/result.json"):
            path.unlink()
        seed = random.randrange(2**32)
        dice, kills = random.Random(seed), 0
        with self.subTest(seed=seed):
            for attempt in range(30):
                started = self.is_started()
                process = self.school.start("--jobs", "2", *(["--resume"] if started else []))
                try:
                    process.communicate(timeout=dice.uniform(0.1, 1) * (1 + attempt / 4))  # However slow the machine is.
                    break
                except subprocess.TimeoutExpired:
                    os.kill(process.pid, signal.SIGKILL)
                    process.communicate()
                    kills += 1
            self.assertEqual(process.returncode, 0)
            self.assertGreater(kills, 0)
            self.assertEqual(self.contents(), expected)

    def test_a_run_that_regrades_forgets_old_results_once(self):
        self.hand_in_many()
        self.grade()
        process = self.school.start("--regrade", "--jobs", "2")
        end = time.monotonic() + 60
        while sum(len(path.read_text()) for path in self.school.out.glob("jobs/*/runs")) < self.COUNT + 5:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        process.kill()
        process.communicate()
        self.assertEqual(len(self.grades()), self.COUNT)  # The gradebook stays as it was until all is done.
        self.grade("--resume")
        runs = [len(path.read_text()) for path in self.school.out.glob("jobs/*/runs")]
        self.assertGreaterEqual(min(runs), 2)
        self.assertLessEqual(sum(runs), 2 * self.COUNT + 2)

    def test_a_run_that_regrades_and_is_given_up_is_no_hindrance_to_the_next(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.school.hand_in("s002", "alpha", HALF + " nap")
        self.grade()
        process = self.school.start("--regrade", "--jobs", "1")
        end = time.monotonic() + 60
        while self.runs_of(PASS) + self.runs_of(HALF + " nap") < 3:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        process.kill()
        process.communicate()
        runs = self.runs_of(PASS), self.runs_of(HALF + " nap")
        self.grade("--regrade")
        self.assertEqual((self.runs_of(PASS), self.runs_of(HALF + " nap")), (runs[0] + 1, runs[1] + 1))
        self.assertEqual([run.run for run in self.book().read(Run)], [1, 2])

    def test_resume_refuses_other_options(self):
        self.hand_in_many()
        process = self.school.start()
        self.wait_for_results(process, 1)
        process.kill()
        process.communicate()
        output = self.grade("--resume", "--labs", "beta", status=2)
        self.assertIn("--resume: the interrupted run had labs = (none), not beta", output)

    def test_two_at_once_are_refused(self):
        self.hand_in_many()
        process = self.school.start()
        self.wait_for_results(process, 1)
        self.assertIn("another `warpbook grade` is running there", self.grade(status=2))
        process.kill()
        process.communicate()


class BadInput(GradeTest):
    def test_messages_say_what_is_wrong_and_what_to_do(self):
        self.school.hand_in("s001", "alpha", PASS)
        for arguments, text in (
                (["--labs", "gamma"], "--labs: 'gamma' is not a lab; there are: alpha, beta"),
                (["--only", "s002"], "--only: 's002' is neither on the roster"),
                (["--jobs", "0"], "'0' must be a whole number from 1"),
                (["--policy", "/no/course.json"], "/no/course.json: cannot be read"),
                (["--executor", "abacus"], "invalid choice: 'abacus'"),
                (["--frobnicate"], "unrecognized arguments: --frobnicate")):
            self.assertIn(text, self.grade(*arguments, status=2), arguments)
        self.assertFalse(list(self.school.out.glob("jobs/*")))

    def test_submissions_without_any_lab_are_told(self):
        self.school.hand_in("s001", "poem", "roses are red")
        output = self.grade(status=2)
        self.assertIn("no file of any lab was found there; labs are: alpha, beta", output)
        self.assertIn("poem.cu", output)

    def test_a_folder_that_cannot_be_written_is_told(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.school.out.write_text("a file")
        self.assertIn("cannot be written", self.grade(status=2))

    def test_a_damaged_gradebook_is_not_written_over(self):
        self.school.hand_in("s001", "alpha", PASS)
        self.school.out.mkdir()
        (self.school.out / "gradebook.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 4000)
        self.assertIn("is not a gradebook or is damaged", self.grade(status=2))
        self.assertEqual((self.school.out / "gradebook.sqlite").stat().st_size, 4016)

    def test_export_needs_a_gradebook(self):
        code, output = self.school.export("csv", "--out", self.school.out)
        self.assertEqual(code, 2)
        self.assertIn("there is no gradebook; `warpbook grade SUBMISSIONS --out", output)
        code, output = self.school.export("papyrus", "--out", self.school.out)
        self.assertEqual(code, 2)
        self.assertIn("invalid choice: 'papyrus'", output)


if __name__ == "__main__":
    unittest.main()
