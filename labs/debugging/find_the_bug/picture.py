"""Draws a race and a missing fence, each in two orders: one that hides it, one that shows it (docs/pictures.py find_the_bug)."""

from pictures import BLUE, EMPTY, NOTE, ORANGE, PALE, SKY, Panel, Sheet


def steps(panel: Panel, x: float, words: list[tuple[int, str, bool]]) -> None:
    """What two sides do, from top to bottom: a column each, a row for each step; True: it goes wrong here."""
    for row, (side, text, wrong) in enumerate(words):
        panel.box(x + 9 * side, -1.5 * row, 8.6, 1.1, ORANGE if wrong else SKY if side == 0 else PALE, text,
                  "white" if wrong else "black", size=-0.5)


def race(sheet: Sheet) -> None:
    """Program 5: data is 5 6 7; thread 0 takes the 6 or what thread 1 has made of it."""
    panel = sheet.panel("Program 5: nothing orders thread 0's read and thread 1's write", (-0.5, 42), (-6.9, 3.6), 1.0)
    for x, title, found in ((0, "the usual order: right", "6 7"), (22, "another legal order: wrong", "7 7")):
        panel.text(x + 8.8, 3.0, title, bold=True)
        for k, value in enumerate((5, 6, 7)):
            panel.box(x + 6 + 2 * k, 1.4, 1.8, 1.0, EMPTY, str(value))
        panel.text(x + 5.6, 1.9, "data", NOTE, "right", -0.5)
        panel.text(x + 8.8, -6.3, f"data[0], data[1] are now {found}", BLUE if x == 0 else ORANGE)
    steps(panel, 0, [(0, "thread 0 reads 6", False), (0, "writes data[0]", False), (1, "thread 1 reads 7", False),
                     (1, "writes data[1]", False)])
    steps(panel, 22, [(1, "thread 1 reads 7", False), (1, "writes data[1]", False), (0, "thread 0 reads 7", True),
                      (0, "writes data[0]", False)])


def fence(sheet: Sheet) -> None:
    """Program 6: a block's sum may arrive after its count."""
    panel = sheet.panel("Program 6: without a fence a block's sum may arrive behind its count", (-0.5, 42), (-6.9, 2.2), 1.0)
    for x, title in ((0, "in the order of the program"), (22, "in the order of arrival")):
        panel.text(x + 8.8, 1.6, title, bold=True)
    steps(panel, 0, [(0, "block 7 stores its sum", False), (0, "counts itself", False), (1, "the last one counts", False),
                     (1, "reads block 7's sum", False)])
    steps(panel, 22, [(0, "counts itself", False), (1, "the last one counts", False), (1, "reads: not there yet", True),
                      (0, "the sum arrives", False)])
    panel.text(8.8, -6.3, "__threadfence() keeps this order", BLUE)


def draw(sheet: Sheet) -> None:
    race(sheet)
    fence(sheet)
