"""Draws the groups of a grid, and steps with a barrier of the grid between them (docs/pictures.py cooperative_groups)."""

from pictures import BLUE, EDGE, ORANGE, PALE, SKY, Panel, Sheet

HERE = (1, 2, 6, 11, 12)  # Lanes that took a branch.


def frame(panel: Panel, x: float, y: float, wide: float, high: float, colour: str, words: str, bold: bool = False) -> None:
    panel.box(x, y, wide, high, edge=colour, line=1.8, round_by=0.12)
    panel.text(x, y + high + 0.7, words, colour, "left", bold=bold)


def groups(sheet: Sheet) -> None:
    panel = sheet.panel("Groups: each sync() waits for its own threads", (-1.2, 33.6), (-1.8, 6.6))
    frame(panel, -0.6, -1.3, 33.4, 6.3, EDGE, "grid: this_grid()", True)
    for block in range(2):
        left = 17 * block
        frame(panel, left, -0.7, 15.4, 4.1, BLUE, f"block {block}: this_thread_block()")
        for warp, y in enumerate((1.9, -0.1)):
            gone = HERE if block and warp else ()
            colours = [ORANGE if lane in gone else SKY if lane // 4 % 2 else PALE for lane in range(16)]
            panel.row(left + 0.1, y, colours, wide=0.95, high=0.85)
    panel.box(0.05, 1.8, 3.9, 1.05, edge=ORANGE, line=2)
    panel.text(0.1, 1.25, "tiled_partition<4>: a tile", ORANGE, "left", -1)
    panel.text(17.1, 1.25, "coalesced_threads(): those that are here", ORANGE, "left", -1)


def steps(sheet: Sheet) -> None:
    panel = sheet.panel("Steps in one launch: a barrier of the grid between them", (-4.2, 33), (-6.6, 2.2))
    for row, name in enumerate(("in", "scratch", "out")):
        y = -3.1 * row
        panel.row(0, y, [SKY if i // 8 % 2 else PALE for i in range(32)])
        panel.text(-0.5, y + 0.5, name, at="right")
        for i in (7, 16) if row < 2 else ():
            for k in (-1, 0, 1):
                panel.arrow((i + k + 0.5, y), (i + 0.5, y - 2.1), ORANGE)
    panel.text(12, -1.0, "step 1", ORANGE)
    panel.text(12, -4.9, "step 2", ORANGE)
    panel.line([(-0.2, -3.52), (32.2, -3.52)], BLUE, 2.2)
    panel.text(32, -4.1, "grid.sync(): all blocks have written scratch", BLUE, "right", -1)
    for block in range(4):
        panel.text(8 * block + 4, 1.5, f"block {block}", EDGE, size=-1)


def draw(sheet: Sheet) -> None:
    groups(sheet)
    steps(sheet)
