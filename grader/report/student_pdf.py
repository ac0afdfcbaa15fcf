"""A student's report as a PDF of A4 pages, drawn by matplotlib alone: the same wherever it is made."""

from __future__ import annotations

import textwrap
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure as Sheet
from matplotlib.image import imread

from .blocks import Block, Figure, Heading, Items, Paragraph, Table, Verbatim, blocks_of
from .student_view import StudentView
from .style import INK, MUTED

WIDTH, HEIGHT = 8.27, 11.69  # inches
LEFT, TOP, BOTTOM = 0.75, 0.8, 0.8
COLUMN = WIDTH - 2 * LEFT
SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
POINT = 1 / 72  # of an inch
MONO_WIDTH = 0.602  # of the size, for each character


class Paper:
    """Writes from top to bottom, and begins a new page where something does not fit."""

    def __init__(self, pages: PdfPages, footer: str) -> None:
        self._pages, self._footer, self._count = pages, footer, 0
        self._sheet: Sheet | None = None
        self._y = 0.0

    def _turn(self) -> None:
        self.close()
        self._count += 1
        self._sheet = Sheet(figsize=(WIDTH, HEIGHT))
        self._sheet.text(LEFT / WIDTH, 0.4 / HEIGHT, f"{self._footer} · page {self._count}", size=7.5, color=MUTED)
        self._y = TOP

    def close(self) -> None:
        if self._sheet is not None:
            self._pages.savefig(self._sheet)
            self._sheet = None

    def room(self, height: float) -> None:
        """Begins a new page unless @p height inches are left."""
        if self._sheet is None or self._y + height > HEIGHT - BOTTOM:
            self._turn()

    def skip(self, height: float) -> None:
        self._y += height

    def line(self, text: str, size: float, family: str = SANS, indent: float = 0.0, **style) -> None:
        step = 1.35 * size * POINT
        self.room(step)
        self._y += step
        self._sheet.text((LEFT + indent) / WIDTH, 1 - self._y / HEIGHT, text, size=size, family=family, va="baseline", **style)

    def picture(self, png: Path, width: float) -> None:
        pixels = imread(png)
        height = width * pixels.shape[0] / pixels.shape[1]
        self.room(height)
        axes = self._sheet.add_axes((LEFT / WIDTH, 1 - (self._y + height) / HEIGHT, width / WIDTH, height / HEIGHT))
        axes.imshow(pixels, aspect="auto", interpolation="none")
        axes.set_axis_off()
        self._y += height


def write_student_pdf(view: StudentView, path: Path) -> None:
    """@throws OSError if it cannot be written"""
    title = f"{view.student.student}: {view.course or 'warpbook'}"
    metadata = {"Title": title, "Creator": "warpbook", "CreationDate": None}
    with PdfPages(path, metadata=metadata) as pages:
        paper = Paper(pages, _plain(title))
        for block in blocks_of(view):
            _draw(block, paper)
        paper.close()


def _draw(block: Block, paper: Paper) -> None:
    match block:
        case Heading(level, text):
            size = {1: 17.0, 2: 14.0}.get(level, 10.5)
            paper.room(1.6 if level == 2 else 0.8)  # A heading never stands alone.
            paper.skip({1: 0.0, 2: 0.25}.get(level, 0.12))
            _wrapped(text, paper, size, weight="bold")
            paper.skip(0.06)
        case Paragraph(text):
            _wrapped(text, paper, 9)
            paper.skip(0.05)
        case Items(texts, numbered):
            for at, text in enumerate(texts, 1):
                _wrapped(f"{f'{at}.' if numbered else '•'} {text}", paper, 9, hanging=0.18)
            paper.skip(0.05)
        case Table(head, rows):
            _table(head, rows, paper)
        case Verbatim(text):
            _verbatim(text, paper)
        case Figure(picture, png):
            paper.room(2.5)
            _wrapped(f"{picture.title}. {picture.caption}", paper, 9)
            paper.skip(0.08)
            paper.picture(png, 4.4)
            paper.skip(0.1)


def _plain(text: str) -> str:
    """Without characters that are not to be drawn."""
    return "".join(one if one.isprintable() else " " for one in text.expandtabs(4))


def _wrapped(text: str, paper: Paper, size: float, hanging: float = 0.0, **style) -> None:
    # DejaVu Sans is about 0.56 of its size wide on average; 0.6 leaves room for wide words.
    share = 0.66 if style else 0.6
    columns = int((COLUMN - hanging) / (share * size * POINT))
    for at, line in enumerate(textwrap.wrap(_plain(" ".join(text.split())), columns) or [""]):
        paper.line(line, size, indent=hanging if at else 0.0, color=INK, **style)


def _verbatim(text: str, paper: Paper, size: float = 7.0) -> None:
    columns = int((COLUMN - 0.1) / (MONO_WIDTH * size * POINT))
    for line in text.splitlines():
        line = _plain(line)
        indent = min(len(line) - len(line.lstrip()) + 4, columns // 2)
        for piece in textwrap.wrap(line, columns, subsequent_indent=" " * indent, drop_whitespace=False,
                                   replace_whitespace=False) or [""]:
            paper.line(piece.rstrip(), size, MONO, indent=0.1, color=INK)
    paper.skip(0.08)


def _table(head: list[str], rows: list[list[str]], paper: Paper, size: float = 8.5) -> None:
    cells = [[_plain(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for at, row in enumerate(cells):
        text = "   ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
        paper.line(text, size, MONO, color=INK, weight="bold" if at == 0 else "normal")
    paper.skip(0.08)
