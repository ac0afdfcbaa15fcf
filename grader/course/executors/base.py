"""What an executor is: it runs the tasks of job folders and reports each that has a result."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

RESULT = "result.json"
RESULT_FORMAT, RESULT_VERSION = "warpbook.job_result", 1


def task_command(job: Path) -> list[str]:
    """The command that grades one job. It exits with 0 if a result was written, however bad the submission is."""
    return [sys.executable, "-m", "grader.course.task", str(job)]


def has_result(job: Path) -> bool:
    """Whether the job is graded: its folder has a complete result.json of this version."""
    try:
        result = json.loads((job / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return (isinstance(result, dict) and result.get("format") == RESULT_FORMAT
            and result.get("version") == RESULT_VERSION and result.get("id") == job.name)


class Executor(ABC):
    """Runs tasks. Use it as a context manager: leaving it ends every task that still runs.

    `failures` says for each job without a result why the grader (never the submission) failed.
    """

    def __init__(self) -> None:
        self.failures: dict[Path, str] = {}

    @abstractmethod
    def run(self, jobs: Sequence[Path], on_done: Callable[[Path], None]) -> None:
        """Runs the tasks of these folders and calls `on_done` in this thread for each that has a result. Afterwards
        every job has a result or is in `failures`. KeyboardInterrupt passes through; finished jobs stay finished."""

    def close(self) -> None:  # noqa: B027 (an executor whose tasks end with run() has nothing to do)
        """Ends every task that still runs."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
