"""Looks at the pages as Doxygen wrote them: Markdown's marks that it shows, instead of obeying them, and dashes in code."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

# What Doxygen makes of -- and ---, which nobody can paste.
DASHES = re.compile(r"[\u2013\u2014]")
# What no reader should see outside code: marks of code and of strong words, links and references, headings.
MARKS = re.compile(r"`|\*\*|\]\(|[@\\](?:ref|section|subsection)\b")


class _Text(HTMLParser):
    """Collects the words of a page that are no code, a piece for each element; and code with dashes."""

    CODE = ("code", "pre", "script", "style", "svg")

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.dashed: list[str] = []
        self._code: list[str] = []  # the elements of code that are open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        nested = bool(self._code) and tag == self._code[-1]
        if nested or tag in self.CODE or ("class", "fragment") in attrs:
            self._code.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._code and self._code[-1] == tag:
            self._code.pop()

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.pieces.append(data.strip())
        elif DASHES.search(data) and self._code[0] not in ("script", "style"):
            self.dashed.append(data)


def marks_shown(page: Path) -> list[str]:
    """The pieces of text in a page's HTML in which marks of Markdown are left, and of code in which hyphens became dashes."""
    text = _Text()
    text.feed(page.read_text(encoding="utf-8"))
    return [piece for piece in text.pieces if MARKS.search(piece)] + text.dashed
