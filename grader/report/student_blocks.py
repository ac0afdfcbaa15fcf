"""A student's report as a sequence of plain blocks, from which the text is made."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course.finding import filled
from grader.course.policy.points import number as points

from .blocks import Block, Figure, Heading, Items, Paragraph, Table, Verbatim
from .explanation import errors_of, headline, lines_of, paragraphs
from .page import needy_first
from .source import SourceRow
from .student_view import LabView, StudentView
from .words import status_words

MESSAGE_WIDTH = 100  # Columns of a report that is text.


def student_blocks(view: StudentView) -> Iterator[Block]:
    name = f"{view.student.name} ({view.student.student})" if view.student.name else view.student.student
    yield Heading(1, f"{name}: {view.course or 'warpbook'}")
    if not view.labs:
        yield Paragraph("No lab was graded.")
    else:
        rows = [[lab.entry.title, _status(lab), _points(lab)] for lab in view.labs]
        total = f"{points(view.points)} / {points(view.max_points)}{' so far' if view.is_sealed else ''}"
        yield Table(["Lab", "Status", "Points"], [*rows, ["Total", "", total]], frozenset({2}))
    if view.noticed:
        yield Items(view.noticed)
    for lab in view.labs:
        yield from _lab(lab)


def _status(lab: LabView) -> str:
    entry = lab.entry
    return status_words(entry.shown_status, entry.shown_points, entry.shown_max_points)


def _points(lab: LabView) -> str:
    entry = lab.entry
    return f"{points(entry.shown_points)} / {points(entry.shown_max_points)}{' so far' if entry.is_sealed else ''}"


def _lab(lab: LabView) -> Iterator[Block]:
    entry = lab.entry
    yield Heading(2, entry.title)
    yield Paragraph(f"{_status(lab)}: {_points(lab)}")
    if (submission := entry.shown_submission) is not None:
        when = f", {lab.when}" if lab.when else ""
        yield Paragraph(f"Attempt {submission.attempt} of {max(lab.attempts, submission.attempt)}{when}: {submission.origin}")
    if entry.shown_status != "passed" or entry.is_sealed:
        yield Paragraph(entry.feedback)
    if lab.steps:
        yield Heading(3, "What to try next")
        yield Items(lab.steps, numbered=True)
    if lab.kinds or lab.towards_grade:
        yield Heading(3, "Points")
    if lab.kinds:
        yield Table(["Kind", "Passed", "Points"], [
            [kind.name, f"{kind.passed} of {kind.count}", f"{points(kind.points)} / {points(kind.max_points)}"]
            for kind in lab.kinds], frozenset({1, 2}))
    if lab.towards_grade:
        yield Paragraph(" ".join(lab.towards_grade))
    if lab.build_log:
        yield Heading(3, "What the compiler said")
        yield Verbatim(lab.build_log)
    yield from _tests(lab)
    if lab.evidence and lab.evidence.pictures:
        yield Heading(3, "Figures")
        for picture in lab.evidence.pictures:
            yield Figure(picture.name, picture.title, picture.words)
    if lab.problem:
        yield Paragraph(f"There are no figures: {lab.problem}")
    if lab.source:
        yield Heading(3, f"Your {lab.source_name}, line by line")
        if lab.source_cut:
            yield Paragraph(lab.source_cut)
        yield Verbatim(_source(lab))
    if lab.noticed:
        yield Heading(3, "About what was handed in")
        yield Items(lab.noticed)


def _tests(lab: LabView) -> Iterator[Block]:
    if lab.tests and not lab.ran:
        yield Paragraph(f"None of the {len(lab.tests)} tests was run.")
        return
    if lab.tests:
        yield Heading(3, "Tests")
    for test in needy_first(lab.tests):
        status = status_words(test.status, test.points, test.max_points)
        yield Paragraph(f"{status}, {points(test.points)} / {points(test.max_points)}: {test.kind}, {test.sentence}")
        if test.message.strip():
            yield Verbatim("\n".join(filled(paragraphs(test), MESSAGE_WIDTH, "")))
    if lab.tests and lab.hidden_note:
        yield Paragraph(lab.hidden_note)


def _source(lab: LabView) -> str:
    """The source with counts at the right, and the tests' notes on a line below it."""
    notes: dict[int, list[str]] = {}
    for test in lab.tests if lab.ran else ():
        if test.points < test.max_points:
            for line in lines_of(test, lab.source_name):
                notes.setdefault(line, []).append(f"     ^ {test.kind}, {test.sentence}: {headline(test)}")
    for line, error in errors_of(lab.build_log, lab.source_name):
        notes.setdefault(line, []).append(f"     ^ {error}")
    lines = []
    for row in lab.source:
        lines.append(f"{row.line:4} {row.text}".rstrip() + _counts(row))
        lines += notes.get(row.line, [])
    return "\n".join(lines)


def _counts(row: SourceRow) -> str:
    if not row.executed:
        return ""
    cost = f", {row.cost.replace(chr(10), ', ')}" if row.cost else ""
    return f"   <{'!' if row.wasteful else ''} {row.executed} instructions, {row.lanes} threads{cost}>"
