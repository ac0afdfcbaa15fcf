"""Formats with a file for each submission: FOLDER/<student>/<lab>.json."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from grader.course.exporters.view import Classroom, Entry, file_name
from grader.course.files import write_file


def write_entries(folder: Path, classroom: Classroom, text_of: Callable[[Entry], str]) -> Path:
    """Writes the files of everybody and removes those of people who are no longer in the gradebook."""
    kept = {file_name(student.student) for student in classroom.students}
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.is_dir() and not old.is_symlink() and old.name not in kept:
            shutil.rmtree(old)
    for entry in classroom:
        path = folder / file_name(entry.student.student) / f"{entry.lab}.json"
        if entry.grade.status == "not_graded":  # The platform's grade is kept.
            path.unlink(missing_ok=True)
            continue
        write_file(path, text_of(entry), durable=False)
    return folder
