"""Draws the timeline of one slice, of four slices in streams, and the default-stream trap (docs/pictures.py streams)."""

from pictures import BLUE, GREEN, ORANGE, PINK, Sheet

COLOURS = [BLUE, ORANGE, GREEN, PINK]
ROWS = ["copies in", "kernels", "copies out"]
PIECES = (3.0, 2.0, 3.0)  # Lengths for one of four slices.


def schedule(slices: int, trap: bool) -> list[tuple[int, int, float, float]]:
    """Row, slice, start and length of every piece: each engine and each slice work in order. With `trap`, a kernel waits
    for all that was put into streams before it, and all that comes later waits for the kernel."""
    free, pieces, latest, gate = [0.0] * 3, [], 0.0, 0.0
    for number in range(slices):
        ready = gate
        for row, piece in enumerate(PIECES):
            start = max(free[row], ready, gate, latest if trap and row == 1 else 0)
            free[row] = ready = start + piece * 4 / slices
            latest = max(latest, ready)
            pieces.append((row, number, start, piece * 4 / slices))
            if trap and row == 1:
                gate = ready
    return pieces


def draw(sheet: Sheet) -> None:
    sheet.wide = 6.4
    for title, slices, trap in (("One slice: one after the other", 1, False),
                                ("Four slices in four streams: the copies have no gaps", 4, False),
                                ("Kernels in the default stream: all else waits for them", 4, True)):
        panel = sheet.panel(title, (-6.6, 32.5), (-2.3, 1.1), stretch=2.2)
        pieces = schedule(slices, trap)
        for row, number, start, length in pieces:
            panel.box(start, -row, length, 0.8, COLOURS[number], str(number), "white", "white")
        for row, name in enumerate(ROWS):
            panel.text(-0.4, -row + 0.4, name, at="right")
        end = max(start + length for _, _, start, length in pieces)
        panel.line([(end, -2.2), (end, 1.0)], dash=":")
