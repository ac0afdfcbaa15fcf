"""A student's page, for a browser or for paper (pdf.py)."""

from __future__ import annotations

from dataclasses import dataclass

from .explanation import errors_of, headline, lines_of
from .page import render
from .student_view import LabView, StudentView


@dataclass(frozen=True)
class Note:
    """A note below a line of the source. `anchor`: of the test that it is from; empty for a compiler's error."""

    text: str
    anchor: str = ""
    test: str = ""


@dataclass(frozen=True)
class LabPart:
    """What the page adds to a lab. `anchors`: ids of the tests in the page, by name. `notes`: by line of the source."""

    view: LabView
    anchors: dict[str, str]
    notes: dict[int, list[Note]]

    @property
    def counted(self) -> bool:
        return any(row.executed for row in self.view.source)


def _part(lab: LabView) -> LabPart:
    anchors = {test.name: f"{lab.entry.lab}-test-{test.position + 1}" for test in lab.tests}
    notes: dict[int, list[Note]] = {}
    for test in lab.tests if lab.ran else ():
        if test.points < test.max_points:
            for line in lines_of(test, lab.source_name):
                said = Note(headline(test), anchors[test.name], f"{test.kind}: {test.sentence}")
                notes.setdefault(line, []).append(said)
    for line, error in errors_of(lab.build_log, lab.source_name):
        notes.setdefault(line, []).append(Note(error))
    return LabPart(lab, anchors, notes)


def student_page(view: StudentView, paper: bool = False) -> str:
    """The page as HTML. @param paper for pdf.py"""
    return render("student.html", paper, view=view, parts=[_part(lab) for lab in view.labs])
