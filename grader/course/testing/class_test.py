"""A made-up class of twelve, graded by the real command: every grade as expected, and a check that can fail."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.intake.intake import take_in
from grader.course.intake.labs import load_labs
from grader.course.intake.roster import load_roster
from grader.course.intake.times import load_times
from grader.course.policy.grades import Attempt, grades_of
from grader.course.policy.load import parse_policy
from grader.course.policy.points import Points
from grader.course.testing.class_check import check
from grader.course.testing.class_folder import POLICY, ROSTER, SUBMISSIONS, TIMES, rules_of, write_class
from grader.course.testing.class_kill import contents
from grader.course.testing.class_origins import HOSTILE, PROJECT, origins_of, worth_of
from grader.course.testing.class_plan import LABS, MOST, expected_of, make_plan
from grader.course.testing.jobs import BUILD, bubblewrap_works

LAB = "vector_add"  # Its files are graded in a few seconds each.
SEED = 35  # With a late one, two who handed in twice, and a skeleton.
QUICK = ("assembles_file", "exits_with_success")  # Hostile, and graded in seconds.


class ClassPlanTest(unittest.TestCase):
    def test_a_class_of_200_has_all_kinds_and_is_the_same_twice(self):
        members = make_plan(200, 1)
        self.assertEqual(list(expected_of(members)), list(expected_of(make_plan(200, 1))))
        rows = list(expected_of(members))
        self.assertEqual(len(rows), 200 * len(LABS))
        self.assertGreaterEqual(len({row.made_of for row in rows if row.made_of.startswith(HOSTILE)}), 30)
        for lab in LABS:
            known = {one.name for one in origins_of(lab) if one.kind != HOSTILE}
            used = {attempt.origin.name for one in members for attempt in one.attempts.get(lab, [])}
            self.assertEqual(known - used, set(), f"answers to {lab} that nobody hands in")
        self.assertEqual({row.status for row in rows}, {"passed", "failed", "build_failed", "not_started", "missing",
                                                    "not_graded"})
        self.assertGreaterEqual(sum(len(one.copied) for one in members), 8)
        self.assertGreaterEqual(sum(one.extension for one in members), 3)

    def test_no_answer_includes_what_a_student_has_not(self):
        for lab in LABS:
            for origin in origins_of(lab):
                if origin.kind != HOSTILE:
                    self.assertNotRegex(origin.text(), r'#include "(grader|solutions)/', origin.name)

    def test_intake_and_policy_make_of_a_class_of_200_what_is_expected_whatever_each_answer_earns(self):
        """Nothing is built or run: attempts earn what they are known to be worth."""
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            members = make_plan(200, 1)
            write_class(folder, members, LABS)
            policy = parse_policy((folder / POLICY).read_text(encoding="utf-8"), POLICY, set(LABS))
            roster = load_roster(folder / ROSTER)
            times = load_times(["files", str(folder / TIMES)], LABS, {}, policy.time_zone)
            intake = take_in(folder / SUBMISSIONS, folder / "files", load_labs(PROJECT), roster, policy.time_zone, only=LABS,
                             times=times, due={lab: policy.lab(lab).due for lab in LABS})
            handed_in = {one.student: one for one in members}
            attempts: dict[str, dict[str, list[Attempt]]] = {}
            for one in intake.submissions:
                origin = handed_in[one.student].attempts[one.lab][one.attempt - 1].origin
                points = Points(worth_of(origin, MOST[one.lab]).points, MOST[one.lab], {})
                mine = attempts.setdefault(one.student, {}).setdefault(one.lab, [])
                mine.append(Attempt(one.attempt, one.submitted_at, points, origin.name, one.marked_late))
        found = {}
        for student in handed_in:
            for lab, grade in grades_of(student, attempts.get(student, {}), MOST, policy, {}).items():
                found[student, lab] = (grade.points, bool(grade.chosen), bool(intake.waiting(student, lab)))
        wanted = {(row.student, row.lab): (row.points, row.made_of != "", row.status == "not_graded")
                  for row in expected_of(members)}
        self.assertEqual({key: (wanted[key], found[key]) for key in wanted if wanted[key] != found[key]}, {})
        sources = {one.time_source for one in intake.submissions}
        self.assertEqual(sources, {"list", "mtime", "none"})
        self.assertTrue(any(one.marked_late for one in intake.submissions))


class ClassTest(unittest.TestCase):
    def setUp(self):
        if not bubblewrap_works():
            self.skipTest("there can be no sandbox on this machine")
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-class-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_every_grade_is_as_expected(self):
        write_class(self.folder, make_plan(12, SEED, [LAB], QUICK), [LAB])
        out, expected = self.folder / "out", self.folder / "expected.csv"
        command = [BUILD / "bin" / "warpbook", "grade", self.folder / "submissions", "--out", out, *rules_of(self.folder)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(check(out, expected), [])

        # A second run changes nothing, and the check sees what is wrong.
        before = contents(out / "gradebook.sqlite")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        after = contents(out / "gradebook.sqlite")
        self.assertEqual([table for table in before if before[table] != after[table]], ["history"])
        text = expected.read_text(encoding="utf-8")
        self.assertIn("passed,20.00", text)
        expected.write_text(text.replace("passed,20.00", "passed,19.99", 1), encoding="utf-8")
        self.assertRegex("\n".join(check(out, expected)), "is passed with 20.00 points, not passed with 19.99")
        expected.write_text(text, encoding="utf-8")
        (self.folder / "copies.csv").write_text("lab,student,copied_from\nvector_add,s001,s002\n", encoding="utf-8")
        (self.folder / "canary").unlink()
        problems = "\n".join(check(out, expected))
        self.assertIn("s001 vector_add: copied from s002, and is not listed", problems)
        self.assertIn("something escaped from the sandbox", problems)
        with self.assertRaisesRegex(BatchError, "is not empty and no class"):
            write_class(out, [], [])


if __name__ == "__main__":
    unittest.main()
