"""A report as text: Markdown that is also readable as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .blocks import Block, Figure, Heading, Items, Paragraph, Table, Verbatim


def text_of(blocks: Iterable[Block]) -> str:
    return "\n\n".join(_text(block) for block in blocks) + "\n"


def _text(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text):
            return _line(text)
        case Items(texts, numbered):
            return "\n".join(f"{f'{at}.' if numbered else '-'} {_line(text)}" for at, text in enumerate(texts, 1))
        case Table(head, rows, numbers):
            return _table([head, *rows], numbers)
        case Verbatim(text):
            fence = "```"
            while fence in text:
                fence += "`"
            return f"{fence}\n{text}\n{fence}"
        case Figure(name, title, words):
            return f"![{_line(title)}. {_line(words)}]({name}.png)"


def _line(text: str) -> str:
    """One line, in which untrusted text cannot become HTML, a link or a picture from elsewhere.

    A backslash in the text before an escaping one would cancel it, so it is doubled.
    """
    line = " ".join(text.split())
    return re.sub(r"(\\*)(<|(?<=\])\()", lambda found: found[1] * 2 + "\\" + found[2], line)


def _table(rows: list[list[str]], numbers: frozenset[int]) -> str:
    cells = [[re.sub(r"(\\*)\|", r"\1\1\\|", _line(cell)) for cell in row] for row in rows]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(cells[0]))]
    columns = list(enumerate(widths))
    lines = ["| " + " | ".join(row[i].rjust(width) if i in numbers else row[i].ljust(width) for i, width in columns) + " |"
             for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 1) + (":" if i in numbers else "-") for i, width in columns) + "|")
    return "\n".join(lines)
