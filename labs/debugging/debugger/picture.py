"""Draws the way from a wrong sum back to the store that made it (docs/pictures.py debugger)."""

from pictures import BLUE, EMPTY, ORANGE, PALE, SKY, Sheet

MOMENTS = (
    ("A: thread 0", "tile[1] = 45", SKY),
    ("B: thread 32", "tile[1] = 81", ORANGE),
    ("D: thread 1", "81 + 82 + 18", PALE),
    ("E: thread 1", "sum = 181", PALE),
)
STEPS = (
    (3, "1. break E if i == 65, run", BLUE),
    (2, "2. print tile[1]@3", BLUE),
    (1, "3. watch tile[1], reverse-continue", ORANGE),
)


def draw(sheet: Sheet) -> None:
    panel = sheet.panel("Block 1 of program 1: time runs down, you go up", (-0.5, 42), (-6.6, 2.0), 1.0)
    for row, (who, value, color) in enumerate(MOMENTS):
        panel.box(0, -1.8 * row, 9.0, 1.2, color, who, "white" if color == ORANGE else "black", size=-0.5)
        panel.box(9.6, -1.8 * row, 9.6, 1.2, EMPTY, value, size=-0.5)
    for row, text, color in STEPS:
        panel.text(20.4, -1.8 * row + 0.6, text, color, "left", -0.5)
