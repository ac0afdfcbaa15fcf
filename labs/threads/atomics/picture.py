"""Draws turns by address, rounding near 2^24, and a loop of compare and swap (docs/pictures.py atomics)."""

from pictures import EMPTY, NOTE, ORANGE, PALE, SKY, Sheet


def turns(sheet: Sheet) -> None:
    """Eight lanes on one address, on two, and on eight of one sector."""
    panel = sheet.panel("Eight lanes add: lanes on one address take turns, words of a sector share one", (-7, 33), (-10.4, 2.2), 0.75)
    for row, (addresses, said) in enumerate(((1, "8 turns"), (2, "4 turns"), (8, "1 turn"))):
        y = -4.2 * row
        panel.text(-0.4, y + 1.1, f"lane i adds to\nword i % {addresses}", at="right", size=-1)
        for lane in range(8):
            panel.box(2.2 * lane, y + 1, 1.9, 1, PALE, str(lane), size=-1)
            panel.arrow((2.2 * lane + 0.95, y + 1), (2.2 * (lane % addresses) + 0.95, y - 0.5), "black" if addresses == 8 else ORANGE)
        for word in range(8):
            panel.box(2.2 * word, y - 1.5, 1.9, 1, SKY if word < addresses else EMPTY, "")
        panel.text(19, y + 0.2, said, at="left")
    panel.text(-0.4, -9.4, "a sector: 8 words", NOTE, "right", -1.5)


def rounding(sheet: Sheet) -> None:
    """The floats around 2^24 + 2, and two ways to add two ones to 2^24."""
    panel = sheet.panel("From 2^24 on, floats are 2 apart: two ways to add two ones", (-7, 33), (-3.6, 1.7), 0.75)
    for row, (name, steps) in enumerate((("one by one", ["2^24", "+ 1 = 2^24", "+ 1 = 2^24"]),
                                         ("together first", ["1 + 1 = 2", "2^24 + 2", ""]))):
        panel.text(-0.4, 0.5 - 2.2 * row, name, at="right", size=-1)
        for step, text in enumerate(steps):
            if not text:
                continue
            panel.box(9 * step, -2.2 * row, 7, 1.1, SKY if row else PALE, text, size=-1)
            if step:
                panel.arrow((9 * step - 1.9, 0.55 - 2.2 * row), (9 * step - 0.1, 0.55 - 2.2 * row), ORANGE)
    panel.text(17, -1.65, "no bit is lost", NOTE, "left", -1)


def loop(sheet: Sheet) -> None:
    """Two groups want seats; the second one's guess fails once."""
    panel = sheet.panel("Two groups book on one flight: a wrong guess returns what is there", (-7, 33), (-5.4, 1.8), 0.75)
    rows = [("group A wants 3", "atomicCAS(p, 0, 3)", "returns 0: seats 0, 1, 2", "*p = 3"),
            ("group B wants 2", "atomicCAS(p, 0, 2)", "returns 3: guess again", "*p = 3"),
            ("", "atomicCAS(p, 3, 5)", "returns 3: seats 3, 4", "*p = 5")]
    for row, (who, what, answer, after) in enumerate(rows):
        y = -2.1 * row
        panel.text(-0.4, y + 0.55, who, at="right", size=-1)
        panel.box(0, y, 9.5, 1.1, PALE, what, size=-1)
        panel.arrow((9.6, y + 0.55), (11.8, y + 0.55), ORANGE if row == 1 else "black")
        panel.text(12.2, y + 0.55, answer, ORANGE if row == 1 else "black", "left", -1)
        panel.box(25, y, 5, 1.1, SKY, after, size=-1)


def draw(sheet: Sheet) -> None:
    for part in (turns, rounding, loop):
        part(sheet)
