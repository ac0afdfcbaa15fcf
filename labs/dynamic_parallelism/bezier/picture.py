#!/usr/bin/env python3
"""Draws picture.svg of lab bezier: points by curvature, the memory they take, and which grid launches which."""
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bezier", "font.size": 11, "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

USED, EMPTY, EDGE, SECOND = "#0072b2", "#f0f0f0", "#555555", "#d55e00"
CURVES = [((0, 0), (2, 0.5), (4, 1)), ((5, 0), (7, 1.6), (9, 0.6)), ((10, 0), (12.2, 5), (14, 0.2))]
COUNTS = [2, 4, 8]


def point(curve, t):
    return tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(*curve))


def drawn(axes):
    """Three curves and the points that each of them needs."""
    axes.set_title("The more a curve is bent, the more points", loc="left", fontweight="bold")
    for curve, count in zip(CURVES, COUNTS):
        fine = [point(curve, i / 60) for i in range(61)]
        chain = [point(curve, i / (count - 1)) for i in range(count)]
        axes.plot(*zip(*fine), color="#bbbbbb", linewidth=4, solid_capstyle="round")
        axes.plot(*zip(*chain), color=USED, marker="o", markersize=5, linewidth=1.2)
        axes.text(curve[1][0], -0.85, f"{count} points", ha="center")
    axes.set_xlim(-0.5, 14.5)
    axes.set_ylim(-1.1, 2.9)


def memory(axes):
    """The same points in memory: room for the most, and exactly as many as are needed."""
    axes.set_title("Memory: room for the most, or for what is needed", loc="left", fontweight="bold")
    most = 9
    for row, fixed in ((1, True), (0, False)):
        x, y = 0.0, 1.5 * row
        for count in COUNTS:
            cells = most if fixed else count
            for i in range(cells):
                axes.add_patch(Rectangle((x + i, y), 1, 0.8, facecolor=USED if i < count else EMPTY, edgecolor=EDGE, linewidth=0.6))
            axes.add_patch(Rectangle((x, y), cells, 0.8, fill=False, edgecolor="black", linewidth=1.6))
            x += cells + (0.5 if fixed else 1.5)
        axes.text(-0.4, y + 0.4, "part 1" if fixed else "part 2", ha="right", va="center")
    axes.set_xlim(-3.4, 28.6)
    axes.set_ylim(-0.3, 2.6)


def box(axes, x, y, width, text, colour):
    axes.add_patch(FancyBboxPatch((x, y), width, 0.9, boxstyle="round,pad=0.06", facecolor="white", edgecolor=colour, linewidth=1.8))
    axes.text(x + width / 2, y + 0.45, text, ha="center", va="center", color=colour)


def arrow(axes, start, end, colour):
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=12, color=colour, linewidth=1.2))


def grids(axes):
    """Who launches whom, and who waits for whom; time goes to the right."""
    axes.set_title("Grids: a child for each curve, then the tail", loc="left", fontweight="bold")
    box(axes, 0, 2, 2.6, "host", "black")
    box(axes, 4.2, 2, 5, "measure_kernel", "black")
    arrow(axes, (2.7, 2.45), (4.1, 2.45), "black")
    for number, (name, width) in enumerate((("child 0", 2.8), ("child 1", 3.4), ("child 2", 5))):
        y = 0.6 - 1.4 * number
        box(axes, 10.2, y, width, name, USED)
        arrow(axes, (8.2 - 0.7 * number, 1.9), (10.1, y + 0.45), USED)
    box(axes, 17.4, 2, 4.4, "length_kernel", SECOND)
    arrow(axes, (9.3, 2.45), (17.3, 2.45), SECOND)
    axes.text(13, 2.62, "tail launch", ha="center", color=SECOND)
    axes.plot([16.3, 16.3], [-2.4, 3.1], color=SECOND, linestyle="--", linewidth=1.2)
    axes.text(16.6, -1.3, "starts when the kernel\nand all its children\nare complete", color=SECOND, va="center")
    axes.set_xlim(-0.4, 24.4)
    axes.set_ylim(-2.6, 3.3)


def main():
    figure, axes = plt.subplots(3, 1, figsize=(7.2, 7.4), height_ratios=[4, 2.6, 5.4])
    for draw, panel in zip((drawn, memory, grids), axes):
        draw(panel)
        panel.set_axis_off()
    figure.tight_layout(h_pad=1.2)
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
