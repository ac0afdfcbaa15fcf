"""Draws the pairs of n bodies as tiles, and how a block of part 3 shares out a tile (docs/pictures.py nbody)."""

from pictures import BLUE, EMPTY, GREEN, NOTE, ORANGE, PALE, SKY, Sheet


def pairs(sheet: Sheet) -> None:
    """All pairs: a row for each body that is computed, a column for each that pulls."""
    panel = sheet.panel("Part 2: all pairs of 16 bodies, in blocks and tiles of 4", (-6.5, 34), (-4.2, 17.8), 0.6)
    for i in range(16):
        panel.row(0, i, [BLUE if i == 9 and 4 <= j < 8 else SKY if 8 <= i < 12 and 4 <= j < 8 else PALE if 8 <= i < 12 else EMPTY
                         for j in range(16)])
    for edge in range(4, 16, 4):
        panel.line([(edge, 0), (edge, 16)], ORANGE, 1.2, "--")
    panel.text(8, 16.8, "bodies that pull: they are brought tile by tile", size=-0.5)
    panel.text(-0.5, 10, "bodies of\none block:\none a thread", BLUE, "right", -0.5)
    panel.text(-0.5, 3, "other\nblocks", NOTE, "right", -0.5)
    panel.text(17, 13.6, "Each thread brings a body of the tile. Barrier.", NOTE, "left", -0.5)
    panel.text(17, 11.2, "Each thread adds the pull of all 4. Barrier.", NOTE, "left", -0.5)
    panel.text(17, 8.8, "Dark: one thread's, between two barriers.", BLUE, "left", -0.5)
    panel.text(17, 5.2, "A block loads 16 bodies once, for 4 threads:\na quarter of what the threads would load.", NOTE, "left", -0.5)
    for tile in range(4):
        panel.text(4 * tile + 2, -1.0, f"tile {tile}", ORANGE, size=-0.5)
    panel.text(8, -3.2, "time", NOTE, size=-0.5)
    panel.arrow((9.5, -3.2), (16, -3.2), NOTE)


def slices(sheet: Sheet) -> None:
    """Part 3: which of a group's pairs a thread has, and who adds up."""
    panel = sheet.panel("Part 3: a group of 8 bodies, 2 columns of threads, a tile of 8 bodies in 4 slices", (-6.5, 34), (-4.0, 9.6), 0.8)
    for i in range(8):
        panel.row(0, i, [BLUE if i % 2 == 0 and j % 4 == 1 else SKY if j % 4 == 1 else PALE for j in range(8)])
    for j in range(8):
        panel.text(j + 0.5, -0.8, j % 4, ORANGE, size=-0.5)
    panel.text(-0.5, -0.8, "slice", ORANGE, "right", -0.5)
    for i in range(8):
        panel.text(-0.5, i + 0.5, i % 2, GREEN, "right", -0.5)
    panel.text(-0.5, 8.7, "column", GREEN, "right", -0.5)
    panel.text(4, 8.7, "a tile", size=-0.5)
    panel.text(9, 7.0, "Dark: pairs of one thread, column 0 and slice 1.\nEach body that it loads serves 4 pairs.", BLUE, "left", -0.5)
    panel.text(9, 4.3, "8 threads for 8 bodies; each goes through a\nquarter of all that pull.", NOTE, "left", -0.5)
    panel.text(9, 1.6, "At the end, each body has 4 sums. Lanes 2 apart\nadd up theirs by shuffles, warps by shared memory.", NOTE, "left",
               -0.5)
    panel.text(-6, -3.2, "In the lab: groups of 32 bodies, 8 columns, 4 bodies a thread, tiles of 512 bodies in 64 slices: 512 threads.",
               NOTE, "left", -0.5)


def draw(sheet: Sheet) -> None:
    for part in (pairs, slices):
        part(sheet)
