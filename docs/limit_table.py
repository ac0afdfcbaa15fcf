"""Keeps the table of limits in docs/gpu.md: how near solutions that are bound by memory come to a copy of as many bytes.

    limit_table.py            exit status 1 if the page says something else
    limit_table.py --write    writes the table

docs/gpu_limits.json has the bytes that a job has to read and write, each once, and what a copy within the device takes. Times
are those of docs/gpu_ladders.json ("rung"), or stand there themselves ("us"), taken from the notes of the lab's solution.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from typing import Any

from page_table import ROOT, problem

PAGE, LIMITS, LADDERS = (ROOT / "docs" / name for name in ("gpu.md", "gpu_limits.json", "gpu_ladders.json"))
ENOUGH = 0.895  # Of the copy's rate, shown as 90 %: a job below it says why.


def copy_us(copies: list[list[float]], moved: float) -> float:
    """By straight lines between the measured copies, and beyond them.

    @param copies bytes read and written together, and microseconds, in ascending order
    """
    pairs = list(itertools.pairwise(copies))
    (bytes_a, us_a), (bytes_b, us_b) = next((pair for pair in pairs if moved <= pair[1][0]), pairs[-1])
    return us_a + (us_b - us_a) * (moved - bytes_a) / (bytes_b - bytes_a)


def table(limits: dict[str, Any], ladders: dict[str, Any]) -> str:
    text = ("| lab | data | MB to move | us | GB/s | a copy of as many bytes, us | of the copy's rate | what else it takes |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n")
    for job in limits["jobs"]:
        moved, us = job["bytes"], job.get("us") or ladders[job["lab"]]["rungs"][job["rung"]]
        copied, why = copy_us(limits["copies"], moved), job.get("why", "")
        share = copied / us
        if (share < ENOUGH) != bool(why):
            raise SystemExit(f"docs/gpu_limits.json: {job['lab']}, {job['data']}: {share:.0%} of the copy's rate, and \"why\" is {why!r}: "
                             f"a job below {ENOUGH:.0%} says what it takes its time for, and no other one does")
        text += (f"| {job['lab']} | {job['data']} | {moved / 1e6:,.1f} | {us:.1f} | {moved / us / 1000:,.0f} | {copied:.1f} | "
                 f"{share:.0%} | {why} |\n")
    return text


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/limit_table.py", description="Keeps the table of limits in docs/gpu.md.")
    parser.add_argument("--write", action="store_true", help="write the table")
    given = parser.parse_args()
    limits, ladders = (json.loads(path.read_text(encoding="utf-8")) for path in (LIMITS, LADDERS))
    if wrong := problem(PAGE, "limits", table(limits, ladders), given.write, "python3 docs/limit_table.py --write"):
        print(wrong, file=sys.stderr)
        return 1
    print(f"{len(limits['jobs'])} jobs beside copies")
    return 0 if limits["jobs"] else 1


if __name__ == "__main__":
    sys.exit(main())
