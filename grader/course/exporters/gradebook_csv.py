"""gradebook.csv: a row for each student; of each lab the points, the most points, status, days late and reason. Points
are left empty where there is no grade yet."""

from __future__ import annotations

from pathlib import Path

from grader.course.exporters.tables import plain, write_table
from grader.course.exporters.view import Classroom
from grader.course.policy.points import number


def write(classroom: Classroom, out: Path) -> Path:
    head = ["student", "name", "email", "section", "points", "max_points", "percent"]
    for lab in classroom.labs:
        head += [lab, f"{lab} max", f"{lab} status", f"{lab} days late", f"{lab} reason"]
    rows = [head]
    for student in classroom.students:
        entries = classroom.of(student)
        row = [plain(student.student), plain(student.name), plain(student.email), plain(student.section),
               number(sum(entry.grade.points for entry in entries)),
               number(sum(entry.grade.max_points for entry in entries)),
               number(classroom.percent(student))]
        for lab in classroom.labs:
            entry = classroom.entries.get((student.student, lab))
            if entry is None:
                row += [""] * 5
            else:
                grade = entry.grade
                points = "" if grade.status == "not_graded" else number(grade.points)
                row += [points, number(grade.max_points), grade.status, str(grade.late_days),
                        plain(grade.reason)]
        rows.append(row)
    return write_table(out / "gradebook.csv", rows)
