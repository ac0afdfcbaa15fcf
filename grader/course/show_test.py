"""Tests of `warpbook show` and `warpbook course`: what a grade is based on, and the effect of the rules of a course."""

import tempfile
import unittest
from pathlib import Path

from grader.course.testing.fake_class import FakeClass


class ShowTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.school = FakeClass(Path(folder.name))
        self.school.make_labs()

    def show(self, *arguments: str, status: int = 0) -> str:
        code, output = self.school.run("show", *arguments, "--out", self.school.out)
        self.assertEqual(code, status, output)
        return output

    def course(self, *arguments: str | Path, status: int = 0) -> str:
        code, output = self.school.run("course", *arguments)
        self.assertEqual(code, status, output)
        return output

    def grade(self, **policy: object) -> None:
        code, output = self.school.grade("--policy", self.school.policy(**policy))
        self.assertEqual(code, 0, output)

    def test_a_grade_is_told_with_all_that_it_rests_on(self):
        self.school.hand_in("s001", "alpha", "tests: passed failed passed", "2026-10-02T12:00:00+00:00", "attempt_1")
        self.school.hand_in("s001", "alpha", "build_failed", "2026-10-03T12:00:00+00:00", "attempt_2")
        rules = {"due": "2026-10-01", "late": {"percent_per_day": 10}, "curve": {"kind": "add", "points": 5},
                 "hidden": {"tests": ["*.counters.*"]}}
        self.grade(labs={"alpha": rules}, time_zone="Europe/Berlin")
        self.grade(labs={"alpha": rules}, time_zone="Europe/Berlin", grace={"days": 1})
        output = self.show("s001", "--lab", "alpha")
        for line in ("s001, alpha: 75 of 100 points, failed",
                     "  1. 2026-10-02 14:00:00, counts: in/s001/attempt_1/alpha.cu",
                     "  2. 2026-10-03 14:00:00, does not count: in/s001/attempt_2/alpha.cu",
                     "  due: 2026-10-01 23:59:59",
                     "  tests: 70 of 100 (correctness 40 of 40, counters 0 of 30, time 30 of 30)",
                     "  after the curve: 75", "  late: 1 day, 1 paid by grace: 100 % of the points remain", "  what counts: 75"):
            self.assertIn(line, output.splitlines())
        self.assertRegex(output, r"  FAILED    0 of 30  counters\..* \(hidden\)")
        self.assertRegex(output, r"67.5 -> 75 points: 1 day late, 0 of them paid by grace, factor 0.9 before")
        (source,) = [line.split(": ", 1)[1] for line in output.splitlines() if line.startswith("  what was graded")]
        self.assertEqual(Path(source).read_text(encoding="utf-8"), "// tests: passed failed passed\n")

    def test_without_a_lab_there_is_a_line_for_each(self):
        self.school.hand_in("s001", "alpha", "tests: passed passed passed")
        self.school.hand_in("s002", "beta", "build_failed")
        self.grade()
        output = self.show("s002")
        self.assertRegex(output, r"alpha +0 of 100 +missing")
        self.assertRegex(output, r"beta +0 of 100 +build failed\n +It does not compile: line 3\.")

    def test_what_is_not_there_is_told(self):
        self.assertIn("there is no gradebook", self.show("s001", status=2))
        self.school.hand_in("s001", "alpha", "build_failed")
        self.grade()
        self.assertIn("'s002' is not in", self.show("s002", status=2))
        self.assertIn("'beta' was not graded; there are: alpha", self.show("s001", "--lab", "beta", status=2))

    def test_the_rules_of_a_course_are_told_before_anybody_hands_in(self):
        policy = self.school.policy(
            course="CUDA", time_zone="Europe/Berlin", grace={"days": 3, "per_lab": 2},
            defaults={"late": {"percent_per_day": 10, "cutoff_days": 5}},
            labs={"alpha": {"due": "2026-10-24", "hidden": {"tests": ["*.time.*"]}}, "beta": {"points": 20}},
            extensions=[{"student": "s002", "days": 7, "reason": "ill"}])
        output = self.course(policy, "--roster", self.school.roster("s001", "s002"), "--tests", "alpha")
        self.assertEqual(output.splitlines()[:6], [
            "CUDA, times in Europe/Berlin",
            "alpha: 100 points, due Sat 2026-10-24 23:59:59; 10 % less for each day late, nothing after 5 days; "
            "1 of 3 tests hidden; the best attempt counts",
            "beta: 20 points, never late; the best attempt counts",
            "Grace days: 3 for each student, at most 2 for one lab",
            "More time: s002, alpha, due Sat 2026-10-31 23:59:59 (ill)",
            "2 students on the roster, from s001 to s002."])
        self.assertIn("alpha: 3 tests, 100 points by themselves", output)
        self.assertRegex(output, r"30  alpha\.time\..*  \(hidden\)")

    def test_mistakes_in_the_rules_end_with_status_2(self):
        output = self.course(self.school.policy(labs={"alhpa": {}}), status=2)
        self.assertIn('labs.alhpa: there is no such lab; did you mean "alpha"?', output)
        self.assertIn("--tests: 'gamma' is not a lab; there are: alpha, beta", self.course("--tests", "gamma", status=2))
        self.assertIn("give COURSE.JSON", self.course(status=2))


if __name__ == "__main__":
    unittest.main()
