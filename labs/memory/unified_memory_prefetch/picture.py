"""Draws what a fault brings, who faults together, and where the time goes (docs/pictures.py unified_memory_prefetch)."""

from pictures import BLUE, EMPTY, GOLD, ORANGE, SKY, Sheet

PIECES = 32  # of 64 KiB in a block of 2 MiB
RUNGS = {"naive": [(8.34, GOLD), (3.33, ORANGE), (1.75, GOLD)], "first touch": [(2.57, ORANGE), (1.75, GOLD)],
         "warp per 64 KiB": [(1.25, ORANGE), (1.75, GOLD)], "prefetched": [(0.23, BLUE), (1.04, SKY)]}  # fmt: skip


def brought_by(there: set[int], leaf: int) -> set[int]:
    """The pieces that a fault on `leaf` brings: the largest aligned part of which more than half is then there."""
    part = {leaf}
    for size in (2, 4, 8, 16, 32):
        low = leaf // size * size
        whole = set(range(low, low + size))
        if 100 * len(whole & (there | {leaf})) > 51 * size:
            part = whole
    return part - there


def faults(sheet: Sheet) -> None:
    """A block of 2 MiB that one thread writes from end to end: a row for each fault."""
    panel = sheet.panel("2 MiB written in order: which 64 KiB does each fault bring?", (-5.5, PIECES + 0.5), (-8.4, 1.2))
    there: set[int] = set()
    y = 0.0
    while len(there) < PIECES:
        leaf = min(set(range(PIECES)) - there)
        brought = brought_by(there, leaf)
        panel.row(0, y, [ORANGE if p == leaf else SKY if p in brought else BLUE if p in there else EMPTY for p in range(PIECES)], 0.4)
        panel.text(-0.6, y + 0.5, f"fault {round(-y / 1.4) + 1}", at="right")
        there |= brought
        y -= 1.4
    panel.key(y - 0.1, [(0, ORANGE, "fault"), (6, SKY, "brought with it"), (16, BLUE, "there already")])


def warps(sheet: Sheet) -> None:
    """Warps that share a page against warps with pages of their own."""
    panel = sheet.panel("Which pieces do eight warps wait for at one time?", (-7.5, PIECES + 0.5), (-4.5, 2.8), 1.35)
    for y, name, apart, words in ((0.0, "a thread for\neach element", False, "one piece: 1 fault is served, all 8 wait"),
                                  (-3.4, "a warp for\neach 64 KiB", True, "8 pieces: served together, as one group")):
        panel.row(0, y, [ORANGE if p < (8 if apart else 1) else EMPTY for p in range(PIECES)], 0.4)
        for w in range(8):
            x, above = (w + 0.5, w + 0.5) if apart else (0.06 + 0.125 * w, 2.2 * w + 7)
            panel.line([(above, y + 1.8), (x, y + 1.05)], BLUE, 0.9)
            panel.text(above, y + 2.15, f"w{w}", size=-2)
        panel.text(-0.6, y + 0.5, name, at="right")
        panel.text(PIECES / 2 + 4, y - 0.5, words)


def rungs(sheet: Sheet) -> None:
    """Where the time of each rung goes (16 MiB in each of x and y)."""
    panel = sheet.panel("Until the host has y (predicted, ms)", (-3.3, 15), (-4.5, 0.6), 0.36)
    for row, (name, parts) in enumerate(RUNGS.items()):
        x = 0.0
        for wide, colour in parts:
            panel.box(x, -row - 0.31, wide, 0.62, colour)
            x += wide
        panel.text(x + 0.15, -row, f"{x:.1f}", at="left")
        panel.text(-0.2, -row, name, at="right")
    panel.key(-4.25, [(-3.2, GOLD, "host faults, new pages"), (2.4, ORANGE, "kernel faults"), (6.2, BLUE, "prefetch, kernels"),
                      (11, SKY, "prefetch back")], 0.4, 0.5)


def draw(sheet: Sheet) -> None:
    sheet.wide, sheet.font = 7.2, 10
    for part in (faults, warps, rungs):
        part(sheet)
