"""Grades one hostile submission of testdata/hostile and checks that it fails and that nothing outside is touched.

    WARPBOOK_BUILD_FOLDER=build/sim python3 -m grader.course.hostile NAME...

The first lines of each file say how it must end:

    // ends: <status>
    // earns: <points for what is right in it; without this line nothing>
    // because: <regular expression that the reason or a test's message must match>; several: all
    // suspicion: <code of a note that must be made>
    // limit: <name> <value>
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
    for key, value in re.findall(r"^// (ends|earns|because|suspicion|limit): (.*)$", text, re.M):
        found.setdefault(key, []).append(value)
    return found


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
        words = " ".join(told.split())
        for reason in expected.get("because", []):
            if not re.search(re.escape(reason) if "(" in reason else canaries.filled_in(reason), words):
                problems.append(f"neither the reason nor a message says '{reason}'")
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
