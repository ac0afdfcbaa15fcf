"""Renders pages: Jinja2 templates of this folder, with every text escaped, and with style and pictures inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.course.policy.points import number as points

from .explanation import paragraphs
from .style import number
from .words import COMPONENTS, COUNTED, GLOSSARY, STATUS, count_of, optional, share, shown_as, status_words


@dataclass(frozen=True)
class Picture:
    name: str  # of the files NAME.png and NAME.svg
    title: str
    caption: str
    words: str  # the figure in words
    svg: str  # to stand in a page: its colours follow the page's theme

    @property
    def drawn(self) -> Markup:
        """The only thing that is put into a page unescaped: matplotlib wrote it, and escaped its texts."""
        return Markup(self.svg)


class Ended(Protocol):
    @property
    def status(self) -> str: ...


AnyTest = TypeVar("AnyTest", bound=Ended)


def needy_first(tests: Sequence[AnyTest]) -> list[AnyTest]:
    """Tests in the order for readers: those that need work come first."""
    order = {"failed": 0, "inconclusive": 1, "not_run": 2, "skipped": 3, "passed": 4}
    return sorted(tests, key=lambda test: order[test.status])


def spans_of_code(text: str) -> list[str]:
    """Text split at its `marks`: every second piece is code. An unpaired mark has no effect."""
    pieces = text.split("`")
    return pieces if len(pieces) % 2 else [text]


_PAGES = Environment(loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=True,
                     undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
_PAGES.globals |= {"shown_as": shown_as, "status_words": status_words}
_PAGES.globals |= {"STATUS": STATUS, "COMPONENTS": COMPONENTS, "COUNTED": COUNTED, "GLOSSARY": GLOSSARY}
_PAGES.filters |= {"points": points, "number": number, "optional": optional, "share": share, "count_of": count_of,
                   "paragraphs": paragraphs, "needy_first": needy_first, "spans_of_code": spans_of_code}


def render(template: str, paper: bool, **values: object) -> str:
    """@param paper for pdf.py: pictures are referenced, and there are no links to other files"""
    return _PAGES.get_template(template).render(paper=paper, **values)
