"""Tests that docs/course.md and its example say what the program does."""

import json
import re
import tempfile
import unittest
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.course.intake.decisions import load_decisions
from grader.course.intake.labs import load_labs
from grader.course.intake.limits import Limits
from grader.course.intake.roster import load_roster, parse_roster
from grader.course.intake.times import load_times
from grader.course.policy.grades import Attempt, Grade, best_of, grades_of
from grader.course.policy.load import SCHEMA, load_policy
from grader.course.policy.points import points_of

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "docs" / "examples" / "course"
BERLIN = ZoneInfo("Europe/Berlin")
# student, lab: attempts as (time of submission, points of the tests of each kind, all of 100)
HANDED_IN = {
    ("s001", "coalescing"): [("2026-10-25 23:59:59", (80, 80, 80))],
    ("s001", "bank_conflicts"): [("2026-11-08 18:00:59", (90, 90, 90))],
    ("s001", "reduction"): [("2026-11-21 00:00:00", (70, 70, 70))],
    ("s002", "coalescing"): [("2026-10-31 23:59:59", (50, 100, 100))],
    ("s002", "reduction"): [("2026-11-20 12:00:00", (60, 60, 60)), ("2026-11-23 00:00:00", (95, 95, 95))],
    ("s004", "bank_conflicts"): [("2026-11-10 12:00:00", (50, 50, 50))],
}


def result(lab: str, points: tuple[int, ...]) -> dict:
    kinds = zip(("correctness", "counters", "time"), points)
    return {"tests": [{"name": f"{lab}.{kind}.a", "kind": kind, "points": p, "max_points": 100} for kind, p in kinds]}


class Example(unittest.TestCase):
    def setUp(self):
        self.labs = load_labs(ROOT)
        self.roster = load_roster(EXAMPLE / "roster.csv")
        self.policy = load_policy(EXAMPLE / "course.json", self.labs, [one.student for one in self.roster.students])

    def grades(self, student: str) -> dict[str, Grade]:
        graded = {
            key: [
                Attempt(
                    i,
                    datetime.fromisoformat(at).replace(tzinfo=BERLIN),
                    points_of(result(key[1], points), self.policy.lab(key[1])),
                )
                for i, (at, points) in enumerate(attempts, 1)
            ]
            for key, attempts in HANDED_IN.items()
        }
        best = {
            lab: best_of([one for (_, other), several in graded.items() if other == lab for one in several])
            for lab in self.labs
        }
        mine = {lab: attempts for (who, lab), attempts in graded.items() if who == student}
        return grades_of(student, mine, {lab: 100.0 for lab in self.policy.labs}, self.policy, best)

    def test_the_table_of_the_worked_example_is_what_comes_out(self):
        rows = dict(re.findall(r"^\| (s\d+, \w+) \|.*\| ([\d.]+) \|$", PAGE, re.M))
        self.assertEqual(len(rows), len(HANDED_IN))
        for student, lab in HANDED_IN:
            self.assertEqual(self.grades(student)[lab].points, float(rows[f"{student}, {lab}"]), (student, lab))

    def test_the_reasons_in_that_table(self):
        first, second, fourth = (self.grades(student) for student in ("s001", "s002", "s004"))
        self.assertEqual((first["coalescing"].lateness.days, first["coalescing"].lateness.grace_days), (1, 1))
        self.assertEqual((first["bank_conflicts"].lateness.grace_days, first["reduction"].lateness.grace_days), (2, 0))
        self.assertEqual((second["coalescing"].lateness.days, second["reduction"].chosen.attempt), (0, 1))
        self.assertEqual((fourth["bank_conflicts"].lateness.days, fourth["bank_conflicts"].lateness.grace_days), (4, 2))


class Reference(unittest.TestCase):
    def test_every_key_of_the_schema_is_documented(self):
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", PAGE))))

        def check(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    if key == "properties":
                        self.assertEqual({name.lstrip("$") for name in inner} - words, set())
                    check(inner)

        check(schema)

    def test_every_finding_of_intake_is_documented_with_its_severity_and_no_other(self):
        section = PAGE[PAGE.index("### Findings") : PAGE.index("## A worked example")]
        documented = {
            code: severity
            for codes, severity in re.findall(r"^\| (`.+`) \| (note|suspicion|error) \|", section, re.M)
            for code in re.findall(r"`(\w+)`", codes)
        }
        sources = [
            path for path in (ROOT / "grader/course/intake").glob("*.py") if not path.stem.endswith(("test", "fixture"))
        ]
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        used = set(re.findall(r'(?:Refused|add|_note|Finding|unusual|add_several)\(\s*(?:\w+,\s*)?"(\w+)"', text))
        used |= set(re.findall(r'^    "(\w+)": "', text, re.M)) | set(
            re.findall(r'^    "(\w+)": (?:NOTE|SUSPICION)', text, re.M)
        )
        self.assertEqual(set(documented), used)
        severities = dict(re.findall(r'^    "(\w+)": (NOTE|SUSPICION)', text, re.M))
        severities |= {
            code: word
            for word, code in re.findall(r'(?:add|_note|Finding)\(\s*(NOTE|SUSPICION|ERROR),\s*"(\w+)"', text)
        }
        for code in used:
            if code in severities:
                self.assertEqual(documented[code], severities[code].lower(), code)

    def example(self, begin: str) -> str:
        """The block of the page whose first line is this."""
        (block,) = re.findall(rf"^```\w*\n({re.escape(begin)}.*?)^```$", PAGE, re.M | re.S)
        return block

    def test_the_lists_of_times_are_read_as_the_page_says(self):
        labs = ["coalescing", "reduction"]
        with tempfile.TemporaryDirectory() as folder:
            for name, begin, times in (
                ("coalescing.json", '[{"user_id"', ["2026-10-24 21:58", "2026-10-26 11:00"]),
                ("reduction.csv", "Identifier,", ["2026-11-06 16:00", "2026-11-07 20:30"]),
                ("times.csv", "student,lab,attempt", ["2026-10-24 21:58", "2026-10-25 20:10"]),
            ):
                path = Path(folder) / name
                path.write_text(self.example(begin), encoding="utf-8")
                rows = load_times([str(path)], labs, {}, BERLIN).rows
                self.assertEqual([f"{row.at:%Y-%m-%d %H:%M}" for row in rows], times, name)
            path.write_text(self.example("student,lab,decision"), encoding="utf-8")
            decisions = load_decisions(path, labs, parse_roster("id\ns002\ns003\n", "r"))
            self.assertEqual([one.is_nothing for one in decisions.values()], [False, True])
        roster = parse_roster(self.example("Student,ID,SIS User ID"), "r")
        self.assertEqual([one.student for one in roster.students], ["a1", "bo2", "103"])

    def test_the_limits_are_those_of_the_program(self):
        limits = Limits()
        for value in (
            f"| {limits.source_bytes // 2**20} MiB |",
            f"| {limits.student_bytes // 2**20} MiB, {limits.student_entries:_} entries |".replace("_", " "),
            f"| {limits.depth} |",
            f"| {limits.sources} |",
            f"| {limits.class_bytes // 2**30} GiB, {limits.class_entries:_} entries |".replace("_", " "),
        ):
            self.assertIn(value, PAGE)


if __name__ == "__main__":
    unittest.main()
