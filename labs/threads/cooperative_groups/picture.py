#!/usr/bin/env python3
"""Draws picture.svg of lab cooperative_groups: the groups of a grid, and steps with a barrier of the grid between them."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "cooperative_groups", "font.size": 11,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

BLUE, LIGHT, GREY, ORANGE, EDGE = "#0072b2", "#a6d3ee", "#f0f0f0", "#d55e00", "#555555"


def frame(axes, x, y, width, height, colour, text, bold=False):
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0.12", facecolor="none", edgecolor=colour,
                                  linewidth=1.8))
    axes.text(x, y + height + 0.28, text, color=colour, ha="left", va="bottom", fontweight="bold" if bold else None)


def groups(axes):
    axes.set_title("Groups: each sync() waits for its own threads", loc="left", fontweight="bold")
    frame(axes, -0.6, -1.3, 33.4, 6.3, EDGE, "grid: this_grid()", True)
    for block in range(2):
        left = 17 * block
        frame(axes, left, -0.7, 15.4, 4.1, BLUE, f"block {block}: this_thread_block()")
        for warp in range(2):
            y = 1.9 - 2.0 * warp
            for lane in range(16):
                tile = lane // 4
                here = lane in (1, 2, 6, 11, 12)
                colour = ORANGE if block == 1 and warp == 1 and here else LIGHT if tile % 2 else "#d8ecf8"
                axes.add_patch(Rectangle((left + 0.95 * lane + 0.1, y), 0.85, 0.85, facecolor=colour, edgecolor=EDGE,
                                         linewidth=0.5))
            if block == 0 and warp == 0:
                axes.add_patch(Rectangle((left + 0.05, y - 0.1), 3.75, 1.05, fill=False, edgecolor=ORANGE, linewidth=2))
    axes.text(0.1, 1.45, "tiled_partition<4>: a tile", color=ORANGE, va="top", fontsize=10)
    axes.text(17.1, -1.0 + 0.42, "coalesced_threads(): those that are here", color=ORANGE, va="center", fontsize=10)
    axes.set_xlim(-1.2, 33.6)
    axes.set_ylim(-1.8, 6.6)


def steps(axes):
    axes.set_title("Steps in one launch: a barrier of the grid between them", loc="left", fontweight="bold")
    width, count = 1.0, 32
    for row, name in enumerate(["in", "scratch", "out"]):
        y = -3.1 * row
        for i in range(count):
            axes.add_patch(Rectangle((i * width, y), width, 1, facecolor=LIGHT if i // 8 % 2 else "#d8ecf8",
                                     edgecolor=EDGE, linewidth=0.5))
        axes.text(-0.5, y + 0.5, name, ha="right", va="center")
        if row == 2:
            continue
        for i in (7, 16):
            for k in (-1, 0, 1):
                axes.add_patch(FancyArrowPatch((i + k + 0.5, y), (i + 0.5, y - 2.1), arrowstyle="-|>", mutation_scale=8,
                                               color=ORANGE, linewidth=1.1, shrinkA=0, shrinkB=0))
        axes.text(25.0, y - (1.0 if row == 0 else 1.65), f"step {row + 1}", color=ORANGE, ha="center", va="center")
    axes.plot([-0.2, 32.2], [-3.1 - 0.42] * 2, color=BLUE, linewidth=2.2)
    axes.text(32.0, -3.1 - 0.62, "grid.sync(): all blocks have written scratch", color=BLUE, ha="right", va="top",
              fontsize=10)
    for block in range(4):
        axes.text(8 * block + 4, 1.25, f"block {block}", ha="center", va="bottom", fontsize=10, color=EDGE)
    axes.set_xlim(-4.2, 33)
    axes.set_ylim(-6.6, 2.4)


def main():
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8.2, 6.6), height_ratios=[8.4, 9.0], layout="constrained")
    for place, draw in ((top, groups), (bottom, steps)):
        draw(place)
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
