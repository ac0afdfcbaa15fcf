"""What an instructor reads on the screen at the end of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from grader.course.gradebook import Change, Found, Grade, Row, Submitted

MOST_LINES = 20  # Of each list; the files have all.


def summary(rows: Sequence[Row], changed: Sequence[Change]) -> Iterator[str]:
    """Line by line: each lab, what was unexpected, what changed and why, what could not be graded."""
    grades = [row for row in rows if isinstance(row, Grade)]
    for lab in dict.fromkeys(grade.lab for grade in grades):
        yield _lab([grade for grade in grades if grade.lab == lab])
    found = [row for row in rows if isinstance(row, Found)]
    titles = {"error": "Errors in what was handed in", "suspicion": "Suspicions, for a person to look at"}
    for severity, title in titles.items():
        lines = [f"{row.path}: {row.message}" for row in found if row.severity == severity]
        yield from _listed(title, lines, "findings.csv")
    yield from _listed("Grades changed", [_changed(change) for change in changed], "table 'change' of the gradebook")
    failed = [f"{one.student}, {one.lab}: {one.reason}" for one in grader_failed(rows)]
    yield from _listed("Could not be graded", failed, "gradebook.csv")
    if failed:
        yield "These have no grade yet: grade again when the cause is fixed; finished jobs are kept."
    waiting = [f"{one.student}, {one.lab}: {one.reason}" for one in undecided(rows)]
    yield from _listed("Wait for your decision", waiting, "gradebook.csv")
    if waiting:
        yield ("These have no grade yet, and exports leave them out. Say which file counts, or nothing: "
               "--decisions FILE.csv (docs/course.md)")


def grader_failed(rows: Sequence[Row]) -> list[Grade]:
    """Missing grades, because the grader failed on a file."""
    return _not_graded(rows, True)


def undecided(rows: Sequence[Row]) -> list[Grade]:
    """Grades that wait for a person: something was handed in, but no file of it was taken."""
    return _not_graded(rows, False)


def _not_graded(rows: Sequence[Row], with_file: bool) -> list[Grade]:
    """@param with_file whether a file was taken"""
    chosen = {(row.student, row.lab) for row in rows if isinstance(row, Submitted) and row.chosen}
    grades = (row for row in rows if isinstance(row, Grade) and row.status == "not_graded")
    return [row for row in grades if ((row.student, row.lab) in chosen) == with_file]


def _lab(grades: Sequence[Grade]) -> str:
    counts = Counter(grade.status for grade in grades)
    statuses = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(counts.items()))
    mean = sum(grade.points for grade in grades) / len(grades)
    return f"{grades[0].lab}: {statuses}; on average {mean:.4g} of {grades[0].max_points:g} points"


def _listed(title: str, lines: Sequence[str], where: str) -> Iterator[str]:
    if lines:
        yield f"{title}: {len(lines)}" + (f" (all of them: {where})" if len(lines) > MOST_LINES else "")
        yield from (f"  {line}" for line in lines[:MOST_LINES])


def _changed(change: Change) -> str:
    status = change.status if change.status == change.status_before else f"{change.status_before} -> {change.status}"
    return (f"{change.student}, {change.lab}: {change.points_before:g} -> {change.points:g} points ({status}): "
            f"{change.why}")
