"""Options of `warpbook grade`, and which of them an interrupted run fixes for the one that resumes it."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.batch.errors import BatchError
from grader.batch.executors import EXECUTORS

ISOLATIONS = ("bubblewrap", "none")

EPILOG = """\
exit status: 0 everything was graded, however good or bad; 1 the grader itself failed on some submissions, which the
gradebook names; 2 the options, the policy or the roster cannot be used; 130 interrupted, and nothing is lost.
"""


@dataclass(frozen=True)
class Options:
    """`submissions` to `regrade` decide what is graded and are kept with the run; the others may differ when it is
    resumed."""

    submissions: tuple[Path, ...]
    out: Path
    roster: Path | None = None
    labs: tuple[str, ...] = ()
    policy: Path | None = None
    only: str = ""
    isolation: str = "bubblewrap"
    regrade: bool = False
    resume: bool = False
    executor: str = "local"
    at_once: int | None = None
    build_folder: Path = Path("build/sim")

    def kept(self) -> dict[str, Any]:
        return {"submissions": [str(path) for path in self.submissions], "roster": _text(self.roster), "labs": list(self.labs),
                "policy": _text(self.policy), "only": self.only, "isolation": self.isolation, "regrade": self.regrade}

    def resuming(self, kept: str) -> Options:
        """With what the interrupted run was asked for. What is given again must be the same. @throws BatchError"""
        old: dict[str, Any] = json.loads(kept)
        defaults = Options((), self.out).kept()
        for key, value in self.kept().items():
            if value not in (defaults[key], old[key]):
                raise BatchError(f"--resume: the interrupted run had {key} = {_shown(old[key])}, not {_shown(value)}; leave it "
                                 "out, or begin a new run without --resume (finished jobs are used again)")
        return replace(self, submissions=tuple(Path(path) for path in old["submissions"]), roster=_path(old["roster"]),
                       labs=tuple(old["labs"]), policy=_path(old["policy"]), only=old["only"], isolation=old["isolation"],
                       regrade=old["regrade"])


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _shown(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number from 1 to 100000")
    return int(text)


def parse(arguments: list[str]) -> Options:
    parser = argparse.ArgumentParser(prog="warpbook grade", epilog=EPILOG, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description="Grades submissions in isolation and writes a gradebook (docs/instructor.md).")
    parser.add_argument("submissions", nargs="*", type=Path, metavar="SUBMISSIONS", help="folders, .zip and .tar.gz files")
    parser.add_argument("--out", type=Path, required=True, help="folder of the gradebook; it keeps finished work too")
    parser.add_argument("--roster", type=Path, help="roster.csv: everybody on it gets a row")
    parser.add_argument("--labs", default="", metavar="A,B", help="only these labs (default: all that were handed in)")
    parser.add_argument("--policy", type=Path, metavar="COURSE.JSON", help="points, due dates, late rules, hidden tests, curve")
    parser.add_argument("--only", default="", metavar="STUDENT", help="only this student's grades; all others stay")
    parser.add_argument("--jobs", type=_count, metavar="N", help="tasks at the same time (default: the cores of this machine)")
    parser.add_argument("--executor", choices=sorted(EXECUTORS), default="local", help="where tasks run (default: local)")
    parser.add_argument("--isolation", choices=ISOLATIONS, default="bubblewrap",
                        help="'none' runs submissions without a sandbox: only for people you would give your account to")
    parser.add_argument("--resume", action="store_true", help="go on with the run that was interrupted, with its options")
    parser.add_argument("--regrade", action="store_true", help="grade again what was graded before, and show what changed and why")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not given.submissions and not given.resume:
        parser.error("SUBMISSIONS is missing: folders, .zip or .tar.gz files")
    return Options(
        submissions=tuple(path.absolute() for path in given.submissions),
        out=given.out.absolute(),
        roster=given.roster.absolute() if given.roster else None,
        labs=tuple(dict.fromkeys(name.strip() for name in given.labs.split(",") if name.strip())),
        policy=given.policy.absolute() if given.policy else None,
        only=given.only, isolation=given.isolation, regrade=given.regrade, resume=given.resume, executor=given.executor,
        at_once=given.jobs, build_folder=given.build_folder.absolute())
