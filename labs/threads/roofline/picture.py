"""Draws the roofline of an H200 with the lab's kernels, and a kernel as three passes and as one (docs/pictures.py roofline)."""

import math

from pictures import BLUE, GREEN, GREY, NOTE, ORANGE, PALE, SKY, Sheet

PEAK, RATE = 66900.0, 4250.0  # GFLOP/s, GB/s
RIDGE = PEAK / RATE
# FLOP per byte of the six kernels.
PLACED = (("saxpy", 1 / 6), ("sum", 1 / 4), ("half to float", 1 / 3), ("window of 9", 9 / 8), ("polynomial of degree 16", 4),
          ("product, tiles of 32", 8))


def at(intensity: float, rate: float) -> tuple[float, float]:
    return (4 * math.log10(intensity), 4 * math.log10(rate / 100))


def roof(intensity: float) -> float:
    return min(intensity * RATE, PEAK)


def ceilings(sheet: Sheet) -> None:
    """Both axes are logarithmic, a decade is 4 units."""
    panel = sheet.panel("The roofline of an H200: GFLOP/s against FLOP per byte (both logarithmic)", (-6.6, 9.6), (-1.6, 12.6), 0.72)
    for power in range(-1, 3):
        panel.line([at(10.0**power, 100), at(10.0**power, 100000)], GREY, 0.6)
        panel.text(4 * power, -0.5, f"{10.0**power:g}", size=-0.5)
    for rate in (100, 1000, 10000, 100000):
        panel.line([at(0.1, rate), at(100, rate)], GREY, 0.6)
        panel.text(-4.2, at(1, rate)[1], f"{rate:,}", at="right", size=-0.5)
    panel.line([at(0.1, roof(0.1)), at(RIDGE, PEAK), at(100, PEAK)], "black", 2.0)
    panel.line([at(RIDGE, 100), at(RIDGE, PEAK)], NOTE, 0.8, ":")
    panel.text(at(RIDGE, 1)[0] + 0.15, 0.5, "ridge point: 16", NOTE, "left", -0.5)
    panel.text(at(RIDGE, 1)[0] + 1.6, at(1, PEAK)[1] + 0.5, "128 lanes x 132 do no more", NOTE, size=-0.5)
    panel.text(-1.2, 9.2, "memory delivers no more:\n4250 GB/s", NOTE, size=-0.5)
    for name, intensity in PLACED:
        panel.line([at(intensity, roof(intensity))], BLUE, 0, mark="o")
        x, y = at(intensity, roof(intensity))
        panel.text(x + 0.3, y - 0.25, name, BLUE, "left", -0.5)
    x, y = at(1, 400)
    panel.text(x + 0.4, y, "well below both: latency", NOTE, "left", -0.5)
    panel.line([at(1, 400)], ORANGE, 0, mark="o")
    panel.text(2, -1.3, "FLOP for each byte moved", size=-0.5)


def passes(sheet: Sheet) -> None:
    """What moves between memory and three kernels, or one."""
    panel = sheet.panel("Three steps as three passes, and as one: 7 FLOP for 24 bytes, 7 FLOP for 8", (0, 44), (-5.8, 4.4), 0.8)
    for y, kernels in ((2.0, (("2 FLOP", 9), ("3 FLOP", 9), ("2 FLOP", 9))), (-3.4, (("7 FLOP", 9),))):
        x = 5.0
        panel.text(0, y + 0.8, "kernels", at="left", size=-0.5)
        panel.text(0, y - 1.4, "memory", at="left", size=-0.5)
        panel.box(5, y - 2.1, 33, 1.4, PALE)
        for words, wide in kernels:
            panel.box(x, y, wide, 1.6, GREEN if len(kernels) == 1 else SKY, words, size=-0.5)
            panel.arrow((x + 1.5, y - 0.8), (x + 1.5, y))
            panel.arrow((x + wide - 1.5, y), (x + wide - 1.5, y - 0.8))
            x += 12
    panel.text(39, 2.4, "4 bytes for\neach arrow", NOTE, "left", -1)


def draw(sheet: Sheet) -> None:
    for part in (ceilings, passes):
        part(sheet)
