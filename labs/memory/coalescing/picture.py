"""Draws the sectors of one request, the way through a tile, and the banks of a column (docs/pictures.py coalescing)."""

from pictures import BLUE, EMPTY, GREY, NOTE, ORANGE, SKY, Sheet

SECTOR, SHOWN, BOTH = 8, 72, "#7a5e50"  # floats in a sector, floats that are drawn, the colour where row and column cross


def sectors(sheet: Sheet) -> None:
    """Rows of memory, a square for each float: what the lanes want, and what moves with it."""
    panel = sheet.panel("One request: which sectors do 32 lanes touch?", (-18, SHOWN + 14), (-12.6, 1.6), 1.9)
    rows = [("stride 1", 1, 0), ("stride 1, offset 3", 1, 3), ("stride 2", 2, 0), ("one field of 4", 4, 0), ("down a column", 24, 0)]
    for number, (name, stride, offset) in enumerate(rows):
        y = -2.6 * number
        wanted = {stride * lane + offset for lane in range(32)}
        moved = {e // SECTOR for e in wanted}
        panel.row(0, y, [BLUE if e in wanted else SKY if e // SECTOR in moved else EMPTY for e in range(SHOWN)], 0.25)
        for s in range(SHOWN // SECTOR):
            panel.box(SECTOR * s, y, SECTOR, 1, edge="black", line=1.1)
        panel.text(-1, y + 0.5, name, at="right")
        panel.text(SHOWN + 1, y + 0.5, f"{len(moved)} sectors" + (" ..." if max(wanted) >= SHOWN else ""), at="left")
    panel.key(-12.1, [(0, BLUE, "wanted by a lane"), (22, SKY, "moved with it, not wanted"), (53, EMPTY, "not moved")])


def tile(sheet: Sheet) -> None:
    """The way of one row of a tile: along a row of in, into the tile, down its column, along a row of out."""
    panel = sheet.panel("Through a tile: both sides move along rows (4 x 4 drawn for 32 x 32)", (-1, 38), (-1.6, 13.2), 0.85)
    for left, bottom, rows, columns in ((0, 2, 8, 12), (18, 4, 4, 4), (28, 0, 12, 8)):
        panel.cells([(left + c, bottom + r) for r in range(rows) for c in range(columns)], EMPTY)
    panel.cells([(8 + k, 8) for k in range(4)] + [(18 + k, 6) for k in range(4)], BLUE)
    panel.cells([(20, 4 + k) for k in range(4)] + [(28 + k, 1) for k in range(4)], ORANGE)
    panel.cells([(20, 6), (29, 1)], BOTH)
    for left, bottom in ((8, 6), (28, 0)):
        panel.box(left, bottom, 4, 4, edge="black", line=1.8)
    panel.arrow((12.3, 8.3), (17.7, 6.6))
    panel.arrow((22.3, 5.2), (27.7, 1.8))
    for x, y, words in ((6, 10.7, "in (global)"), (20, 8.7, "tile (shared)"), (32, 12.6, "out (global)")):
        panel.text(x, y, words)
    panel.text(0, 0.8, "a warp loads a row of in", BLUE, "left")
    panel.text(0, -0.7, "__syncthreads(), then a warp stores a row of out", ORANGE, "left")


def banks(sheet: Sheet) -> None:
    """A column of the tile without and with padding; numbers are banks, 8 drawn for 32."""
    panel = sheet.panel("One column of the tile: its banks (8 drawn for 32)", (-1, 24), (-2.9, 9.2), 0.75)
    for left, pitch, name, result in ((0, 8, "tile[8][8]", "one bank: 8 wavefronts"), (14, 9, "tile[8][8 + 1]", "8 banks: 1 wavefront")):
        for r in range(8):
            panel.row(left, 7 - r, [ORANGE if c == 2 else EMPTY if c < 8 else GREY for c in range(pitch)])
            panel.labels(left, 7 - r, [(r * pitch + c) % 8 if c != 2 else "" for c in range(pitch)], NOTE, -2)
            panel.text(left + 2.5, 7.48 - r, (r * pitch + 2) % 8, "white", size=-2)
        panel.text(left + 4, 8.6, name, code=True)
        panel.text(left + 4, -0.7, result)
    panel.text(11, -2.2, "Numbers are banks; the column after the last one is never used.", NOTE)


def draw(sheet: Sheet) -> None:
    for part in (sectors, tile, banks):
        part(sheet)
