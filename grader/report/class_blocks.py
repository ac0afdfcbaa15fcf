"""The class page as plain blocks, read from its HTML, so that the text always agrees with the page."""

from __future__ import annotations

from html.parser import HTMLParser

from .blocks import Block, Figure, Heading, Paragraph, Table

LEFT_OUT = {"style", "title", "nav", "svg", "summary"}  # With their contents.
HEADINGS = {"h1": 1, "h2": 2, "h3": 3}


def class_blocks(page: str) -> list[Block]:
    reader = _Reader()
    reader.feed(page)
    return reader.blocks


class _Reader(HTMLParser):
    """Knows the elements that the class page is made of, and no others."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self._left_out = 0
        self._text: list[str] = []
        self._rows: list[list[str]] = []
        self._numbers: set[int] = set()
        self._names: list[str] = []
        self._title = ""
        self._words = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag in LEFT_OUT or given.get("class") in ("skip", "png"):
            self._left_out += 1
            if given.get("class") == "png" and given["href"].endswith(".png"):
                self._names.append(given["href"].removesuffix(".png"))
        elif tag in (*HEADINGS, "p", "th", "td", "figcaption"):
            self._text = []
        if tag == "summary":
            self._text.append(", ")
        elif tag == "br":
            self._text.append(" ")
        elif tag == "tr":
            self._rows.append([])
        elif tag == "th" and given.get("class") == "n":
            self._numbers.add(len(self._rows[-1]))
        elif given.get("role") == "img":
            self._words = given["aria-label"]

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            if tag in (*LEFT_OUT, "a"):
                self._left_out -= 1
            return
        text = " ".join("".join(self._text).split()).replace(" ,", ",")
        if tag in HEADINGS:
            self.blocks.append(Heading(HEADINGS[tag], text))
        elif tag == "p" and text:
            self.blocks.append(Paragraph(text))
        elif tag in ("th", "td"):
            self._rows[-1].append(text)
        elif tag == "b" and not self._title:
            self._title, self._text = text, []
        elif tag == "table":
            self._end_table()
        elif tag == "figure":
            self.blocks.append(Figure(self._names[-1], self._title, self._words))
        if tag in ("figure", "p"):
            self._title = ""

    def _end_table(self) -> None:
        head, *rows = self._rows
        if rows:
            self.blocks.append(Table(head, rows, frozenset(self._numbers)))
        self._rows, self._numbers = [], set()

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self._text.append(data)
