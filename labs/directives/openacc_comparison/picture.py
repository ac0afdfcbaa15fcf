#!/usr/bin/env python3
"""Draws picture.svg of lab openacc_comparison: levels of OpenACC, and the bus with one loop, blocks and queues."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "openacc_comparison", "font.size": 11,
                            "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

IN, RUN, OUT, EDGE, LANE = "#0072b2", "#d55e00", "#009e73", "#555555", "#cfe3f1"


def box(axes, x, y, width, height, colour, text="", size=10, text_colour="white"):
    axes.add_patch(Rectangle((x, y), width, height, facecolor=colour, edgecolor=EDGE, linewidth=0.7))
    axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", color=text_colour, fontsize=size)


def levels(axes):
    """An image whose rows are gangs; a row is taken by lanes, 32 pixels at a time."""
    axes.set_title("gang: a row for each block        vector: its pixels for 32 lanes", loc="left", fontweight="bold")
    for row in range(3):
        y = 3.2 - 1.6 * row
        axes.text(-0.3, y + 0.5, f"row {row}", ha="right", va="center")
        for part in range(4):
            for pixel in range(8):
                axes.add_patch(Rectangle((part * 8.4 + pixel, y), 1, 1, facecolor=LANE if part else IN, edgecolor=EDGE,
                                         linewidth=0.3))
        axes.text(34.2, y + 0.5, f"blockIdx.x = {row}", va="center")
    axes.text(4, 4.9, "lanes 0 to 31 now", ha="center", color=IN)
    axes.text(12.4, 4.9, "then these", ha="center")
    axes.text(0, -1.1, "8 squares drawn for 32 pixels. A pixel is 1 byte: 32 lanes move 32 bytes, one sector.", fontsize=10)
    axes.set_xlim(-4.6, 46)
    axes.set_ylim(-1.7, 5.7)


def one_loop(axes, y):
    box(axes, 0, y + 2, 16, 1, IN, "both images in")
    box(axes, 16, y + 1, 0.8, 1, RUN)
    box(axes, 16.8, y, 8, 1, OUT, "result out")


def blocks(axes, y, waiting):
    """Four blocks: 4 in, a little work, 2 out. @param waiting each block waits for the one before."""
    enter = leave = 0.0
    for block in range(4):
        box(axes, enter, y + 2, 4, 1, IN, f"{block}")
        ready = enter + 4
        box(axes, ready, y + 1, 0.5, 1, RUN)
        leave = max(ready + 0.5, leave)
        box(axes, leave, y, 2, 1, OUT, f"{block}")
        leave += 2
        enter = leave if waiting else ready


def bus(axes):
    """What the two directions of the bus and the multiprocessors do, over time."""
    axes.set_title("The bus over time, for one merge", loc="left", fontweight="bold")
    for y, name, draw in [(10, "one loop", one_loop), (5, "blocks,\neach waited for", lambda a, y: blocks(a, y, True)),
                          (0, "blocks in\ntwo queues", lambda a, y: blocks(a, y, False))]:
        draw(axes, y)
        axes.text(-0.6, y + 1.5, name, ha="right", va="center", fontweight="bold", fontsize=10)
        axes.plot([0, 27.5], [y - 0.35, y - 0.35], color=EDGE, linewidth=0.6)
    for x, colour, text in [(0, IN, "to the device"), (10, RUN, "kernel"), (17, OUT, "to the host")]:
        box(axes, x, -2.6, 1, 1, colour)
        axes.text(x + 1.4, -2.1, text, va="center")
    axes.text(19.2, 1.3, "saved", ha="left", va="center", style="italic")
    axes.annotate("", (25.0, 0.6), (18.8, 0.6), arrowprops={"arrowstyle": "<->", "color": EDGE})
    axes.set_xlim(-7.5, 28)
    axes.set_ylim(-3, 14)


def main():
    figure, axes = plt.subplots(2, 1, figsize=(7.6, 7.6), height_ratios=[7, 14], layout="constrained")
    levels(axes[0])
    bus(axes[1])
    for place in axes:
        place.axis("off")
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
