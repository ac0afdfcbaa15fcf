"""moodle.csv, for Moodle's grade import; map "ID number" or "Email address", and each lab to its grade item."""

from __future__ import annotations

from pathlib import Path

from grader.course.exporters.tables import plain, printable, write_table
from grader.course.exporters.view import Classroom
from grader.course.policy.points import number


def write(classroom: Classroom, out: Path) -> Path:
    """For each lab the points and a column of feedback. A "-" is Moodle's sign for no grade: nothing changes there."""
    head = ["ID number", "Email address", "Name"]
    for lab in classroom.labs:
        title = classroom.column(lab)
        head += [title, f"{title} (feedback)"]
    rows = [head]
    for student in classroom.students:
        ids = classroom.platform_ids.get(student.student, {})
        row = [printable(ids.get("id_number", student.student)), plain(student.email), plain(student.name)]
        for lab in classroom.labs:
            entry = classroom.entries.get((student.student, lab))
            if entry is None or entry.grade.status == "not_graded":
                row += ["-", ""]
            else:
                row += [number(entry.grade.points), plain(entry.feedback)]
        rows.append(row)
    return write_table(out / "export" / "moodle.csv", rows)
