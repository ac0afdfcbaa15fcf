"""Draws flags, sums and addresses with the way back, a warp's ballot, and counts of blocks (docs/pictures.py compaction)."""

from pictures import BLUE, EMPTY, GOLD, NOTE, ORANGE, PALE, SKY, Panel, Sheet

NUMBERS, LIMIT = [3, -1, 4, -1, 5, -9, 2, -6], 0


def rows(panel: Panel, y: float, name: str, values: list[int], colours: list[str]) -> None:
    panel.row(0, y, colours, wide=3, high=1.5)
    panel.labels(0, y + 0.25, values, "black", step=3)
    panel.text(-0.6, y + 0.75, name, at="right")


def three_kernels(sheet: Sheet) -> None:
    """Eight numbers, their flags and sums, where they go, and how they come back."""
    panel = sheet.panel("Part 2: a flag, a sum and an address for each number; and the way back", (-4.5, 42), (-12.4, 2), 0.8)
    flags = [int(number > LIMIT) for number in NUMBERS]
    sums = [sum(flags[: i + 1]) for i in range(8)]
    shades = [SKY if flag else EMPTY for flag in flags]
    rows(panel, 0, "in", NUMBERS, shades)
    rows(panel, -2.2, "flags", flags, shades)
    rows(panel, -4.4, "sums", sums, shades)
    kept = [number for number in NUMBERS if number > LIMIT]
    rows(panel, -8, "out", kept, [SKY] * len(kept))
    rows(panel, -11.6, "back", [number * flag for number, flag in zip(NUMBERS, flags)], shades)
    for i, flag in enumerate(flags):
        if flag:
            panel.arrow((3 * i + 1.5, -4.5), (3 * sums[i] - 1.5, -6.4), ORANGE)
            panel.arrow((3 * sums[i] - 1.5, -8.1), (3 * i + 1.5, -10), BLUE)
    steps = ["kept: greater than 0", "predicate", "scan", "gather: out[sum - 1]", "scatter back"]
    for y, words in zip((0.75, -1.45, -3.65, -7.25, -10.85), steps):
        panel.text(25, y, words, NOTE, "left")


def ballot(sheet: Sheet) -> None:
    """The bits of a ballot below a lane are the kept numbers before its own."""
    panel = sheet.panel("Part 3: the bits of a ballot below lane 6 say where its number goes", (-4.5, 42), (-2.6, 3.6), 0.8)
    flags = [int(number > LIMIT) for number in NUMBERS]
    rows(panel, 1.8, "lane", list(range(8)), [EMPTY] * 8)
    rows(panel, 0, "bit", flags, [GOLD if flag and i < 6 else SKY if flag else EMPTY for i, flag in enumerate(flags)])
    panel.line([(0.1, -0.4), (17.9, -0.4)], ORANGE, 1.5)
    panel.text(9, -1.3, "below lane 6: three bits, so place 3", ORANGE)
    panel.text(25, 0.75, "6 numbers before it, 3 of them kept:\n3 others before it", NOTE, "left")


def counts(sheet: Sheet) -> None:
    """Four parts: counted, scanned, placed."""
    panel = sheet.panel("Parts 3 and 4: where a block begins is known before any number moves", (-4.5, 42), (-6.6, 3.6), 0.9)
    of_parts = [5, 2, 0, 4]
    x = 0.0
    for part, count in enumerate(of_parts):
        before = sum(of_parts[:part])
        panel.box(7.5 * part, 1.8, 7, 1.6, PALE, f"part {part}: {count} kept")
        panel.box(7.5 * part, -1, 7, 1.6, EMPTY, f"{before} before")
        panel.arrow((7.5 * part + 3.5, 1.8), (7.5 * part + 3.5, 0.7))
        if count:
            panel.box(1.2 * before, -4.4, 1.2 * count, 1.6, SKY, str(part), bold=True)
            panel.arrow((7.5 * part + 3.5, -1), (1.2 * (before + count / 2), -2.7), ORANGE)
        others = 7 - count
        panel.box(13.2 + 1.2 * x, -4.4, 1.2 * others, 1.6, EMPTY, str(part))
        x += others
    panel.text(6.6, -5.5, "kept", NOTE)
    panel.text(23.4, -5.5, "others, in a partition: number i minus the kept ones before it", NOTE)
    for y, words in ((2.6, "count"), (-0.2, "scan"), (-3.6, "place")):
        panel.text(-0.6, y, words, at="right")
    panel.text(31, 2.6, "reads all numbers", NOTE, "left")
    panel.text(31, -0.2, "one block", NOTE, "left")


def draw(sheet: Sheet) -> None:
    for part in (three_kernels, ballot, counts):
        part(sheet)
