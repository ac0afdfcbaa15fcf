"""Grades a lab's solution as a submission: `python3 -m grader.course.testing.solution LAB`. It must earn full points.

This checks that the recipe for building submissions fits the lab, and that its time equals that of the program from the build.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from grader.course.sandbox import BUBBLEWRAP, NONE
from grader.course.testing.jobs import BUILD, PROJECT, bubblewrap_works, make_job, run_task
from grader.workbook.places import place_of

SKIPPED = 77

# By how much predicted times of one answer may differ, built here and by the grader: quicksort's, whose kernels launch others,
# differ by 0.4 %, all others not at all.
SAME_TIME = 0.005


def is_same_time(time_us: float | None, expected_us: float | None) -> bool:
    """Whether two predicted times agree. An exercise without a graded time has none, here and there."""
    if time_us is None or expected_us is None:
        return time_us is expected_us
    return abs(time_us - expected_us) <= SAME_TIME * expected_us


def main(lab: str) -> int:
    manifest = BUILD / "manifests" / f"{lab}.json"
    if not manifest.exists():
        print(f"Skipped: lab {lab} is left out of this build.")
        return SKIPPED
    suffix = json.loads(manifest.read_text(encoding="utf-8"))["suffix"]
    source = place_of(lab).solution
    out = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
    try:
        isolation = BUBBLEWRAP if bubblewrap_works() else NONE
        job = make_job(out, lab, source.read_text(encoding="utf-8"), isolation, suffix)
        done = run_task(job)
        if done.returncode != 0:
            print(f"The grader failed: {done.stderr}")
            return 1
        result = json.loads((job / "result.json").read_text(encoding="utf-8"))
        rungs = {rung["source"]: rung["time_us"] for rung in result["ladder"]}
        print(f"{result['status']}, {result['points']} of {result['max_points']}, {result['time_us']} us. {result['reason']}")
        expected = rungs.get(source.relative_to(PROJECT).as_posix(), result["time_us"])
        is_same = is_same_time(result["time_us"], expected)
        if not is_same:
            print(f"The program that the build made takes {expected} us.")
        return 0 if result["status"] == "passed" and is_same else 1
    finally:
        shutil.rmtree(out, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
