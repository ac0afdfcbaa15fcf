"""A class for tests: two fake labs, submissions as text, and `warpbook grade` with the task of fake_task.py.

Run as a module it is the command itself: `python3 -m grader.course.testing.fake_class FOLDER grade ARGUMENTS`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from unittest import mock

from grader.course import __main__ as command_line
from grader.course import grade
from grader.course.executors import local, slurm
from grader.course.testing.fake_task import KINDS, test_names

ROOT = Path(__file__).resolve().parents[3]
LABS = {"alpha": 10, "beta": 20}


class FakeClass:
    """Everything lies in one folder: `project` and `build` (the labs), `in` (submissions), `out`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.submissions = folder / "in"
        self.out = folder / "out"

    def make_labs(self) -> None:
        for lab, order in LABS.items():
            self._write(f"project/labs/basics/{lab}/{lab}.h", f"void {lab}(float* out);\n")
            self._write(f"project/labs/basics/{lab}/{lab}.cu", f'#include "{lab}.h"\nvoid {lab}(float* out) {{}}\n')
            self._write(f"project/solutions/basics/{lab}/{lab}.cu", f'#include "{lab}.h"\nvoid {lab}(float* out) {{}}\n')
            self._write(f"project/labs/basics/{lab}/lab.json", json.dumps({"title": f"Lab {lab}", "order": order, "points": 100, "rungs": []}))
            tests = [{"kind": kind, "points": points, "sentence": name.split(".", 2)[2]}
                     for name, (kind, points) in zip(test_names(lab), KINDS)]
            self._write(f"build/manifests/{lab}.json", json.dumps({
                "lab": lab, "chapter": "basics", "project_root": str(self.folder / "project"), "build_folder": str(self.folder / "build"),
                "suffix": ".cu", "device": "h200", "test_program": str(self.folder / "build" / f"{lab}_test"), "workers": {},
                "tests": tests, "build": {"steps": [{"files": [str(self.folder / "build" / "calls.o")]}]}}))
            self._write(f"build/{lab}_test", "version 1")
        self._write("build/calls.o", "version 1")

    def hand_in(self, student: str, lab: str, text: str, when: str = "2026-10-01T12:00:00+00:00",
                folder: str = "") -> None:
        """Text as fake_task.py reads it."""
        path = self._write(f"in/{student}/{folder}/{lab}.cu", f"// {text}\n")
        seconds = datetime.fromisoformat(when).timestamp()
        os.utime(path, (seconds, seconds))

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def policy(self, **fields: object) -> Path:
        return self._write("course.json", json.dumps({"format": "warpbook.course", "version": 1, **fields}))

    def roster(self, *students: str) -> Path:
        return self._write("roster.csv", "student,name,email,section\n" + "".join(f"{one},,,\n" for one in students))

    def command(self, name: str, *arguments: str | Path) -> list[str]:
        return [sys.executable, "-m", "grader.course.testing.fake_class", str(self.folder), name, *map(str, arguments)]

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """`warpbook grade` on the submissions, in a process of its own."""
        given = [*arguments, "--out", self.out]
        if "--resume" not in arguments:  # hand_in() sets the times of files.
            given = [self.submissions, *given, *([] if "--times" in arguments else ["--times", "files"])]
        return subprocess.Popen(self.command("grade", *given), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True)

    def grade(self, *arguments: str | Path) -> tuple[int, str]:
        """The exit status and what was printed."""
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=120)
        return process.returncode, output

    def export(self, *arguments: str | Path) -> tuple[int, str]:
        return self.run("export", *arguments)

    def run(self, name: str, *arguments: str | Path) -> tuple[int, str]:
        """Another command: its exit status and what it printed."""
        done = subprocess.run(self.command(name, *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60, check=False)
        return done.returncode, done.stdout


def main(folder: Path, name: str, arguments: list[str]) -> int:
    task = lambda job: [sys.executable, "-m", "grader.course.testing.fake_task", str(job)]  # noqa: E731
    with (mock.patch.object(grade, "build_programs"), mock.patch.object(grade, "open_sandbox"),
          mock.patch.object(local, "make", lambda _out, at_once: local.LocalExecutor(at_once, task)),
          mock.patch.object(slurm, "make", lambda out, at_once: slurm.SlurmExecutor(out / "slurm", at_once, task, 0.3, 1.0))):
        return command_line.main([name, "--build-folder", str(folder / "build"), *arguments])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
