#!/usr/bin/env python3
"""Draws picture.svg of lab bank_conflicts: strides over the banks, three layouts of a tile, and lanes of 16 bytes."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bank_conflicts", "font.size": 12,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch
from matplotlib.path import Path

WANTED, SECOND, THIRD, EMPTY, UNUSED, EDGE = "#0072b2", "#d55e00", "#009e73", "#f4f4f4", "#cccccc", "#555555"
BANKS = 8  # drawn for 32


def cells(axes, corners, colour):
    """Unit squares of one colour as one shape, which keeps the file small."""
    squares = [Path([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)], closed=True) for x, y in corners]
    if squares:
        axes.add_patch(PathPatch(Path.make_compound_path(*squares), facecolor=colour, edgecolor=EDGE, linewidth=0.5))


def strides(axes):
    """Words of shared memory, eight banks side by side; the words that eight lanes want at three strides."""
    axes.set_title("Lane l wants word stride x l (8 lanes and banks drawn for 32)", loc="left",
                   fontweight="bold")
    for left, stride, result in [(0, 1, "1 wavefront"), (11, 2, "2 wavefronts"), (22, 3, "1 wavefront")]:
        words = {stride * lane: lane for lane in range(BANKS)}
        rows = 3
        for colour, chosen in [(EMPTY, False), (WANTED, True)]:
            cells(axes, [(left + w % BANKS, -(w // BANKS)) for w in range(rows * BANKS) if (w in words) == chosen], colour)
        for word, lane in words.items():
            axes.text(left + word % BANKS + 0.5, 0.48 - word // BANKS, str(lane), ha="center", va="center", color="white")
        for bank in range(BANKS):
            axes.text(left + bank + 0.5, 1.35, str(bank), ha="center", va="center", color="#444444", fontsize=10)
        axes.text(left + 4, 2.4, f"stride {stride}", ha="center")
        axes.text(left + 4, -3.2, result, ha="center")
    axes.text(-0.4, 1.35, "bank", ha="right", va="center", color="#444444", fontsize=10)
    axes.set_xlim(-2.4, 30.5)
    axes.set_ylim(-6.3, 3.2)
    axes.text(14, -4.9, "A column of cells is a bank. Numbers: the lane. Cells from left to right, line by line:\n"
              "words 0, 1, 2, ... Wavefronts: the most numbers in one column.", ha="center", va="center", fontsize=11)


def layouts(axes):
    """Where the elements of one column of a tile lie: plain, padded, swizzled."""
    axes.set_title("One column of a tile, row 0 to 7: where do its elements lie?", loc="left", fontweight="bold")
    column = 2
    plans = [(0, "tile[8][8]", lambda r: (column, r), 0, "one bank: 8 wavefronts"),
             (11, "tile[8][8 + 1]", lambda r: ((r * 9 + column) % BANKS, (r * 9 + column) // BANKS), 1,
              "8 banks: 1 wavefront"),
             (22, "tile[row][col ^ row]", lambda r: (column ^ r, r), 0, "8 banks, no padding")]
    for left, name, place, padding, result in plans:
        rows = 8 + padding
        wanted = [place(r) for r in range(8)]
        unused = [((r * 9 + 8) % BANKS, (r * 9 + 8) // BANKS) for r in range(8)] if padding else []
        everything = [(c, r) for r in range(rows) for c in range(BANKS)]
        for colour, chosen in [(EMPTY, [p for p in everything if p not in wanted and p not in unused]),
                               (UNUSED, unused), (SECOND, wanted)]:
            cells(axes, [(left + c, -r) for c, r in chosen], colour)
        for r, (c, line) in enumerate(wanted):
            axes.text(left + c + 0.5, 0.48 - line, str(r), ha="center", va="center", color="white")
        axes.text(left + 4, 1.7, name, ha="center", family="monospace")
        axes.text(left + 4, -8.7 - padding, result, ha="center")
    axes.text(-0.4, 0.5, "words\n0 to 7", ha="right", va="center", fontsize=10, color="#444444")
    axes.set_xlim(-2.4, 30.5)
    axes.set_ylim(-11.6, 2.8)
    axes.text(14, -11.2, "A column of cells is a bank. Numbers: the row. Grey: padding, never used.", ha="center",
              fontsize=11)


def wide(axes):
    """Lanes of 16 bytes: 8 lanes fill the 32 banks, so a warp is served in four groups."""
    axes.set_title("16 bytes for each lane: 8 lanes already want all 32 banks", loc="left", fontweight="bold")
    colours = [WANTED, SECOND, THIRD, "#cc79a7"]
    for group in range(4):
        for lane in range(8):
            cells(axes, [(4 * lane + w, -1.5 * group) for w in range(4)], colours[group])
            axes.text(4 * lane + 2, 0.48 - 1.5 * group, f"lane {8 * group + lane}", ha="center", va="center",
                      color="white", fontsize=10)
        axes.text(32.6, 0.48 - 1.5 * group, f"wavefront {group + 1}", va="center")
    axes.text(0, 1.35, "bank 0", color="#444444", fontsize=10)
    axes.text(32, 1.35, "bank 31", ha="right", color="#444444", fontsize=10)
    axes.set_xlim(-0.6, 40)
    axes.set_ylim(-4.8, 2)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(8.2, 9.6), height_ratios=[9.5, 14.4, 6], layout="constrained")
    for draw, place in zip((strides, layouts, wide), axes):
        draw(place)
        place.set_aspect("auto" if draw is wide else "equal")
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
