"""Exporters: the gradebook in the formats that other programs read."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path

from grader.course.exporters.view import Classroom
from grader.course.gradebook import Gradebook

# Format: its module, whose write(classroom, out) writes files below OUT and returns the file or folder, and what it is.
EXPORTERS = {
    "csv": ("grader.course.exporters.gradebook_csv", "gradebook.csv: a row for each student"),
    "findings": ("grader.course.exporters.findings_csv", "findings.csv: everything unexpected"),
    "results": ("grader.course.exporters.results_json", "results/STUDENT/results.json: what a student may see"),
    "gradescope_results": ("grader.course.exporters.gradescope_results", "export/gradescope/: a results.json of each"),
    "autolab": ("grader.course.exporters.autolab", "export/autolab/: the last line of an autograder, for each"),
    "junit": ("grader.course.exporters.junit", "export/junit/LAB.xml: a test suite for each student"),
    "canvas": ("grader.course.exporters.canvas_csv", "export/canvas.csv, to be imported into Canvas's gradebook"),
    "moodle": ("grader.course.exporters.moodle_csv", "export/moodle.csv, to be imported into Moodle's grades"),
}


def export(names: Iterable[str], book: Gradebook, out: Path) -> list[Path]:
    """Writes formats below OUT; the gradebook is read once. @returns the file or folder of each"""
    classroom = Classroom.read(book)
    return [importlib.import_module(EXPORTERS[name][0]).write(classroom, out) for name in names]
