"""A student's report as text: Markdown that also reads well as it is."""

from __future__ import annotations

import re

from .blocks import Block, Figure, Heading, Items, Paragraph, Table, Verbatim, blocks_of
from .student_view import StudentView


def student_text(view: StudentView) -> str:
    return "\n\n".join(_text(block) for block in blocks_of(view)) + "\n"


def _text(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text):
            return _line(text)
        case Items(texts, numbered):
            return "\n".join(f"{f'{at}.' if numbered else '-'} {_line(text)}" for at, text in enumerate(texts, 1))
        case Table(head, rows):
            return _table([head, *rows])
        case Verbatim(text):
            fence = "```"
            while fence in text:
                fence += "`"
            return f"{fence}\n{text}\n{fence}"
        case Figure(picture, _):
            return f"![{_line(picture.title)}. {_line(picture.words)}]({picture.name}.png)"


def _line(text: str) -> str:
    """One line, in which nothing of a stranger's text is HTML, a link or a picture from elsewhere.

    A backslash of the stranger's own before one of ours would turn that into a letter, so it is doubled.
    """
    line = " ".join(text.split())
    return re.sub(r"(\\*)(<|(?<=\])\()", lambda found: found[1] * 2 + "\\" + found[2], line)


def _table(rows: list[list[str]]) -> str:
    cells = [[re.sub(r"(\\*)\|", r"\1\1\\|", _line(cell)) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
