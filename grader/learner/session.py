"""What all commands share: their arguments, the labs, the progress, and taking over ctest's verdicts."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from grader.learner.errors import LearnerError
from grader.learner.labs import PROJECT, Lab, load_labs
from grader.learner.progress import LabProgress, Progress, Store, sha256_of
from grader.learner.verdict import Verdict, last_verdict
from grader.workbook.edition import is_edition, project_of


@dataclass(frozen=True)
class Session:
    labs: list[Lab]
    store: Store

    def progress(self) -> Progress:
        """The progress, with verdicts of ctest runs that were started without these commands."""
        progress = self.store.read()
        for lab in self.labs:
            known = progress.of(lab.name)
            try:
                left = last_verdict(lab)
            except LearnerError:
                continue  # Not built here.
            if left is None:
                continue
            verdict, seconds = left
            when = datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            if when > known.checked_at:
                take_in(known, verdict)
                known.checked_at = when
        return progress


def take_in(progress: LabProgress, verdict: Verdict) -> None:
    if verdict.build_failure:
        progress.status, progress.sha256 = "build_failed", sha256_of(verdict.lab.source)
        return
    progress.record(verdict.points, verdict.max_points, verdict.status, sha256_of(verdict.lab.source),
                    {test.name: test.status for test in verdict.tests})


def begin(parser: argparse.ArgumentParser, arguments: list[str]) -> tuple[argparse.Namespace, Session]:
    """Reads the arguments of a command. @throws LearnerError if the project's labs cannot be read"""
    parser.add_argument("--build-folder", type=Path, default=PROJECT / "build" / "sim", help=argparse.SUPPRESS)
    parser.add_argument("--project", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    build_folder = options.build_folder.resolve()
    project = options.project or (project_of(build_folder) if is_edition(build_folder) else PROJECT)
    return options, Session(load_labs(build_folder, project.resolve()), Store(project.resolve()))
