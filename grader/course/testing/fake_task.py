"""A task for tests, without compiler and GPU: the source says what its grade is.

`tests: passed failed passed` gives the three tests of a fake lab these statuses; other words: `build_failed`,
`not_started`, `nap` (takes a moment), `hang`, `grader_fails`.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

from grader.course.files import json_text, write_file

KINDS = (("correctness", 40.0), ("counters", 30.0), ("time", 30.0))


def test_names(lab: str) -> list[str]:
    return [f"{lab}.correctness.every shape is right", f"{lab}.counters.stores fill sectors", f"{lab}.time.is nearly as fast"]


def main(job: Path) -> int:
    description = json.loads((job / "job.json").read_text(encoding="utf-8"))
    text = (job / description["source"]).read_text(encoding="utf-8")
    with open(job / "runs", "a", encoding="ascii") as runs:
        runs.write("x")
    if "nap" in text:
        time.sleep(0.15)
    if "hang" in text:
        time.sleep(600)
    if "grader_fails" in text:
        print("bwrap: no space left on device")
        return 1
    lab = description["lab"]
    found = re.search(r"tests: (.*)", text)
    statuses = found.group(1).split() if found else ["skipped" if "not_started" in text else "not_run"] * 3
    tests = [{"name": name, "kind": kind, "status": status, "points": most if status == "passed" else 0.0,
              "max_points": most, "message": "" if status == "passed" else f"{status}: it is wrong\nat line 3"}
             for name, (kind, most), status in zip(test_names(lab), KINDS, statuses)]
    failed = sum(status == "failed" for status in statuses)
    status = next((word for word in ("build_failed", "not_started") if word in text), "failed" if failed else "passed")
    reason = {"passed": "", "failed": f"{failed} of 3 tests failed", "build_failed": "It does not compile: line 3",
              "not_started": "Nobody has begun"}[status]
    write_file(job / "profile.json", "{}")
    write_file(job / "result.json", json_text({
        "format": "warpbook.job_result", "version": 1, "id": description["id"], "lab": lab, "status": status,
        "reason": reason, "points": sum(test["points"] for test in tests), "max_points": 100.0, "tests": tests,
        "ladder": [], "time_us": 12.5 if status == "passed" else None, "profile": "profile.json", "build_log": "build.log",
        "isolation": description["isolation"], "left_behind": ["core"] if "leaves core" in text else []}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
