"""Draws strides over the banks, three layouts of a tile, and lanes of 16 bytes (docs/pictures.py bank_conflicts)."""

from pictures import BLUE, EMPTY, GREEN, GREY, NOTE, ORANGE, PINK, Sheet

BANKS = 8  # drawn for 32
PLACES = (0, 11, 22)


def strides(sheet: Sheet) -> None:
    """Words of shared memory, eight banks side by side; the words that eight lanes want at three strides."""
    panel = sheet.panel("Lane l wants word stride x l (8 lanes and banks drawn for 32)", (-2.4, 30.5), (-6.1, 3.0))
    for left, stride, result in zip(PLACES, (1, 2, 3), ("1 wavefront", "2 wavefronts", "1 wavefront")):
        words = {stride * lane: lane for lane in range(BANKS)}
        for row in range(3):
            shown = range(row * BANKS, (row + 1) * BANKS)
            panel.row(left, -row, [BLUE if word in words else EMPTY for word in shown])
            panel.labels(left, -row, [words.get(word, "") for word in shown])
        panel.labels(left, 0.87, range(BANKS), NOTE, -2)
        panel.text(left + 4, 2.5, f"stride {stride}")
        panel.text(left + 4, -2.8, result)
    panel.text(-0.4, 1.35, "bank", NOTE, "right", -2)
    panel.text(14, -4.7, "A column of cells is a bank. Numbers: the lane. Cells from left to right, line by line:\n"
               "words 0, 1, 2, ... Wavefronts: the most lanes in one column.", size=-1)


def layouts(sheet: Sheet) -> None:
    """Where the elements of one column of a tile lie: plain, padded, swizzled."""
    panel = sheet.panel("One column of a tile, row 0 to 7: where do its elements lie?", (-2.4, 30.5), (-11.5, 2.5))
    plans = [("tile[8][8]", 8, lambda r: (r, 2), "one bank: 8 wavefronts"),
             ("tile[8][8 + 1]", 9, lambda r: divmod(9 * r + 2, BANKS), "8 banks: 1 wavefront"),
             ("tile[row][col ^ row]", 8, lambda r: (r, 2 ^ r), "8 banks, no padding")]
    for left, (name, rows, place, result) in zip(PLACES, plans):
        wanted = {place(r): r for r in range(8)}
        padding = {divmod(9 * r + 8, BANKS) for r in range(8)} if rows > 8 else set()
        for line in range(rows):
            places = [(line, bank) for bank in range(BANKS)]
            panel.row(left, -line, [ORANGE if at in wanted else GREY if at in padding else EMPTY for at in places])
            panel.labels(left, -line, [wanted.get(at, "") for at in places])
        panel.text(left + 4, 1.9, name, code=True)
        panel.text(left + 4, -rows - 0.3, result)
    panel.text(-0.4, 0.5, "words\n0 to 7", NOTE, "right", -2)
    panel.text(14, -10.9, "A column of cells is a bank. Numbers: the row. Grey: padding, never used.", size=-1)


def wide(sheet: Sheet) -> None:
    """Lanes of 16 bytes: 8 lanes fill the 32 banks, so a warp is served in four groups."""
    panel = sheet.panel("16 bytes for each lane: 8 lanes already want all 32 banks", (-0.6, 40), (-4.8, 2), 1.2)
    for group, colour in enumerate((BLUE, ORANGE, GREEN, PINK)):
        panel.row(0, -1.5 * group, [colour] * 32)
        panel.labels(0, -1.5 * group, [f"lane {8 * group + lane}" for lane in range(8)], size=-2, step=4)
        panel.text(32.6, 0.48 - 1.5 * group, f"wavefront {group + 1}", at="left")
    panel.text(0, 1.5, "bank 0", NOTE, "left", -2)
    panel.text(32, 1.5, "bank 31", NOTE, "right", -2)


def draw(sheet: Sheet) -> None:
    sheet.font = 12
    for part in (strides, layouts, wide):
        part(sheet)
