"""Texts about a test besides its message, from its finding: its first sentence, what to try, the lines that it names."""

from __future__ import annotations

import re
from typing import Protocol

from grader.course.finding import Finding, Paragraph, paragraphs_of

LONGEST = 240


class Told(Protocol):
    """A test, of whichever table."""

    @property
    def message(self) -> str: ...

    @property
    def finding(self) -> Finding | None: ...


def paragraphs(test: Told) -> tuple[Paragraph, ...]:
    """Its message, for a view that wraps it."""
    return paragraphs_of(test.finding, test.message)


def headline(test: Told) -> str:
    """One sentence; empty if there is none."""
    text = test.finding.headline if test.finding else ""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def advice(test: Told) -> str:
    """What to try or, for a wrong result, what it looks like."""
    return test.finding.advice if test.finding else ""


def lines_of(test: Told, file_name: str) -> list[int]:
    """The lines of a file that it is about, each once, the most important first."""
    return test.finding.lines_in(file_name) if test.finding else []


def errors_of(log: str, file_name: str) -> list[tuple[int, str]]:
    """Line and text of each error that a compiler's output places in a file: compilers have no other form for it."""
    found = re.findall(rf"^{re.escape(file_name)}[:(](\d+)\)?[:\d]*:? *(error: .*)$", log, re.M)
    return [(int(line), text.strip()) for line, text in found]
