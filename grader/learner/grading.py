"""Grades by running ctest, so that the verdict is ctest's own, and can be stopped at any time."""

from __future__ import annotations

import fcntl
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import IO

from grader.course.text_files import no_source
from grader.learner.errors import LearnerError
from grader.learner.labs import Lab
from grader.learner.text import say
from grader.learner.verdict import Verdict, read_records, verdict_of_run
from grader.workbook.edition import is_edition

PATIENCE_S = 5  # For processes that were told to end.
UNABLE = 3  # Exit status if an edition's tests cannot be run; ctest does not use it.


class Grading:
    """A run of ctest on one lab. Use it in a `with` statement: leaving it ends everything that still runs."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        if not lab.source.is_file():
            raise LearnerError(f"{lab.shown(lab.source)}: there is no such file. Save your answer there, or get the "
                               f"skeleton back with `git checkout {lab.shown(lab.source)}`")
        if reason := no_source(lab.source.read_bytes(), lab.source.name):
            raise LearnerError(f"{lab.shown(lab.source)}: {reason}")
        _ = lab.manifest  # Raises now if the lab is not built here.
        self._lock = _alone(lab.build_folder)
        self._started = time.time()
        self._run = f"check {secrets.token_hex(8)}"  # Distinguishes this run's records from others'.
        self._folder = tempfile.TemporaryDirectory(prefix="warpbook_check_")
        self._log = open(Path(self._folder.name) / "log", "w+b")
        try:
            # A session of its own: only this process gets Ctrl-C, and ends the others.
            self._process = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL, stdout=self._log,
                                             stderr=subprocess.STDOUT, start_new_session=True,
                                             env={**os.environ, "WARPBOOK_RUN": self._run})
        except OSError as error:
            self._lock.close()
            self._folder.cleanup()
            raise LearnerError(f"ctest cannot be started ({error.strerror}); run common/setup.sh") from None

    def _command(self) -> list[str]:
        # Tests on the virtual GPU can run in parallel; on a real GPU, CMake makes each use the GPU alone.
        options = ["--output-junit", str(self._junit), "--parallel", str(len(os.sched_getaffinity(0)))]
        if is_edition(self._lab.build_folder):
            return [sys.executable, "-m", "grader.learner.edition_tests", str(self._lab.build_folder), self._lab.name, *options]
        return ["ctest", "--test-dir", str(_folder_of_tests(self._lab.build_folder)), "-R", rf"^{self._lab.name}\.", *options]

    @property
    def _junit(self) -> Path:
        return Path(self._folder.name) / "tests.xml"

    def __enter__(self) -> Grading:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._lock.close()
        self._log.close()
        self._folder.cleanup()

    @property
    def seconds(self) -> float:
        return time.time() - self._started

    def wait(self, seconds: float | None) -> bool:
        """True once it has ended."""
        try:
            self._process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def stop(self) -> None:
        """Ends it, and everything that it started: ctest gives each test a session of its own, and ends none itself."""
        if self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGSTOP)  # So that it starts nothing more meanwhile.
        family = _descendants(self._process.pid)
        for pid in family:
            _send(pid, signal.SIGTERM)  # The build tool removes incomplete files.
        for number in (signal.SIGTERM, signal.SIGCONT):
            self._process.send_signal(number)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and (not self.wait(0.02) or any(map(_is_alive, family))):
            time.sleep(0.02)
        for pid in family:
            if _is_alive(pid):
                _send(pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def tests_done(self) -> int:
        """How many tests of the lab have ended so far."""
        return sum(record.run == self._run for record in read_records(self._lab))

    def verdict(self) -> Verdict:
        """Once it has ended. @throws LearnerError if ctest itself failed"""
        ended = {case.get("name", ""): case.get("status", "") for case in self._cases()}
        failure = self._build_failure()
        if failure:
            return Verdict(self._lab, (), "build_failed", build_failure=failure)
        if self._process.returncode == UNABLE:
            raise LearnerError(self._output().strip())
        if f"{self._lab.name}.build" not in ended:
            raise LearnerError(f"the tests did not run. ctest said:\n{self._output().strip()}\nDoes `cmake "
                               f"{self._lab.shown(self._lab.build_folder)}` run without an error?")
        return verdict_of_run(self._lab, self._run, ended)

    def _cases(self) -> list[xml.Element]:
        try:
            return list(xml.parse(self._junit).getroot().iter("testcase"))
        except (OSError, xml.ParseError):
            return []

    def _build_failure(self) -> str:
        log = Path(self._lab.manifest["results_folder"]) / "build_failed.log"
        try:
            young = log.stat().st_mtime >= self._started - 1
            return log.read_text(encoding="utf-8", errors="replace") if young else ""
        except OSError:
            return ""

    def _output(self) -> str:
        with open(self._log.name, encoding="utf-8", errors="replace") as file:
            return file.read()


def _folder_of_tests(build_folder: Path) -> Path:
    """Where ctest finds the tests of labs, and not those of the project, which take it a third of a second to read."""
    labs = build_folder / "grader" / "labs"
    return labs if (labs / "CTestTestfile.cmake").is_file() else build_folder


def _alone(build_folder: Path) -> IO[str]:
    """Waits until nobody else grades in this build folder: two builds at a time would disturb each other. Close the
    returned lock to let others in."""
    try:
        lock = open(build_folder / "warpbook_check.lock", "w", encoding="utf-8")
    except PermissionError:
        raise LearnerError(f"{build_folder} belongs to another user, and `warpbook check` builds there: work in a clone of your "
                           "own (git clone, then cmake --preset sim), and check there") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another check is running; waiting for it to finish.")
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        pass  # A file system without locks.
    return lock


def _descendants(pid: int) -> list[int]:
    """Process ids of everything below a process, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, ahead = [], [pid]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


def _stat(pid: int) -> list[str]:
    """State, parent, ... of a process; nothing if it has ended."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _is_alive(pid: int) -> bool:
    fields = _stat(pid)
    return bool(fields) and fields[0] not in "ZX"


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
