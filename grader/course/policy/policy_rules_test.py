"""Tests of points, curves, lateness and the choice of attempts, at their edges."""

import itertools
import random
import unittest
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from grader.course.policy.curve import curved
from grader.course.policy.grades import Attempt, best_of, choose, grades_of, order_of_labs
from grader.course.policy.late import Lateness, days_late, due_of, late
from grader.course.policy.points import Points, is_hidden, points_of, rounded
from grader.course.policy.policy import Curve, Extension, Grace, Hidden, LabPolicy, Late, Policy

BERLIN = ZoneInfo("Europe/Berlin")
UTC = ZoneInfo("UTC")
DUE = datetime(2026, 10, 12, 21, 59, 59, tzinfo=timezone.utc)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def result(*tests: tuple[str, str, float, float]) -> dict:
    """(lab.kind.sentence, kind, points, most) ..."""
    keys = ("name", "kind", "points", "max_points")
    return {"tests": [dict(zip(keys, test)) for test in tests], "max_points": sum(test[3] for test in tests)}


RESULT = result(
    ("l.correctness.a", "correctness", 20, 20),
    ("l.correctness.b", "correctness", 0, 20),
    ("l.counters.c", "counters", 30, 40),
    ("l.time.d", "time", 5, 20),
)


class PointsOfAResult(unittest.TestCase):
    def test_without_rules_the_tests_points_are_added(self):
        points = points_of(RESULT, LabPolicy())
        self.assertEqual((points.points, points.max_points), (55, 100))
        self.assertEqual(points.by_kind, {"correctness": (20, 40), "counters": (30, 40), "time": (5, 20)})

    def test_points_scale_the_sum(self):
        points = points_of(RESULT, LabPolicy(points=10))
        self.assertEqual((points.points, points.max_points), (5.5, 10))

    def test_kinds_share_the_points_by_their_weights(self):
        points = points_of(RESULT, LabPolicy(points=50, kinds={"correctness": 2, "counters": 1, "time": 1}))
        self.assertEqual(points.points, 50 * (0.5 * 20 / 40 + 0.25 * 30 / 40 + 0.25 * 5 / 20))
        self.assertEqual(points.by_kind["correctness"], (12.5, 25))

    def test_a_kind_without_weight_counts_nothing_and_a_kind_without_tests_takes_nothing(self):
        self.assertEqual(points_of(RESULT, LabPolicy(kinds={"correctness": 7})).points, 50)
        only = result(("l.correctness.a", "correctness", 20, 20))
        self.assertEqual(points_of(only, LabPolicy(points=10, kinds={"correctness": 1, "time": 9})).points, 10)

    def test_shares_for_kinds_that_the_lab_has_no_tests_of_leave_the_points_of_the_tests(self):
        only = result(("l.correctness.a", "correctness", 10, 20))
        self.assertEqual(points_of(only, LabPolicy(kinds={"time": 1})).points, 10)

    def test_full_points_are_exactly_the_worth(self):
        third = result(*((f"l.time.{i}", "time", 1, 1) for i in range(3)))
        for worth in (1, 10, 100, 0.07):
            points = points_of(third, LabPolicy(points=worth, kinds={"time": 1}))
            self.assertEqual(points.points, points.max_points)

    def test_a_result_without_tests_earned_nothing_of_its_most(self):
        points = points_of({"tests": [], "max_points": 80}, LabPolicy())
        self.assertEqual((points.points, points.max_points), (0, 80))
        self.assertEqual(points_of({"tests": [], "max_points": 80}, LabPolicy(points=10)).max_points, 10)

    def test_points_out_of_range_are_not_believed(self):
        wild = result(("l.time.a", "time", 999, 10), ("l.time.b", "time", -999, 10))
        self.assertEqual(points_of(wild, LabPolicy()).points, 10)

    def test_hidden_tests_count(self):
        hidden = LabPolicy(hidden=Hidden(("l.time.*", "*.b", "l.counters.[xyz]")))
        self.assertEqual(points_of(RESULT, hidden), points_of(RESULT, LabPolicy()))
        names = [test["name"] for test in RESULT["tests"] if is_hidden(test["name"], hidden)]
        self.assertEqual(names, ["l.correctness.b", "l.time.d"])

    def test_halves_are_rounded_up(self):
        self.assertEqual(
            [rounded(value) for value in (0.125, 0.005, 2.675, 1e-9, 33.333333)], [0.13, 0.01, 2.68, 0, 33.33]
        )


class Curves(unittest.TestCase):
    def test_formulas(self):
        self.assertEqual(curved(40, 100, Curve(), 80), 40)
        self.assertEqual(curved(40, 100, Curve("add", 7), 80), 47)
        self.assertEqual(curved(40, 100, Curve("scale"), 80), 50)
        self.assertEqual(curved(25, 100, Curve("square_root"), 80), 50)
        self.assertEqual(curved(3.2, 5, Curve("square_root"), 5), 4)

    def test_nobody_gets_more_than_everything(self):
        for curve in (Curve("add", 7), Curve("scale"), Curve("square_root")):
            self.assertEqual(curved(99, 100, curve, 90), 100 if curve.kind != "square_root" else 99.5)

    def test_nothing_stays_nothing_and_an_empty_class_is_no_error(self):
        for kind in ("none", "add", "scale", "square_root"):
            self.assertEqual(curved(0, 100, Curve(kind, 5), 0), 0)
            self.assertEqual(curved(0, 0, Curve(kind, 5), 0), 0)
        self.assertEqual(best_of([]), 0)
        self.assertEqual(curved(5, 10, Curve("scale"), 0), 5)

    def test_no_curve_lowers_points_or_changes_the_order(self):
        random_ = random.Random(3)
        for _ in range(2000):
            most = random_.choice([1, 5, 60, 100])
            a, b = sorted(rounded(random_.uniform(0, most)) for _ in range(2))
            curve = Curve(random_.choice(["none", "add", "scale", "square_root"]), random_.choice([0, 0.5, 10]))
            best = max(b, rounded(random_.uniform(0, most)))
            low, high = curved(a, most, curve, best), curved(b, most, curve, best)
            self.assertLessEqual(low, high)
            self.assertGreaterEqual(low, a)
            self.assertLessEqual(high, most)


class DaysLate(unittest.TestCase):
    def assert_days(self, moment: datetime, expected: int, due=DUE, zone=BERLIN):
        self.assertEqual(days_late(moment, due, zone), expected, moment)

    def test_the_due_second_is_on_time_and_the_next_one_is_a_day_late(self):
        self.assert_days(DUE - SECOND, 0)
        self.assert_days(DUE, 0)
        self.assert_days(DUE.replace(microsecond=999_999), 0)
        self.assert_days(DUE + SECOND, 1)

    def test_a_day_ends_at_the_same_time_of_day(self):
        self.assert_days(DUE + DAY, 1)
        self.assert_days(DUE + DAY + SECOND, 2)
        self.assert_days(DUE + 10 * DAY, 10)

    def test_other_zones_of_the_moment_do_not_matter(self):
        self.assert_days((DUE + SECOND).astimezone(ZoneInfo("Pacific/Auckland")), 1)
        self.assert_days(DUE.astimezone(ZoneInfo("America/Los_Angeles")), 0)

    def test_a_day_in_which_the_clock_is_set_back_has_25_hours(self):
        due = datetime(2026, 10, 24, 21, 59, 59, tzinfo=timezone.utc)  # 23:59:59, the night before the change
        self.assert_days(due + timedelta(hours=25), 1, due)
        self.assert_days(due + timedelta(hours=25) + SECOND, 2, due)
        self.assert_days(due + timedelta(hours=24) + SECOND, 2, due, UTC)

    def test_a_day_in_which_the_clock_is_set_forward_has_23_hours(self):
        due = datetime(2026, 3, 28, 22, 59, 59, tzinfo=timezone.utc)
        self.assert_days(due + timedelta(hours=23), 1, due)
        self.assert_days(due + timedelta(hours=23) + SECOND, 2, due)

    def test_a_due_time_that_the_next_day_skips_or_repeats(self):
        due = datetime(2026, 3, 28, 1, 30, 0, tzinfo=timezone.utc)  # 02:30 in Berlin; there is no 02:30 the next day
        self.assert_days(datetime(2026, 3, 29, 1, 30, 0, tzinfo=timezone.utc), 1, due)
        self.assert_days(datetime(2026, 3, 29, 1, 30, 1, tzinfo=timezone.utc), 2, due)
        due = datetime(2026, 10, 24, 0, 30, 0, tzinfo=timezone.utc)  # 02:30; the next day has it twice
        self.assert_days(datetime(2026, 10, 25, 1, 30, 0, tzinfo=timezone.utc), 1, due)
        self.assert_days(datetime(2026, 10, 25, 1, 30, 1, tzinfo=timezone.utc), 2, due)

    def test_a_zone_that_skipped_a_whole_day(self):
        apia = ZoneInfo("Pacific/Apia")  # had no 30 December 2011
        due = datetime(2011, 12, 29, 12, 0, tzinfo=apia).astimezone(timezone.utc)
        self.assert_days(due + SECOND, 1, due, apia)
        self.assert_days(datetime(2011, 12, 31, 12, 0, 1, tzinfo=apia), 3, due, apia)

    def test_years_late_is_counted_quickly_and_right(self):
        self.assert_days(DUE + 3650 * DAY, 3650, DUE, UTC)
        self.assert_days(DUE + 3650 * DAY + SECOND, 3651, DUE, UTC)

    def test_an_unknown_time_or_no_due_date_is_never_late(self):
        self.assertEqual(days_late(None, DUE, BERLIN), 0)
        self.assertEqual(days_late(DUE + 99 * DAY, None, BERLIN), 0)


class LateRules(unittest.TestCase):
    RULES = Late(percent_per_day=10, cutoff_days=3)

    def after(self, days: int, grace: int = 0, rules: Late = RULES) -> Lateness:
        return late(DUE + days * DAY, DUE, rules, grace, UTC)

    def test_percent_for_each_day(self):
        self.assertEqual([self.after(days).factor for days in range(4)], [1, 0.9, 0.8, 0.7])

    def test_nothing_counts_after_the_cut_off(self):
        self.assertEqual(self.after(3).factor, 0.7)
        over = late(DUE + 3 * DAY + SECOND, DUE, self.RULES, 5, UTC)
        self.assertEqual(over, Lateness(4, 0, 0, True))
        self.assertEqual(late(DUE + SECOND, DUE, Late(0, 0), 5, UTC).factor, 0)

    def test_grace_days_pay_first_and_only_what_is_needed(self):
        self.assertEqual(self.after(2, grace=5), Lateness(2, 2, 1))
        self.assertEqual(self.after(3, grace=1), Lateness(3, 1, 0.8))

    def test_no_grace_day_is_used_where_it_saves_nothing(self):
        self.assertEqual(self.after(2, 5, Late()), Lateness(2, 0, 1))
        self.assertEqual(self.after(3, 1, Late(50)), Lateness(3, 0, 0))

    def test_points_never_fall_below_nothing(self):
        self.assertEqual(self.after(99, 0, Late(10)).factor, 0)

    def test_sentences(self):
        self.assertEqual(self.after(0).sentence, "")
        self.assertEqual(self.after(1).sentence, "1 day late: 90 % of the points")
        self.assertEqual(self.after(3, 1).sentence, "3 days late, 1 paid by grace: 80 % of the points")
        self.assertIn("after the last day", self.after(4).sentence)


class Extensions(unittest.TestCase):
    def due(self, *extensions: Extension, student="s001"):
        return due_of("a", student, Policy(time_zone=BERLIN, labs={"a": LabPolicy(due=DUE)}, extensions=extensions))

    def test_days_and_dates(self):
        self.assertEqual(self.due(Extension("s001", "a", days=2)), DUE + 2 * DAY)
        self.assertEqual(self.due(Extension("s001", "a", until=DUE + 5 * DAY)), DUE + 5 * DAY)
        self.assertEqual(self.due(Extension("s001", days=1)), DUE + DAY)

    def test_days_are_days_of_the_calendar(self):
        self.assertEqual(self.due(Extension("s001", "a", days=14)), DUE + 14 * DAY + timedelta(hours=1))

    def test_others_and_other_labs_get_none(self):
        self.assertEqual(self.due(Extension("s002", "a", days=2), Extension("s001", "b", days=2)), DUE)

    def test_the_last_one_counts_and_none_makes_it_earlier(self):
        self.assertEqual(self.due(Extension("s001", "a", days=2), Extension("s001", days=1)), DUE + 2 * DAY)
        self.assertEqual(self.due(Extension("s001", "a", until=DUE - DAY)), DUE)

    def test_a_lab_without_due_date_stays_without(self):
        self.assertIsNone(due_of("b", "s001", Policy(extensions=(Extension("s001", "b", days=2),))))


def attempt(number: int, points: float, days: float | None = 0, most: float = 100) -> Attempt:
    """An attempt @p days after DUE."""
    moment = None if days is None else DUE + days * DAY
    return Attempt(number, moment, Points(points, most, {}), f"job{number}")


class Choice(unittest.TestCase):
    def chosen(self, *attempts: Attempt, grace: int = 0, best: float = 100, **rules):
        lab = LabPolicy(due=DUE, late=Late(10, 5), **rules)
        return choose(attempts, "a", "s001", Policy(labs={"a": lab}), best, grace)

    def test_best_is_best_after_lateness(self):
        grade = self.chosen(attempt(1, 80), attempt(2, 85, 1))
        self.assertEqual((grade.chosen.attempt, grade.points), (1, 80))
        grade = self.chosen(attempt(1, 80), attempt(2, 95, 1))
        self.assertEqual((grade.chosen.attempt, grade.points, grade.factor), (2, 85.5, 0.9))

    def test_among_equals_the_earlier_attempt_and_fewer_grace_days(self):
        self.assertEqual(self.chosen(attempt(2, 80), attempt(1, 80)).chosen.attempt, 1)
        grade = self.chosen(attempt(1, 80, 1), attempt(2, 80, 0), grace=3)
        self.assertEqual((grade.chosen.attempt, grade.lateness.grace_days), (2, 0))

    def test_latest_is_the_last_one_even_if_it_is_worse(self):
        self.assertEqual(self.chosen(attempt(1, 80), attempt(2, 10, 1), submission="latest").points, 9)

    def test_latest_passes_over_what_came_after_the_cut_off(self):
        self.assertEqual(self.chosen(attempt(1, 80), attempt(2, 99, 6), submission="latest").points, 80)
        only = self.chosen(attempt(2, 99, 6), submission="latest")
        self.assertEqual((only.points, only.raw_points, only.lateness.too_late), (0, 99, True))

    def test_the_curve_comes_before_lateness(self):
        grade = self.chosen(attempt(1, 64, 2), curve=Curve("square_root"))
        self.assertEqual((grade.raw_points, grade.curved_points, grade.points), (64, 80, 64))

    def test_an_attempt_at_an_unknown_time_is_on_time(self):
        self.assertEqual(self.chosen(attempt(1, 50, None)).points, 50)

    def test_an_attempt_that_earned_nothing_uses_no_grace_day(self):
        self.assertEqual(self.chosen(attempt(1, 0, 2), grace=3).lateness.grace_days, 0)

    def test_the_order_in_which_attempts_are_given_does_not_matter(self):
        random_ = random.Random(4)
        for _ in range(200):
            attempts = [
                attempt(i, random_.choice([0, 50, 50, 90]), random_.choice([-1, 0, 1, 2, 9, None])) for i in range(1, 5)
            ]
            rules = {
                "submission": random_.choice(["best", "latest"]),
                "curve": Curve(random_.choice(["none", "scale"])),
            }
            expected = self.chosen(*attempts, grace=2, **rules)
            for order in itertools.permutations(attempts):
                self.assertEqual(self.chosen(*order, grace=2, **rules), expected)


class GraceAcrossLabs(unittest.TestCase):
    POLICY = Policy(
        labs={
            "a": LabPolicy(due=DUE + 7 * DAY, late=Late(10)),
            "b": LabPolicy(due=DUE, late=Late(10)),
            "c": LabPolicy(),
        },
        grace=Grace(3, None, {"s009": 1}),
    )
    MOST = {"a": 100.0, "b": 100.0, "c": 100.0}

    def grades(self, attempts, student="s001", policy=POLICY):
        return grades_of(student, attempts, self.MOST, policy, {})

    def test_grace_days_are_used_in_the_order_of_due_dates_not_of_names(self):
        grades = self.grades({"a": [attempt(1, 100, 9)], "b": [attempt(1, 100, 2)]})
        self.assertEqual(grades["b"].lateness, Lateness(2, 2, 1))
        self.assertEqual(grades["a"].lateness, Lateness(2, 1, 0.9))
        self.assertEqual(list(grades), ["a", "b", "c"])

    def test_an_extension_moves_a_lab_in_that_order(self):
        policy = replace(self.POLICY, extensions=(Extension("s001", "b", days=8),))
        self.assertEqual(order_of_labs(["a", "b", "c"], "s001", policy), ["a", "b", "c"])
        self.assertEqual(order_of_labs(["a", "b", "c"], "s002", policy), ["b", "a", "c"])

    def test_no_more_than_per_lab_and_no_more_than_the_students_own(self):
        policy = replace(self.POLICY, grace=Grace(3, 1))
        grades = self.grades({"a": [attempt(1, 100, 9)], "b": [attempt(1, 100, 2)]}, policy=policy)
        self.assertEqual([grades[lab].lateness.grace_days for lab in "ab"], [1, 1])
        grades = self.grades({"a": [attempt(1, 100, 9)], "b": [attempt(1, 100, 2)]}, "s009")
        self.assertEqual([grades[lab].lateness.grace_days for lab in "ab"], [0, 1])

    def test_nobody_uses_more_grace_days_than_there_are(self):
        random_ = random.Random(5)
        for _ in range(300):
            attempts = {
                lab: [attempt(i, random_.choice([0, 60, 90]), random_.randint(0, 12)) for i in range(1, 4)]
                for lab in "abc"
            }
            grades = self.grades(attempts)
            self.assertLessEqual(sum(grade.lateness.grace_days for grade in grades.values()), 3)
            for grade in grades.values():
                self.assertLessEqual(grade.points, grade.raw_points)

    def test_a_lab_without_attempts_is_a_grade_of_nothing(self):
        grade = self.grades({"a": []})["a"]
        self.assertEqual((grade.chosen, grade.points, grade.max_points), (None, 0, 100))


if __name__ == "__main__":
    unittest.main()
