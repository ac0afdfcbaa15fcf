#!/usr/bin/env python3
"""Draws the pictures of handouts, labs/<chapter>/<lab>/picture.svg, from the picture.py beside each, and the maps of
chapters, labs/<chapter>/map.svg: matplotlib, tidied.

A picture.py has `draw(sheet)`, which adds panels from top to bottom and draws in their own units. Colours are named here,
so that the same things look the same in all labs. What is checked in is small enough to be read in a diff.
"""

from __future__ import annotations

import argparse
import functools
import io
import re
import runpy
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import chapter_map
import matplotlib

matplotlib.use("svg")

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path as Outline

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "warpbook", "font.family": ["DejaVu Sans", "sans-serif"],
                            "text.parse_math": False})

ROOT = Path(__file__).resolve().parent.parent
# From the Okabe-Ito palette, which people with any common colour vision tell apart, with paler shades of its blue.
BLUE, SKY, PALE, ORANGE, GREEN, PINK, GOLD = "#0072b2", "#a6d3ee", "#d8ecf8", "#d55e00", "#009e73", "#cc79a7", "#e69f00"
EMPTY, GREY, EDGE, NOTE = "#f4f4f4", "#cccccc", "#555555", "#444444"
TITLE, GAP, MARGIN = 0.3, 0.12, 0.08  # inches: the room for a panel's title, below a panel, and at the sides
MAX_LINES = 300
SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]


class Panel:
    """A part of a picture. Words stand in the middle of where they are put, unless @p at says left or right."""

    def __init__(self, axes: Axes, font: float) -> None:
        self._axes, self._font = axes, font

    def text(self, x: float, y: float, words: object, colour: str = "black", at: str = "center", size: float = 0.0, bold: bool = False,
             code: bool = False, on: str = "none") -> None:
        """@param size difference to the sheet's font, in points; on: the colour of a patch below"""
        patch = {"facecolor": on, "edgecolor": "none", "pad": 1} if on != "none" else None
        self._axes.text(x, y, str(words), color=colour, ha=at, va="center", fontsize=self._font + size, bbox=patch, linespacing=1.25,
                        fontweight="bold" if bold else "normal", family="monospace" if code else None)

    def cells(self, corners: Iterable[Point], colour: str, wide: float = 1, high: float = 1, line: float = 0.5) -> None:
        """Rectangles of one colour, by their lower left corners: one shape."""
        found = [Outline([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)], closed=True) for x, y in corners]
        if found:
            self._axes.add_patch(PathPatch(Outline.make_compound_path(*found), facecolor=colour, edgecolor=EDGE, linewidth=line))

    def row(self, x: float, y: float, colours: Sequence[str], line: float = 0.5, wide: float = 1, high: float = 1) -> None:
        """Cells side by side, each of its own colour."""
        for colour in dict.fromkeys(colours):
            self.cells([(x + wide * i, y) for i, one in enumerate(colours) if one == colour], colour, wide, high, line)

    def labels(self, x: float, y: float, words: Iterable[object], colour: str = "white", size: float = 0.0, step: float = 1) -> None:
        """Words in the middle of cells side by side."""
        for i, word in enumerate(words):
            self.text(x + step * i + step / 2, y + 0.48, word, colour, size=size)

    def box(self, x: float, y: float, wide: float, high: float, colour: str = "none", words: str = "", ink: str = "black", edge: str = EDGE,
            line: float = 0.8, size: float = 0.0, bold: bool = False, round_by: float = 0.0, dash: str = "-") -> None:
        style = {"facecolor": colour, "edgecolor": edge, "linewidth": line, "linestyle": dash}
        if round_by:
            self._axes.add_patch(FancyBboxPatch((x, y), wide, high, boxstyle=f"round,pad={round_by}", **style))
        else:
            self._axes.add_patch(Rectangle((x, y), wide, high, **style))
        if words:
            self.text(x + wide / 2, y + high / 2, words, ink, size=size, bold=bold)

    def arrow(self, start: Point, end: Point, colour: str = "black", both: bool = False) -> None:
        self._axes.add_patch(FancyArrowPatch(start, end, arrowstyle="<|-|>" if both else "-|>", mutation_scale=self._font, color=colour,
                                             linewidth=1.1, shrinkA=0, shrinkB=0))

    def line(self, points: Iterable[Point], colour: str = EDGE, width: float = 1.0, dash: str = "-", mark: str = "") -> None:
        self._axes.plot(*zip(*points), color=colour, linewidth=width, linestyle=dash, marker=mark, markersize=5, zorder=1)

    def key(self, y: float, entries: Iterable[tuple[float, str, str]], wide: float = 1, high: float = 1, size: float = 0.0) -> None:
        """What colours mean: where each begins, the colour, and words."""
        for x, colour, words in entries:
            self.cells([(x, y)], colour, wide, high)
            self.text(x + 1.45 * wide, y + high / 2, words, at="left", size=size)


class Sheet:
    """A picture, @p wide inches, with a font of @p font points."""

    def __init__(self) -> None:
        self.wide, self.font = 8.2, 11.0
        self._figure = Figure()
        self._panels: list[tuple[Axes, float, float, float, float]] = []  # axes, left, width, top, height: inches
        self._bottom = 0.0

    def panel(self, title: str, x: Point, y: Point, stretch: float = 1.0, part: Point = (0, 1), lines: int = 1) -> Panel:
        """A panel below all others, or beside the last one.

        @param x, y    the range of its units; a unit is as high as it is wide, or @p stretch times as high
        @param part    where it begins and ends across the sheet; one that does not begin at 0 stands beside the last one
        @param lines   of the title
        """
        wide = (self.wide - 2 * MARGIN) * (part[1] - part[0])
        height = wide * (y[1] - y[0]) / (x[1] - x[0]) * stretch
        top = self._panels[-1][3] if part[0] > 0 else self._bottom + TITLE * (0.35 + 0.65 * lines)
        axes = self._figure.add_axes((0, 0, 1, 1), label=str(len(self._panels)))
        axes.set_axis_off()
        axes.set_xlim(*x)
        axes.set_ylim(*y)
        axes.text(0, 1, title, transform=axes.transAxes, fontweight="bold", fontsize=self.font * 1.1, va="bottom", linespacing=1.2)
        self._panels.append((axes, MARGIN + (self.wide - 2 * MARGIN) * part[0], wide, top, height))
        self._bottom = max(self._bottom, top + height + GAP)
        return Panel(axes, self.font)

    def svg(self) -> str:
        self._figure.set_size_inches(self.wide, self._bottom)
        for axes, left, wide, top, height in self._panels:
            axes.set_position((left / self.wide, 1 - (top + height) / self._bottom, wide / self.wide, height / self._bottom))
        out = io.StringIO()
        self._figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        return tidied(out.getvalue())


def tidied(svg: str) -> str:
    """An element in a line, numbers of two digits, no groups and nothing that is cut off at a panel's edge."""
    ElementTree.register_namespace("", SVG[1:-1])
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(svg)
    _unwrap(root)
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name == "clip-path":
                del element.attrib[name]
                continue
            value = re.sub(r"('DejaVu Sans'|'DejaVu Sans Mono'), [^;]*(sans-serif|monospace)", r"\1, \2", value)
            value = re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), " ".join(value.split()))
            element.set(name, value)
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        element.text = element.text if (element.text or "").strip() else None
        element.tail = "\n"
    lines = ElementTree.tostring(root, encoding="unicode").replace("><", ">\n<").splitlines()
    return "\n".join(line for line in lines if line.strip()) + "\n"


def _unwrap(parent: ElementTree.Element) -> None:
    for child in list(parent):
        _unwrap(child)
        place = list(parent).index(child)
        if child.tag == f"{SVG}metadata" or child.find(f"{SVG}clipPath") is not None:
            parent.remove(child)
        elif child.tag == f"{SVG}g" and set(child.attrib) <= {"id"}:
            parent[place : place + 1] = list(child)


def pictures() -> dict[str, tuple[Path, Callable[[Sheet], None]]]:
    """By name, that of a lab or "<chapter>/map": the picture, and what draws it."""
    known: dict[str, tuple[Path, Callable[[Sheet], None]]] = {}
    for page in sorted(ROOT.glob("labs/*/README.md")):
        chapter = page.parent.name
        known[f"{chapter}/map"] = page.with_name("map.svg"), functools.partial(chapter_map.draw, chapter=chapter)
    for script in sorted(ROOT.glob("labs/*/*/picture.py")):
        known[script.parent.name] = script.with_suffix(".svg"), functools.partial(draw_by, script)
    return known


def draw_by(script: Path, sheet: Sheet) -> None:
    """Draws what a picture.py says."""
    runpy.run_path(str(script))["draw"](sheet)


def drawn(draw: Callable[[Sheet], None]) -> str:
    sheet = Sheet()
    draw(sheet)
    return sheet.svg()


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/pictures.py", description="Draws the pictures of handouts and the maps of chapters.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: a lab, or CHAPTER/map (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; say which pictures are not what their scripts draw")
    given = parser.parse_args()
    known = pictures()
    problems = [f"there is no picture '{name}': it is a lab with a picture.py, or CHAPTER/map" for name in given.names if name not in known]
    for name in given.names or known:
        if name not in known:
            continue
        picture, draw = known[name]
        shown, text = picture.relative_to(ROOT), drawn(draw)
        if not given.check:
            picture.write_text(text, encoding="utf-8")
            print(shown)
        elif not picture.is_file() or picture.read_text(encoding="utf-8") != text:
            problems.append(f"{shown}: not what is drawn; run docs/pictures.py {name}, and look at it")
        if (lines := text.count("\n")) > MAX_LINES:
            problems.append(f"{shown}: {lines} lines, at most {MAX_LINES}; draw less")
    for problem in problems:
        print(problem, file=sys.stderr)
    if given.check:
        print(f"{len(known)} pictures checked, {len(problems)} problems")
    return 1 if problems or not known else 0


if __name__ == "__main__":
    sys.modules["pictures"] = sys.modules["__main__"]  # What every picture.py and chapter_map.py import.
    sys.exit(main())
