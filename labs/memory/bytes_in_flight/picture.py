"""Draws loads of a warp on their way, and the bandwidth against the bytes in flight (docs/pictures.py bytes_in_flight)."""

from pictures import BLUE, GREY, NOTE, ORANGE, SKY, Sheet

# Copies of 2^26 floats on an H200: KiB of loads in flight on each multiprocessor, GB/s read and written together.
MEASURED = [(1, 645), (4, 2109), (8, 3080), (32, 4260)]
PREDICTED = [(0, 0), (1, 672), (4, 2212), (8, 3280), (16, 4003), (32, 4310)]
PEAK, KNEE = 4250.0, 6.29  # GB/s; KiB at 400 ns


def timelines(sheet: Sheet) -> None:
    """One warp: loads one after the other, and four at a time."""
    panel = sheet.panel("One warp and the memory: 400 ns from a load to its data", (-9.5, 44), (-5.6, 5.4), 1.1)
    panel.text(-0.6, 4.2, "one load\nunder way", at="right")
    for turn in range(3):
        panel.box(14 * turn, 3.7, 12, 1, SKY, "load", size=-1)
        panel.box(14 * turn + 12, 3.7, 2, 1, ORANGE, "st", size=-2)
    panel.text(42.4, 4.2, "...", at="left")
    panel.text(-0.6, 0.6, "four loads\nunder way", at="right")
    for turn in range(2):
        for k in range(4):
            panel.box(17.5 * turn + 0.6 * k, 1.6 - 0.9 * k, 12, 0.85, SKY, "load", size=-2)
        for k in range(4):
            panel.box(17.5 * turn + 13.9 + 0.9 * k, 1.6 - 0.9 * k, 0.9, 0.85, ORANGE)
    panel.text(35.6, 0.6, "...", at="left")
    panel.line([(0, -2.2), (42, -2.2)], NOTE)
    panel.text(21, -2.9, "time", NOTE)
    panel.key(-5.2, [(-3, SKY, "on its way: 128 bytes of a warp, 512 by float4"), (29, ORANGE, "stored")])


def curve(sheet: Sheet) -> None:
    """Bandwidth against bytes in flight: two straight lines, what the model predicts, and what was measured."""
    panel = sheet.panel("Scaling an array on an H200: GB/s against loads in flight", (-6, 36.5), (-9, 49), 0.36)
    for share in range(5):
        panel.line([(0, 10 * share), (33, 10 * share)], GREY, 0.5)
        panel.text(-0.5, 10 * share, 1000 * share, at="right", size=-1)
    for kib in (0, 4, 8, 16, 24, 32):
        panel.text(kib, -2.8, f"{kib} KiB" if kib else 0, size=-1)
    panel.line([(0, 0), (KNEE, PEAK / 100), (33, PEAK / 100)], "black", 1.0, "--")
    panel.line([(x, y / 100) for x, y in PREDICTED], BLUE, 1.8)
    for x, y in MEASURED:
        panel.box(x - 0.3, y / 100 - 0.85, 0.6, 1.7, ORANGE)
    panel.line([(KNEE, 0), (KNEE, PEAK / 100)], NOTE, 0.8, ":")
    panel.text(KNEE + 0.3, 7, "Little's law:\n6.3 KiB", NOTE, "left", size=-1)
    panel.text(24.5, 45.2, "all that the memory delivers", NOTE, size=-1)
    panel.text(16.6, 36.2, "90 %: twice as much\nas the law asks for", BLUE, "left", size=-1)
    panel.key(-8, [(0, BLUE, "predicted"), (9, ORANGE, "measured")], 0.8, 2.4)
    panel.text(19, -6.8, "dashed: Little's law, up to the peak", at="left")


def draw(sheet: Sheet) -> None:
    for part in (timelines, curve):
        part(sheet)
