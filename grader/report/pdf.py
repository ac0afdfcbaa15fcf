"""A report as a PDF of A4 pages, drawn by matplotlib alone: the same wherever it is made."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure as Sheet
from matplotlib.image import imread
from matplotlib.lines import Line2D
from numpy import ndarray

from .blocks import Block, Figure, Heading, Items, Paragraph, Table, Verbatim
from .page import Picture
from .style import GRID, INK, MUTED

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

    def room(self, height: float) -> bool:
        """Begins a new page unless @p height inches are left. @returns whether it did"""
        if self._sheet is not None and self._y + height <= HEIGHT - BOTTOM:
            return False
        self._turn()
        return True

    def skip(self, height: float) -> None:
        self._y += height

    def line(self, text: str, size: float, family: str = SANS, indent: float = 0.0, **style) -> None:
        step = 1.35 * size * POINT
        self.room(step)
        self._y += step
        self._sheet.text((LEFT + indent) / WIDTH, 1 - self._y / HEIGHT, text, size=size, family=family, va="baseline", **style)

    def rule(self) -> None:
        """A thin line over the whole column."""
        self._y += 0.04
        at = 1 - self._y / HEIGHT
        self._sheet.add_artist(Line2D([LEFT / WIDTH, 1 - LEFT / WIDTH], [at, at], color=GRID, linewidth=0.8))

    def picture(self, pixels: ndarray, width: float, height: float) -> None:
        self.room(height - 0.001)
        axes = self._sheet.add_axes((LEFT / WIDTH, 1 - (self._y + height) / HEIGHT, width / WIDTH, height / HEIGHT))
        axes.imshow(pixels, aspect="auto", interpolation="none")
        axes.set_axis_off()
        self._y += height


def write_pdf(blocks: Iterable[Block], title: str, path: Path) -> None:
    """@throws OSError if it cannot be written"""
    metadata = {"Title": title, "Creator": "warpbook", "CreationDate": None}
    with PdfPages(path, metadata=metadata) as pages:
        paper = Paper(pages, _plain(title))
        every = list(blocks)
        for block, after in zip(every, [*every[1:], None]):
            if isinstance(block, Heading) and isinstance(after, Figure):  # A heading never stands alone.
                paper.room(min(0.5 + sum(_size(after)[1:]), HEIGHT - TOP - BOTTOM))
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
                _wrapped(f"{f'{at}.' if numbered else '•'} {text.replace('`', '')}", paper, 9, hanging=0.18)
            paper.skip(0.05)
        case Table(head, rows, numbers):
            _table(head, rows, numbers, paper)
        case Verbatim(text):
            _verbatim(text, paper)
        case Figure(picture, png):
            width, height, said = _size(block)
            paper.room(said + height)  # A caption never stands alone.
            _wrapped(_caption(picture), paper, 9)
            paper.skip(0.08)
            paper.picture(imread(png), width, height)
            paper.skip(0.1)


def _caption(picture: Picture) -> str:
    return f"{picture.title}. {picture.caption}"


def _size(figure: Figure) -> tuple[float, float, float]:
    """Width and height of the picture and height of its caption, in inches: together they fit on a page."""
    high, wide = imread(figure.png).shape[:2]
    said = 0.08 + 9 * 1.35 * POINT * len(_broken(_caption(figure.picture), 9))
    width = min(4.4, (HEIGHT - TOP - BOTTOM - said) * wide / high)
    return width, width * high / wide, said


def _plain(text: str) -> str:
    """Without characters that are not to be drawn."""
    return "".join(one if one.isprintable() else " " for one in text.expandtabs(4))


def _wrapped(text: str, paper: Paper, size: float, hanging: float = 0.0, **style) -> None:
    for at, line in enumerate(_broken(text, size, hanging, bool(style))):
        paper.line(line, size, indent=hanging if at else 0.0, color=INK, **style)


def _broken(text: str, size: float, hanging: float = 0.0, bold: bool = False) -> list[str]:
    # DejaVu Sans is about 0.56 of its size wide on average; 0.6 leaves room for wide words.
    columns = int((COLUMN - hanging) / ((0.66 if bold else 0.6) * size * POINT))
    return textwrap.wrap(_plain(" ".join(text.split())), columns) or [""]


def _verbatim(text: str, paper: Paper, size: float = 7.0) -> None:
    columns = int((COLUMN - 0.1) / (MONO_WIDTH * size * POINT))
    for line in text.splitlines():
        line = _plain(line)
        indent = min(len(line) - len(line.lstrip()) + 4, columns // 2)
        for piece in textwrap.wrap(line, columns, subsequent_indent=" " * indent, drop_whitespace=False,
                                   replace_whitespace=False) or [""]:
            paper.line(piece.rstrip(), size, MONO, indent=0.1, color=INK)
    paper.skip(0.08)


GAP = 2  # characters between columns
SIZES = (8.5, 7.5, 6.5, 6.0)  # of tables, in points: the largest in which no word is broken
WORD = 14  # Longer words may be broken.


def _table(head: list[str], rows: list[list[str]], numbers: frozenset[int], paper: Paper) -> None:
    cells = [[_plain(cell) for cell in row] for row in [head, *rows]]
    size, widths = _fitted(cells, numbers)
    first, *others = [_lines(row, widths, numbers) for row in cells]
    height = 1.35 * size * POINT

    def begin() -> None:
        for line in first:
            paper.line(line, size, MONO, color=INK, weight="bold")
        paper.rule()

    paper.room(height * (len(first) + 3))
    begin()
    ruled = any(len(lines) > 1 for lines in others)  # Else a row could not be told from the next.
    for lines in others:
        if paper.room(height * len(lines) + 0.04):
            begin()
        for line in lines:
            paper.line(line, size, MONO, color=INK)
        if ruled:
            paper.rule()
    paper.skip(0.12)


def _fitted(cells: Sequence[Sequence[str]], numbers: frozenset[int]) -> tuple[float, list[int]]:
    """The size, and the width of each column in characters, so that all columns stand side by side."""
    columns = list(zip(*cells))
    natural = [max(1, *map(len, column)) for column in columns]
    least = [min(WORD, max((len(word) for cell in column for word in cell.split()), default=1)) for column in columns]
    for size in SIZES:
        room = int(COLUMN / (MONO_WIDTH * size * POINT)) - GAP * (len(columns) - 1)
        if sum(least) <= room:
            break
    widths = list(natural)
    while sum(widths) > room:  # Titles over numbers give way first, then the widest; words are broken only if they must be.
        wide = [i for i in range(len(widths)) if widths[i] > least[i]]
        spare = [i for i in wide if i in numbers] or wide or [i for i in range(len(widths)) if widths[i] > 3]
        if not spare:
            break
        widths[max(spare, key=lambda i: widths[i])] -= 1
    return size, widths


def _lines(row: Sequence[str], widths: Sequence[int], numbers: frozenset[int]) -> list[str]:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths)]
    lines = []
    for at in range(max(map(len, wrapped))):
        pieces = [pieces[at] if at < len(pieces) else "" for pieces in wrapped]
        lines.append((" " * GAP).join(piece.rjust(width) if i in numbers else piece.ljust(width)
                                      for i, (piece, width) in enumerate(zip(pieces, widths))).rstrip())
    return lines
