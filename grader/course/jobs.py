"""Job folders: one for each (lab, contents of the file, grader's fingerprint), made atomically and kept as a cache."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.executors.base import RESULT, has_result
from grader.course.files import json_text, sync_folder, write_file
from grader.course.labs import Lab

FORMAT, VERSION = "warpbook.job", 1
SECRET = "secret"


@dataclass(frozen=True)
class Limits:
    """A submission's limits: seconds of processor time for each step of building; seconds that a case may sleep, bytes
    and processes of each case."""

    build_wall_s: float = 120
    wall_s: float = 10
    memory_bytes: int = 6 * 2**30
    processes: int = 64


@dataclass(frozen=True)
class Settings:
    """What all jobs of a run share."""

    build_folder: Path
    isolation: str  # "bubblewrap" or "none"
    limits: Limits = Limits()


def job_id(lab: str, sha256: str, fingerprint: str, settings: Settings) -> str:
    """32 hex digits. They do not depend on who handed the file in, where it is and when it is graded."""
    parts = (FORMAT, VERSION, lab, sha256, fingerprint, settings.isolation, asdict(settings.limits))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


class JobFolders:
    """OUT/jobs and OUT/secret."""

    def __init__(self, out: Path, settings: Settings) -> None:
        self._folder = out / "jobs"
        self._settings = settings
        self._folder.mkdir(parents=True, exist_ok=True)
        for unfinished in self._folder.glob(".new-*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        if not (out / SECRET).exists():
            write_file(out / SECRET, secrets.token_hex(32) + "\n", mode=0o600)
        elif not os.access(out / SECRET, os.R_OK):
            raise BatchError(f"{out / SECRET} belongs to another user, who alone can grade there: ask them, or choose another --out")

    def path(self, job: str) -> Path:
        return self._folder / job

    def make(self, lab: Lab, sha256: str, source: Path, fingerprint: str) -> str:
        """Creates the job for a file, and its folder. @returns the id"""
        job = job_id(lab.name, sha256, fingerprint, self._settings)
        description = json_text({
            "format": FORMAT, "version": VERSION, "id": job, "lab": lab.name, "source": lab.file_name,
            "build_folder": str(self._settings.build_folder), "isolation": self._settings.isolation,
            "limits": asdict(self._settings.limits)})
        folder = self.path(job)
        if folder.is_dir():
            if not (folder / lab.file_name).is_file():  # Somebody deleted it.
                write_file(folder / lab.file_name, _contents(source))
            if not (folder / "job.json").is_file() or (folder / "job.json").read_text(encoding="utf-8") != description:
                write_file(folder / "job.json", description)  # The clone of warpbook has moved.
            return job
        new = self._folder / f".new-{job}"
        new.mkdir()
        write_file(new / lab.file_name, _contents(source))
        write_file(new / "job.json", description)
        new.rename(folder)
        sync_folder(self._folder)
        return job

    def forget_result(self, job: str) -> None:
        """Removes the result, so that the job is graded again."""
        (self.path(job) / RESULT).unlink(missing_ok=True)

    def result(self, job: str) -> dict[str, Any] | None:
        """The job's result, or None."""
        folder = self.path(job)
        return json.loads((folder / RESULT).read_text(encoding="utf-8")) if has_result(folder) else None


def _contents(source: Path) -> bytes:
    """@throws BatchError"""
    try:
        return source.read_bytes()
    except OSError as error:
        raise BatchError(f"{source}: cannot be read ({error.strerror}); give the same command again") from None
