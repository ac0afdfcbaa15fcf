"""Draws an image with its edges, the banks of one and of eight histograms, and the merge (docs/pictures.py histogram)."""

from pictures import BLUE, EMPTY, GREY, NOTE, ORANGE, PALE, SKY, Sheet

VALUES = [3, 3, 11, 3, 19, 7, 3, 12]  # of the eight lanes that are drawn


def image(sheet: Sheet) -> None:
    """Rows of 13 pixels in a pitch of 16, in tiles of 4 x 4."""
    panel = sheet.panel("An image: 13 pixels in a row, 7 rows, pitch 16, tiles of 4 x 4", (-1, 39), (-2.6, 7.6), 0.75)
    panel.cells([(x, y) for x in range(13) for y in range(7)], SKY)
    panel.cells([(x, y) for x in range(13, 16) for y in range(7)], GREY)
    for x in range(0, 13, 4):
        for y in range(7, 0, -4):
            wide, high = min(4, 13 - x), min(4, y)
            panel.box(x, y - high, wide, high, edge=BLUE, line=2)
    panel.text(17, 6.2, "4 x 2 tiles, blue frames; five of them are partial ones.", at="left")
    panel.text(17, 4.5, "13 / 4 x 7 / 4 = 3 x 1 tiles leave out 43 of 91 pixels.", ORANGE, "left")
    panel.text(17, 2.8, "Grey bytes are no pixels. A lane that loads 16 bytes", at="left")
    panel.text(17, 1.4, "gets some of them, too, and must not count these.", at="left")
    panel.text(0, -1.2, "A row begins 16 bytes after the one above it, not 13.", NOTE, "left", -0.5)


def banks(sheet: Sheet) -> None:
    """Eight lanes and eight banks: which words of which banks are wanted, with one histogram and with eight."""
    for part, (title, copies) in enumerate((("One histogram: word v", 1), ("A copy for each lane: word 8 v + lane", 8))):
        panel = sheet.panel(title, (-1.5, 13.5), (-4.2, 5.6), 0.8, (0.5 * part, 0.5 * part + 0.5))
        wanted: list[list[int]] = [[] for _ in range(8)]
        for lane, value in enumerate(VALUES):
            word = value * copies + lane % copies
            if word not in wanted[word % 8]:
                wanted[word % 8].append(word)
            panel.box(1.5 * lane, 4, 1.3, 1.1, PALE, str(value), size=-0.5)
            panel.arrow((1.5 * lane + 0.65, 4), (1.5 * (word % 8) + 0.65, 1.1), ORANGE if word % 8 == 3 and copies == 1 else "black")
        for bank, words in enumerate(wanted):
            for i in range(max(len(of_bank) for of_bank in wanted)):
                full = i < len(words)
                panel.box(1.5 * bank, -1.2 * i, 1.3, 1.1, SKY if full else EMPTY, str(words[i]) if full else "", size=-1.5)
        panel.text(-0.3, 4.5, "value", at="right", size=-1.5)
        panel.text(-0.3, 0.5, "banks", at="right", size=-1.5)
        most = max(len(of_bank) for of_bank in wanted)
        said = "3 wavefronts: 3, 11 and 19 lie in bank 3" if copies == 1 else "1 wavefront: a bank for each lane"
        panel.text(0, -1.2 * most + 0.1, said, NOTE, "left", -0.5)


def merge(sheet: Sheet) -> None:
    """Copies of a block, its sums, and the image's counts."""
    panel = sheet.panel("From lanes to the image: few additions in global memory", (-0.5, 58), (-5.4, 1.9), 1.4)
    rows = [("lanes", "32 x 256 counts of a block, in shared memory", "atomicAdd for each pixel, no bank conflict"),
            ("block", "256 sums over 32 copies", "__reduce_add_sync: a warp sums 32 words of a row"),
            ("image", "256 counts, in global memory", "atomicAdd, eight neighbouring counts at a time")]
    for row, (who, what, how) in enumerate(rows):
        y, wide = -2.4 * row, 24 - 6 * row
        panel.box(12 - wide / 2, y, wide, 1.4, SKY, who, bold=True)
        panel.text(26, y + 1.05, what, at="left", size=-0.5)
        panel.text(26, y + 0.3, how, NOTE, "left", -0.5)
        for k in (-2, -1, 0, 1, 2) if row < 2 else ():
            panel.arrow((12 + k * wide / 5.5, y), (12 + k * (wide - 6) / 5.5, y - 1.0))


def draw(sheet: Sheet) -> None:
    for part in (image, banks, merge):
        part(sheet)
