"""What was unexpected in what a class handed in, summed up by kind."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from grader.course.gradebook import Found

from .class_data import ClassData
from .class_html import NUMBER, TEXT, some, table

SEVERITIES = {"error": "✗ error", "suspicion": "? suspicion", "note": "– note"}
SHOWN_STUDENTS = 8


def findings_section(data: ClassData, link: Callable[[str], str]) -> str:
    """A row for each kind of finding, errors first; `findings.csv` has each one."""
    if not data.findings:
        return "<p>Nothing.</p>"
    groups: dict[tuple[int, str], list[Found]] = {}
    order = list(SEVERITIES)
    for found in data.findings:
        groups.setdefault((order.index(found.severity), found.code), []).append(found)
    rows = []
    for (severity, code), found in sorted(groups.items()):
        students = list(dict.fromkeys(one.student for one in found if one.student))
        rows.append(
            (
                SEVERITIES[order[severity]],
                f"<code>{escape(code)}</code>",
                str(len(found)),
                escape(found[0].message),
                some([link(student) for student in students], SHOWN_STUDENTS) or "–",
            )
        )
    columns = [("Severity", TEXT), ("Kind", TEXT), ("How often", NUMBER), ("For example", TEXT), ("Students", TEXT)]
    return "<p>By kind. <code>findings.csv</code> beside the gradebook has every one, with its file.</p>" + table(
        "Findings", columns, rows
    )
