"""Draws tiles that meet, the sums of a thread, and two pairs of tiles in turn (docs/pictures.py matrix_product)."""

from pictures import BLUE, EMPTY, NOTE, ORANGE, PALE, SKY, Sheet


def tiles(sheet: Sheet) -> None:
    """A block's square of C, the row of tiles of A and the column of tiles of B that it walks along."""
    panel = sheet.panel("Part 2: a block walks along k, a pair of tiles at a time", (-1, 41), (-1.5, 19.5), 0.8)
    for left, bottom, wide, high, name in ((2, 0, 12, 8, "A"), (17, 10, 12, 9, "B"), (17, 0, 12, 8, "C")):
        panel.box(left, bottom, wide, high, EMPTY)
        panel.text(left - 1.2, bottom + high / 2, name, bold=True)
    panel.box(2, 4, 12, 2, PALE)
    panel.box(21, 10, 2, 9, PALE)
    panel.box(6, 4, 2, 2, BLUE)
    panel.box(21, 13, 2, 2, ORANGE)
    panel.box(21, 4, 2, 2, SKY, edge="black", line=1.6)
    panel.arrow((8.2, 5), (13.8, 5), BLUE)
    panel.arrow((22, 12.8), (22, 10.2), ORANGE)
    panel.text(30.2, 5, "a block's square: its\nsums are in registers", at="left")
    panel.text(30.2, 14, "tile of B: the square's\ncolumns, the same k", ORANGE, "left")
    panel.text(0.8, 10.9, "tile of A: the rows of\nthe square, the same k", BLUE, "left")
    panel.text(8, 3.2, "k", NOTE)
    panel.text(20.2, 16, "k", NOTE)


def thread(sheet: Sheet) -> None:
    """Which numbers of the tiles thread (x, y) multiplies: 4 rows 16 apart, 4 neighbouring columns."""
    title = "Part 3: 4 x 4 sums of one thread, rows 16 apart (drawn: 4 apart)"
    panel = sheet.panel(title, (-7, 36), (-2.2, 21), 0.72)
    panel.cells([(c, r) for r in range(16) for c in range(16)], EMPTY)
    rows = [15 - 1 - 4 * i for i in range(4)]
    panel.cells([(4 + j, r) for r in rows for j in range(4)], SKY)
    panel.cells([(-3 + k, r) for r in range(16) for k in range(2)], EMPTY)
    panel.cells([(-3, r) for r in rows], BLUE)
    panel.cells([(c, 17 + k) for c in range(16) for k in range(2)], EMPTY)
    panel.cells([(4 + j, 18) for j in range(4)], ORANGE)
    panel.text(-5, 8, "A", bold=True)
    panel.text(-1.2, 18, "B", bold=True)
    panel.text(18, 18, "4 numbers of B: a load of 16 bytes;\n16 lanes read 256 side by side", ORANGE, "left")
    panel.text(18, 11.5, "4 numbers of A, each for a row;\none load brings four steps of k", BLUE, "left")
    panel.text(18, 6, "16 multiply-adds for 8 numbers:\n2 for each that is loaded", at="left")
    panel.text(18, 1.8, "1 x 1: half a multiply-add for each", NOTE, "left")


def turns(sheet: Sheet) -> None:
    """What copies and multiply-adds do in each step, with one pair of tiles and with two."""
    panel = sheet.panel("One pair of tiles, and two", (-1, 48), (-1.6, 9.4), 1.0)
    for y, name, shift in ((6, "one pair", 0), (0.6, "two pairs", 1)):
        panel.text(-0.8, y + 1.5, name, at="left", bold=True)
        for step in range(4):
            if shift == 0:
                panel.box(7 + 10 * step, y + 1.6, 4, 1.4, SKY, f"copy {step}")
                panel.box(11.2 + 10 * step, y, 5.6, 1.4, "#fbd5b5", f"add {step}")
            else:
                panel.box(7 + (0 if step == 0 else 4.2 + 5.8 * (step - 1)), y + 1.6, 4, 1.4, SKY, f"copy {step}")
                panel.box(11.2 + 5.8 * step, y, 5.6, 1.4, "#fbd5b5", f"add {step}")
                panel.line([(11.1 + 5.8 * step, y - 0.4), (11.1 + 5.8 * step, y + 3.3)], "black", 1.6)
    panel.text(36.5, 2.2, "black: wait for one's own\ncopies, then the barrier", at="left", size=-0.5)
    panel.text(7, -1.1, "time", NOTE, "left")
    panel.arrow((9.6, -1.1), (34, -1.1), NOTE)


def draw(sheet: Sheet) -> None:
    for part in (tiles, thread, turns):
        part(sheet)
