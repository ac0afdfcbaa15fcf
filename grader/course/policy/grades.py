"""From graded attempts to grades: which attempt counts, and what grace days pay for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from grader.course.policy.curve import curved
from grader.course.policy.late import Lateness, due_of, late
from grader.course.policy.points import Points, rounded
from grader.course.policy.policy import BEST, Policy


@dataclass(frozen=True)
class Attempt:
    """A graded attempt. key: anything by which the caller finds it again, such as the job's id. marked_late: the platform
    says that it is late, and nothing says by how much."""

    attempt: int
    submitted_at: datetime | None
    points: Points
    key: str = ""
    marked_late: bool = False


@dataclass(frozen=True)
class Grade:
    """What a student gets for a lab. chosen: the attempt that counts, or None where there is none.

    raw_points: of that attempt, before the curve; curved_points: after it; points = curved_points * lateness.factor.
    """

    chosen: Attempt | None
    raw_points: float
    curved_points: float
    max_points: float
    points: float
    lateness: Lateness

    @property
    def factor(self) -> float:
        return self.lateness.factor


def choose(attempts: Sequence[Attempt], lab: str, student: str, policy: Policy, best: float, grace_left: int) -> Grade:
    """The attempt that counts, and the grade for it. @p attempts must not be empty.

    'best': the one with the most points after curve and lateness; among equals the one that uses fewer grace days, then
    the earlier one. 'latest': the last one that is not after the cut-off; the last one at all if all are.
    Grace days are used only where they save points: none for an attempt that earned nothing.
    """
    rules = policy.lab(lab)
    due = due_of(lab, student, policy)
    allowed = grace_left if policy.grace.per_lab is None else min(grace_left, policy.grace.per_lab)

    def graded(attempt: Attempt) -> Grade:
        usable = allowed if attempt.points.points > 0 else 0
        # A platform that marks something late may not know of an extension in this course.
        marked = attempt.marked_late and due == rules.due
        lateness = late(attempt.submitted_at, due, rules.late, usable, policy.time_zone, marked)
        lifted = curved(attempt.points.points, attempt.points.max_points, rules.curve, best)
        points = rounded(lifted * lateness.factor)
        return Grade(attempt, attempt.points.points, lifted, attempt.points.max_points, points, lateness)

    def when(attempt: Attempt) -> tuple[int, datetime]:
        """Attempts are in order already; a time, if known, only distinguishes equal numbers."""
        return attempt.attempt, attempt.submitted_at or datetime.min.replace(tzinfo=timezone.utc)

    grades = [graded(attempt) for attempt in sorted(attempts, key=when)]
    if rules.submission == BEST:
        return min(grades, key=lambda grade: (-grade.points, grade.lateness.grace_days, grade.lateness.days))
    return next((grade for grade in reversed(grades) if not grade.lateness.too_late), grades[-1])


def order_of_labs(labs: Sequence[str], student: str, policy: Policy) -> list[str]:
    """By the student's due dates, those without one last, then by name: the order in which grace days are used."""
    never = datetime.max.replace(tzinfo=timezone.utc)
    return sorted(labs, key=lambda lab: (due_of(lab, student, policy) or never, lab))


def grades_of(
    student: str,
    attempts: Mapping[str, Sequence[Attempt]],
    max_points: Mapping[str, float],
    policy: Policy,
    best: Mapping[str, float],
) -> dict[str, Grade]:
    """The grades of one student for each lab in @p max_points (lab: what it is worth), in that order.

    attempts: lab: graded attempts, missing or empty where nothing came. best: lab: see best_of().
    """
    left = policy.grace.of(student)
    grades: dict[str, Grade] = {}
    for lab in order_of_labs(list(max_points), student, policy):
        if attempts.get(lab):
            grades[lab] = choose(attempts[lab], lab, student, policy, best.get(lab, 0.0), left)
            left -= grades[lab].lateness.grace_days
        else:
            grades[lab] = Grade(None, 0.0, 0.0, max_points[lab], 0.0, Lateness())
    return {lab: grades[lab] for lab in max_points}


def best_of(attempts: Sequence[Attempt]) -> float:
    """The most points that any attempt of the class earned for a lab, for the curve 'scale'."""
    return max((attempt.points.points for attempt in attempts), default=0.0)
