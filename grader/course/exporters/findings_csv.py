"""findings.csv: everything unexpected, errors first."""

from __future__ import annotations

from pathlib import Path

from grader.course.exporters.tables import plain, write_table
from grader.course.exporters.view import Classroom

ORDER = {"error": 0, "suspicion": 1, "note": 2}


def write(classroom: Classroom, out: Path) -> Path:
    found = sorted(classroom.findings, key=lambda row: ORDER[row.severity])  # Stable: by student and lab within.
    rows = [["severity", "code", "student", "lab", "path", "message"]]
    rows += [[row.severity, row.code, plain(row.student), row.lab, plain(row.path), plain(row.message)]
             for row in found]
    return write_table(out / "findings.csv", rows)
