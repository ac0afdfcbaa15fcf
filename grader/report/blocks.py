"""What a report that is no page is made of: plain blocks, one after the other. Text and PDF are written from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .page import Picture


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
    """`numbers`: the columns that are set to the right."""

    head: list[str]
    rows: list[list[str]]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Verbatim:
    text: str


@dataclass(frozen=True)
class Figure:
    picture: Picture
    png: Path


Block = Heading | Paragraph | Items | Table | Verbatim | Figure
