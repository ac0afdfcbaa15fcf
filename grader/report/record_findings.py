"""Records what the tests found in each wrong answer: `python3 -m grader.report.record_findings BUILD [LAB ...]`.

Each wrong answer is run by the test that must reject it. What the class page compares with goes to known_findings.json;
labs that are not named keep what they have. The difference is printed.
"""

from __future__ import annotations

import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .class_mistakes import KNOWN

PROJECT = Path(__file__).resolve().parents[2]
_KEPT = ("kind", "topic", "subject")
_SECONDS = 300
_SEED = "1"


def recorded(finding: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a finding: no words, and no place in a file that students do not have."""
    evidence = {one["name"]: one["value"] for one in finding["evidence"]}
    return {**{key: finding[key] for key in _KEPT}, "evidence": evidence}


def found_in(manifest: dict[str, Any], source: str, test: str) -> dict[str, Any] | None:
    """What a test found in one wrong answer; None if it found nothing."""
    with tempfile.TemporaryDirectory() as place:
        own = Path(place) / "manifest.json"
        own.write_text(json.dumps(manifest | {"results_folder": f"{place}/results"}), encoding="utf-8")
        subprocess.run(
            [manifest["test_program"], "--manifest", own, "--answer", source, "--test", test, "--seed", _SEED],
            check=False, stdout=subprocess.DEVNULL, timeout=_SECONDS,
        )
        records = list(Path(place, "results").glob("*/*.json"))
        return json.loads(records[0].read_text(encoding="utf-8"))["finding"] if records else None


def findings_of(manifest: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By the names of a lab's wrong answers."""
    found = {}
    for source in sorted(name for name in manifest["workers"] if "/wrong/" in name):
        path = PROJECT / source
        test = re.search(r"^// rejected-by: *(.+?) *$", path.read_text(encoding="utf-8"), re.M)
        finding = found_in(manifest, source, test[1]) if test else None
        if finding is None:
            print(f"{source}: its test found nothing; is it built?", file=sys.stderr)
        else:
            found[path.stem] = recorded(finding)
    return found


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]) / "manifests"
    old = KNOWN.read_text(encoding="utf-8")
    record = json.loads(old)
    for path in sorted(folder.glob("*.json")):
        if not arguments[1:] or path.stem in arguments[1:]:
            record["labs"][path.stem] = findings_of(json.loads(path.read_text(encoding="utf-8")))
    new = json.dumps(record, indent=1, sort_keys=True) + "\n"
    print("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "before", "now", n=1)), end="")
    KNOWN.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
