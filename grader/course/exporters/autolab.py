"""Autolab: for each submission the JSON that an autograder prints as its last line."""

from __future__ import annotations

import json
from pathlib import Path

from grader.course.exporters.folders import write_entries
from grader.course.exporters.view import Classroom, Entry


def write(classroom: Classroom, out: Path) -> Path:
    """Problems are the kinds of tests, with points before lateness: Autolab has its own late rules. Hidden tests are
    left out until they are released; then the problems are worth more."""
    return write_entries(out / "export" / "autolab", classroom,
                         lambda entry: json.dumps(_record(entry), sort_keys=True) + "\n")


def _record(entry: Entry) -> dict[str, object]:
    kinds = sorted({test.kind for test in entry.visible}) or ["correctness"]
    scores = {kind: round(sum(test.points for test in entry.visible if test.kind == kind), 2) for kind in kinds}
    time = entry.shown_time_us
    return {"scores": scores, "scoreboard": [round(sum(scores.values()), 2), "-" if time is None else round(time, 3)]}
