#!/usr/bin/env python3
"""Draws picture.svg of lab coalescing: sectors of one request, the tile, and the banks of a column."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "coalescing", "font.size": 10, "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path

WANTED, MOVED, EMPTY, EDGE, SECOND = "#0072b2", "#a6d3ee", "#f4f4f4", "#555555", "#d55e00"
SECTOR = 8  # floats


def cells(axes, corners, colour, line=0.4):
    """Unit squares of one colour as one shape, which keeps the file small."""
    squares = [Path([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)], closed=True) for x, y in corners]
    if squares:
        path = Path.make_compound_path(*squares)
        axes.add_patch(PathPatch(path, facecolor=colour, edgecolor=EDGE, linewidth=line))


def cell(axes, x, y, colour):
    cells(axes, [(x, y)], colour)


def sectors(axes):
    """Four rows of memory, a square for each float: what the lanes want, and what moves with it."""
    axes.set_title("One request: which sectors do 32 lanes touch?", loc="left", fontweight="bold")
    rows = [("stride 1", lambda lane: lane, "4 sectors"), ("stride 1, offset 3", lambda lane: lane + 3, "5 sectors"),
            ("stride 2", lambda lane: 2 * lane, "8 sectors"), ("one field of 4", lambda lane: 4 * lane, "16 sectors"),
            ("down a column", lambda lane: 24 * lane, "32 sectors")]
    shown = 72
    for number, (name, element, text) in enumerate(rows):
        y = -2.6 * number
        wanted = {element(lane) for lane in range(32)}
        moved = {e // SECTOR for e in wanted}
        colours = [WANTED if e in wanted else MOVED if e // SECTOR in moved else EMPTY for e in range(shown)]
        for colour in (EMPTY, MOVED, WANTED):
            cells(axes, [(e, y) for e in range(shown) if colours[e] == colour], colour, line=0.25)
        for s in range(shown // SECTOR):
            axes.add_patch(Rectangle((SECTOR * s, y), SECTOR, 1, fill=False, edgecolor="black", linewidth=1.1))
        axes.text(-1, y + 0.5, name, ha="right", va="center")
        axes.text(shown + 1, y + 0.5, text + (" ..." if max(wanted) >= shown else ""), ha="left", va="center")
    y = -2.6 * len(rows) + 0.9
    for x, colour, text in [(0, WANTED, "wanted by a lane"), (22, MOVED, "moved with it, not wanted"), (50, EMPTY, "not moved")]:
        cell(axes, x, y, colour)
        axes.text(x + 1.8, y + 0.5, text, va="center")
    axes.set_xlim(-16, shown + 14)
    axes.set_ylim(y - 0.4, 1.6)


def grid(axes, left, bottom, rows, cols, colour=EMPTY):
    cells(axes, [(left + c, bottom + r) for r in range(rows) for c in range(cols)], colour)


def tile(axes):
    """The way of one row of a tile: along a row of in, into the tile, down its column, along a row of out."""
    axes.set_title("Through a tile: both sides move along rows (tile of 4 x 4 drawn for 32 x 32)", loc="left",
                   fontweight="bold")
    grid(axes, 0, 2, 8, 12)   # in: 8 rows, 12 columns
    grid(axes, 18, 4, 4, 4)   # the tile
    grid(axes, 28, 0, 12, 8)  # out: 12 rows, 8 columns
    for k in range(4):
        cell(axes, 8 + k, 8, WANTED)        # in: row 1, columns 8 to 11
        cell(axes, 18 + k, 6, WANTED)       # tile: row 1
        cell(axes, 18 + 2, 4 + k, SECOND if k != 2 else "#7a5e50")  # tile: column 2, crosses row 1
        cell(axes, 28 + k, 1, SECOND)       # out: row 10 = column 10 of in
    cell(axes, 29, 1, "#7a5e50")
    for left, bottom in [(8, 6), (28, 0)]:
        axes.add_patch(Rectangle((left, bottom), 4, 4, fill=False, edgecolor="black", linewidth=1.8))
    for start, end in [((12.3, 8.3), (17.7, 6.6)), ((22.3, 5.2), (27.7, 1.8))]:
        axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=13, color="black"))
    axes.text(6, 10.4, "in (global)", ha="center")
    axes.text(20, 8.4, "tile (shared)", ha="center")
    axes.text(32, 12.3, "out (global)", ha="center")
    axes.text(0, 0.6, "a warp loads a row of in", color=WANTED, ha="left")
    axes.text(0, -0.8, "__syncthreads(), then a warp stores a row of out", color=SECOND, ha="left")
    axes.set_xlim(-1, 38)
    axes.set_ylim(-1.6, 13.6)


def banks(axes):
    """A column of the tile without and with padding, a colour for the bank (8 banks drawn for 32)."""
    axes.set_title("One column of the tile: its banks (8 drawn for 32)", loc="left", fontweight="bold")
    for left, pitch, name, result in [(0, 8, "tile[8][8]", "one bank: 8 wavefronts"),
                                      (14, 9, "tile[8][8 + 1]", "8 banks: 1 wavefront")]:
        for r in range(8):
            for c in range(pitch):
                chosen = c == 2
                cell(axes, left + c, 7 - r, SECOND if chosen else EMPTY if c < 8 else "#dddddd")
                axes.text(left + c + 0.5, 7.5 - r, str((r * pitch + c) % 8), ha="center", va="center", fontsize=8,
                          color="white" if chosen else "#444444")
        axes.text(left + 4, 8.4, name, ha="center", family="monospace")
        axes.text(left + 4, -1.1, result, ha="center")
    axes.text(11, -2.5, "Numbers are banks; the column after the last one is never used.", ha="center", fontsize=9)
    axes.set_xlim(-1, 24)
    axes.set_ylim(-2.9, 9.6)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(8.2, 9.7), height_ratios=[7.3, 15, 12.5], layout="constrained")
    for draw, place in zip((sectors, tile, banks), axes):
        draw(place)
        place.set_aspect("auto" if draw is sectors else "equal")
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
