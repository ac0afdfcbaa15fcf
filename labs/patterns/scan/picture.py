"""Draws the two trees, the way of four numbers a lane through warp and block, and a round of tiles (docs/pictures.py scan)."""

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


def rounds(sheet: Sheet) -> None:
    """Four blocks in two rounds: which sums block 2 adds up before it scans its second tile, and who looks at which."""
    panel = sheet.panel("Part 3: what comes before block 2's tile of round 1", (-9, 43), (-6.4, 5.6), 0.9)
    told, own = [9, 5, 7, 3, 8, 2, 6, 4], 6
    for tile, value in enumerate(told):
        x, y = 8 * (tile % 4), 2.2 - 2.5 * (tile // 4)
        colour = BLUE if tile < own else ORANGE if tile == own else PALE
        panel.box(x, y, 7, 1.8, colour, f"tile {tile}: {value}", "black" if tile > own else "white", size=-1)
    for block, sums in enumerate(["9 + 8", "5 + 2", "7", "3"]):
        panel.text(8 * block + 3.5, 4.6, f"block {block}", bold=True)
        panel.arrow((8 * block + 3.5, -0.6), (8 * block + 3.5, -1.6), ORANGE)
        panel.text(8 * block + 3.5, -2.4, f"thread {block}: {sums}", size=-0.5)
    panel.text(-0.6, 3.1, "round 0", at="right", size=-0.5)
    panel.text(-0.6, 0.6, "round 1", at="right", size=-0.5)
    panel.text(15.5, -3.8, "17 + 7 + 7 + 3 = 34 before tile 6", ORANGE)
    panel.text(-8.5, -5.4, "Sums are told three rounds ahead, and tiles copied six: nobody waits for a tile that is under way.",
               NOTE, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (trees, levels, rounds):
        part(sheet)
