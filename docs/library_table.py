"""Keeps the table of libraries in docs/gpu.md: what `compare-libraries` measured on an H200 (docs/gpu_libraries.json).

    library_table.py                         exit status 1 if the page says something else
    library_table.py --write                 writes the table
    library_table.py --measured FILE DATE    takes over FILE, build/gpu/libraries.json, made on a GPU on DATE
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from page_table import ROOT, problem

PAGE, DATA = ROOT / "docs" / "gpu.md", ROOT / "docs" / "gpu_libraries.json"
FORMAT = ("warpbook.libraries", 1)


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(measured: dict[str, Any]) -> str:
    """@param measured what compare_libraries wrote, and the date"""
    text = (f"On one {measured['device']}, CUDA {measured['cuda']}, on {measured['date']}; times in microseconds. A copy of 256 MiB within "
            f"the device, in the same run: {measured['copy_gb_per_s']:,.0f} GB/s read and written.\n\n"
            "| lab | size | library | solution | library | solution : library | solution | library |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n")
    for one in measured["comparisons"]:
        strayed = " (the control strayed)" if one["strayed"] else ""
        text += (f"| {one['lab']} | {one['size']} | `{one['library']}` | {shown(one['solution_us'])} | {shown(one['library_us'])} | "
                 f"{one['ratio']:.2f} ({one['low']:.2f} to {one['high']:.2f}){strayed} | {shown(one['solution_rate'])} {one['unit']} | "
                 f"{shown(one['library_rate'])} {one['unit']} |\n")
    return text


def take_over(path: Path, date: str) -> None:
    measured = json.loads(path.read_text(encoding="utf-8"))
    if (measured.get("format"), measured.get("version")) != FORMAT:
        raise SystemExit(f"{path}: its format is {measured.get('format')} {measured.get('version')}, not {' '.join(map(str, FORMAT))}")
    DATA.write_text(json.dumps({**measured, "date": date}, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/library_table.py", description="Keeps the table of libraries in docs/gpu.md.")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write the table")
    action.add_argument("--measured", nargs=2, metavar=("FILE", "DATE"), help="take over what was measured, and write the table")
    given = parser.parse_args()
    if given.measured:
        take_over(Path(given.measured[0]), given.measured[1])
    measured = json.loads(DATA.read_text(encoding="utf-8"))
    write = given.write or given.measured is not None
    if wrong := problem(PAGE, "libraries", table(measured), write, "python3 docs/library_table.py --write"):
        print(wrong, file=sys.stderr)
        return 1
    print(f"{len(measured['comparisons'])} comparisons with libraries")
    return 0 if measured["comparisons"] else 1


if __name__ == "__main__":
    sys.exit(main())
