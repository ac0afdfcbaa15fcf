"""Draws squares over points, the tree they form, and the points before and after a split (docs/pictures.py quadtree)."""

import random

from pictures import BLUE, GREEN, GREY, NOTE, ORANGE, PINK, Panel, Sheet

QUADRANTS, MIN_POINTS, WORLD = [BLUE, ORANGE, GREEN, PINK], 3, 16.0
POINTS = [(2, 2), (5, 3), (3, 6), (1, 12), (10, 1), (14, 3), (9, 9), (10, 11), (9, 14), (11, 9.5), (13, 10), (15, 14),
          (12.6, 12.5), (14.5, 9)]


def quadrant(point: tuple, x: float = 0, y: float = 0, side: float = WORLD) -> int:
    return (1 if point[0] >= x + side / 2 else 0) + (2 if point[1] >= y + side / 2 else 0)


def squares(points: list, x: float = 0, y: float = 0, side: float = WORLD) -> tuple:
    """The node of a square: (x, y, side, how many points, its children)."""
    half, parts = side / 2, range(4) if len(points) > MIN_POINTS else ()
    children = [squares([p for p in points if quadrant(p, x, y, side) == q], x + q % 2 * half, y + q // 2 * half, half) for q in parts]
    return x, y, side, len(points), children


def outline(panel: Panel, node: tuple) -> None:
    x, y, side, _, children = node
    panel.box(x, y, side, side, edge="black", line=1.8 if side == WORLD else 1)
    for child in children:
        outline(panel, child)


def branch(panel: Panel, node: tuple, x: float, y: float, wide: float, colour: str) -> None:
    """A node with what is below it; each quadrant of the world keeps its colour."""
    *_, count, children = node
    for q, child in enumerate(children):
        below = x + wide * (q - 1.5) / 4
        panel.line([(x, y), (below, y - 2)], GREY)
        branch(panel, child, below, y - 2, wide / 1.35, colour if colour != "black" else QUADRANTS[q])
    fill, ink = (colour, "white") if children else ("white", colour)
    panel.box(x - 0.3, y - 0.32, 0.6, 0.64, fill, str(count), ink, colour, 1.5, round_by=0.08)


def draw(sheet: Sheet) -> None:
    sheet.wide, root = 7.4, squares(POINTS)
    plane = sheet.panel(f"Squares with more than {MIN_POINTS}\npoints are split", (-0.2, 16.2), (-0.2, 16.2), part=(0, 0.46), lines=2)
    outline(plane, root)
    for point in POINTS:
        plane.line([point], QUADRANTS[quadrant(point)], mark="o")
    for q, colour in enumerate(QUADRANTS):
        plane.text(q % 2 * 8 + 0.4, q // 2 * 8 + (7.1 if q < 2 else 7), f"q = {q}", colour, "left", -1)
    tree = sheet.panel("The tree: a number of points\nfor each square", (-0.2, 12.2), (-0.4, 6.8), part=(0.52, 1), lines=2, stretch=1.4)
    branch(tree, root, 5.4, 4.6, 9.2, "black")
    tree.text(0, 6.1, "filled: it is split, and\nlaunches one grid of 4 blocks", NOTE, "left", -1)
    rows = sheet.panel("One split: the points of a square in order of their quadrants", (-2.2, 16.6), (-0.8, 2.6), 1.2)
    shuffled = POINTS[:]
    random.Random(4).shuffle(shuffled)
    ordered = sorted(POINTS, key=quadrant)
    for y, row, name in ((1.6, shuffled, "before"), (0, ordered, "after")):
        rows.row(0, y, [QUADRANTS[quadrant(p)] for p in row], high=0.9)
        rows.text(-0.3, y + 0.45, name, at="right")
    rows.text(-0.3, -0.45, "starts", at="right")
    for q, colour in enumerate([*QUADRANTS, "black"]):
        first = sum(quadrant(p) < q for p in POINTS)
        rows.text(first, -0.45, first, colour)
