"""Draws two ways of a copy, a ring of buffers, and rates against sizes (docs/pictures.py pinned_memory)."""

from math import log2

from pictures import BLUE, GREEN, GREY, NOTE, ORANGE, PALE, SKY, Sheet

# Of an H200: latency of a copy in us, and bytes in a us, as the virtual GPU has them.
PINNED, PAGEABLE = (2.0, 55500.0), (6.0, 8500.0)


def ways(sheet: Sheet) -> None:
    """From pageable memory through the driver's buffer, and from pinned memory at once."""
    panel = sheet.panel("Who moves the bytes", (-0.5, 42), (-4.2, 4.4), 1.1)
    panel.box(0, 1.4, 9, 2, PALE, "pageable")
    panel.box(16, 1.4, 9, 2, SKY, "driver's buffer", size=-1)
    panel.box(0, -2.6, 25, 2, SKY, "pinned")
    panel.box(33, -2.6, 8, 6, GREEN, "device", ink="white")
    panel.arrow((9.3, 2.4), (15.7, 2.4), ORANGE)
    panel.text(12.5, 3.5, "the host", ORANGE, size=-1)
    panel.arrow((25.3, 2.4), (32.7, 2.4), BLUE)
    panel.arrow((25.3, -1.6), (32.7, -1.6), BLUE)
    panel.text(29, 3.5, "copy engine", BLUE, size=-1)
    panel.text(29, -0.5, "copy engine", BLUE, size=-1)


def rings(sheet: Sheet) -> None:
    """One buffer, and two, with a host that fills as fast as the engine copies."""
    panel = sheet.panel("Chunks through one pinned buffer, and through two", (-8.5, 37), (-7.2, 4.4), 1.0)
    for top, name, buffers in ((2, "one\nbuffer", 1), (-3.2, "two\nbuffers", 2)):
        panel.text(-0.5, top, name, at="right")
        copied = [0.0] * buffers
        filled = end = 0.0
        for chunk in range(4):
            start = max(filled, copied[chunk % buffers])
            filled = start + 4
            panel.box(start, top + 0.1, 4, 1.6, ORANGE, f"fill {chunk % buffers}", "white", size=-2)
            begin = max(filled, end)
            copied[chunk % buffers] = end = begin + 4
            panel.box(begin, top - 1.7, 4, 1.6, BLUE, f"copy {chunk % buffers}", "white", size=-2)
        panel.line([(end, top - 1.9), (end, top + 1.9)], dash=":")
    panel.key(-6.9, [(0, ORANGE, "host"), (9, BLUE, "copy engine")], 0.8, 1.2)
    panel.text(21, -6.3, "number: the buffer", NOTE, "left")


def rates(sheet: Sheet) -> None:
    """Rate of one copy against its size, from 1 KiB to 64 MiB."""
    panel = sheet.panel("One copy to an H200, predicted: GB/s against its size", (-2.4, 18.5), (-13, 60), 0.115)
    for rate in (0, 10, 20, 30, 40, 50):
        panel.line([(0, rate), (16, rate)], GREY, 0.5)
        panel.text(-0.2, rate, rate, at="right", size=-1)
    for step, name in ((0, "1 KiB"), (4, "16 KiB"), (8, "256 KiB"), (12, "4 MiB"), (16, "64 MiB")):
        panel.text(step, -5, name, size=-1)
    for (latency, most), colour, name, at in ((PINNED, BLUE, "pinned", 10.6), (PAGEABLE, ORANGE, "pageable", 11.4)):
        curve = [(step / 2, 2 ** (10 + step / 2) / (latency + 2 ** (10 + step / 2) / most) / 1000) for step in range(33)]
        panel.line(curve, colour, 1.8)
        half = log2(latency * most) - 10
        panel.box(half - 0.14, most / 2000 - 1.6, 0.28, 3.2, colour)
        panel.text(at, (48 if colour == BLUE else 14), name, colour)
    panel.text(0, -11, "squares: half of the rate, where the bytes take as long as the latency", NOTE, "left", size=-1)


def draw(sheet: Sheet) -> None:
    for part in (ways, rings, rates):
        part(sheet)
