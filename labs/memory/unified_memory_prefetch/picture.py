#!/usr/bin/env python3
"""Draws picture.svg of lab unified_memory_prefetch: what a fault brings, who faults together, where the time goes."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "unified_memory_prefetch", "font.size": 10,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

FAULT, BROUGHT, THERE, EMPTY, EDGE, HOST = "#d55e00", "#a6d3ee", "#0072b2", "#f4f4f4", "#555555", "#e69f00"
PIECES = 32  # of 64 KiB in a block of 2 MiB


def piece_of_fault(there, leaf):
    """The pieces that a fault on @p leaf brings: the largest aligned part of which more than half is then there."""
    begin, end = leaf, leaf + 1
    size = 2
    while size <= PIECES:
        low = leaf // size * size
        if 100 * sum(p in there or p == leaf for p in range(low, low + size)) > 51 * size:
            begin, end = low, low + size
        size *= 2
    return range(begin, end)


def faults(axes):
    """A block of 2 MiB that one thread writes from end to end: a row for each fault."""
    axes.set_title("2 MiB written in order: which 64 KiB does each fault bring?", loc="left",
                   fontweight="bold")
    there, row = set(), 0
    for leaf in range(PIECES):
        if leaf in there:
            continue
        brought = [p for p in piece_of_fault(there, leaf) if p not in there]
        for p in range(PIECES):
            colour = FAULT if p == leaf else BROUGHT if p in brought else THERE if p in there else EMPTY
            axes.add_patch(Rectangle((p, -1.4 * row), 1, 1, facecolor=colour, edgecolor=EDGE, linewidth=0.4))
        there.update(brought)
        row += 1
        axes.text(-0.6, -1.4 * row + 1.9, f"fault {row}", ha="right", va="center")
    y = -1.4 * row - 0.3
    for x, colour, text in [(0, FAULT, "fault"), (6, BROUGHT, "brought with it"), (16, THERE, "there already")]:
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor=EDGE, linewidth=0.4))
        axes.text(x + 1.5, y + 0.5, text, va="center")
    axes.set_xlim(-5.5, PIECES + 0.5)
    axes.set_ylim(y - 0.3, 1.4)


def warps(axes):
    """Warps that share a page against warps with pages of their own."""
    axes.set_title("Which pieces do eight warps wait for at one time?", loc="left", fontweight="bold")
    for row, (name, first) in enumerate([("a thread for\neach element", lambda w: 0),
                                         ("a warp for\neach 64 KiB", lambda w: 1.0 * w)]):
        y = -3.4 * row
        wanted = {first(w) for w in range(8)}
        for p in range(PIECES):
            axes.add_patch(Rectangle((p, y), 1, 1, facecolor=FAULT if p in wanted else EMPTY, edgecolor=EDGE,
                                     linewidth=0.4))
        for w in range(8):
            x = first(w) + (0.06 + 0.125 * w if row == 0 else 0.5)
            axes.plot([2.2 * w + 7 if row == 0 else x, x], [y + 2.0, y + 1.05], color=THERE, linewidth=0.9)
            axes.text(2.2 * w + 7 if row == 0 else x, y + 2.1, f"w{w}", ha="center", va="bottom", fontsize=8)
        axes.text(-0.6, y + 0.5, name, ha="right", va="center")
        text = "one piece: 1 fault is served, all 8 wait" if row == 0 else "8 pieces: served together, as one group"
        axes.text(PIECES / 2, y - 0.35, text, ha="center", va="top")
    axes.set_xlim(-7.5, PIECES + 0.5)
    axes.set_ylim(-4.9, 3.2)


def rungs(axes):
    """Where the time of each rung goes, predicted, in milliseconds (16 MiB in each of x and y)."""
    axes.set_title("Until the host has y (predicted, ms)", loc="left", fontweight="bold")
    rows = [("naive", [(1.63, HOST), (3.32, FAULT), (1.75, HOST)]), ("first touch", [(2.57, FAULT), (1.75, HOST)]),
            ("warp per 64 KiB", [(1.25, FAULT), (1.75, HOST)]), ("prefetched", [(0.23, THERE), (1.04, BROUGHT)])]
    for row, (name, parts) in enumerate(rows):
        x = 0
        for width, colour in parts:
            axes.barh(-row, width, left=x, color=colour, edgecolor=EDGE, linewidth=0.5, height=0.62)
            x += width
        axes.text(x + 0.08, -row, f"{x:.1f}", va="center")
        axes.text(-0.1, -row, name, ha="right", va="center")
    for x, colour, text in [(-1.7, HOST, "host faults"), (0.2, FAULT, "kernel faults"),
                            (2.35, THERE, "prefetch, kernels"), (5.05, BROUGHT, "prefetch back")]:
        axes.add_patch(Rectangle((x, -4.25), 0.22, 0.5, facecolor=colour, edgecolor=EDGE, linewidth=0.4))
        axes.text(x + 0.32, -4.0, text, va="center")
    axes.set_xlim(-1.8, 7.3)
    axes.set_ylim(-4.5, 0.6)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(7.2, 7.6), height_ratios=[10, 8, 6])
    for one in axes:
        one.axis("off")
    faults(axes[0])
    warps(axes[1])
    rungs(axes[2])
    figure.tight_layout(h_pad=1.2)
    figure.savefig(pathlib.Path(__file__).parent / "picture.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
