"""Gradescope: results.json for each submission, as an autograder writes it there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.course.exporters.folders import write_entries
from grader.course.exporters.view import Classroom, Entry
from grader.course.files import json_text
from grader.course.gradebook import Test
from grader.course.policy.points import number

# Shown to the instructor only. While a test is hidden, Gradescope shows students no total either.
HIDDEN = "hidden"


def write(classroom: Classroom, out: Path) -> Path:
    return write_entries(out / "export" / "gradescope", classroom, lambda entry: json_text(gradescope_record(entry)))


def gradescope_record(entry: Entry) -> dict[str, Any]:
    """`score` is the grade; the tests hold the points before lateness and curve. What students read speaks of visible
    tests only."""
    record: dict[str, Any] = {
        "score": entry.grade.points,
        "output": entry.feedback,
        "output_format": "text",
        "stdout_visibility": HIDDEN,
        "tests": [_test(position, test) for position, test in enumerate(_tests(entry), 1)],
        "extra_data": {"lab": entry.lab, "status": entry.grade.status, "days_late": entry.grade.late_days,
                       "factor": entry.grade.factor, "raw_points": entry.grade.raw_points},
        "leaderboard": _leaderboard(entry),
    }
    if not record["tests"]:  # It did not build, for example: the reason takes the place of a test.
        record["tests"] = [{"name": entry.title, "number": "1", "score": 0.0, "max_score": entry.grade.max_points,
                            "status": "failed", "output": entry.feedback, "visibility": "visible"}]
    return record


def _tests(entry: Entry) -> list[Test]:
    """Visible ones of the attempt that students are shown, hidden ones of the attempt that counts."""
    return sorted([*entry.visible, *(test for test in entry.tests if test.hidden)], key=lambda test: test.position)


def _test(position: int, test: Test) -> dict[str, Any]:
    return {"name": test.sentence, "number": str(position), "score": round(test.points, 2),
            "max_score": round(test.max_points, 2), "status": "passed" if test.status == "passed" else "failed",
            "output": test.message or f"{test.status}: {number(test.points)} of {number(test.max_points)} points",
            "output_format": "text", "tags": [test.kind], "visibility": HIDDEN if test.hidden else "visible"}


def _leaderboard(entry: Entry) -> list[dict[str, Any]]:
    """The class sees it: points of visible tests only, and the time of right answers only."""
    rows: list[dict[str, Any]] = [{"name": "points", "value": entry.shown_points, "order": "desc"}]
    if entry.shown_time_us is not None:
        rows.append({"name": "predicted time (us)", "value": round(entry.shown_time_us, 3), "order": "asc"})
    return rows
