#!/usr/bin/env python3
"""Draws picture.svg of lab reduction: halves, the warps that stay busy, and the way of a number in one pass."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "reduction", "font.size": 11, "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path

ADDS, BUSY, EMPTY, EDGE, SECOND = "#0072b2", "#a6d3ee", "#f4f4f4", "#555555", "#d55e00"


def cells(axes, corners, colour, line=0.5):
    """Unit squares of one colour as one shape, which keeps the file small."""
    squares = [Path([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)], closed=True) for x, y in corners]
    if squares:
        axes.add_patch(PathPatch(Path.make_compound_path(*squares), facecolor=colour, edgecolor=EDGE, linewidth=line))


def arrow(axes, start, end, colour="black"):
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=11, color=colour, linewidth=1.1))


def halves(axes):
    """Nine numbers, five, three, two, one: the second half is added to the first."""
    axes.set_title("Part 1: each launch adds the second half to the first", loc="left", fontweight="bold")
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5]
    y = 0.0
    while True:
        half = (len(values) + 1) // 2
        cells(axes, [(2 * i, y) for i in range(half)], BUSY)
        cells(axes, [(2 * i, y) for i in range(half, len(values))], EMPTY)
        for i, value in enumerate(values):
            axes.text(2 * i + 0.5, y + 0.48, str(value), ha="center", va="center")
        axes.text(-1, y + 0.5, f"{len(values)} numbers" if len(values) > 1 else "the sum", ha="right", va="center")
        if len(values) == 1:
            break
        for i in range(half):
            arrow(axes, (2 * i + 0.5, y), (2 * i + 0.5, y - 1.35))
            if i + half < len(values):
                arrow(axes, (2 * (i + half) + 0.5, y), (2 * i + 0.8, y - 1.35), SECOND)
        values = [value + (values[i + half] if i + half < len(values) else 0) for i, value in enumerate(values[:half])]
        y -= 2.4
    axes.text(19, -3, "one thread for\neach orange arrow", color=SECOND, va="center", ha="center")
    axes.set_xlim(-6.5, 23)
    axes.set_ylim(y - 0.4, 1.5)


def warps(axes):
    """Which threads add in each step: spread over all warps, or packed into few."""
    axes.set_title("Part 2: which threads add? (4 warps of 8 lanes drawn for 8 of 32)", loc="left", fontweight="bold")
    orders = [("t % (2 * distance) == 0", [1, 2, 4, 8, 16], lambda t, d: t % (2 * d) == 0),
              ("t < distance", [16, 8, 4, 2, 1], lambda t, d: t < d)]
    top = 0.0
    for name, distances, adds in orders:
        axes.text(0, top + 0.6, f"if ({name})", family="monospace", va="center")
        axes.text(36.4, top + 0.6, "busy warps", va="center", ha="center")
        for row, distance in enumerate(distances):
            y = top - 1.3 * (row + 1)
            working = [t for t in range(32) if adds(t, distance)]
            busy = {t // 8 for t in working}
            cells(axes, [(t, y) for t in range(32) if t // 8 not in busy], EMPTY, 0.3)
            cells(axes, [(t, y) for t in range(32) if t // 8 in busy and t not in working], BUSY, 0.3)
            cells(axes, [(t, y) for t in working], ADDS, 0.3)
            for warp in range(4):
                axes.add_patch(Rectangle((8 * warp, y), 8, 1, fill=False, edgecolor="black", linewidth=1.3))
            axes.text(-0.6, y + 0.5, f"distance {distance}", ha="right", va="center")
            axes.text(36.4, y + 0.5, str(len(busy)), ha="center", va="center", color=SECOND, fontweight="bold")
        top -= 1.3 * len(distances) + 2.2
    y = top + 0.1
    for x, colour, text in [(0, ADDS, "adds"), (7, BUSY, "waits for its warp"), (21, EMPTY, "warp at rest")]:
        cells(axes, [(x, y)], colour)
        axes.text(x + 1.5, y + 0.5, text, va="center")
    axes.set_xlim(-7.5, 39.5)
    axes.set_ylim(y - 0.5, 1.6)


def one_pass(axes):
    """From the memory to the one number: who adds what, and where the partial sums are."""
    axes.set_title("Part 3: one pass", loc="left", fontweight="bold")
    steps = [("each thread", "float4 after float4, a grid apart", "registers", "16 bytes a load"),
             ("each warp", "__shfl_down_sync: 16, 8, 4, 2, 1", "registers", "5 steps, no barrier"),
             ("each block", "8 sums of warps, then one warp", "shared memory", "1 barrier"),
             ("the grid", "atomicAdd(out, sum of the block)", "L2 cache", "1 atomic a block")]
    for row, (who, how, where, cost) in enumerate(steps):
        y, width = -2.3 * row, 30 - 5.4 * row
        left = (30 - width) / 2
        axes.add_patch(Rectangle((left, y), width, 1.4, facecolor=BUSY if row < 3 else "#fbd5b5", edgecolor=EDGE))
        axes.text(15, y + 0.7, who, ha="center", va="center", fontweight="bold")
        axes.text(31.2, y + 1.02, how, va="center", fontsize=10.5)
        axes.text(31.2, y + 0.3, f"{where}; {cost}", va="center", fontsize=10.5, color="#444444")
        if row < 3:
            for k in range(-2, 3):
                arrow(axes, (15 + k * width / 5.5, y), (15 + k * (width - 5.4) / 5.5, y - 0.9))
    axes.set_xlim(-0.5, 55)
    axes.set_ylim(-7.3, 1.9)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(8.2, 10.6), height_ratios=[11, 17, 9.2], layout="constrained")
    for draw, place in zip((halves, warps, one_pass), axes):
        draw(place)
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
