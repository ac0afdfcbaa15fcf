"""Keeps the predicted times of ladders in handouts, labs/<chapter>/<lab>/README.md, as docs/gpu.md has them (docs/gpu_table.py).

    handout_table.py            exit status 1 if a handout's table of rungs has another prediction than docs/gpu.md
    handout_table.py --write    writes these predictions into the tables

A table of rungs begins with "| rung" and has a column "predicted"; its rows are the rungs of the ladder, in their order. A lab
of which docs/gpu.md shows a larger case ("predicted" in docs/gpu_ladders.json) keeps the times of its own.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from gpu_table import DATA, PAGE
from page_table import ROOT


def ladders() -> dict[str, list[float]]:
    """Predicted microseconds of the rungs in docs/gpu.md, by lab, from the bottom rung to the top."""
    found: dict[str, list[float]] = {}
    lab = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if row := re.fullmatch(r"\| (\w*) \| [^|]+ \| ([\d,.]+) \| [\d,.]+ \| [\d-]* \|", line):
            lab = row[1] or lab
            found.setdefault(lab, []).append(float(row[2].replace(",", "")))
    larger = [lab for lab, record in json.loads(DATA.read_text(encoding="utf-8")).items() if "predicted" in record]
    return {lab: rungs for lab, rungs in found.items() if lab not in larger}


def shown(microseconds: float, old: str) -> str:
    """In the unit of the handout, and with no more digits than docs/gpu.md."""
    if old.endswith("ms"):
        return f"{microseconds / 1000:.{'0' if microseconds >= 99_950 else '1'}f} ms"
    return f"{microseconds:.0f} us" if microseconds >= 100 else f"{microseconds:.1f} us"


def corrected(text: str, rungs: list[float]) -> str:
    """The handout with today's predictions in its table of rungs."""
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


def main() -> int:
    write = sys.argv[1:] == ["--write"]
    old: list[Path] = []
    handouts = 0
    for lab, rungs in ladders().items():
        for handout in ROOT.glob(f"labs/*/{lab}/README.md"):
            text = handout.read_text(encoding="utf-8")
            handouts += 1
            if (new := corrected(text, rungs)) == text:
                continue
            if write:
                handout.write_text(new, encoding="utf-8")
            else:
                old.append(handout)
    for handout in old:
        print(f"{handout.relative_to(ROOT)}: has old predictions: python3 docs/handout_table.py --write", file=sys.stderr)
    print(f"{handouts} handouts of ladders")
    return 1 if old or not handouts else 0


if __name__ == "__main__":
    sys.exit(main())
