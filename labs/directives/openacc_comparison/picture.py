"""Draws levels of OpenACC, and the bus with one loop, blocks and queues (docs/pictures.py openacc_comparison)."""

from pictures import BLUE, EDGE, GREEN, NOTE, ORANGE, PALE, Panel, Sheet


def levels(sheet: Sheet) -> None:
    """An image whose rows are gangs; a row is taken by lanes, 32 pixels at a time."""
    panel = sheet.panel("gang: a row for each block; vector: its pixels for 32 lanes", (-4.6, 46), (-1.7, 5.4), 1.3)
    for row in range(3):
        y = 3.2 - 1.6 * row
        panel.text(-0.3, y + 0.5, f"row {row}", at="right")
        for part in range(4):
            panel.row(8.4 * part, y, [PALE if part else BLUE] * 8, 0.3)
        panel.text(34.2, y + 0.5, f"blockIdx.x = {row}", at="left")
    panel.text(4, 4.9, "lanes 0 to 31 now", BLUE)
    panel.text(12.4, 4.9, "then these")
    panel.text(0, -1.0, "8 squares drawn for 32 pixels. A pixel is 1 byte: 32 lanes move 32 bytes, one sector.", NOTE, "left", -1)


def one_loop(panel: Panel, y: float) -> None:
    panel.box(0, y + 2, 16, 1, BLUE, "both images in", "white", size=-1)
    panel.box(16, y + 1, 0.8, 1, ORANGE)
    panel.box(16.8, y, 8, 1, GREEN, "result out", "white", size=-1)


def blocks(panel: Panel, y: float, waiting: bool) -> None:
    """Four blocks: 4 in, a little work, 2 out. With `waiting`, each block waits for the one before."""
    enter = leave = 0.0
    for block in range(4):
        ready = enter + 4
        leave = max(ready + 0.5, leave)
        panel.box(enter, y + 2, 4, 1, BLUE, str(block), "white", size=-1)
        panel.box(ready, y + 1, 0.5, 1, ORANGE)
        panel.box(leave, y, 2, 1, GREEN, str(block), "white", size=-1)
        leave += 2
        enter = leave if waiting else ready


def bus(sheet: Sheet) -> None:
    """What the two directions of the bus and the multiprocessors do, over time."""
    panel = sheet.panel("The bus over time, for one merge", (-7.5, 28), (-2.8, 13.4), 1.2)
    one_loop(panel, 10)
    blocks(panel, 5, True)
    blocks(panel, 0, False)
    for y, name in ((10, "one loop"), (5, "blocks,\neach waited for"), (0, "blocks in\ntwo queues")):
        panel.text(-0.6, y + 1.5, name, at="right", size=-1, bold=True)
        panel.line([(0, y - 0.35), (27.5, y - 0.35)], width=0.6)
    panel.key(-2.6, [(0, BLUE, "to the device"), (10, ORANGE, "kernel"), (17, GREEN, "to the host")])
    panel.text(21.9, 1.2, "saved", EDGE)
    panel.arrow((25.0, 0.55), (18.8, 0.55), EDGE, both=True)


def draw(sheet: Sheet) -> None:
    sheet.wide = 7.6
    levels(sheet)
    bus(sheet)
