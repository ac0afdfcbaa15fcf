"""Keeps the table of ladders in docs/gpu.md: what an H200 measured (docs/gpu_ladders.json) beside what the model predicts; and both
in the handouts of labs (docs/handout_table.py).

    gpu_table.py RESULTS              exit status 1 if times on the page or in a handout are not those of RESULTS and gpu_ladders.json
    gpu_table.py RESULTS --write      writes them
    gpu_table.py RESULTS --measured DATE    takes measured times from RESULTS, made on a GPU on DATE, into docs/gpu_ladders.json

A lab in docs/gpu_ladders.json may have "predicted": of the same day, where a larger case was measured than the ladder's. The
handout of such a lab keeps its own.

RESULTS is a results.json of the reference solutions: build/sim/report/results.json, which the preset `demo-all` writes, or
build/gpu/report/results.json, which `demo-gpu-all` writes. For predictions it may be build/sim/labs, where the preset
`ladders` leaves them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from pathlib import Path
from typing import Any

from handout_table import old_handouts
from page_table import ROOT, problem

sys.path.insert(0, str(ROOT))
from grader.workbook.places import place_of

PAGE, DATA = ROOT / "docs" / "gpu.md", ROOT / "docs" / "gpu_ladders.json"
SAME = 1.02  # Measured times nearer than this are not ranked: the spread from one run to the next.

Rungs = dict[str, float]  # Microseconds, by the name of the rung.


def ladders(results: Path, field: str) -> dict[str, Rungs]:
    """By lab, from the bottom rung to the top. @param field "time_us" (predicted) or "measured_us" """
    if results.is_dir():
        return ladders_of_tests(results, field)
    read = json.loads(results.read_text(encoding="utf-8"))
    if read.get("format") != "warpbook.results":
        raise ValueError(f"{results}: its format is {read.get('format')!r}, not 'warpbook.results'")
    found = {lab["lab"]: {rung["rung"]: float(rung[field]) for rung in lab["ladder"] if rung[field] is not None} for lab in read["labs"]}
    return {lab: rungs for lab, rungs in found.items() if rungs}


def ladders_of_tests(folder: Path, field: str) -> dict[str, Rungs]:
    """As ladders(), from LAB/rungs/ladder.json."""
    written = {path.parent.parent.name: path for path in folder.glob("*/rungs/ladder.json")}
    found: dict[str, Rungs] = {}
    for lab in sorted(written, key=lambda lab: int(place_of(lab).json["order"])):
        read = json.loads(written[lab].read_text(encoding="utf-8"))
        found[lab] = {rung["rung"]: float(rung[field]) for rung in read["rungs"] if rung[field] is not None}
    return {lab: rungs for lab, rungs in found.items() if rungs}


def shown(microseconds: float) -> str:
    return f"{microseconds:,.0f}" if microseconds >= 100 else f"{microseconds:.1f}"


def turned(measured: Rungs, predicted: Rungs) -> list[tuple[str, str]]:
    """Pairs of rungs, the one that is slower on the GPU first, that the model ranks the other way round."""
    pairs = itertools.permutations([rung for rung in measured if rung in predicted], 2)
    return [(slow, fast) for slow, fast in pairs
            if measured[slow] > SAME * measured[fast] and predicted[slow] < predicted[fast]]


def table(recorded: dict[str, Any], predictions: dict[str, Rungs]) -> str:
    """Of all labs that were measured, in the order of the course, and what is ranked differently below it."""
    text = "| lab | rung | predicted | measured | on |\n| --- | --- | --- | --- | --- |\n"
    differently = []
    for lab, today in predictions.items():
        if lab not in recorded:
            continue
        predicted: Rungs = recorded[lab].get("predicted", today)
        measured: Rungs = recorded[lab]["rungs"]
        name, date = lab, recorded[lab]["date"]
        for rung in predicted:
            if rung in measured:
                text += f"| {name} | {rung} | {shown(predicted[rung])} | {shown(measured[rung])} | {date} |\n"
                name = date = ""
        differently += [f"- {lab}: `{slow}` is slower than `{fast}`: measured {shown(measured[slow])} and {shown(measured[fast])}, "
                        f"predicted {shown(predicted[slow])} and {shown(predicted[fast])}." for slow, fast in turned(measured, predicted)]
    if missing := [lab for lab in predictions if lab not in recorded]:
        text += f"\nNot measured yet: the ladders of {', '.join(missing)}.\n"
    if differently:
        return text + "\nPairs that the model ranks in the opposite order:\n\n" + "\n".join(differently) + "\n"
    return text + "\nThe model ranks no two rungs of a lab in the opposite order.\n"


def record(results: Path, date: str) -> int:
    """Takes over the ladders that were measured."""
    recorded = json.loads(DATA.read_text(encoding="utf-8")) if DATA.is_file() else {}
    found = ladders(results, "measured_us")
    for lab, rungs in found.items():
        recorded[lab] = {"date": date, "rungs": {rung: round(time, 2) for rung, time in rungs.items()}}
    DATA.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} ladders taken over into {DATA.relative_to(ROOT)}")
    return 0 if found else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/gpu_table.py", description="Keeps the table of ladders in docs/gpu.md.")
    parser.add_argument("results", type=Path, metavar="RESULTS", help="a results.json of the reference solutions")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write the table, and the times in handouts")
    action.add_argument("--measured", metavar="DATE", help="take the measured times into docs/gpu_ladders.json")
    given = parser.parse_args()
    if given.measured:
        return record(given.results, given.measured)
    recorded, predictions = json.loads(DATA.read_text(encoding="utf-8")), ladders(given.results, "time_us")
    again = f"python3 docs/gpu_table.py {given.results} --write"
    if wrong := problem(PAGE, "ladders", table(recorded, predictions), given.write, again):
        print(wrong, file=sys.stderr)
        return 1
    of_handouts = {lab: rungs for lab, rungs in predictions.items() if "predicted" not in recorded.get(lab, {})}
    measured = {lab: of_lab["rungs"] for lab, of_lab in recorded.items()}
    if old := old_handouts(of_handouts, measured, given.write):
        print(f"{', '.join(old)}: old times: {again}", file=sys.stderr)
        return 1
    print(f"{len(predictions)} ladders, of which {sum(lab in recorded for lab in predictions)} were measured")
    return 0 if predictions else 1


if __name__ == "__main__":
    sys.exit(main())
