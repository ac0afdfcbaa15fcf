#!/usr/bin/env python3
"""Draws picture.svg of lab quadtree: squares over points, the tree they form, and the points before and after a split."""
import pathlib
import random

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "quadtree", "font.size": 11, "font.family": ["DejaVu Sans", "sans-serif"]})
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

QUADRANTS, EDGE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"], "#333333"
MIN_POINTS, WORLD = 3, 16.0
POINTS = [(2, 2), (5, 3), (3, 6), (1, 12), (10, 1), (14, 3), (9, 9), (10, 11), (9, 14), (11, 9.5), (13, 10), (15, 14),
          (12.6, 12.5), (14.5, 9)]


def quadrant(point, x, y, side):
    return (1 if point[0] >= x + side / 2 else 0) + (2 if point[1] >= y + side / 2 else 0)


def squares(points, x, y, side):
    """The node of a square: (x, y, side, its points, its children)."""
    children = []
    if len(points) > MIN_POINTS:
        half = side / 2
        for q in range(4):
            inside = [p for p in points if quadrant(p, x, y, side) == q]
            children.append(squares(inside, x + q % 2 * half, y + q // 2 * half, half))
    return x, y, side, points, children


def draw_squares(axes, node):
    x, y, side, _, children = node
    axes.add_patch(Rectangle((x, y), side, side, fill=False, edgecolor=EDGE, linewidth=1.8 if side == WORLD else 1))
    for child in children:
        draw_squares(axes, child)


def plane(axes, root):
    axes.set_title(f"Squares with more than {MIN_POINTS}\npoints are split", loc="left", fontweight="bold")
    draw_squares(axes, root)
    for p in POINTS:
        axes.plot(*p, "o", color=QUADRANTS[quadrant(p, 0, 0, WORLD)], markersize=6)
    for q in range(4):
        axes.text(q % 2 * 8 + 0.4, q // 2 * 8 + (7.1 if q < 2 else 7), f"q = {q}", color=QUADRANTS[q], va="center", fontsize=10)
    axes.set_xlim(-0.2, 16.2)
    axes.set_ylim(-0.2, 16.2)
    axes.set_aspect("equal")


def tree(axes, root):
    axes.set_title("The tree: a number of points\nfor each square", loc="left", fontweight="bold")

    def node(x, y, text, colour, split):
        axes.text(x, y, text, ha="center", va="center", color="white" if split else colour,
                  bbox={"boxstyle": "round,pad=0.3", "facecolor": colour if split else "white", "edgecolor": colour, "linewidth": 1.5})

    def walk(item, x, y, width, colour):
        children = item[4]
        for q, child in enumerate(children):
            child_x = x + width * (q - 1.5) / 4
            child_colour = colour if colour != EDGE else QUADRANTS[q]
            axes.plot([x, child_x], [y, y - 2], color="#999999", linewidth=1, zorder=0)
            walk(child, child_x, y - 2, width / 1.35, child_colour)
        node(x, y, str(len(item[3])), colour, bool(children))

    walk(root, 5, 5, 9.2, EDGE)
    axes.text(0, 6.1, "filled: it is split, and\nlaunches one grid of 4 blocks", fontsize=10, va="center")
    axes.set_xlim(-0.6, 12)
    axes.set_ylim(-0.2, 7)


def split(axes):
    axes.set_title("One split: the points of a square in order of their quadrants", loc="left", fontweight="bold")
    shuffled = POINTS[:]
    random.Random(4).shuffle(shuffled)
    ordered = sorted(POINTS, key=lambda p: quadrant(p, 0, 0, WORLD))
    for y, row, name in ((1.6, shuffled, "before"), (0, ordered, "after")):
        for i, p in enumerate(row):
            axes.add_patch(Rectangle((i, y), 1, 0.9, facecolor=QUADRANTS[quadrant(p, 0, 0, WORLD)], edgecolor="white", linewidth=1.5))
        axes.text(-0.3, y + 0.45, name, ha="right", va="center")
    axes.text(-0.3, -0.45, "starts", ha="right", va="center")
    first = 0
    for q in range(4):
        axes.text(first, -0.45, str(first), color=QUADRANTS[q], ha="center", va="center")
        first += sum(quadrant(p, 0, 0, WORLD) == q for p in POINTS)
    axes.text(first, -0.45, str(first), ha="center", va="center")
    axes.set_xlim(-2.2, 16.6)
    axes.set_ylim(-0.8, 2.7)


def main():
    root = squares(POINTS, 0, 0, WORLD)
    figure = plt.figure(figsize=(7.4, 6.4))
    grid = figure.add_gridspec(2, 2, height_ratios=[2.6, 1.25])
    for place, draw in ((grid[0, 0], lambda a: plane(a, root)), (grid[0, 1], lambda a: tree(a, root)), (grid[1, :], split)):
        axes = figure.add_subplot(place)
        axes.set_axis_off()
        draw(axes)
    figure.tight_layout(h_pad=1.2)
    figure.savefig(pathlib.Path(__file__).with_name("picture.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
