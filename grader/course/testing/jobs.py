"""Jobs for tests: made from a text, run by the task as an executor does."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.sandbox import BUBBLEWRAP, Tools, open_sandbox

PROJECT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("WARPBOOK_BUILD_FOLDER", PROJECT / "build" / "sim")).resolve()
LADDERS = BUILD / "ladders_of_tests"


def bubblewrap_works() -> bool:
    """Whether there can be a sandbox on this machine. :raises BatchError: if the build lacks what it needs"""
    Tools.of(BUILD)
    try:
        open_sandbox(BUILD, BUBBLEWRAP)
        return True
    except BatchError:
        return False


def make_job(out: Path, lab: str, text: str, isolation: str, suffix: str = ".cu", **limits: int) -> Path:
    """The folder of a job in a course's folder `out`."""
    job = hashlib.sha256(f"{lab}\0{isolation}\0{text}".encode()).hexdigest()[:32]
    folder = out / "jobs" / job
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{lab}{suffix}").write_text(text, encoding="utf-8")
    description = {"format": "warpbook.job", "version": 1, "id": job, "lab": lab, "source": f"{lab}{suffix}",
                   "build_folder": str(BUILD), "isolation": isolation, "limits": limits}
    if not (out / "secret").exists():
        (out / "secret").write_text("0123456789abcdef" * 4 + "\n", encoding="ascii")
    if not (out / "ladders").exists():  # The same for all tests: run once for a build, and not by each of them.
        LADDERS.mkdir(exist_ok=True)
        (out / "ladders").symlink_to(LADDERS)
    (folder / "job.json").write_text(json.dumps(description), encoding="utf-8")
    return folder


def run_task(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the task to its end."""
    return subprocess.run([sys.executable, "-m", "grader.course.task", str(folder)], cwd=PROJECT, capture_output=True,
                          text=True, check=False, env={**os.environ, "PYTHONPATH": str(PROJECT)})
