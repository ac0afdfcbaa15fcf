"""The reference's figures, which an edition has instead of its program: format warpbook.reference (docs/formats.md).

Tests that compare with the reference draw their cases from a few seeds, for which its predicted times are recorded. All
other tests draw from a fresh seed in every run, as always: they need the reference only for the limits of a case,
and for these the most that one run needed is a generous bound.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.labs import Lab

FORMAT, VERSION = "warpbook.reference", 1
DRAWS = (1, 2, 3, 4, 5)  # Fixed, so that publishing is reproducible. What students hand in is graded with secret seeds.


def record_reference(lab: Lab, work: Path, hidden: frozenset[str]) -> dict[str, Any]:
    """Runs the reference through the lab's tests, and through those that compare with it for each draw.

    :param work: an empty folder
    :param hidden: tests `<kind>.<sentence>` that the edition does not have: nothing is recorded for them
    :raises BatchError: if the reference does not pass, or a rung fails
    """
    first = _run(lab, work, DRAWS[0], "")
    times = {test: [found] for test, found in first["times"].items() if test not in hidden}
    for seed in DRAWS[1:]:
        for test, found in times.items():
            found.append(_run(lab, work, seed, test)["times"][test])
    return {"format": FORMAT, "version": VERSION, "lab": lab.name, "draws": list(DRAWS), "times": times,
            "most": first["most"], "needs_little_memory": first["needs_little_memory"], "rungs": _rungs(lab, work)}


def _run(lab: Lab, work: Path, seed: int, test: str) -> dict[str, Any]:
    path = work / "run.json"
    _start(lab, "--record", str(path), "--seed", str(seed), *(["--test", test] if test else []))
    run: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return run


def _rungs(lab: Lab, work: Path) -> list[dict[str, Any]]:
    """The rungs' times, without profiles and sources, which belong to answers."""
    if not lab.json.get("rungs"):
        return []
    _start(lab, "--answer", "solution", "--ladder", str(work))
    rungs: list[dict[str, Any]] = json.loads((work / "ladder.json").read_text(encoding="utf-8"))["rungs"]
    for rung in rungs:
        if rung["problem"]:
            raise BatchError(f"rung {rung['rung']} of lab {lab.name} fails: {rung['problem'].strip()}")
        rung |= {"source": "", "profile": None, "kernel": None}
    return rungs


def _start(lab: Lab, *arguments: str) -> None:
    line = [lab.manifest["test_program"], *arguments]
    done = subprocess.run(line, cwd=lab.project_root, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)
    if done.returncode != 0:
        raise BatchError(f"lab {lab.name}: the reference's figures cannot be recorded:\n{(done.stdout + done.stderr).strip()[-2000:]}"
                         f"\nRepeat it with: {' '.join(line)}")
