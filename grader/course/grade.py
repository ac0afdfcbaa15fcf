"""`warpbook grade`: submissions in, jobs run, grades into the gradebook in one step at the end.

Whatever ends the process, nothing is lost and nothing is incomplete: a job's result is written atomically into its own
folder and found there again, and the gradebook changes in one transaction, after all jobs have ended.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from grader.course import interrupt
from grader.course.assemble import Graded, Key, assemble
from grader.course.course import Course, facts, graded_by_other_rules, read_course, refuse_without_rules
from grader.course.errors import BatchError
from grader.course.executors import make_executor
from grader.course.executors.base import has_result
from grader.course.exporters import export
from grader.course.exporters.tables import printable
from grader.course.files import locked
from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Row, Submitted
from grader.course.jobs import JobFolders, Settings
from grader.course.labs import build_programs, fingerprint, load_labs
from grader.course.options import Options, parse
from grader.course.progress import Progress
from grader.course.publish import FORGOTTEN, Scope, begin_run, publish, unfinished_run
from grader.course.sandbox import open_sandbox
from grader.course.similarity import compare
from grader.course.summary import grader_failed, summary

GRADED, GRADER_FAILED, INTERRUPTED = 0, 1, 130
EXPORTS = ("csv", "findings", "results")  # Written after every run; the others by `warpbook export`.


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if options.resume and not (options.out / FILE_NAME).is_file():
        raise BatchError(f"--resume: {options.out} holds no gradebook, so no run began there; is --out right? To begin "
                         "one: warpbook grade SUBMISSIONS --out OUT")
    interrupt.install()
    try:
        with locked(options.out), Gradebook.create(options.out / FILE_NAME) as book:
            return _Grading(options, book, sys.stdout).run()
    except KeyboardInterrupt:
        print(f"\nInterrupted. Nothing is lost: continue with `warpbook grade --resume --out {_near(options.out)}`",
              file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None  # type: ignore[assignment] # As it is without a terminal.
        with contextlib.suppress(OSError):
            print("warpbook grade: its output was closed. Nothing is lost: continue with "
                  f"`warpbook grade --resume --out {_near(options.out)}`", file=sys.stderr)
        return INTERRUPTED


class _Grading:
    """One run, step by step."""

    def __init__(self, options: Options, book: Gradebook, screen: TextIO) -> None:
        self._book = book
        self._screen = screen
        self._resumed = unfinished_run(book) if options.resume else None
        self._options = options.resuming(self._resumed.options) if self._resumed else options

    def run(self) -> int:
        """@returns the exit status. @throws BatchError, KeyboardInterrupt"""
        options = self._options
        if options.resume and self._resumed is None:
            self._say("No run was interrupted: the gradebook is that of the last run. To grade again, leave out "
                      "--resume.")
            self._compare()  # The last run may have been killed just before this step.
            self._export()
            return _status([*self._book.read(Grade), *self._book.read(Submitted)])
        refuse_without_rules(options, self._book)
        course = read_course(options, self._book)
        for line in course.printed_notes():
            self._say(line)
        new = [name for name, lab in course.labs.items() if not all(path.is_file() for path in lab.programs)]
        if new and os.access(options.build_folder, os.W_OK):
            self._say(f"Building the grader of {', '.join(new)}: a few minutes, once.")
        build_programs(options.build_folder, course.labs.values(), self._say)
        open_sandbox(options.build_folder, options.isolation)  # Raises if this isolation is not available here.
        fingerprints = {name: fingerprint(lab) for name, lab in course.labs.items()}
        run = begin_run(self._book, options.kept(), self._resumed)
        folders = JobFolders(options.out, Settings(options.build_folder, options.isolation))
        jobs = _make_jobs(course, folders, fingerprints, options.only)
        self._forget_results(folders, jobs)
        failures = self._execute(folders, course, jobs)

        # With --only, the others' earlier results still count for the best of the class.
        known = _make_jobs(course, folders, fingerprints) if options.only else jobs
        known = {key: job for key, job in known.items() if key in jobs or has_result(folders.path(job))}
        results = {job: result for job in set(known.values()) if (result := folders.result(job)) is not None}
        students = {options.only} if options.only else None
        rows = assemble(course.intake, course.labs, course.policy, Graded(known, results, failures), students,
                        options.isolation, course.only_lab)
        changed = publish(self._book, run, rows, Scope(list(course.labs), students),
                          facts(course, options, fingerprints, self._book))
        alike = self._compare()
        self._export()
        for line in summary(rows, changed):
            self._say(line)
        if alike:
            self._say(f"{alike}, which changes no points: "
                      f"`warpbook similarity --out {_near(options.out)}`")
        if old := graded_by_other_rules(self._book):
            self._say(f"Graded by other rules, in earlier runs: {', '.join(old)}. Those grades stay; to apply the current "
                      "rules, grade everybody's submissions to them again (finished jobs are used again).")
        self._say(f"Gradebook: {_near(options.out / FILE_NAME)}; gradebook.csv, findings.csv and results/ are beside it")
        return _status(rows)

    def _forget_results(self, folders: JobFolders, jobs: Mapping[Key, str]) -> None:
        """--regrade: old results no longer count. Once per run: a resumed run keeps its own results."""
        if not self._options.regrade or self._book.course(FORGOTTEN):
            return
        for job in jobs.values():
            folders.forget_result(job)
        with self._book.transaction():
            self._book.set_course(FORGOTTEN, "yes")

    def _execute(self, folders: JobFolders, course: Course, jobs: Mapping[Key, str]) -> dict[str, str]:
        """Runs the jobs that have no result. @returns why the grader failed, by job"""
        paths = [folders.path(job) for job in dict.fromkeys(jobs.values())]
        waiting = [path for path in paths if not has_result(path)]
        students = len({one.student for one in course.submissions})
        kept = f", {len(paths) - len(waiting)} of them graded before" if len(paths) > len(waiting) else ""
        self._say(f"{_count(len(course.submissions), 'submission')} of {_count(students, 'student')} in "
                  f"{_count(len(course.labs), 'lab')}: {_count(len(paths), 'different file')} to grade{kept}.")
        if not waiting:
            return {}
        labels = {job: f"{lab} {sha256[:8]}" for (lab, sha256), job in jobs.items()}
        progress = Progress(len(waiting), self._screen)
        try:
            with make_executor(self._options.executor, self._options.out, self._options.at_once) as executor:
                executor.run(waiting, lambda path: progress.step(labels[path.name]))
                return {path.name: why for path, why in executor.failures.items()}
        finally:
            progress.close()

    def _compare(self) -> str:
        """Finds answers that are alike, for a person to look at. @returns how many, in words; a failure here does not affect grades"""
        try:
            labs = load_labs(self._options.build_folder).values()
            (project,) = {lab.project_root for lab in labs}
            found = compare(self._options.out, project)
        except BatchError as error:
            self._say(f"Answers were not compared: {error}")
            return ""
        pairs, solutions = sum(len(lab.pairs) for lab in found), sum(len(lab.like_solution) for lab in found)
        told = [f"{_count(pairs, 'pair')} of answers alike"] if pairs else []
        told += [f"{_count(solutions, 'answer')} with most of the project's own solution"] if solutions else []
        return " and ".join(told)

    def _export(self) -> None:
        export(EXPORTS, self._book, self._options.out)

    def _say(self, text: str) -> None:
        print(printable(text), file=self._screen, flush=True)


def _near(path: Path) -> str:
    """The path relative to the current folder, if that is shorter."""
    here = Path.cwd()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _make_jobs(course: Course, folders: JobFolders, fingerprints: Mapping[str, str],
               student: str = "") -> dict[Key, str]:
    """The jobs of one student or of everybody; creates their folders."""
    jobs: dict[Key, str] = {}
    for one in course.to_grade(student):
        if (one.lab, one.sha256) not in jobs:
            jobs[one.lab, one.sha256] = folders.make(course.labs[one.lab], one.sha256, one.path, fingerprints[one.lab])
    return jobs


def _status(rows: Sequence[Row]) -> int:
    """A grade that waits for a person is not a failure of the grader."""
    return GRADER_FAILED if grader_failed(rows) else GRADED
