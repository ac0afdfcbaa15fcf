"""Draws the two trees, the way of four numbers a lane through warp and block, and looking back (docs/pictures.py scan)."""

from pictures import BLUE, EMPTY, NOTE, ORANGE, PALE, SKY, Sheet


def trees(sheet: Sheet) -> None:
    """Eight numbers: up the tree, then down again; values are those of 3 1 4 1 5 9 2 6."""
    panel = sheet.panel("Two trees: up with distances 1, 2, 4, then down with 2, 1", (-6.5, 27), (-12.6, 1.3), 0.8)
    values, y = [3, 1, 4, 1, 5, 9, 2, 6], 0.0
    steps = [(s, True) for s in (1, 2, 4)] + [(s, False) for s in (2, 1)]
    for number in range(len(steps) + 1):
        targets: set[int] = set()
        if number > 0:
            s, up = steps[number - 1]
            before = list(values)
            for k in range(8):
                source, target = 2 * s * (k + 1) - 1 - (s if up else 0), 2 * s * (k + 1) - 1 + (0 if up else s)
                if target < 8:
                    values[target] = before[target] + before[source]
                    targets.add(target)
                    panel.arrow((2.5 * source + 0.5, y + 2.4), (2.5 * target + 0.4, y + 1.05), ORANGE)
            panel.text(-1, y + 0.5, f"{'up' if up else 'down'}, s = {s}", at="right")
        panel.cells([(2.5 * i, y) for i in range(8)], EMPTY)
        panel.cells([(2.5 * i, y) for i in targets], SKY)
        for i, value in enumerate(values):
            panel.text(2.5 * i + 0.5, y + 0.48, value)
        y -= 2.4
    panel.text(20.5, -5, "11 additions for\n8 numbers; distances\n1, 2, 4 for all of\nthem take 17", NOTE, "left", -0.5)


def levels(sheet: Sheet) -> None:
    """Who scans what: a thread its quad, a warp the sums of 32 quads, a block the sums of 8 warps."""
    panel = sheet.panel("Part 2: each level scans the sums of the one below", (-0.5, 58), (-5.2, 1.7), 1.5)
    rows = [("a thread", "its four numbers", "registers; 3 additions"),
            ("a warp", "the sums of 32 quads: __shfl_up_sync", "registers; 5 steps, no barrier"),
            ("a block", "the sums of 8 warps, by its first warp", "shared memory; 2 barriers")]
    for row, (who, what, where) in enumerate(rows):
        y, wide = -2.3 * row, 26 - 7 * row
        panel.box(13 - wide / 2, y, wide, 1.4, SKY, who, bold=True)
        panel.text(27.2, y + 1.05, what, at="left", size=-0.5)
        panel.text(27.2, y + 0.3, where, NOTE, "left", -0.5)
        for k in (-2, -1, 0, 1, 2) if row < 2 else ():
            panel.arrow((13 + k * wide / 5.5, y), (13 + k * (wide - 7) / 5.5, y - 0.9))


def look_back(sheet: Sheet) -> None:
    """Five parts: what each has told, and how part 4 adds what it finds."""
    panel = sheet.panel("Part 3: part 4 looks back until somebody knows the sum so far", (-9, 43), (-4.6, 5.6), 0.9)
    told = [("so far", 9, BLUE), ("so far", 14, BLUE), ("own", 7, SKY), ("own", 3, SKY), ("own", 8, SKY)]
    for part, (what, value, colour) in enumerate(told):
        x = 7 * part
        panel.box(x, 3, 6, 1.6, PALE, f"part {part}", size=-0.5)
        panel.box(x, 0, 6, 1.8, colour, f"{what}: {value}", "white" if colour == BLUE else "black", size=-1.5)
        panel.arrow((x + 3, 3), (x + 3, 1.9))
    for start, end in ((4, 3), (3, 2), (2, 1)):
        panel.arrow((7 * start + 2.6, -0.2), (7 * end + 3.4, -0.2), ORANGE)
    panel.text(24, -1.5, "3 + 7 + 14 = 24 before part 4; it tells 24 + 8 = 32 as sum so far", ORANGE)
    panel.text(-0.6, 3.8, "one block\neach", at="right", size=-0.5)
    panel.text(-0.6, 0.9, "its place\nin scratch", at="right", size=-0.5)
    panel.text(-8.5, -3.6, "Parts are numbered in the order in which blocks begin: a block waits only for blocks that have begun.", NOTE, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (trees, levels, look_back):
        part(sheet)
