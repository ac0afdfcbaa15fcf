"""Runs a lab's tests on the project's own answers, to record the results (record_findings.py, record_verdicts.py)."""

from __future__ import annotations

import difflib
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_SECONDS = 600
_SEED = "1"


def manifest_of(build: Path, lab: str) -> dict[str, Any]:
    """@throws OSError if the build folder has no such lab"""
    found: dict[str, Any] = json.loads((build / "manifests" / f"{lab}.json").read_text(encoding="utf-8"))
    return found


def records_of(manifest: dict[str, Any], answer: str, only: str = "") -> dict[str, dict[str, Any]]:
    """The tests' records for an answer, by their names. @param answer by its title, "wrong:missing_barrier" @param only a test"""
    with tempfile.TemporaryDirectory() as place:
        own, results = Path(place, "manifest.json"), Path(place, "results")
        own.write_text(json.dumps(manifest | {"results_folder": str(results)}), encoding="utf-8")
        command = [manifest["test_program"], "--manifest", own, "--answer", answer, "--seed", _SEED]
        subprocess.run(command + (["--test", only] if only else []), check=False, stdout=subprocess.DEVNULL, timeout=_SECONDS)
        records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob("*/*.json"))]
    return {f"{one['kind']}.{one['sentence']}": one for one in records}


def write(path: Path, record: dict[str, Any]) -> None:
    """Prints the difference."""
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    new = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    print("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "before", "now", n=1)), end="")
    path.write_text(new, encoding="utf-8")
