"""Draws where pixels of the output lie in the input, the weights of four pixels, and the edges (docs/pictures.py texture_scaling)."""

from pictures import BLUE, EMPTY, GREEN, NOTE, ORANGE, PALE, SKY, Sheet

GREYS = ["#333333", "#777777", "#aaaaaa", "#e4e4e4"]


def places(sheet: Sheet) -> None:
    """Four pixels become six: centres above, and the book's places, without the half."""
    panel = sheet.panel("Four pixels become six: where their centres are", (-6.2, 20), (-3.4, 4.3), 0.8)
    panel.row(0, 2.4, GREYS, wide=3)
    for i in range(4):
        panel.text(3 * i + 0.5, 3, i, "white" if i < 2 else "black", size=-1)
        panel.text(3 * i + 1.5, 3, "x", ORANGE, bold=True)
    for i in range(6):
        panel.cells([(2 * i, -1.4)], PALE, wide=2)
        panel.text(2 * i + 0.4, -0.9, i, size=-1)
        panel.arrow((2 * i + 1, -0.4), (2 * i + 1, 2.4), BLUE)
    panel.text(-0.5, 2.9, "input, with its\ncentres", at="right", size=-0.5)
    panel.text(-0.5, -0.9, "output", at="right", size=-0.5)
    panel.text(12.6, 2.9, "pixel 1 is at 1.5 * 4 / 6 = 1:\nhalf of pixel 0, half of 1", BLUE, "left", -0.5)
    panel.text(12.6, 0.2, "pixel 0 is at 0.33: before the\nfirst centre; all of pixel 0", BLUE, "left", -0.5)
    panel.text(-4, -2.6, "Without the halves, pixel 1 would be at 0.67, and pixel 0 in the corner: all would move.", NOTE, "left", -0.5)


def weights(sheet: Sheet) -> None:
    """The four pixels around a place, and areas as weights."""
    panel = sheet.panel("Weights", (-2.2, 11.5), (-2.4, 7.2), 1.0, (0, 0.4))
    for x in range(2):
        for y in range(2):
            panel.cells([(3 * x, 3 * y)], [SKY, PALE, EMPTY, SKY][2 * y + x], 3, 3)
            panel.text(3 * x + 1.5, 3 * y + 1.5, "x", ORANGE, bold=True)
    panel.box(1.5, 1.5, 3, 3, edge=ORANGE, line=1.2, dash="--")
    panel.line([(3.6, 1.5), (3.6, 4.5)], BLUE, 1.2)
    panel.line([(1.5, 2.3), (4.5, 2.3)], BLUE, 1.2)
    panel.text(2.5, 6.6, "u", BLUE)
    panel.line([(1.5, 6.2), (3.6, 6.2)], BLUE, 1.2)
    panel.text(-1.0, 3.4, "v", BLUE)
    panel.line([(-0.6, 2.3), (-0.6, 4.5)], BLUE, 1.2)
    panel.text(6.4, 4.5, "(1 - u) (1 - v)", at="left", size=-1)
    panel.text(6.4, 3.5, "u (1 - v)", at="left", size=-1)
    panel.text(6.4, 2.5, "(1 - u) v", at="left", size=-1)
    panel.text(6.4, 1.5, "u v", at="left", size=-1)
    panel.text(-2, -1.4, "In a texture, u and v are 256ths.", NOTE, "left", -0.5)


def edges(sheet: Sheet) -> None:
    """A row of four pixels and what is beyond it."""
    panel = sheet.panel("What is beyond the edges", (-1, 19.5), (-2.4, 7.2), 1.0, (0.4, 1))
    black = "#000000"
    beyond = {"clamp": ([0, 0, 0, 0], [3, 3, 3, 3]), "wrap": ([0, 1, 2, 3], [0, 1, 2, 3]), "mirror": ([3, 2, 1, 0], [3, 2, 1, 0])}
    for row, mode in enumerate(("clamp", "wrap", "mirror", "border")):
        y = 5.6 - 1.7 * row
        before, after = beyond.get(mode, ([], []))
        panel.row(4, y, [GREYS[i] for i in before] or [black] * 4)
        panel.row(8, y, GREYS)
        panel.row(12, y, [GREYS[i] for i in after] or [black] * 4)
        panel.box(8, y, 4, 1, edge=ORANGE, line=2)
        panel.text(3.6, y + 0.5, mode, GREEN if mode in ("wrap", "mirror") else "black", "right")
    panel.text(0, -1.4, "Wrap and mirror need normalised coordinates.", GREEN, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (places, weights, edges):
        part(sheet)
