#!/usr/bin/env python3
"""Draws picture.svg of lab warp_divergence: a branch, the steps of a sum, and a loop, lane by lane."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "warp_divergence", "font.size": 12,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

FIRST, SECOND, WAITS, EDGE, GREY = "#0072b2", "#d55e00", "#e8e8e8", "#555555", "#444444"
LANES = 8  # drawn for 32


def cells(axes, corners, colour):
    """Unit squares of one colour as one shape, which keeps the file small."""
    squares = [Path([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)], closed=True) for x, y in corners]
    if squares:
        axes.add_patch(PathPatch(Path.make_compound_path(*squares), facecolor=colour, edgecolor=EDGE, linewidth=0.5))


def warp(axes, left, bottom, height):
    """The frame of a warp: LANES columns."""
    axes.add_patch(Rectangle((left, bottom), LANES, height, fill=False, edgecolor="black", linewidth=1.6))


def branch(axes):
    """Two warps at a branch: parted, and regrouped. Time runs down; a row is a piece of work."""
    axes.set_title("A branch: time runs down, a column is a lane (8 drawn for 32)", loc="left", fontweight="bold")
    for left, name, result, kind in [(0, "even and odd elements in each warp", "8 steps, half of the lanes wait",
                                      lambda w, lane, row: (lane % 2 == 0) == (row < 4)),
                                     (19, "a warp for each kind", "4 steps, no lane waits", None)]:
        rows = 8 if kind else 4
        for w in range(2):
            x = left + 8.6 * w
            for colour, wanted in [(FIRST, 0), (SECOND, 1), (WAITS, 2)]:
                chosen = []
                for row in range(rows):
                    for lane in range(LANES):
                        state = (0 if row < 4 else 1) if kind and kind(w, lane, row) else 2 if kind else w
                        if state == wanted:
                            chosen.append((x + lane, -row))
                cells(axes, chosen, colour)
            warp(axes, x, 1 - rows, rows)
            axes.text(x + 4, 1.25, f"warp {w}", ha="center", color=GREY, fontsize=10)
        axes.text(left + 8.3, 2.7, name, ha="center")
        axes.text(left + 8.3, -8.6 if kind else -4.6, result, ha="center")
    for x, y, colour, text in [(19.2, -6.2, FIRST, "work on even"), (28, -6.2, SECOND, "work on odd"), (19.2, -7.9, WAITS, "waits")]:
        cells(axes, [(x, y)], colour)
        axes.text(x + 1.5, y + 0.45, text, va="center", fontsize=11)
    axes.set_xlim(-0.8, 36.8)
    axes.set_ylim(-9.4, 4)


def steps(axes):
    """Which threads add in the three steps of a sum over 8 elements of two warps of 4 (16 threads drawn)."""
    axes.set_title("A sum in steps: which threads add? (4 warps of 4 lanes drawn)", loc="left", fontweight="bold")
    threads, lanes = 16, 4
    for left, name, busy in [(0, "thread % (2 * stride) == 0", lambda t, s: t % (2 * s) == 0),
                             (19, "thread < number of additions", lambda t, s: t < threads // (2 * s))]:
        total = 0
        for row, stride in enumerate([1, 2, 4, 8]):
            y = -1.7 * row
            on = [t for t in range(threads) if busy(t, stride)]
            cells(axes, [(left + t, y) for t in range(threads) if t not in on], WAITS)
            cells(axes, [(left + t, y) for t in on], FIRST)
            warps = {t // lanes for t in on}
            total += len(warps)
            for w in range(threads // lanes):
                axes.add_patch(Rectangle((left + lanes * w, y), lanes, 1, fill=False, linewidth=2.2 if w in warps else 0.8,
                                         edgecolor="black"))
            axes.text(left + threads + 0.3, y + 0.45, str(len(warps)), va="center", fontsize=11)
        axes.text(left + 8, 1.9, name, ha="center", family="monospace", fontsize=11)
        axes.text(left + 8, -6.6, f"{total} busy warps in all", ha="center")
    axes.set_xlim(-0.8, 36.8)
    axes.set_ylim(-7.3, 3)


def loop(axes):
    """Turns of the jobs of two warps: as they come, and sorted."""
    axes.set_title("A loop: each lane has its own number of turns", loc="left", fontweight="bold")
    jobs = [2, 7, 1, 5, 8, 3, 6, 1, 4, 8, 2, 6, 1, 7, 3, 5]
    for left, name, order in [(0, "jobs as they come", jobs), (19, "sorted by length", sorted(jobs))]:
        total = 0
        for w in range(2):
            mine = order[LANES * w:LANES * (w + 1)]
            x, most = left + 8.6 * w, max(mine)
            total += most
            cells(axes, [(x + lane, -row) for lane in range(LANES) for row in range(mine[lane])], FIRST)
            cells(axes, [(x + lane, -row) for lane in range(LANES) for row in range(mine[lane], most)], WAITS)
            warp(axes, x, 1 - most, most)
            axes.text(x + 4, 1.25, f"{most} turns", ha="center", color=GREY, fontsize=10)
        axes.text(left + 8.3, 2.7, name, ha="center")
        axes.text(left + 8.3, -8.6, f"{total} turns in all", ha="center")
    axes.set_xlim(-0.8, 36.8)
    axes.set_ylim(-9.3, 3.9)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(8.2, 9.4), height_ratios=[13.4, 10.6, 13.2], layout="constrained")
    for draw, place in zip((branch, steps, loop), axes):
        draw(place)
        place.set_aspect("equal")
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
