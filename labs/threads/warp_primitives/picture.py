"""Draws a sum down and a butterfly, a compaction by ballot, and the exchanges of a transpose (docs/pictures.py warp_primitives)."""

from pictures import EMPTY, NOTE, ORANGE, SKY, Sheet


def sums(sheet: Sheet) -> None:
    """Eight lanes: what each has after each step, down and by exclusive or."""
    for butterfly in (False, True):
        title = "__shfl_xor_sync: all lanes have it" if butterfly else "__shfl_down_sync: lane 0 has the sum"
        panel = sheet.panel(title, (-4.5, 16.5), (-6.9, 2.2), 1.0, (0.5, 1) if butterfly else (0, 0.5))
        values, y = [3, 1, 4, 1, 5, 9, 2, 6], 0.0
        panel.labels(0, 1, [f"{lane}" for lane in range(8)], NOTE, -2, 2)
        panel.text(-0.4, 1.5, "lane", NOTE, "right", -2)
        for distance in (0, 4, 2, 1):
            if distance:
                before = list(values)
                for lane in range(8):
                    other = lane ^ distance if butterfly else lane + distance
                    values[lane] = before[lane] + before[other if other < 8 else lane]
                    if other < 8 and (butterfly or lane < distance):
                        panel.arrow((2 * other + 1, y + 2.1), (2 * lane + 1, y + 1.05), ORANGE)
                panel.text(-0.4, y + 0.5, f"{'^' if butterfly else '+'} {distance}", at="right", size=-1)
            full = [lane for lane in range(8) if values[lane] == 31 and distance == 1]
            panel.cells([(2 * lane, y) for lane in range(8)], EMPTY, 1.9)
            panel.cells([(2 * lane, y) for lane in full], SKY, 1.9)
            panel.labels(-0.05, y, values, "black", -1, 2)
            y -= 2.1


def compaction(sheet: Sheet) -> None:
    """Eight elements: the ballot, the number of keepers below, and where they go."""
    panel = sheet.panel("A compaction by one ballot: the keepers below a lane say where its element goes", (-10, 30), (-6.0, 1.2), 1.0)
    values = [7, 0, 4, -2, 5, 9, 0, 6]
    kept = [value > 0 for value in values]
    rows = [("element", values), ("ballot: above 0?", [int(keep) for keep in kept]),
            ("keepers below", [sum(kept[:lane]) for lane in range(8)])]
    for row, (name, entries) in enumerate(rows):
        panel.text(-0.5, 0.5 - 1.5 * row, name, at="right", size=-1)
        panel.row(0, -1.5 * row, [SKY if keep else EMPTY for keep in kept], wide=2)
        panel.labels(0, -1.5 * row, entries, "black", -1, 2)
    places = [lane for lane in range(8) if kept[lane]]
    for place, lane in enumerate(places):
        panel.arrow((2 * lane + 1, -3.05), (2 * place + 1, -4.4), ORANGE)
    panel.text(-0.5, -5, "out, from place on", at="right", size=-1)
    panel.row(0, -5.5, [SKY] * len(places), wide=2)
    panel.labels(0, -5.5, [values[lane] for lane in places], "black", -1, 2)
    words = "5 lanes keep theirs: lane 0\nreserves 5 places by one\natomicAdd, and tells all where\nthey begin (__shfl_sync)"
    panel.text(17, -1, words, NOTE, "left", -1)


def exchanges(sheet: Sheet) -> None:
    """A tile of 4 x 4 in the registers of four lanes, after each of the two exchanges."""
    panel = sheet.panel("A transpose of 4 x 4 by two exchanges: registers downwards, lanes across", (-3, 37), (-1.6, 4.4), 1.0)
    held = {(i, lane): (i, lane) for i in range(4) for lane in range(4)}
    for step, distance in enumerate((0, 2, 1)):
        if distance:
            held = {(i, lane): held[((i & ~distance) | (lane & distance), (lane & ~distance) | (i & distance))]
                    for i in range(4) for lane in range(4)}
            panel.arrow((13 * step - 3.6, 2), (13 * step - 0.9, 2), ORANGE)
            panel.text(13 * step - 2.2, 2.7, f"{distance}", ORANGE)
        for i in range(4):
            colours = [EMPTY if held[(i, lane)] == (i, lane) else SKY for lane in range(4)]
            panel.row(13 * step, 3 - i, colours, wide=2)
            panel.labels(13 * step, 3 - i, ["{}{}".format(*held[(i, lane)]) for lane in range(4)], "black", -1, 2)
    panel.text(-0.3, 3.5, "i = 0", NOTE, "right", -2)
    panel.text(0, -0.9, "row and column of the element that was there at first; blue: it came from elsewhere", NOTE, "left", -1)


def draw(sheet: Sheet) -> None:
    for part in (sums, compaction, exchanges):
        part(sheet)
