"""Draws a sweep, two sweeps of one tile with a halo of two, and the loop as a graph (docs/pictures.py jacobi)."""

from pictures import BLUE, EDGE, EMPTY, GREEN, GREY, NOTE, ORANGE, PALE, SKY, Sheet


def sweep(sheet: Sheet) -> None:
    """A point of the new plate, and what it is made of."""
    panel = sheet.panel("A sweep: from one plate to the other", (-2, 38), (-7.2, 1.6), 1.0)
    for left in (0, 14):
        plate = [(x, y) for y in range(6) for x in range(9)]
        panel.cells([(left + x, -y) for x, y in plate if x in (0, 8) or y in (0, 5)], GREY)
        panel.cells([(left + x, -y) for x, y in plate if 0 < x < 8 and 0 < y < 5], PALE)
    panel.cells([(4, -1), (4, -3), (3, -2), (5, -2)], SKY)
    panel.cells([(18, -2)], GREEN)
    panel.arrow((6.2, -1.5), (17.8, -1.5), NOTE)
    panel.text(4.5, -5.8, "a: before", size=-0.5)
    panel.text(18.5, -5.8, "b: after", size=-0.5)
    panel.text(25, 0.2, "grey: the edge, which stays", NOTE, "left", -0.5)
    panel.text(25, -1.6, "a quarter of four neighbours\nand a number of its own;\nall as they were before", NOTE, "left", -0.5)
    panel.text(25, -4.2, "the next sweep goes\nfrom b to a", NOTE, "left", -0.5)


def halo(sheet: Sheet) -> None:
    """What is right after no sweep, one and two: a ring less each time."""
    panel = sheet.panel("Two sweeps a launch: each costs a ring of the halo", (-2, 38), (-10.4, 1.6), 1.0)
    for sweeps, left in enumerate((0, 12, 24)):
        rings = [(x, y, min(x, y, 9 - x, 7 - y)) for y in range(8) for x in range(10)]
        panel.cells([(left + x, -y) for x, y, ring in rings if ring < sweeps], EMPTY)
        panel.cells([(left + x, -y) for x, y, ring in rings if sweeps <= ring < 2], PALE)
        panel.cells([(left + x, -y) for x, y, ring in rings if ring >= 2], SKY)
        panel.box(left + 2, -5, 6, 4, edge=BLUE, line=1.8)
        panel.text(left + 5, -7.8, ("brought: 10 x 8", "right after a sweep: 8 x 6", "right after two: 6 x 4, kept")[sweeps], size=-0.5)
        if sweeps < 2:
            panel.arrow((left + 10.2, -3), (left + 11.8, -3), ORANGE)
    panel.text(-1, -9.6, "It stays in shared memory: one load and one store for both sweeps.", NOTE, "left", -0.5)


def batches(sheet: Sheet) -> None:
    """The graph of a batch, and what the host does."""
    panel = sheet.panel("Part 5: a batch is a graph, and the host reads one number", (-2, 38), (-4.6, 1.8), 1.0)
    panel.box(0, 0, 5, 1.3, GREY, "change = 0", size=-1)
    for k in range(4):
        panel.box(6.4 + 5.6 * k, 0, 4.4, 1.3, SKY if k < 3 else GREEN, ("4 sweeps", "4 sweeps", "...", "4 sweeps")[k], size=-1)
        panel.arrow((5 if k == 0 else 5.2 + 5.6 * k, 0.65), (6.4 + 5.6 * k, 0.65), EDGE)
    panel.box(30.5, 0, 6.5, 1.3, ORANGE, "host reads", size=-1)
    panel.arrow((27.6, 0.65), (30.5, 0.65), EDGE)
    panel.line([(33.7, 0), (33.7, -1.6), (2.5, -1.6)], EDGE)
    panel.arrow((2.5, -1.6), (2.5, 0), EDGE)
    panel.text(18, -2.4, "while the largest change is more than the tolerance", NOTE, size=-0.5)
    panel.text(18, -3.8, "green: the last launch of a batch also finds the largest change", NOTE, size=-0.5)


def draw(sheet: Sheet) -> None:
    for part in (sweep, halo, batches):
        part(sheet)
