"""Draws a split in three, who sorts which part, and a merge of the network (docs/pictures.py quicksort)."""

from pictures import BLUE, EMPTY, GOLD, GREEN, NOTE, ORANGE, PALE, SKY, Sheet


def split(sheet: Sheet) -> None:
    """Ten keys, pivot 5: to both ends of scratch, and back."""
    panel = sheet.panel("Part 2: a split in three, pivot 5", (-7, 25), (-7.3, 1.4), 0.8)
    keys, scratch = [7, 5, 1, 9, 5, 3, 5, 8, 2, 6], [1, 3, 2, "", "", "", 6, 8, 9, 7]
    back = [1, 3, 2, 5, 5, 5, 6, 8, 9, 7]
    for y, name, row in ((0, "keys", keys), (-3, "scratch", scratch), (-6, "keys", back)):
        for i, key in enumerate(row):
            colour = EMPTY if key == "" else SKY if int(key) < 5 else GOLD if int(key) == 5 else PALE
            panel.cells([(1.6 * i, y)], colour, 1.6)
            panel.text(1.6 * i + 0.8, y + 0.48, key)
        panel.text(-0.6, y + 0.5, name, at="right")
    panel.arrow((4, -0.2), (2.4, -1.8), BLUE)
    panel.arrow((12, -0.2), (13.4, -1.8), ORANGE)
    panel.arrow((8, -3.2), (8, -4.8))
    panel.text(16.6, -1.0, "less: from the start;\ngreater: from the end", NOTE, "left", -0.5)
    panel.text(16.6, -4.0, "equal ones are not moved,\nonly filled in", NOTE, "left", -0.5)
    panel.text(16.6, -5.6, "counts = 3, 4", at="left", size=-0.5)


def grids(sheet: Sheet) -> None:
    """The block of the host's grid goes on with the larger side; the smaller ones are children."""
    panel = sheet.panel("Part 3: the smaller side to a child, the larger one in a loop", (-6, 42), (-8.4, 1.6), 0.9)
    rows = [("round 1", 0, 32, 14), ("round 2", 14, 18, 7), ("round 3", 21, 11, 5)]
    for row, (name, x, wide, small) in enumerate(rows):
        y = -2.2 * row
        panel.box(x, y, small, 1.3, GREEN, "child", "white", size=-0.5)
        panel.box(x + small, y, wide - small, 1.3, SKY, "the block goes on" if row < 2 else "small: sorted", size=-0.5)
        panel.text(-0.6, y + 0.65, name, at="right", size=-0.5)
        panel.text(32.8, y + 0.65, f"depth 1, {small} of {wide}", NOTE, "left", -1)
    panel.box(0, -7, 6, 1.3, GREEN, "child", "white", size=-0.5)
    panel.box(6, -7, 8, 1.3, PALE, "child goes on", size=-0.5)
    panel.text(15, -6.35, "depth 2: at most half of its parent's part, whatever the pivot", NOTE, "left", -0.5)
    panel.arrow((3, -0.1), (3, -5.6), GREEN)


def network(sheet: Sheet) -> None:
    """Width 8: two sorted runs of four become one."""
    panel = sheet.panel("Part 1: width 8 merges two runs of four", (-7, 25), (-7.6, 1.3), 0.8)
    rows = [([1, 4, 6, 8, 2, 3, 5, 7], "distance 4: mirrored", [(0, 7), (1, 6), (2, 5), (3, 4)]),
            ([1, 4, 3, 2, 8, 6, 5, 7], "distance 2", [(0, 2), (1, 3), (4, 6), (5, 7)]),
            ([1, 2, 3, 4, 5, 6, 8, 7], "distance 1", [(0, 1), (2, 3), (4, 5), (6, 7)]),
            ([1, 2, 3, 4, 5, 6, 7, 8], "", [])]
    for row, (keys, what, pairs) in enumerate(rows):
        y = -2.2 * row
        panel.cells([(2 * i, y) for i in range(8)], SKY if row in (0, 3) else EMPTY, 2)
        panel.labels(0, y, keys, "black", step=2)
        panel.text(-0.6, y - 0.6, what, at="right", size=-0.5)
        for k, (i, partner) in enumerate(pairs):
            line = y - 0.25 - 0.26 * (k % 4)
            panel.line([(2 * i + 1, line), (2 * partner + 1, line)], ORANGE, 1.4, mark="o")
    panel.text(17, -1, "of each pair, the smaller\nkey goes to the left", NOTE, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (network, split, grids):
        part(sheet)
