"""What a learner has done so far, in .warpbook/progress.json, which git ignores."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

FORMAT, VERSION = "warpbook.progress", 1


@dataclass
class LabProgress:
    """Of one lab. sha256 are of the edited file; times are UTC, ISO 8601. `tests` holds the status of each test of the
    last check by `<kind>.<sentence>`; `hints` the hints shown, by their titles."""

    best_points: float = 0.0
    max_points: float = 0.0
    points: float = 0.0
    status: str = ""  # Of the last check: passed, failed, inconclusive, not_started, build_failed; empty: none.
    sha256: str = ""
    checked_at: str = ""
    checks: int = 0
    checks_without_gain: int = 0
    tests: dict[str, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)
    submitted: list[dict[str, str]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.max_points > 0 and self.best_points >= self.max_points

    def record(self, points: float, max_points: float, status: str, sha256: str, tests: dict[str, str]) -> None:
        """Takes in a verdict."""
        self.checks += 1
        self.checks_without_gain = 0 if points > self.best_points else self.checks_without_gain + 1
        if max_points != self.max_points:  # The lab's tests have changed: the old best no longer counts.
            self.best_points = 0.0
        self.best_points, self.max_points, self.points = max(self.best_points, points), max_points, points
        self.status, self.sha256, self.tests, self.checked_at = status, sha256, tests, now()


@dataclass
class Progress:
    labs: dict[str, LabProgress] = field(default_factory=dict)

    def of(self, lab: str) -> LabProgress:
        return self.labs.setdefault(lab, LabProgress())


def _to_stderr(message: str) -> None:
    print(f"warpbook: {message}", file=sys.stderr)


class Store:
    """The file. A damaged one is set aside with a warning; it is never overwritten and never stops a command. If
    nothing can be written, commands work but nothing is remembered."""

    def __init__(self, project: Path, warn: Callable[[str], None] = _to_stderr) -> None:
        self.path = project / ".warpbook" / "progress.json"
        self._warn = warn
        self._warned: set[str] = set()

    def read(self) -> Progress:
        return self._load()[0]

    @contextmanager
    def update(self) -> Iterator[Progress]:
        """Read, change, write; two commands at the same time do not lose each other's changes."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(self.path.parent / "lock", "w", encoding="utf-8")
        except OSError as error:
            self._once(f"{self.path.parent}: cannot be written ({error.strerror}); your progress is not remembered")
            yield self.read()
            return
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError:
                pass  # A file system without locks: the write below is still in one step.
            progress, writable = self._load(put_aside=True)
            yield progress
            if writable:
                self._write(progress)

    def _load(self, put_aside: bool = False) -> tuple[Progress, bool]:
        try:
            raw = self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return Progress(), True
        except OSError as error:
            self._once(f"{self.path}: cannot be read ({error.strerror}); your progress is not remembered")
            return Progress(), False
        try:
            json_ = json.loads(raw.decode("utf-8"))
            if not isinstance(json_, dict) or json_.get("format") != FORMAT or not isinstance(json_.get("labs"), dict):
                raise ValueError("it is another file")
        except (ValueError, RecursionError) as error:
            if put_aside:
                self._put_aside(raw, str(error))
            else:
                self._once(f"{self.path}: is damaged ({error}); it counts as empty until something is written")
            return Progress(), True
        if json_.get("version") != VERSION:
            self._once(f"{self.path}: has version {json_.get('version')!r}, but this warpbook reads version {VERSION}; it "
                       "is left unchanged, and your progress is not remembered. Update warpbook, or move the file away")
            return Progress(), False
        return Progress({str(lab): _lab(value) for lab, value in json_["labs"].items()}), True

    def _put_aside(self, raw: bytes, why: str) -> None:
        aside = self.path.with_name(f"progress.damaged-{hashlib.sha256(raw).hexdigest()[:8]}.json")
        try:
            os.replace(self.path, aside)
            self._once(f"{self.path}: is damaged ({why}); it is kept as {aside.name}, and a new one is started")
        except OSError as error:
            self._once(f"{self.path}: is damaged ({why}) and cannot be set aside ({error.strerror})")

    def _write(self, progress: Progress) -> None:
        text = json.dumps({"format": FORMAT, "version": VERSION,
                           "labs": {lab: asdict(value) for lab, value in progress.labs.items()}},
                          indent=1, sort_keys=True) + "\n"
        temporary = self.path.with_name(f"progress.json.{os.getpid()}.new")
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except OSError as error:
            self._once(f"{self.path}: cannot be written ({error.strerror}); what was there stays")
            temporary.unlink(missing_ok=True)

    def _once(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            self._warn(message)


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256_of(path: Path) -> str:
    """Of a file's contents; empty if there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _lab(value: Any) -> LabProgress:
    """Values of the wrong type count as missing."""
    result = LabProgress()
    if not isinstance(value, dict):
        return result
    for item in fields(LabProgress):
        given, usual = value.get(item.name), getattr(result, item.name)
        if isinstance(usual, float) and isinstance(given, (int, float)) and not isinstance(given, bool):
            if 0 <= given < 1e9:
                setattr(result, item.name, float(given))
        elif isinstance(usual, int) and type(given) is int and 0 <= given < 10**9:
            setattr(result, item.name, given)
        elif isinstance(usual, str) and isinstance(given, str):
            setattr(result, item.name, given)
        elif isinstance(usual, list) and isinstance(given, list):
            kind = str if item.name == "hints" else dict
            setattr(result, item.name, [one for one in given if isinstance(one, kind)])
        elif isinstance(usual, dict) and isinstance(given, dict):
            setattr(result, item.name, {str(k): str(v) for k, v in given.items()})
    return result
