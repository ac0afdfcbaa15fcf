"""Draws who starts the next step in five ways, and microseconds a step against the number of steps (docs/pictures.py launch_overhead)."""

import math

from pictures import BLUE, EDGE, GOLD, GREEN, GREY, NOTE, ORANGE, PALE, PINK, SKY, Panel, Sheet

STEPS = (1, 4, 16, 64, 256)
# Predicted for an H200 by the virtual GPU, 2026-11-27, between two events, 4096 cells: microseconds for each step.
WAYS = (("tail launches", ORANGE, (4.75, 9.47, 10.65, 10.94, 11.02)), ("one thread launches", GOLD, (16.69, 8.75, 6.40, 5.81, 5.66)),
        ("host launches", BLUE, (4.71, 3.13, 2.73, 2.63, 2.61)), ("graph", PINK, (3.37, 1.71, 1.29, 1.19, 1.17)),
        ("grid.sync()", GREEN, (5.00, 2.12, 1.32, 1.12, 1.07)), ("one block", "black", (5.73, 2.15, 0.95, 0.68, 0.62)))


def kernels(panel: Panel, y: float, starts: tuple[float, ...], wide: float) -> None:
    for number, x in enumerate(starts):
        panel.box(x, y, wide, 1.1, SKY, str(number + 1), size=-0.5)


def who_starts(sheet: Sheet) -> None:
    """A row for each way: what the host does above, what the device does below."""
    panel = sheet.panel("Who starts the next step? (not to scale)", (-9, 42), (-17.4, 3.2), 0.8)
    kinds = ((-8.5, GREY, "call of the host"), (3.5, SKY, "a step"), (12.5, GOLD, "launch by a kernel"), (26, ORANGE, "all wait"))
    panel.key(2.0, kinds, 1.4, 0.9)
    rows = [("loop of the\nhost", 0.0), ("graph", -3.8), ("kernels", -7.4), ("grid or block", -11.0)]
    for words, y in rows:
        panel.text(-8.5, y - 0.6, words, at="left", size=-0.5, bold=True)
    for k in range(4):
        panel.box(6.0 * k, 0, 5.6, 1.1, GREY, "launch", size=-1.5)
        panel.arrow((6.0 * k + 5.6, 0), (6.0 * k + 6.2, -0.4))
    kernels(panel, -1.5, (6.2, 12.2, 18.2, 24.2), 3)
    panel.text(28.5, -0.3, "the host is busy,\nthe device waits", NOTE, "left", -1)
    panel.box(0, -3.5, 5.6, 1.1, GREY, "launch", size=-1.5)
    panel.arrow((5.6, -3.5), (6.2, -3.9))
    kernels(panel, -5.0, (6.2, 9.9, 13.6, 17.3), 3)
    panel.text(28.5, -4.0, "one call; the device knows\nwhat comes next", NOTE, "left", -1)
    panel.box(0, -7.1, 5.6, 1.1, GREY, "launch", size=-1.5)
    for k in range(4):
        panel.box(6.2 + 5.4 * k, -7.1, 5.2, 1.1, GOLD, "launch", size=-1.5)
    kernels(panel, -8.6, (11.6, 17.0, 22.4, 27.8), 3)
    panel.text(31.4, -7.8, "a thread takes longer\nthan the host", NOTE, "left", -1)
    panel.box(0, -10.7, 5.6, 1.1, GREY, "launch", size=-1.5)
    for k in range(4):
        panel.box(6.2 + 3.9 * k, -12.2, 3, 1.1, SKY, str(k + 1), size=-0.5)
        if k < 3:
            panel.box(9.2 + 3.9 * k, -12.2, 0.9, 1.1, ORANGE)
    panel.text(28.5, -11.2, "one kernel, whose\nthreads wait", NOTE, "left", -1)
    panel.text(-8.5, -14.2, "Each step needs all of the step before it:", at="left", size=-0.5)
    for row, colour in ((0, PALE), (1, SKY)):
        panel.row(13, -14.6 - 2.4 * row, [colour] * 9, wide=2, high=1)
    for middle in (4, 5):
        for offset in (-1, 0, 1):
            panel.arrow((14 + 2 * (middle + offset), -14.6), (14 + 2 * middle, -15.9), BLUE if middle == 4 else EDGE)
    panel.text(32, -14.1, "a", at="left", code=True)
    panel.text(32, -16.5, "b", at="left", code=True)


def time_of_a_step(sheet: Sheet) -> None:
    """Both axes are logarithms to base 2."""
    panel = sheet.panel("Microseconds a step against the number of steps (4096 cells; predicted)", (-1.2, 12.4), (-2.0, 4.6), 0.75)
    for n in STEPS:
        x = math.log2(n)
        panel.line([(x, -0.8), (x, 4.3)], "#dddddd", 0.8)
        panel.text(x, -1.15, n, size=-0.5)
    for us in (1, 2, 4, 8, 16):
        y = math.log2(us)
        panel.line([(0, y), (8, y)], "#dddddd", 0.8)
        panel.text(-0.15, y, f"{us} us", at="right", size=-0.5)
    for words, colour, times in WAYS:
        panel.line([(math.log2(n), math.log2(us)) for n, us in zip(STEPS, times)], colour, 1.6, mark="o")
        raised = {"graph": 0.2, "grid.sync()": -0.2}.get(words, 0.0)
        panel.text(8.3, math.log2(times[-1]) + raised, words, colour, "left", -0.5)
    panel.text(4, -1.7, "steps", size=-0.5)


def draw(sheet: Sheet) -> None:
    for part in (who_starts, time_of_a_step):
        part(sheet)
