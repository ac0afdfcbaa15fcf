"""canvas.csv, for import into Canvas's gradebook. Canvas finds a student by its own ID or else by the SIS ids, an assignment
by its title."""

from __future__ import annotations

from pathlib import Path

from grader.course.exporters.tables import plain, printable, write_table
from grader.course.exporters.view import Classroom
from grader.course.policy.points import number


def write(classroom: Classroom, out: Path) -> Path:
    """The columns that Canvas requires, then one for each lab; the second row holds the most points. An empty cell
    leaves the grade in Canvas unchanged: so does a submission that could not be graded."""
    titles = [classroom.column(lab) for lab in classroom.labs]
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]]
    most = {entry.lab: entry.grade.max_points for entry in classroom}
    rows.append(["    Points Possible", "", "", "", "", *(number(most.get(lab, 0)) for lab in classroom.labs)])
    for student in classroom.students:
        points = [_points(classroom, student.student, lab) for lab in classroom.labs]
        # Canvas finds a student by the ids, or by an e-mail address: ids are not changed.
        ids = classroom.platform_ids.get(student.student, {})
        if "canvas_id" in ids:  # The roster came from Canvas: its columns are returned unchanged, blank ones too.
            known = [printable(ids["canvas_id"]), printable(ids.get("sis_user_id", "")), plain(ids.get("sis_login_id", ""))]
        else:
            known = ["", printable(student.student), plain(student.email) or printable(student.student)]
        rows.append([plain(student.name or student.student), *known, plain(student.section), *points])
    return write_table(out / "export" / "canvas.csv", rows)


def _points(classroom: Classroom, student: str, lab: str) -> str:
    entry = classroom.entries.get((student, lab))
    return "" if entry is None or entry.grade.status == "not_graded" else number(entry.grade.points)
