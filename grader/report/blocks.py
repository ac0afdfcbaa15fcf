"""The parts of a report as text: plain blocks, one after the other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    level: int  # 1, 2, 3
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    texts: list[str]
    numbered: bool = False


@dataclass(frozen=True)
class Table:
    """`numbers`: the columns that are aligned to the right."""

    head: list[str]
    rows: list[list[str]]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Verbatim:
    text: str


@dataclass(frozen=True)
class Figure:
    """`name`: of the file NAME.png. `words`: the figure in words."""

    name: str
    title: str
    words: str


Block = Heading | Paragraph | Items | Table | Verbatim | Figure
