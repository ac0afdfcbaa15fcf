"""The predicted times of ladders in handouts, labs/<chapter>/<lab>/README.md (docs/gpu_table.py checks and writes them).

A table of rungs begins with "| rung" and has a column "predicted"; its rows are the rungs of the ladder, in their order.
"""

from __future__ import annotations

from page_table import ROOT


def shown(microseconds: float, old: str) -> str:
    """In the unit of the handout, and with no more digits than docs/gpu.md."""
    if old.endswith("ms"):
        return f"{microseconds / 1000:.{'0' if microseconds >= 99_950 else '1'}f} ms"
    return f"{microseconds:.0f} us" if microseconds >= 100 else f"{microseconds:.1f} us"


def corrected(text: str, rungs: list[float]) -> str:
    """The handout with these predictions in its table of rungs."""
    lines = text.splitlines(keepends=True)
    for head, line in enumerate(lines):
        columns = [cell.strip() for cell in line.split("|")]
        if not line.startswith("| rung") or "predicted" not in columns:
            continue
        column = columns.index("predicted")
        for at, rung in zip(range(head + 2, len(lines)), rungs):
            cells = lines[at].split("|")
            if len(cells) == len(columns) and cells[column].strip():
                cells[column] = f" {shown(rung, cells[column].strip())} "
                lines[at] = "|".join(cells)
    return "".join(lines)


def old_handouts(ladders: dict[str, dict[str, float]], write: bool) -> list[str]:
    """The handouts with other predictions.

    @param ladders predicted microseconds by lab and rung, from the bottom rung to the top
    @param write   corrects them instead
    """
    old = []
    for lab, rungs in ladders.items():
        for handout in ROOT.glob(f"labs/*/{lab}/README.md"):
            text = handout.read_text(encoding="utf-8")
            new = corrected(text, list(rungs.values()))
            if write:
                handout.write_text(new, encoding="utf-8")
            elif new != text:
                old.append(str(handout.relative_to(ROOT)))
    return old
