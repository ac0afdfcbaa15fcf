"""Unexpected things in a class's submissions, summed up by kind."""

from __future__ import annotations

from dataclasses import dataclass

from grader.course.gradebook import Found

from .class_data import ClassData

SEVERITIES = {"error": "✗ error", "suspicion": "? suspicion", "note": "– note"}


@dataclass(frozen=True)
class Kind:
    """Findings of one kind; `example` is the message of the first."""

    severity: str
    code: str
    count: int
    example: str
    students: list[str]


def findings_of(data: ClassData) -> list[Kind]:
    """One for each kind of finding, errors first."""
    groups: dict[tuple[int, str], list[Found]] = {}
    order = list(SEVERITIES)
    for found in data.findings:
        groups.setdefault((order.index(found.severity), found.code), []).append(found)
    return [
        Kind(
            order[severity],
            code,
            len(found),
            found[0].message,
            list(dict.fromkeys(one.student for one in found if one.student)),
        )
        for (severity, code), found in sorted(groups.items())
    ]
