"""What a run changed, and why: two states of the gradebook compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.course.gradebook import Change, Grade, Gradebook, Job, Row, Submitted, Test

MOST_TESTS = 4  # Named in a reason.
BUILD_FAILED = "build_failed"


@dataclass
class State:
    """Grades by student and lab, and what they are based on."""

    grades: dict[tuple[str, str], Grade] = field(default_factory=dict)
    chosen: dict[tuple[str, str], Submitted] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    tests: dict[str, list[Test]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> State:
        state = cls()
        for row in rows:
            if isinstance(row, Grade):
                state.grades[row.student, row.lab] = row
            elif isinstance(row, Submitted) and row.chosen:
                state.chosen[row.student, row.lab] = row
            elif isinstance(row, Job):
                state.jobs[row.job] = row
            elif isinstance(row, Test):
                state.tests.setdefault(row.job, []).append(row)
        return state

    @classmethod
    def read(cls, book: Gradebook) -> State:
        return cls.of([*book.read(Grade), *book.read(Submitted, chosen=True), *book.read(Job), *book.read(Test)])


def changes(run: int, before: State, after: State) -> list[Change]:
    """The grades of `after` that differ from those in `before`. New ones are not changes."""
    found = []
    for key, grade in sorted(after.grades.items()):
        old = before.grades.get(key)
        if old is None or (old.points, old.status, old.max_points) == (grade.points, grade.status, grade.max_points):
            continue
        found.append(Change(run, grade.student, grade.lab, old.points, grade.points, old.status, grade.status,
                            "; ".join(_why(old, grade, before, after)) or "the reason is not known"))
    return found


def _why(old: Grade, new: Grade, before: State, after: State) -> list[str]:
    key = new.student, new.lab
    was, now = before.chosen.get(key), after.chosen.get(key)
    reasons = []
    if was is None and now is not None:
        reasons.append(f"handed in since ({now.origin})")
    elif now is None and was is not None:
        reasons.append(f"no longer among the submissions ({was.origin})")
    elif was is not None and now is not None:
        reasons += _other_verdict(was, now, before, after)
    if (old.late_days, old.grace_days_used, old.factor) != (new.late_days, new.grace_days_used, new.factor):
        reasons.append(f"{_lateness(old)} before, {_lateness(new)} now")
    if old.max_points != new.max_points:
        reasons.append(f"the lab was worth {old.max_points:g} points, now {new.max_points:g}")
    if not reasons and old.raw_points != new.raw_points:
        reasons.append("the policy weights the tests differently")
    if not reasons and old.points != new.points:
        reasons.append("the policy's curve, or the best of the class, has changed")
    return reasons


def _other_verdict(was: Submitted, now: Submitted, before: State, after: State) -> list[str]:
    """Why the same student's tests had another outcome."""
    reasons = []
    old, new = before.jobs.get(was.job), after.jobs.get(now.job)
    if was.sha256 != now.sha256 and was.origin == now.origin:
        reasons.append(f"another file was handed in ({now.origin})")
    elif was.sha256 != now.sha256 and was.attempt == now.attempt:
        reasons.append(f"another file was handed in: {now.origin}, before {was.origin}")
    elif was.sha256 != now.sha256:
        reasons.append(f"another attempt counts: attempt {now.attempt} ({now.origin}) in place of attempt {was.attempt} "
                       f"({was.origin})")
    elif old is not None and old.status == "not_graded" and (new is None or new.status != "not_graded"):
        return ["the grader had failed before"]
    elif was.job != now.job:
        reasons.append("the lab's grader has changed: tests, virtual GPU, compiler or isolation")
    tests = _tests(before.tests.get(was.job, []), after.tests.get(now.job, []))
    if tests and not reasons:
        reasons.append("the same file was graded again with another outcome")
    if tests and old is not None and new is not None and (old.status == BUILD_FAILED) != (new.status == BUILD_FAILED):
        reasons.append("it did not compile before" if old.status == BUILD_FAILED else "it does not compile now")
    elif tests:
        more = f", and {len(tests) - MOST_TESTS} more tests" if len(tests) > MOST_TESTS else ""
        reasons.append(", ".join(tests[:MOST_TESTS]) + more)
    elif not reasons and old is not None and new is not None and old.status != new.status:
        reasons.append(f"the same file was graded again: {old.reason or old.status} before, "
                       f"{new.reason or new.status} now")
    return reasons


def _tests(before: list[Test], after: list[Test]) -> list[str]:
    """Tests whose share of their points changed: points alone also change with the policy."""
    old = {test.name: test for test in before}
    texts = []
    for test in after:
        was = old.pop(test.name, None)
        if was is None:
            texts.append(f"'{test.name}' is new: {test.status}")
        elif was.status != test.status or _differ(was, test):
            texts.append(f"'{test.name}' {was.status} ({_share(was):.0%}) before, "
                         f"{test.status} ({_share(test):.0%}) now")
    return texts + [f"'{name}' is gone" for name in old]


def _differ(was: Test, now: Test) -> bool:
    """Whether the shares differ by more than rounding; a test that the policy gives no points has none."""
    return bool(was.max_points and now.max_points) and abs(_share(was) - _share(now)) > 1e-4


def _share(test: Test) -> float:
    return test.points / test.max_points if test.max_points else 0.0


def _lateness(grade: Grade) -> str:
    if not grade.late_days:
        return "on time"
    days = "1 day late" if grade.late_days == 1 else f"{grade.late_days} days late"
    return f"{days}, {grade.grace_days_used} of them paid by grace, factor {grade.factor:g}"
