"""Draws what a child sees, streams of children, and a tail launch (docs/pictures.py dynamic_parallelism)."""

from pictures import GREEN, ORANGE, SKY, Panel, Sheet

HIGH, BAD = 0.8, "#b00020"


def bar(panel: Panel, start: float, end: float, y: float, colour: str, words: str = "", ink: str = "white") -> None:
    """A grid that runs from start to end, in a row of its own."""
    panel.box(start, y, end - start, HIGH, colour, words, ink)


def visibility(sheet: Sheet) -> None:
    panel = sheet.panel("What does the child see?", (-0.3, 30.4), (-2.8, 1.1), 2)
    bar(panel, 0, 30, 0, SKY)
    for x, words, ink in ((3.6, "data[t] = ...", "black"), (11.2, "__syncthreads()", "black"), (18.2, "child<<<>>>", "black"),
                          (25.4, "data[0] = ...", BAD)):
        panel.text(x, HIGH / 2, words, ink, size=-1.5)
    for x in (7.4, 15.2, 21.2):
        panel.line([(x, 0), (x, HIGH)], width=0.6)
    bar(panel, 19, 29, -1.7, GREEN, "child")
    panel.arrow((18.2, 0), (19, -0.9))
    panel.text(0, -1.05, "stored before the launch by any thread,\nthe barrier in between: surely seen", at="left", size=-1.5)
    panel.text(30, -2.25, "stored later: perhaps", BAD, "right", -1.5)


def streams(sheet: Sheet) -> None:
    panel = sheet.panel("One block launches four children", (-0.3, 30.4), (-6.7, 1.1), 2)
    bar(panel, 0, 8, 0, SKY, "parent", "black")
    panel.text(0, -0.5, "NULL stream of the block: one by one", at="left", size=-1.5)
    panel.text(0, -2.4, "fire and forget: together", at="left", size=-1.5)
    for k in range(4):
        bar(panel, 3 + 6.6 * k, 9 + 6.6 * k, -1.8, GREEN, str(k))
        bar(panel, 3 + 0.9 * k, 9 + 0.9 * k, -3.7 - 0.95 * k, GREEN, str(k))


def tail(sheet: Sheet) -> None:
    panel = sheet.panel("A tail launch waits for all", (-0.3, 30.4), (-3.1, 1.1), 2)
    bar(panel, 0, 9, 0, SKY, "parent", "black")
    bar(panel, 4, 17, -1.0, GREEN, "child")
    bar(panel, 11, 19, -2.0, GREEN, "its child")
    bar(panel, 21, 27, -3.0, ORANGE, "tail launch")
    for x in (20, 28):
        panel.line([(x, -3.0), (x, HIGH)], dash="--")
    panel.text(20.4, 0.4, "all done", at="left", size=-1.5)
    panel.text(27.7, -0.8, "parent is\ncomplete", at="right", size=-1.5)


def draw(sheet: Sheet) -> None:
    sheet.wide, sheet.font = 6.4, 13
    for part in (visibility, streams, tail):
        part(sheet)
