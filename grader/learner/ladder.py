"""Where an answer stands among the rungs of its lab: predicted times on the lab's benchmark."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.learner.labs import Lab
from grader.learner.text import number
from grader.workbook.edition import is_edition

AT_ONCE_S, BUILD_S, CLIMB_S = 2, 600, 300


def place_on_ladder(lab: Lab, on_wait: Callable[[], None]) -> str:
    """One sentence; empty for a lab without rungs, and if the answer, or all rungs, cannot be run on the benchmark.
    @param on_wait called once if the rungs, too, have to be built and run"""
    rungs = lab.place.json.get("rungs", [])
    known = lab.build_folder / "labs" / lab.name / "rungs" / "ladder.json"
    if not rungs or not _built(lab, rungs, on_wait):
        return ""
    options = ["--rungs", str(known)] if known.is_file() else []
    with tempfile.TemporaryDirectory(prefix="warpbook_ladder_") as folder:
        try:
            subprocess.run([lab.manifest["test_program"], "--ladder", folder, *options], stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=CLIMB_S, check=True)
            ladder = json.loads(Path(folder, "ladder.json").read_text(encoding="utf-8"))
            return in_words(ladder)
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
            return ""


def _built(lab: Lab, rungs: list[dict[str, Any]], on_wait: Callable[[], None]) -> bool:
    """Whether the programs of all rungs exist. In a build folder they are built, and run, now, unless nothing has changed. An
    edition has their times."""
    if is_edition(lab.build_folder):
        return True
    command = ["cmake", "--build", str(lab.build_folder), "--target", f"{lab.name}_rungs"]
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as build:
            try:
                status = _wait(build, on_wait)
            except BaseException:
                build.terminate()  # ninja ends what it has begun.
                raise
    except (OSError, subprocess.TimeoutExpired):
        return False
    return status == 0 or all(Path(lab.manifest["workers"].get(rung["source"], "")).is_file() for rung in rungs)


def _wait(build: subprocess.Popen[bytes], on_wait: Callable[[], None]) -> int:
    try:
        return build.wait(AT_ONCE_S)
    except subprocess.TimeoutExpired:
        on_wait()
        return build.wait(BUILD_S)


def in_words(ladder: dict[str, Any]) -> str:
    """From ladder.json (docs/formats.md). The slowest comes first; times that are equal in all digits shown are one
    step. Libraries are included: an answer may beat them."""
    answer = ladder["answer"]["time_us"]
    if answer is None:
        return ""
    steps = [(float(step["time_us"]), step["rung"]) for step in ladder["rungs"] if step["time_us"] is not None]
    if not steps:
        return ""
    # If a rung has the same time, the answer comes after it, because it has reached that rung.
    order = sorted([*((us, 1, f"'{name}' {number(us)} us") for us, name in steps),
                    (float(answer), 0, f"your answer {number(float(answer))} us")], key=lambda step: (-step[0], -step[1]))
    return f"On the ladder (predicted times on the benchmark): {', '.join(words for _, _, words in order)}."
