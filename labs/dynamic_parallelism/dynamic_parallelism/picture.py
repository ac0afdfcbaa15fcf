#!/usr/bin/env python3
"""Draws picture.svg of lab dynamic_parallelism: what a child sees, streams of children, and a tail launch."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "dynamic_parallelism", "font.size": 13,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, Rectangle

PARENT, CHILD, TAIL, EDGE, BAD = "#a6d3ee", "#009e73", "#d55e00", "#333333", "#b00020"
HEIGHT = 0.8


def bar(axes, start, end, row, colour, text, ink="black"):
    """A grid that runs from start to end, in a row of its own."""
    axes.add_patch(Rectangle((start, row), end - start, HEIGHT, facecolor=colour, edgecolor=EDGE, linewidth=0.8))
    axes.text((start + end) / 2, row + HEIGHT / 2, text, ha="center", va="center", color=ink)


def arrow(axes, x, row, to_x, to_row, colour=EDGE):
    axes.add_patch(FancyArrowPatch((x, row), (to_x, to_row), arrowstyle="-|>", mutation_scale=12, color=colour,
                                   linewidth=1.3, shrinkA=0, shrinkB=0))


def frame(axes, title, rows, width=30.4):
    axes.set_title(title, loc="left", fontweight="bold", fontsize=13.5)
    axes.set_xlim(-0.3, width)
    axes.set_ylim(-rows + 0.6, 1.3)
    axes.axis("off")


def visibility(axes):
    frame(axes, "What does the child see?", 3.4)
    axes.add_patch(Rectangle((0, 0), 30, HEIGHT, facecolor=PARENT, edgecolor=EDGE, linewidth=0.8))
    for x, text, ink in [(3.6, "data[t] = ...", "black"), (11.2, "__syncthreads()", "black"), (18.2, "child<<<>>>", "black"),
                         (25.4, "data[0] = ...", BAD)]:
        axes.text(x, HEIGHT / 2, text, ha="center", va="center", color=ink, fontsize=11.5)
    for x in (7.4, 15.2, 21.2):
        axes.plot([x, x], [0, HEIGHT], color=EDGE, linewidth=0.6)
    bar(axes, 19, 29, -1.7, CHILD, "child", "white")
    arrow(axes, 18.2, 0, 19, -0.9)
    axes.text(0, -1.05, "stored before the launch by any thread,\nthe barrier in between: surely seen", va="center",
              fontsize=11.5)
    axes.text(30, -2.25, "stored later: perhaps", va="center", ha="right", color=BAD, fontsize=11.5)


def streams(axes):
    frame(axes, "One block launches four children", 7.6)
    bar(axes, 0, 8, 0, PARENT, "parent")
    axes.text(0, -0.55, "NULL stream of the block: one by one", va="center", fontsize=11.5)
    for k in range(4):
        bar(axes, 3 + 6.6 * k, 9 + 6.6 * k, -1.8, CHILD, f"{k}", "white")
    axes.text(0, -2.35, "fire and forget: together", va="center", fontsize=11.5)
    for k in range(4):
        bar(axes, 3 + 0.9 * k, 9 + 0.9 * k, -3.6 - 0.95 * k, CHILD, f"{k}", "white")


def tail(axes):
    frame(axes, "A tail launch waits for all", 4.0)
    bar(axes, 0, 9, 0, PARENT, "parent")
    bar(axes, 4, 17, -1.1, CHILD, "child", "white")
    bar(axes, 11, 19, -2.0, CHILD, "its child", "white")
    bar(axes, 21, 27, -2.9, TAIL, "tail launch", "white")
    axes.plot([20, 20], [-3.0, HEIGHT], color=EDGE, linewidth=1, linestyle="--")
    axes.plot([28, 28], [-3.0, HEIGHT], color=EDGE, linewidth=1, linestyle="--")
    axes.text(20.4, 0.4, "all done", va="center", fontsize=11.5)
    axes.text(27.7, -0.6, "parent is\ncomplete", va="center", ha="right", fontsize=11.5)


def main():
    figure, (first, second, third) = plt.subplots(3, 1, figsize=(6.4, 8.8),
                                                  gridspec_kw={"height_ratios": [3.9, 7.6, 4.5], "hspace": 0.22})
    visibility(first)
    streams(second)
    tail(third)
    figure.subplots_adjust(left=0.02, right=0.99, top=0.96, bottom=0.01)
    out = pathlib.Path(__file__).resolve().parent / "picture.svg"
    figure.savefig(out, metadata={"Date": None, "Creator": None})
    out.write_text("\n".join(line.rstrip() for line in out.read_text(encoding="utf-8").splitlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
