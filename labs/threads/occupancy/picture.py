"""Draws what blocks take of a multiprocessor, and time against occupancy (docs/pictures.py occupancy)."""

from pictures import BLUE, EMPTY, GREY, NOTE, ORANGE, PALE, SKY, Sheet

# Of smoothing 1024 x 2048 elements on the virtual GPU: rows of a thread, occupancy in percent, microseconds.
RUNGS = [(1, 100, 38.1), (4, 100, 13.0), (8, 100, 9.0), (32, 50, 6.9)]


def resources(sheet: Sheet) -> None:
    """Blocks of 256 threads with 40 registers and 30,000 bytes: the share of each resource that one takes."""
    panel = sheet.panel("Blocks of 256 threads, 40 registers, 30,000 bytes: what runs out first?", (-9.5, 42), (-1.4, 9.3), 0.8)
    rows = [
        ("blocks: 32", 1 / 32, 32),
        ("warps: 64", 8 / 64, 8),
        ("registers: 65,536", 10240 / 65536, 6),
        ("shared: 228 KiB", 31104 / 233472, 7),
    ]
    for i, (name, share, fit) in enumerate(rows):
        y = 7.2 - 2.2 * i
        panel.text(-0.4, y + 0.75, name, at="right", size=-1)
        panel.box(0, y, 32, 1.5, EMPTY)
        for block in range(6):
            panel.box(32 * share * block, y, 32 * share, 1.5, SKY if block % 2 else PALE, str(block + 1) if share > 0.1 else "", size=-1)
        panel.text(32.6, y + 0.75, f"room for {fit}", ORANGE if fit == 6 else NOTE, "left", bold=fit == 6)
    panel.text(16, -0.6, "blue: six blocks run. A seventh would lack registers", NOTE, size=-1)


def files(sheet: Sheet) -> None:
    """Registers are in four parts, and those of a warp are in one of them."""
    panel = sheet.panel("224 registers in each thread: a warp gets 28 units of 256, a part has 64", (-9.5, 42), (-1.6, 6.1), 1.15)
    for part in range(4):
        y = 4.6 - 1.5 * part
        panel.text(-0.4, y + 0.55, f"part {part + 1}", at="right", size=-1)
        panel.box(0, y, 32, 1.1, EMPTY)
        for warp in range(2):
            panel.box(14 * warp, y, 14, 1.1, SKY, f"warp {part + 4 * warp + 1}", size=-1)
        panel.text(30, y + 0.5, "8", NOTE, size=-1)
    panel.text(16, -1, "32 units are left, enough for a ninth warp, but not in one part", NOTE, size=-1)


def speed(sheet: Sheet) -> None:
    """Bars: time and occupancy of the rungs."""
    panel = sheet.panel("Smoothing columns: time and occupancy by rows for each thread", (-9.5, 42), (-1.6, 8.9), 1.0)
    for i, (rows, occupancy, time) in enumerate(RUNGS):
        y = 6.9 - 2.3 * i
        panel.text(-0.4, y + 0.8, f"{rows} row{'s' if rows > 1 else ''}", at="right", size=-1)
        panel.box(0, y + 0.85, 0.8 * time, 0.75, BLUE)
        panel.text(0.8 * time + 0.4, y + 1.2, f"{time} us", at="left", size=-1)
        panel.box(0, y, 0.3 * occupancy, 0.75, GREY)
        panel.text(0.3 * occupancy + 0.4, y + 0.35, f"{occupancy} %", NOTE, "left", size=-1)
    panel.key(-1.5, [(0, BLUE, "predicted time"), (13, GREY, "occupancy")], 1, 0.8)


def draw(sheet: Sheet) -> None:
    for part in (resources, files, speed):
        part(sheet)
