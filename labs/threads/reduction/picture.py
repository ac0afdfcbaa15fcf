"""Draws halves, the warps that stay busy, and the way of a number in one pass (docs/pictures.py reduction)."""

from pictures import BLUE, EMPTY, NOTE, ORANGE, SKY, Sheet


def halves(sheet: Sheet) -> None:
    """Nine numbers, five, three, two, one: the second half is added to the first."""
    panel = sheet.panel("Part 1: each launch adds the second half to the first", (-6.5, 23), (-10.0, 1.3), 0.9)
    values, y = [3, 1, 4, 1, 5, 9, 2, 6, 5], 0.0
    while values:
        half = (len(values) + 1) // 2
        panel.cells([(2 * i, y) for i in range(half)], SKY)
        panel.cells([(2 * i, y) for i in range(half, len(values))], EMPTY)
        for i, value in enumerate(values):
            panel.text(2 * i + 0.5, y + 0.48, value)
        panel.text(-1, y + 0.5, f"{len(values)} numbers" if len(values) > 1 else "the sum", at="right")
        rest = values[half:]
        for i in range(half if rest else 0):
            panel.arrow((2 * i + 0.5, y), (2 * i + 0.5, y - 1.35))
            if i < len(rest):
                panel.arrow((2 * (i + half) + 0.5, y), (2 * i + 0.8, y - 1.35), ORANGE)
        values = [value + (rest[i] if i < len(rest) else 0) for i, value in enumerate(values[:half])] if rest else []
        y -= 2.4
    panel.text(19, -3, "one thread for\neach orange arrow", ORANGE)


def warps(sheet: Sheet) -> None:
    """Which threads add in each step: spread over all warps, or packed into few."""
    panel = sheet.panel("Part 2: which threads add? (4 warps of 8 lanes drawn for 8 of 32)", (-7.5, 39.5), (-17.6, 1.4), 0.95)
    for top, name, distances in ((0.0, "t % (2 * distance) == 0", (1, 2, 4, 8, 16)), (-8.7, "t < distance", (16, 8, 4, 2, 1))):
        panel.text(0, top + 0.6, f"if ({name})", at="left", code=True)
        panel.text(36.4, top + 0.6, "busy warps")
        for row, distance in enumerate(distances):
            y = top - 1.3 * (row + 1)
            working = {t for t in range(32) if (t % (2 * distance) == 0 if top == 0 else t < distance)}
            busy = {t // 8 for t in working}
            panel.row(0, y, [BLUE if t in working else SKY if t // 8 in busy else EMPTY for t in range(32)], 0.3)
            for warp in range(4):
                panel.box(8 * warp, y, 8, 1, edge="black", line=1.3)
            panel.text(-0.6, y + 0.5, f"distance {distance}", at="right")
            panel.text(36.4, y + 0.5, len(busy), ORANGE, bold=True)
    panel.key(-17.3, [(0, BLUE, "adds"), (7, SKY, "waits for its warp"), (21, EMPTY, "warp at rest")])


def one_pass(sheet: Sheet) -> None:
    """From the memory to the one number: who adds what, and where the partial sums are."""
    panel = sheet.panel("Part 3: one pass", (-0.5, 58), (-7.3, 1.7), 1.5)
    steps = [("each thread", "float4 after float4, a grid apart", "registers; 16 bytes a load"),
             ("each warp", "__shfl_down_sync: 16, 8, 4, 2, 1", "registers; 5 steps, no barrier"),
             ("each block", "8 sums of warps, then one warp", "shared memory; 1 barrier"),
             ("the grid", "atomicAdd(out, sum of the block)", "L2 cache; 1 atomic a block")]
    for row, (who, how, where) in enumerate(steps):
        y, wide = -2.3 * row, 30 - 5.4 * row
        panel.box(15 - wide / 2, y, wide, 1.4, SKY if row < 3 else "#fbd5b5", who, bold=True)
        panel.text(31.2, y + 1.05, how, at="left", size=-0.5)
        panel.text(31.2, y + 0.3, where, NOTE, "left", -0.5)
        for k in range(-2, 3) if row < 3 else ():
            panel.arrow((15 + k * wide / 5.5, y), (15 + k * (wide - 5.4) / 5.5, y - 0.9))


def draw(sheet: Sheet) -> None:
    for part in (halves, warps, one_pass):
        part(sheet)
