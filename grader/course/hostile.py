"""Grades one hostile submission of testdata/hostile and checks that it fails and that nothing outside is touched.

    WARPBOOK_BUILD_FOLDER=build/sim python3 -m grader.course.hostile NAME...

The first lines of each file say how it must end; of what may be there several times, all must hold:

    // ends: <status>
    // earns: <points for what is right in it; without this line nothing>
    // because: <kind key=value ...>, what a test found, with the keys kind, topic, subject, line, limit and the names of
    //          numbers in the evidence; or the kind and subject of a failed build. One of several: <...> or <...>
    // says: <what the submission, the compiler or the system says>: printed, thrown or in the build's log
    // suspicion: <code of a note that must be made>
    // limit: <name> <value>
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grader.course.plain_text import plain_text
from grader.course.sandbox import BUBBLEWRAP
from grader.course.testing.jobs import PROJECT, bubblewrap_works, make_job, run_task
from grader.workbook.places import place_of

HOSTILE = Path(__file__).resolve().parent / "testdata" / "hostile"
LAB = "vector_add"
SKIPPED = 77
_LIMITS = {"wall_s": 3, "memory_bytes": 2 << 30, "processes": 64}
_TOKEN = "token-that-only-the-canary-holds"
_LONGEST = 200_000  # Characters of all messages together.
_SECONDS = 280.0  # Whatever it does, a submission ends within this time.
_MADE = {"build.log", "profile.json", "result.json", "timing.json", "job.json", ".lock", f"{LAB}.cu"}


class Canaries:
    """What a submission must neither read, change, reach nor end."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.file = out / "canary"
        self.file.write_text(_TOKEN + "\n", encoding="ascii")
        self.file.chmod(0o666)  # Nothing but the sandbox protects it.
        out.chmod(0o777)
        self.other = make_job(out, LAB, f'#error "{_TOKEN}"\n', BUBBLEWRAP) / f"{LAB}.cu"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)
        self.process = subprocess.Popen(["/usr/bin/sleep", "1000"])
        self._core_pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8")
        self._solution = place_of(LAB).solution.read_bytes()
        self._before = self._files()

    def _files(self) -> set[str]:
        return {str(path.relative_to(self.out)) for path in self.out.rglob("*")}

    def filled_in(self, text: str) -> str:
        """A submission with the paths and the port that it attacks."""
        for name, value in (("CANARY", self.file), ("OTHER", self.other), ("OUT", self.out), ("PROJECT", PROJECT),
                            ("HOME", Path.home()), ("PORT", self.listener.getsockname()[1])):
            text = text.replace(f"@{name}@", str(value))
        return text

    def harm(self, job: Path) -> list[str]:
        """What was touched, in words."""
        found = []
        if not self.file.is_file() or self.file.read_text(encoding="utf-8", errors="replace") != _TOKEN + "\n":
            found.append("the canary's file was changed")
        if self.process.poll() is not None:
            found.append("the canary's process was ended")
        try:
            self.listener.accept()
            found.append("the listener was reached")
        except BlockingIOError:
            pass
        if Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8") != self._core_pattern:
            found.append("the kernel's core_pattern was changed")
        if place_of(LAB).solution.read_bytes() != self._solution:
            found.append("a solution was changed")
        ours = {f"jobs/{job.name}", *(f"jobs/{job.name}/{name}" for name in _MADE)}
        new = {name for name in self._files() - self._before - ours if not name.startswith("ladders")}
        if new:
            found.append(f"new files: {', '.join(sorted(new))}")
        return found

    def close(self) -> None:
        self.listener.close()
        self.process.kill()
        self.process.wait()


def _expected(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^// (ends|earns|because|says|suspicion|limit): (.*)$", text, re.M):
        found.setdefault(key, []).append(value)
    return found


def _facts(record: dict[str, Any]) -> dict[str, list[str]]:
    """What lines `because:` may name of a finding, or of the failure of a build."""
    facts = {key: [str(record[key])] for key in ("topic", "subject") if record.get(key)}
    facts["line"] = [str(site["line"]) for site in record.get("sites", [])]
    if record.get("limit"):
        facts["limit"] = [f"{record['limit']['value']:.10g}"]
    return facts | {one["name"]: [f"{one['value']:.10g}"] for one in record.get("evidence", [])}


def _holds(because: str, record: dict[str, Any]) -> bool:
    kind, *facts = shlex.split(because)
    known = _facts(record)
    return record["kind"] == kind and all(value in known.get(key, []) for key, _, value in (fact.partition("=") for fact in facts))


def _shown(record: dict[str, Any]) -> str:
    """The longest line `because:` that holds: to be copied."""
    return " ".join([record["kind"], *(f"{key}={shlex.quote(value)}" for key, values in _facts(record).items() for value in values)])


def _others_words(result: dict[str, Any], log: str) -> str:
    """What the student reads and the grader did not word."""
    found = [test["finding"] for test in result["tests"] if test["finding"]]
    thrown = [finding["headline"] for finding in found if finding["kind"] == "program_error"]
    return "\n".join([log, *thrown, *(printed["text"] for finding in found for printed in finding["printed"])])


def problems_of(name: str, out: Path) -> list[str]:
    """Grades one hostile submission. @returns what is not as it must be"""
    text = (HOSTILE / f"{name}.cu").read_text(encoding="utf-8")
    expected = _expected(text)
    limits = dict(_LIMITS)
    for line in expected.get("limit", []):
        limits[line.split()[0]] = int(line.split()[1])
    canaries = Canaries(out)
    try:
        job = make_job(out, LAB, canaries.filled_in(text), BUBBLEWRAP, ".cu", **limits)
        started = time.monotonic()
        done = run_task(job)
        problems = canaries.harm(job)
        if time.monotonic() - started > _SECONDS:
            problems.append(f"it took {time.monotonic() - started:.0f} s")
        if done.returncode != 0:
            return [*problems, f"the grader failed: {done.stderr}"]
        result = json.loads((job / "result.json").read_text(encoding="utf-8"))
        told = "\n".join([result["reason"], *(test["message"] for test in result["tests"])])
        log = (job / "build.log").read_text(encoding="utf-8")
        if result["status"] != expected["ends"][0]:
            problems.append(f"it ends as {result['status']}, not {expected['ends'][0]}")
        earns = float(expected.get("earns", ["0"])[0])
        if abs(result["points"] - earns) > 0.005:
            problems.append(f"it earns {result['points']} points, not {earns}")
        if not result["reason"]:
            problems.append("no reason is given")
        records = [record for record in (result["build_failure"], *(test["finding"] for test in result["tests"])) if record]
        for because in expected["because"]:
            if not any(_holds(one, record) for one in because.split(" or ") for record in records):
                problems.append(f"nothing was found that is '{because}', but:\n" + "\n".join(sorted(set(map(_shown, records)))))
        words = _others_words(result, log)
        problems += [f"nothing says '{text}'" for text in expected.get("says", []) if text not in words]
        notes = {note["code"] for note in result["notes"]}
        problems += [f"no note '{code}' is made" for code in expected.get("suspicion", []) if f"{code}" not in notes]
        everything = told + log + (json.dumps(result["notes"]))
        for forbidden in ("ESCAPED", _TOKEN):
            if forbidden in everything:
                problems.append(f"'{forbidden}' is in what the student reads")
        commands = sorted(letter for letter in set(everything) if plain_text(letter) != letter)
        problems += [f"{letter!a} is in what the student reads" for letter in commands]
        if len(everything) > _LONGEST:
            problems.append(f"what the student reads has {len(everything)} letters")
        if problems:
            problems.append(f"it came to {result['status']}, {result['reason']}\n{told[:3000]}\nbuild log: {log[:1000]}")
        else:
            print(f"{name}: {result['reason']} [{time.monotonic() - started:.1f} s]")
        return problems
    finally:
        canaries.close()


def main(names: list[str]) -> int:
    if not bubblewrap_works():
        print("Skipped: there can be no sandbox on this machine.")
        return SKIPPED
    failed = False
    for name in names or sorted(path.stem for path in HOSTILE.glob("*.cu")):
        out = Path(tempfile.mkdtemp(prefix="warpbook-hostile-"))
        try:
            problems = problems_of(name, out)
        finally:
            shutil.rmtree(out, ignore_errors=True)
        for problem in problems:
            print(f"{name}: {problem}")
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
