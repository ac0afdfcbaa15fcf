"""Draws a branch, the steps of a sum, and a loop, lane by lane (docs/pictures.py warp_divergence)."""

from pictures import BLUE, NOTE, ORANGE, Panel, Sheet

LANES, WAITS, SIDES = 8, "#e8e8e8", (0, 19)  # 8 lanes drawn for 32
JOBS = [2, 7, 1, 5, 8, 3, 6, 1, 4, 8, 2, 6, 1, 7, 3, 5]  # Turns of a loop.


def warp(panel: Panel, left: float, rows: list[list[str]], words: str) -> None:
    """A column for each lane, time downwards."""
    for row, colours in enumerate(rows):
        panel.row(left, -row, colours)
    panel.box(left, 1 - len(rows), LANES, len(rows), edge="black", line=1.6)
    panel.text(left + 4, 1.5, words, NOTE, size=-2)


def branch(sheet: Sheet) -> None:
    """Two warps at a branch: parted, and regrouped."""
    panel = sheet.panel("A branch: time runs down, a column is a lane (8 drawn for 32)", (-0.8, 36.8), (-9.4, 3.6))
    even, odd = [BLUE, WAITS] * 4, [WAITS, ORANGE] * 4
    for w, colour in enumerate((BLUE, ORANGE)):
        warp(panel, SIDES[0] + 8.6 * w, [even] * 4 + [odd] * 4, f"warp {w}")
        warp(panel, SIDES[1] + 8.6 * w, [[colour] * LANES] * 4, f"warp {w}")
    for left, y, name, result in ((SIDES[0], -8.3, "even and odd elements in each warp", "8 steps, half of the lanes wait"),
                                  (SIDES[1], -4.3, "a warp for each kind", "4 steps, no lane waits")):
        panel.text(left + 8.3, 3.0, name)
        panel.text(left + 8.3, y, result)
    panel.key(-6.6, [(19.2, BLUE, "work on even"), (28, ORANGE, "work on odd")], size=-1)
    panel.key(-8.3, [(19.2, WAITS, "waits")], size=-1)


def steps(sheet: Sheet) -> None:
    """Which threads add in the steps of a sum: 16 threads in warps of 4."""
    panel = sheet.panel("A sum in steps: which threads add? (4 warps of 4 lanes drawn)", (-0.8, 36.8), (-7.2, 2.8))
    for left, name in zip(SIDES, ("thread % (2 * stride) == 0", "thread < number of additions")):
        total = 0
        for row, stride in enumerate((1, 2, 4, 8)):
            y = -1.7 * row
            adds = {t for t in range(16) if (t % (2 * stride) == 0 if left == 0 else t < 8 // stride)}
            busy = {t // 4 for t in adds}
            total += len(busy)
            panel.row(left, y, [BLUE if t in adds else WAITS for t in range(16)])
            for w in range(4):
                panel.box(left + 4 * w, y, 4, 1, edge="black", line=2.2 if w in busy else 0.8)
            panel.text(left + 16.3, y + 0.45, len(busy), at="left", size=-1)
        panel.text(left + 8, 2.1, name, size=-1, code=True)
        panel.text(left + 8, -6.4, f"{total} busy warps in all")


def loop(sheet: Sheet) -> None:
    """Turns of the jobs of two warps: as they come, and sorted."""
    panel = sheet.panel("A loop: each lane has its own number of turns", (-0.8, 36.8), (-9.1, 3.6))
    for left, name, order in zip(SIDES, ("jobs as they come", "sorted by length"), (JOBS, sorted(JOBS))):
        longest = []
        for w in range(2):
            mine = order[LANES * w:LANES * (w + 1)]
            longest.append(max(mine))
            rows = [[BLUE if row < turns else WAITS for turns in mine] for row in range(max(mine))]
            warp(panel, left + 8.6 * w, rows, f"{max(mine)} turns")
        panel.text(left + 8.3, 3.0, name)
        panel.text(left + 8.3, -8.3, f"{sum(longest)} turns in all")


def draw(sheet: Sheet) -> None:
    sheet.font = 12
    for part in (branch, steps, loop):
        part(sheet)
