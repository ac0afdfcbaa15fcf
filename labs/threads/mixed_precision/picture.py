"""Draws 16-bit formats, what dp4a and dp2a multiply, and windows of four bytes (docs/pictures.py mixed_precision)."""

from pictures import EMPTY, NOTE, ORANGE, PALE, SKY, Sheet


def formats(sheet: Sheet) -> None:
    """Sign, exponent and fraction of three formats."""
    panel = sheet.panel("Sign, exponent and fraction: what is exact, and what is too large", (-7, 41), (-4.9, 1.9), 0.75)
    for row, (name, exponent, fraction, said) in enumerate((("half", 5, 10, "whole numbers to 2048; up to 65504"),
                                                            ("bfloat16", 8, 7, "to 256; up to 3.4e38"),
                                                            ("float", 8, 23, "to 16777216; up to 3.4e38"))):
        y = -2.1 * row
        panel.text(-0.4, y + 0.55, name, at="right", size=-1)
        panel.box(0, y, 0.9, 1.1, EMPTY, "", size=-1)
        panel.box(0.9, y, 0.7 * exponent, 1.1, SKY, str(exponent), size=-1)
        panel.box(0.9 + 0.7 * exponent, y, 0.7 * fraction, 1.1, PALE, str(fraction), size=-1)
        panel.text(1.6 + 0.7 * (exponent + fraction), y + 0.55, said, NOTE, "left", -1.5)


def products(sheet: Sheet) -> None:
    """Which numbers of two registers one instruction multiplies."""
    panel = sheet.panel("One instruction: four bytes by four, or two of 16 bits by two bytes", (-7, 41), (-4.6, 2.9), 0.75)
    for column, (name, wide, first) in enumerate((("dp4a", 1, 0), ("dp2a_lo", 2, 0), ("dp2a_hi", 2, 2))):
        x = 13.5 * column
        panel.text(x + 5, 2.3, name, size=-1, bold=True)
        count = 4 // wide
        for i in range(count):
            panel.box(x + 2.5 * wide * i, 0.4, 2.5 * wide - 0.2, 1.1, PALE, f"a{i}", size=-1)
        for i in range(4):
            used = first <= i < first + count
            panel.box(x + 2.5 * i, -2.6, 2.3, 1.1, SKY if used else EMPTY, f"b{i}", size=-1)
        for i in range(count):
            panel.arrow((x + 2.5 * wide * (i + 0.5) - 0.1, 0.4), (x + 2.5 * (i + first) + 1.15, -1.4), ORANGE)
        panel.text(x + 5, -3.7, "c + " + " + ".join(f"a{i} b{i + first}" for i in range(count)), NOTE, size=-1.5)
    panel.text(-0.4, 0.95, "lowest bits first", NOTE, "right", -1.5)


def windows(sheet: Sheet) -> None:
    """The four windows of a thread in two words."""
    panel = sheet.panel("Four sums of a thread: four bytes each, from the same two words", (-7, 41), (-8.6, 1.9), 0.75)
    for i in range(8):
        panel.box(2.5 * i + (0.4 if i > 3 else 0), 0, 2.3, 1.1, SKY if i < 4 else PALE, str(i), size=-1)
    panel.text(-0.4, 0.55, "low, high", at="right", size=-1)
    for s, how in enumerate(("low", "0x4321", "0x5432", "0x6543")):
        y = -2 - 1.9 * s
        panel.text(-0.4, y + 0.55, f"sum {s}", at="right", size=-1)
        for i in range(s, s + 4):
            panel.box(2.5 * i + (0.4 if i > 3 else 0), y, 2.3, 1.1, SKY if i < 4 else PALE, str(i), size=-1)
        panel.text(21.2, y + 0.55, how if s == 0 else f"__byte_perm(low, high, {how})", NOTE, "left", -1.5)


def draw(sheet: Sheet) -> None:
    for part in (formats, products, windows):
        part(sheet)
