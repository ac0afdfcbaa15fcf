"""The times of ladders in handouts, labs/<chapter>/<lab>/README.md (docs/gpu_table.py checks and writes them).

A table of rungs begins with "| rung"; its rows are the rungs of the ladder, in their order. Columns of exactly these names have the
times of docs/gpu.md: "predicted"; "measured on an H200", "measured" or "H200". A cell without a time stays so.
"""

from __future__ import annotations

from page_table import ROOT

PREDICTED, MEASURED = ("predicted",), ("measured on an H200", "measured", "H200")


def shown(microseconds: float, old: str) -> str:
    """In the unit of the handout, and with no more digits than docs/gpu.md."""
    if old.endswith("ms"):
        return f"{microseconds / 1000:.{'0' if microseconds >= 99_950 else '1'}f} ms"
    return f"{microseconds:.0f} us" if microseconds >= 100 else f"{microseconds:.1f} us"


def corrected(text: str, names: tuple[str, ...], rungs: list[float]) -> str:
    """The handout with these times in a column of its tables of rungs, if one has a name of `names`."""
    lines = text.splitlines(keepends=True)
    for head, line in enumerate(lines):
        columns = [cell.strip() for cell in line.split("|")]
        if not line.startswith("| rung") or not (named := [at for at, name in enumerate(columns) if name in names]):
            continue
        column = named[0]
        for at, rung in zip(range(head + 2, len(lines)), rungs):  # 0: not known.
            cells = lines[at].split("|")
            if len(cells) == len(columns) and cells[column].strip() and rung:
                cells[column] = f" {shown(rung, cells[column].strip())} "
                lines[at] = "|".join(cells)
    return "".join(lines)


def old_handouts(predicted: dict[str, dict[str, float]], measured: dict[str, dict[str, float]], write: bool) -> list[str]:
    """The handouts with other times.

    @param predicted microseconds by lab and rung, from the bottom rung to the top; so is @p measured
    @param write     corrects them instead
    """
    old = []
    for lab, rungs in predicted.items():
        for handout in ROOT.glob(f"labs/*/{lab}/README.md"):
            text = handout.read_text(encoding="utf-8")
            new = corrected(text, PREDICTED, list(rungs.values()))
            if lab in measured:
                new = corrected(new, MEASURED, [measured[lab].get(rung, 0) for rung in rungs])
            if write:
                handout.write_text(new, encoding="utf-8")
            elif new != text:
                old.append(str(handout.relative_to(ROOT)))
    return old
