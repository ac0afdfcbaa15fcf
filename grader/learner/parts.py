"""The parts of a lab, from the headings in the learner's file, and the first that is not passed yet."""

from __future__ import annotations

import re
from pathlib import PurePath

from grader.course.finding import Finding
from grader.learner.labs import Lab
from grader.learner.verdict import read_records

_HEADING = re.compile(r"^// -+ Part (\d+)\b")
_TITLE = re.compile(r"Part (\d+)\b")


def part_of_title(title: str) -> int | None:
    """The part in a hint's title: "Part 2: taking memory". None: the hint is not about one part."""
    found = _TITLE.match(title)
    return int(found.group(1)) if found else None


def first_part_left(lab: Lab) -> int | None:
    """The first part with a test that did not pass in its last run. None if the part of no such test is known, or the file
    has no parts."""
    try:
        lines = lab.source.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    parts = [_part_of(record.result.finding, lines, lab.source.name) for record in read_records(lab)
             if record.result.status != "passed"]
    return min((part for part in parts if part is not None), default=None)


def _part_of(finding: Finding | None, lines: list[str], file: str) -> int | None:
    """From the function that the case calls; else from the line that the finding is about."""
    if finding is None:
        return None
    if finding.function:
        definition = re.compile(rf"^[\w:<>*& ]*\b{re.escape(finding.function)}\(")
        for number, line in enumerate(lines, 1):
            if definition.match(line) and not line.rstrip().endswith(";"):
                return _part_at(lines, number)
    sites = [site.line for site in finding.sites if site.line and PurePath(site.file).name == file]
    return _part_at(lines, sites[0]) if sites else None


def _part_at(lines: list[str], number: int) -> int | None:
    """The heading above a line, which counts from 1."""
    for line in reversed(lines[:number]):
        if found := _HEADING.match(line):
            return int(found.group(1))
    return None
