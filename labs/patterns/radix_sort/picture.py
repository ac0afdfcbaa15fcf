"""Draws four keys sorted bit by bit, the places of a warp's keys, and the steps of a block (docs/pictures.py radix_sort)."""

from pictures import BLUE, EMPTY, GOLD, NOTE, ORANGE, PALE, SKY, Sheet

KEYS = [9, 6, 13, 2]
SHADES = [SKY, GOLD, PALE, EMPTY]


def passes(sheet: Sheet) -> None:
    """Each pass puts zeros before ones, and keeps the order of equal bits."""
    panel = sheet.panel("Part 1: a pass for each bit, the lowest first; what is equal keeps its order", (-5, 44), (-15.5, 2.2), 0.8)
    order = list(KEYS)
    for done in range(5):
        y = -3.5 * done
        for place, key in enumerate(order):
            panel.box(8 * place, y, 6.4, 1.6, SHADES[KEYS.index(key)], f"{key:2d}  {key:04b}")
        panel.text(-0.6, y + 0.8, "keys" if done == 0 else f"bit {done - 1}", at="right")
        if done < 4:
            after = sorted(order, key=lambda k: k >> done & 1)
            for place, key in enumerate(order):
                panel.arrow((8 * place + 3.2, y), (8 * after.index(key) + 3.2, y - 1.8), ORANGE if key >> done & 1 else BLUE)
            order = after
    panel.text(33, -1.8, "a 0: to the front", BLUE, "left")
    panel.text(33, -3, "a 1: after all the zeros", ORANGE, "left")


def warp(sheet: Sheet) -> None:
    """A ballot says where each lane's key goes."""
    panel = sheet.panel("Part 2: a ballot tells each lane where its key goes", (-5, 44), (-4.6, 4), 0.8)
    bits = [1, 0, 0, 1, 1, 0, 1, 0]
    zeros = bits.count(0)
    panel.row(0, 2, [EMPTY] * 8, wide=3, high=1.5)
    panel.labels(0, 2.25, list(range(8)), "black", step=3)
    panel.row(0, 0, [GOLD if bit else SKY for bit in bits], wide=3, high=1.5)
    panel.labels(0, 0.25, bits, "black", step=3)
    panel.row(0, -4, [SKY] * zeros + [GOLD] * (8 - zeros), wide=3, high=1.5)
    places = [zeros + sum(bits[:i]) if bit else i - sum(bits[:i]) for i, bit in enumerate(bits)]
    panel.labels(0, -3.75, [places.index(place) for place in range(8)], "black", step=3)
    for i, place in enumerate(places):
        panel.arrow((3 * i + 1.5, 0), (3 * place + 1.5, -2.4), ORANGE if bits[i] else BLUE)
    for y, words in ((2.75, "lane"), (0.75, "its bit"), (-3.25, "from lane")):
        panel.text(-0.6, y, words, at="right")
    panel.text(25, 0.75, "lane 4: two ones below it,\nfour zeros in all: place 6", NOTE, "left")


def block(sheet: Sheet) -> None:
    """A part is sorted by digit in shared memory; then runs go to where their digits begin."""
    title = "Part 4: a part is sorted by its digit before it is stored, so neighbours stay neighbours"
    panel = sheet.panel(title, (-5, 44), (-9.4, 2.4), 0.8)
    digits = [2, 0, 1, 2, 2, 0, 1, 0, 2, 1, 0, 2]
    colours = [SKY, GOLD, PALE]
    begins = [1.5, 12, 21]
    after = sorted(range(12), key=lambda i: digits[i])
    panel.row(0, 0, [colours[digit] for digit in digits], wide=2.2, high=1.5)
    panel.labels(-0.4, 0.25, digits, "black", step=2.2)
    panel.row(0, -4, [colours[digits[i]] for i in after], wide=2.2, high=1.5)
    panel.labels(-0.4, -3.75, [digits[i] for i in after], "black", step=2.2)
    for place, i in enumerate(after):
        panel.arrow((2.2 * i + 1.1, 0), (2.2 * place + 1.1, -2.4), BLUE)
    for digit in range(3):
        count = digits.count(digit)
        start = sum(other < digit for other in digits)
        x = 1.4 * begins[digit]
        panel.row(x, -8.6, [colours[digit]] * count, wide=2.2, high=1.5)
        panel.arrow((2.2 * (start + count / 2), -4.1), (x + 1.1 * count, -7), ORANGE)
    for y, words in ((0.75, "part"), (-3.25, "sorted"), (-7.85, "out")):
        panel.text(-0.6, y, words, at="right")
    panel.text(28, 0.75, "rank in the warp, counts of warps", NOTE, "left")
    panel.text(28, -3.25, "in shared memory", NOTE, "left")


def draw(sheet: Sheet) -> None:
    for part in (passes, warp, block):
        part(sheet)
