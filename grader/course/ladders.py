"""The rungs of each lab on its benchmark: the same for all submissions, so they are run once and kept."""

from __future__ import annotations

import fcntl
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError


def _fingerprint(manifest: dict[str, Any]) -> str:
    """A fingerprint of all programs whose times are in the ladder, and of what runs them."""
    digest = hashlib.sha256()
    sources = _rung_sources(manifest)
    programs = [manifest["test_program"], manifest["device_process"], *(manifest["workers"][source] for source in sources)]
    programs += sorted(str(path) for folder in manifest["build"]["libraries"] for path in Path(folder).glob("*.so.*.*"))
    for program in programs:
        try:
            digest.update(Path(program).read_bytes())
        except OSError as error:
            raise BatchError(f"{program} is missing: a rung of lab {manifest['lab']}. Build it: cmake --build "
                             f"{manifest['build_folder']} --target warpbook_batch") from error
    return digest.hexdigest()[:16]


def _rung_sources(manifest: dict[str, Any]) -> list[str]:
    path = Path(manifest["project_root"], "labs", manifest["chapter"], manifest["lab"], "lab.json")
    return [rung["source"] for rung in json.loads(path.read_text(encoding="utf-8")).get("rungs", [])]


def rungs_of(manifest: dict[str, Any], out: Path) -> list[dict[str, Any]]:
    """The rungs as results.json has them; profiles are paths from a job's folder.

    :param out: the course's folder; its folder `ladders` keeps them
    :raises BatchError: if a rung is not built, or its program fails
    """
    if not _rung_sources(manifest):
        return []
    folder = out / "ladders" / f"{manifest['lab']}-{_fingerprint(manifest)}"
    folder.mkdir(parents=True, exist_ok=True)
    ladder = folder / "ladder.json"
    with open(folder / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ladder.exists():
            done = subprocess.run([manifest["test_program"], "--answer", "solution", "--ladder", str(folder)],
                                  capture_output=True, text=True, errors="replace", check=False)
            if done.returncode != 0 or not ladder.exists():
                raise BatchError(f"the ladder of lab {manifest['lab']} cannot be run: {done.stderr.strip()}")
    rungs: list[dict[str, Any]] = json.loads(ladder.read_text(encoding="utf-8"))["rungs"]
    for rung in rungs:
        if rung["problem"]:
            ladder.unlink()
            raise BatchError(f"rung {rung['rung']} of lab {manifest['lab']} fails: {rung['problem'].strip()}")
        if rung["profile"]:
            rung["profile"] = f"../../ladders/{folder.name}/{Path(rung['profile']).name}"
    return rungs
