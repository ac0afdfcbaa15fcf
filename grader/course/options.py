"""Options of `warpbook grade`, and which of them an interrupted run fixes for the one that resumes it."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.executors import EXECUTORS
from grader.course.intake.times import FILES
from grader.course.sandbox import BUBBLEWRAP, ISOLATIONS

EPILOG = """\
exit status: 0 everything was graded, however good or bad; 1 the grader itself failed on some submissions, which the
gradebook names; 2 the options, the policy or the roster cannot be used; 130 interrupted, and nothing is lost.
"""


@dataclass(frozen=True)
class Options:
    """`submissions` to `regrade` decide what is graded and are kept with the run; the others may differ when it is
    resumed."""

    submissions: Path | None
    out: Path
    roster: Path | None = None
    labs: tuple[str, ...] = ()
    policy: Path | None = None
    times: tuple[str, ...] = ()
    decisions: Path | None = None
    only: str = ""
    isolation: str = BUBBLEWRAP
    regrade: bool = False
    resume: bool = False
    executor: str = "local"
    at_once: int | None = None
    build_folder: Path = Path("build/sim")

    def kept(self) -> dict[str, Any]:
        return {"submissions": _text(self.submissions), "roster": _text(self.roster), "labs": list(self.labs),
                "policy": _text(self.policy), "times": list(self.times), "decisions": _text(self.decisions),
                "only": self.only, "isolation": self.isolation, "regrade": self.regrade}

    def resuming(self, kept: str) -> Options:
        """Adds the options of the interrupted run. Options that are given again must be the same. @throws BatchError"""
        defaults = Options(None, self.out).kept()
        old: dict[str, Any] = defaults | json.loads(kept)  # An older warpbook knew fewer options.
        for key, value in self.kept().items():
            if value not in (defaults[key], old[key]):
                raise BatchError(f"--resume: the interrupted run had {key} = {_shown(old[key])}, not {_shown(value)}; "
                                 "leave it out, or begin a new run without --resume (finished jobs are used again)")
        return replace(self, submissions=_path(old["submissions"]), roster=_path(old["roster"]),
                       labs=tuple(old["labs"]), policy=_path(old["policy"]), times=tuple(old["times"]),
                       decisions=_path(old["decisions"]), only=old["only"],
                       isolation=old["isolation"], regrade=old["regrade"])


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _shown(value: Any) -> str:
    return (",".join(value) if isinstance(value, list) else str(value)) or "(none)"


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number from 1 to 100000")
    return int(text)


def _times(text: str) -> str:
    """With the path made absolute: a run may be resumed from another folder."""
    lab, equals, path = text.rpartition("=") if not Path(text).exists() else ("", "", text)
    return text if text == FILES else f"{lab}{equals}{Path(path).absolute()}"


def parse(arguments: list[str]) -> Options:
    parser = argparse.ArgumentParser(
        prog="warpbook grade", epilog=EPILOG, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Grades submissions in isolation and writes a gradebook (docs/instructor.md, step by step; docs/grading.md, "
                    "all options).")
    add = parser.add_argument
    add("submissions", nargs="?", type=Path, metavar="SUBMISSIONS", help="a folder, a .zip or a .tar.gz file")
    add("--out", type=Path, required=True, help="folder of the gradebook; it keeps finished work too")
    add("--roster", type=Path, metavar="ROSTER.CSV", help="the class: everybody on it gets a row, and nobody else")
    add("--labs", metavar="A,B", help="only these labs (default: all that anybody handed in)")
    add("--policy", type=Path, metavar="COURSE.JSON", help="points, due dates, late rules, hidden tests, curve")
    add("--times", action="append", default=[], metavar="LIST", type=_times,
        help="when files were handed in: a list that a platform exports (.csv, .json), a folder of lists, LAB=LIST, or the "
             "word files: the times of the files themselves (docs/course.md)")
    add("--decisions", type=Path, metavar="FILE.CSV", help="which file counts, if only a person can decide")
    add("--only", default="", metavar="STUDENT", help="only this student's grades; all others stay")
    add("--jobs", type=_count, metavar="N", help="tasks at the same time (default: the cores of this machine)")
    add("--executor", choices=sorted(EXECUTORS), default="local", help="where tasks run (default: local)")
    add("--isolation", choices=ISOLATIONS, default=BUBBLEWRAP,
        help="'none' runs submissions without a sandbox: only for people whom you would let use your account")
    add("--resume", action="store_true", help="continue the run that was interrupted, with its options")
    add("--regrade", action="store_true", help="grade everything again, and show what changed and why")
    add("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.submissions is None and not given.resume:
        parser.error("SUBMISSIONS is missing: a folder, a .zip or a .tar.gz file")
    labs = tuple(dict.fromkeys(name.strip() for name in (given.labs or "").split(",") if name.strip()))
    if given.labs is not None and not labs:
        parser.error("--labs names no lab; give their names with commas between them, or leave it out for all")
    return Options(
        submissions=given.submissions.absolute() if given.submissions else None,
        out=given.out.absolute(),
        roster=given.roster.absolute() if given.roster else None,
        labs=labs,
        policy=given.policy.absolute() if given.policy else None,
        times=tuple(given.times), decisions=given.decisions.absolute() if given.decisions else None,
        only=given.only, isolation=given.isolation, regrade=given.regrade, resume=given.resume,
        executor=given.executor, at_once=given.jobs, build_folder=given.build_folder.absolute())
