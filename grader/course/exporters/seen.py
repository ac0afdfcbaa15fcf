"""Which of several attempts a student is shown while tests are hidden: the one that is best by the visible tests.

If the best attempt counts, it is chosen with hidden tests, too: naming it, or showing its points or
its time, would reveal their outcome. So until they are released every page and file for students shows the attempt
that the same rules choose by the visible tests alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.course.errors import BatchError
from grader.course.gradebook import Gradebook, Job, Submitted, Test
from grader.course.policy.grades import Attempt, choose
from grader.course.policy.load import parse_policy
from grader.course.policy.points import Points, rounded
from grader.course.policy.policy import BEST, Policy

RAN = ("passed", "failed", "inconclusive")


@dataclass(frozen=True)
class Seen:
    """An attempt as a student may see it. `late_days` are its own."""

    submission: Submitted
    job: Job
    tests: tuple[Test, ...]
    late_days: int


def applied_policy(book: Gradebook, labs: Iterable[str]) -> Policy:
    """The policy that was applied. It was checked then; labs that it names and that were not graded are no mistake.
    @throws BatchError"""
    text = book.course("policy")
    if not text:
        return Policy()
    try:
        policy = json.loads(text)
        named = {*policy.get("labs", {}), *(one.get("lab", "") for one in policy.get("extensions", ()))}
        return parse_policy(text, f"{book.path}: policy", {*labs, *named} - {""})
    except (ValueError, AttributeError, TypeError) as error:
        raise BatchError(f"{book.path}: the policy in it is not JSON ({error}); grade again") from None


def seen_attempts(submissions: Iterable[Submitted], jobs: Mapping[str, Job], tests: Mapping[str, Sequence[Test]],
                  policy: Policy, late_marks: Collection[str] = ()) -> dict[tuple[str, str], Seen]:
    """By student and lab: only if several attempts were handed in, the best one counts, and tests that ran are hidden. It
    does not depend on the outcome of hidden tests.

    @param late_marks paths of files that a platform marks late, without a time
    """
    attempts: dict[tuple[str, str], list[Submitted]] = {}
    for one in submissions:
        attempts.setdefault((one.student, one.lab), []).append(one)
    seen = {}
    for (student, lab), several in attempts.items():
        ran = [one for one in several if one.job in jobs and jobs[one.job].status in RAN]
        sealed = any(test.hidden for one in ran for test in tests.get(one.job, ()))
        if len(several) > 1 and sealed and policy.lab(lab).submission == BEST:
            seen[student, lab] = _best(ran, student, lab, jobs, tests, policy, late_marks)
    return seen


def _best(ran: Sequence[Submitted], student: str, lab: str, jobs: Mapping[str, Job], tests: Mapping[str, Sequence[Test]],
          policy: Policy, late_marks: Collection[str]) -> Seen:
    """By the rules of the policy, as if there were no hidden tests and no other lab had used grace days."""
    attempts = [Attempt(one.attempt, one.moment, _points(tests.get(one.job, ())), one.job, one.origin in late_marks)
                for one in ran]
    grade = choose(attempts, lab, student, policy, 0.0, policy.grace.of(student))
    submission = next(one for one in ran if grade.chosen is not None and one.attempt == grade.chosen.attempt)
    return Seen(submission, jobs[submission.job], tuple(tests.get(submission.job, ())), grade.lateness.days)


def _points(tests: Sequence[Test]) -> Points:
    visible = [test for test in tests if not test.hidden]
    return Points(rounded(sum(test.points for test in visible)), rounded(sum(test.max_points for test in visible)), {})
