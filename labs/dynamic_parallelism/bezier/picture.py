"""Draws points by curvature, the memory they take, and which grid launches which (docs/pictures.py bezier)."""

from pictures import BLUE, EMPTY, GREY, ORANGE, Sheet

CURVES = [((0, 0), (2, 0.5), (4, 1)), ((5, 0), (7, 1.6), (9, 0.6)), ((10, 0), (12.2, 5), (14, 0.2))]
COUNTS = [2, 4, 8]


def chain(curve: tuple, count: int) -> list[tuple[float, float]]:
    """Points of a curve, the same distance of its parameter apart."""
    steps = [i / (count - 1) for i in range(count)]
    return [tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(*curve)) for t in steps]


def drawn(sheet: Sheet) -> None:
    panel = sheet.panel("The more a curve is bent, the more points", (-0.5, 14.5), (-1.1, 2.7))
    for curve, count in zip(CURVES, COUNTS):
        panel.line(chain(curve, 61), GREY, 4)
        panel.line(chain(curve, count), BLUE, 1.2, mark="o")
        panel.text(curve[1][0], -0.85, f"{count} points")


def memory(sheet: Sheet) -> None:
    panel = sheet.panel("Memory: room for the most, or for what is needed", (-3.4, 28.6), (-0.3, 2.4), 1.5)
    for name, y, most, gap in (("part 1", 1.5, 9, 0.5), ("part 2", 0.0, 0, 1.5)):
        x = 0.0
        for count in COUNTS:
            cells = most or count
            panel.row(x, y, [BLUE] * count + [EMPTY] * (cells - count), high=0.8)
            panel.box(x, y, cells, 0.8, edge="black", line=1.6)
            x += cells + gap
        panel.text(-0.4, y + 0.4, name, at="right")


def grids(sheet: Sheet) -> None:
    """Who launches whom, and who waits for whom; time goes to the right."""
    panel = sheet.panel("Grids: a child for each curve, then the tail", (-0.4, 24.4), (-2.5, 3.2), 1.3)
    boxes = [(0, 2, 2.6, "host", "black"), (4.2, 2, 5, "measure_kernel", "black"), (10.2, 0.6, 2.8, "child 0", BLUE),
             (10.2, -0.8, 3.4, "child 1", BLUE), (10.2, -2.2, 5, "child 2", BLUE), (17.6, 2, 4.9, "length_kernel", ORANGE)]
    for x, y, wide, words, colour in boxes:
        panel.box(x, y, wide, 0.9, "white", words, colour, colour, 1.8, round_by=0.06)
    panel.arrow((2.7, 2.45), (4.1, 2.45))
    for number in range(3):
        panel.arrow((8.2 - 0.7 * number, 1.9), (10.1, 1.05 - 1.4 * number), BLUE)
    panel.arrow((9.3, 2.45), (17.5, 2.45), ORANGE)
    panel.text(13, 2.85, "tail launch", ORANGE)
    panel.line([(16.3, -2.4), (16.3, 3.1)], ORANGE, 1.2, "--")
    panel.text(16.6, -1.0, "starts when the kernel\nand all its children\nare complete", ORANGE, "left")


def draw(sheet: Sheet) -> None:
    sheet.wide = 7.2
    for part in (drawn, memory, grids):
        part(sheet)
