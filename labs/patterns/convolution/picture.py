"""Draws a tile with its halo, the two border rules, and the two passes of a separable filter (docs/pictures.py convolution)."""

from pictures import BLUE, EMPTY, GREEN, NOTE, ORANGE, PALE, SKY, Sheet


def tile(sheet: Sheet) -> None:
    """A block's tile of 4 x 4 pixels with a halo of 1, at the upper left corner of an image, under both rules."""
    panel = sheet.panel("A tile of 4 x 4 pixels with a halo of 1, at a corner of the image", (-9.5, 31), (-6.4, 2.4), 1.0)
    values = [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 9], [3, 2, 3, 8, 4], [6, 2, 6, 4, 3]]
    for rule, left in (("clamp", 0.0), ("zero", 13.0)):
        for y in range(-1, 5):
            for x in range(-1, 5):
                is_outside = x < 0 or y < 0
                is_halo = is_outside or x > 3 or y > 3
                panel.cells([(left + x, -y)], EMPTY if is_outside else PALE if is_halo else SKY)
                value = values[max(y, 0)][max(x, 0)] if not is_outside or rule == "clamp" else 0
                panel.text(left + x + 0.5, -y + 0.47, value, ORANGE if is_outside else "black")
        panel.box(left, -1, 3, 3, edge=BLUE, line=1.8)
        panel.text(left + 2, -5.0, rule, bold=True)
    panel.text(-1.4, 1.4, "outside of the\nimage: the rule", ORANGE, "right", -0.5)
    panel.text(-1.4, -1.6, "the block's\npixels", BLUE, "right", -0.5)
    panel.text(-1.4, -3.6, "halo: pixels of\nother blocks", NOTE, "right", -0.5)
    panel.text(18.6, 0.2, "what comes out at 1 needs\nthe 3 x 3 pixels around it", NOTE, "left", -0.5)
    panel.text(18.6, -2.4, "36 pixels are brought\nfor 16 that come out", NOTE, "left", -0.5)


def passes(sheet: Sheet) -> None:
    """Which pixels are read: along rows, halo rows too; then along columns of the sums."""
    panel = sheet.panel("Part 4: along rows, then along columns, in shared memory", (-2.5, 38), (-7.6, 1.8), 1.0)
    for y in range(6):
        panel.row(0, -y, [SKY if x == 2 and 1 <= y <= 3 else PALE for x in range(6)])
    panel.row(1, -2, [BLUE, BLUE, BLUE])
    panel.text(3, -5.7, "tile: 6 x 6", size=-0.5)
    for y in range(6):
        panel.row(12, -y, [SKY if x == 1 and 1 <= y <= 3 else PALE for x in range(4)])
        panel.arrow((6.3, -y + 0.5), (11.7, -y + 0.5), NOTE)
    panel.row(13, -2, [ORANGE])
    panel.text(14, -5.7, "sums along rows: 6 x 4", size=-0.5)
    for y in range(4):
        panel.row(22, -y - 1, [PALE] * 4)
    panel.row(23, -2, [GREEN])
    for x in range(4):
        panel.arrow((16.3, -x - 0.5), (21.7, -x - 0.5), NOTE)
    panel.text(24, -5.7, "what comes out: 4 x 4", size=-0.5)
    panel.text(27, -0.6, "3 + 3 multiply-adds for a pixel,\nand some for the halo's rows,\nin place of 9", NOTE, "left", -0.5)
    panel.text(27, -3.6, "a filter of 15 x 15:\n37 in place of 225", NOTE, "left", -0.5)
    panel.text(-2, -7.0, "A barrier stands at each arrow: what a warp reads there, other warps have stored.", NOTE, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (tile, passes):
        part(sheet)
