"""Autolab: for each submission the JSON that an autograder prints as its last line."""

from __future__ import annotations

import json
from pathlib import Path

from grader.batch.exporters.folders import write_entries
from grader.batch.exporters.view import Classroom, Entry


def write(classroom: Classroom, out: Path) -> Path:
    """Problems are the kinds of tests, with points before lateness: Autolab has its own late rules. Hidden tests are
    left out until they are released; then the problems are worth more."""
    return write_entries(out / "export" / "autolab", classroom, lambda entry: json.dumps(_record(entry), sort_keys=True) + "\n")


def _record(entry: Entry) -> dict[str, object]:
    kinds = sorted({test.kind for test in entry.visible}) or ["correctness"]
    scores = {kind: round(sum(test.points for test in entry.visible if test.kind == kind), 2) for kind in kinds}
    record: dict[str, object] = {"scores": scores, "scoreboard": [sum(scores.values()), _time(entry)]}
    return record


def _time(entry: Entry) -> float | str:
    """Predicted time in microseconds, of a right answer: a wrong one must not lead."""
    return entry.job.time_us if entry.is_correct and entry.job is not None and entry.job.time_us is not None else "-"
