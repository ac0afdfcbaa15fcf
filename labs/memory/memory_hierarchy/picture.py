"""Draws what a step takes against the bytes walked, and what each level delivers (docs/pictures.py memory_hierarchy)."""

from math import log2

from pictures import BLUE, GREEN, GREY, NOTE, ORANGE, PINK, SKY, Sheet

# KiB walked, nanoseconds of a step in the second round, as predicted for an H200.
WARM = [(4, 20.7), (32, 20.7), (96, 20.7), (128, 52.6), (192, 139), (2048, 139), (32768, 139)]
FIRST = [(4, 397), (32768, 397)]


def staircase(sheet: Sheet) -> None:
    """Nanoseconds of a step, by the bytes that are walked."""
    panel = sheet.panel("One thread goes from node to node: nanoseconds of a step", (-2.6, 15.5), (-9, 46), 0.115)
    for ns in (0, 100, 200, 300, 400):
        panel.line([(0, ns / 10), (15, ns / 10)], GREY, 0.5)
        panel.text(-0.25, ns / 10, ns, at="right", size=-1)
    for kib in (4, 32, 256, 2048, 16384):
        panel.text(log2(kib) - 1, -2.6, f"{kib} KiB" if kib < 1024 else f"{kib // 1024} MiB", size=-1)
    for kib, words in ((128, "the level-1 cache is full"),):
        panel.line([(log2(kib) - 1, 0), (log2(kib) - 1, 43)], NOTE, 0.8, ":")
        panel.text(log2(kib) - 0.85, 34, words, NOTE, "left", size=-1)
    panel.line([(log2(kib) - 1, ns / 10) for kib, ns in FIRST], ORANGE, 1.8)
    panel.line([(log2(kib) - 1, ns / 10) for kib, ns in WARM], BLUE, 1.8)
    panel.text(1.2, 36.5, "first visits: memory", ORANGE, "left", size=-1)
    panel.text(1.2, 5.6, "level-1 cache: 21 ns", BLUE, "left", size=-1)
    panel.text(9.0, 17.6, "level-2 cache: 139 ns", BLUE, "left", size=-1)
    panel.text(7.5, -7, "bytes of the chain; blue: from the second round on; beyond 60 MiB, memory again", NOTE, size=-1)


def rates(sheet: Sheet) -> None:
    """What each level delivers to all multiprocessors."""
    panel = sheet.panel("All threads read: bytes in a second for 132 multiprocessors", (-10.5, 38), (-1, 10), 0.9)
    for row, (level, rate, colour) in enumerate((("shared memory", 33, GREEN), ("level-1 cache", 33, BLUE),
                                                 ("level-2 cache", 10, SKY), ("memory", 4.25, PINK))):
        panel.box(0, 7.6 - 2.4 * row, rate, 1.6, colour)
        panel.text(-0.4, 8.4 - 2.4 * row, level, at="right")
        panel.text(rate + 0.4, 8.4 - 2.4 * row, f"{rate:g} TB/s", at="left")


def draw(sheet: Sheet) -> None:
    for part in (staircase, rates):
        part(sheet)
