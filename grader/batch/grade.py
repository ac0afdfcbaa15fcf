"""`warpbook grade`: submissions in, jobs run, grades into the gradebook in one step at the end.

Whatever ends the process, nothing is lost and nothing is half done: a job's result is written in one step into its own
folder and found there again, and the gradebook changes in one transaction, after all jobs have ended.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from grader.batch import interrupt
from grader.batch.assemble import Graded, Key, assemble, needed
from grader.batch.errors import BatchError
from grader.batch.executors import make_executor
from grader.batch.executors.base import Executor, has_result
from grader.batch.exporters import export
from grader.batch.files import locked
from grader.batch.gradebook import FILE_NAME, Change, Found, Grade, Gradebook, Row
from grader.batch.intake.submission import Intake, Submission
from grader.batch.jobs import JobFolders, Settings
from grader.batch.labs import Lab, build_programs, fingerprint, load_labs, select_labs
from grader.batch.options import Options, parse
from grader.batch.policy.load import load_policy
from grader.batch.policy.policy import Grace, Policy
from grader.batch.progress import Progress
from grader.batch.publish import Scope, begin_run, publish, unfinished_run

GRADED, GRADER_FAILED, INTERRUPTED = 0, 1, 130
EXPORTS = ("csv", "findings", "results")  # Written after every run; the others by `warpbook export`.
MOST_LINES = 20  # Of findings and of changes on the screen; the files hold all.


@dataclass(frozen=True)
class Class:
    """What there is to grade and by which rules. `labs` are those that everybody gets a grade for."""

    intake: Intake
    labs: Mapping[str, Lab]
    policy: Policy


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    interrupt.install()
    try:
        with locked(options.out), Gradebook.create(options.out / FILE_NAME) as book:
            return _Grading(options, book, sys.stdout).run()
    except KeyboardInterrupt:
        print(f"\nInterrupted. Nothing is lost: go on with `warpbook grade --resume --out {options.out}`", file=sys.stderr)
        return INTERRUPTED


def check_isolation(isolation: str) -> None:
    """@throws BatchError if submissions cannot be isolated as asked for: they are never run with less than that"""
    if isolation == "none":
        return
    try:
        test = subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true"], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        problem = test.stderr.strip().splitlines()[-1:] if test.returncode else []
    except OSError as error:
        problem = [f"bwrap: {error.strerror}"]
    if problem:
        raise BatchError(f"submissions cannot be isolated on this machine ({problem[0]}); install bubblewrap and allow user "
                         "namespaces, or, for people you would give your account to, say --isolation none")


class _Grading:
    """One run, step by step."""

    def __init__(self, options: Options, book: Gradebook, screen: TextIO) -> None:
        self._book = book
        self._screen = screen
        self._resumed = unfinished_run(book) if options.resume else None
        self._options = options.resuming(self._resumed.options) if self._resumed else options

    def run(self) -> int:
        if self._options.resume and self._resumed is None:
            self._say("No run was interrupted: the gradebook is as the last one left it.")
            self._export()
            return self._status(self._book.read(Grade))
        isolation = self._options.isolation
        check_isolation(isolation)
        course = self._read_class()
        build_programs(self._options.build_folder, course.labs.values())
        fingerprints = {name: fingerprint(lab) for name, lab in course.labs.items()}
        run = begin_run(self._book, self._options.kept(), self._resumed)
        folders = JobFolders(self._options.out, Settings(self._options.build_folder, isolation))
        jobs = self._make_jobs(course, folders, fingerprints)
        self._forget_results(run, folders, jobs)
        failures = self._execute(folders, course, jobs)

        known = self._known_jobs(course, folders, fingerprints, jobs)
        results = {job: result for job in set(known.values()) if (result := folders.result(job)) is not None}
        graded = Graded(known, results, failures)
        students = {self._options.only} if self._options.only else None
        rows = assemble(course.intake, course.labs, course.policy, graded, students, isolation)
        scope = Scope(list(course.labs), students)
        changed = publish(self._book, run, rows, scope, self._course_facts(course, isolation, fingerprints))
        self._export()
        self._summary(rows, changed)
        return self._status(rows)

    def _read_class(self) -> Class:
        """Reads what was handed in. @throws BatchError"""
        options = self._options
        labs = load_labs(options.build_folder)
        wanted = select_labs(labs, options.labs) if options.labs else labs
        intake = read_submissions(options, wanted)
        policy = load_policy(options.policy, labs, [one.student for one in intake.students] if options.roster else None) \
            if options.policy else Policy()
        if options.only and options.only not in {one.student for one in intake.students}:
            raise BatchError(f"--only: '{options.only}' is nobody on the roster or among the submissions; ids are as in gradebook.csv")
        found = {one.lab for one in intake.submissions}
        graded = wanted if options.labs else {name: lab for name, lab in wanted.items() if name in found}
        return Class(intake, graded, self._with_grace_used(policy, graded, intake))

    def _with_grace_used(self, policy: Policy, labs: Mapping[str, Lab], intake: Intake) -> Policy:
        """Grace days that labs graded before, and not now, have used are no longer there."""
        used: Counter[str] = Counter()
        for grade in self._book.read(Grade):
            if grade.lab not in labs:
                used[grade.student] += grade.grace_days_used
        left = {one.student: policy.grace.of(one.student) - used[one.student] for one in intake.students if used[one.student]}
        return replace(policy, grace=Grace(policy.grace.days, policy.grace.per_lab, {**policy.grace.students, **left}))

    def _make_jobs(self, course: Class, folders: JobFolders, fingerprints: Mapping[str, str]) -> dict[Key, str]:
        """The jobs of this run. With --only, those of one student."""
        jobs: dict[Key, str] = {}
        for one in needed(self._in_labs(course), course.policy):
            if not self._options.only or one.student == self._options.only:
                jobs.setdefault((one.lab, one.sha256), folders.make(course.labs[one.lab], one.sha256, one.path, fingerprints[one.lab]))
        return jobs

    @staticmethod
    def _in_labs(course: Class) -> list[Submission]:
        return [one for one in course.intake.submissions if one.lab in course.labs]

    def _known_jobs(self, course: Class, folders: JobFolders, fingerprints: Mapping[str, str],
                    jobs: Mapping[Key, str]) -> dict[Key, str]:
        """The jobs of this run, and with --only those that are graded of all others: the best of the class is a matter of
        everybody."""
        known = dict(jobs)
        if self._options.only:
            for one in needed(self._in_labs(course), course.policy):
                job = folders.make(course.labs[one.lab], one.sha256, one.path, fingerprints[one.lab])
                if has_result(folders.path(job)):
                    known.setdefault((one.lab, one.sha256), job)
        return known

    def _forget_results(self, run: int, folders: JobFolders, jobs: Mapping[Key, str]) -> None:
        """--regrade: old results count no more. Once in a run: one that is resumed keeps what it has graded."""
        mark = f"forgotten.{run}"
        if not self._options.regrade or self._book.course(mark):
            return
        for job in jobs.values():
            folders.forget_result(job)
        with self._book.transaction():
            self._book.set_course(mark, "yes")

    def _execute(self, folders: JobFolders, course: Class, jobs: Mapping[Key, str]) -> dict[str, str]:
        """Runs the jobs that have no result. @returns why the grader failed, by job"""
        paths = [folders.path(job) for job in dict.fromkeys(jobs.values())]
        waiting = [path for path in paths if not has_result(path)]
        students = len({one.student for one in self._in_labs(course)})
        kept = f", {len(paths) - len(waiting)} of them graded before" if len(paths) > len(waiting) else ""
        self._say(f"{len(self._in_labs(course))} submissions of {students} students in {len(course.labs)} labs: "
                  f"{len(paths)} different files to grade{kept}.")
        if not waiting:
            return {}
        labels = {job: f"{lab} {sha256[:8]}" for (lab, sha256), job in jobs.items()}
        progress = Progress(len(waiting), self._screen)
        try:
            with make_executor(self._options.executor, self._options.out, self._options.at_once) as executor:
                return _run_jobs(executor, waiting, progress, labels)
        finally:
            progress.close()

    def _course_facts(self, course: Class, isolation: str, fingerprints: Mapping[str, str]) -> dict[str, str]:
        before = json.loads(self._book.course("labs", "[]"))
        order = {name: i for i, name in enumerate(load_labs(self._options.build_folder))}
        labs = sorted({*before, *course.labs}, key=lambda name: (order.get(name, len(order)), name))
        titles = {**json.loads(self._book.course("titles", "{}")), **{name: lab.title for name, lab in course.labs.items()}}
        weights = json.loads(self._book.course("weights", "{}"))
        for name in course.labs:
            weights.pop(name, None)
            if (weight := course.policy.lab(name).weight) is not None:
                weights[name] = weight
        text = self._options.policy.read_text(encoding="utf-8-sig") if self._options.policy else ""
        return {"title": course.policy.course, "labs": json.dumps(labs), "titles": json.dumps(titles, sort_keys=True),
                "weights": json.dumps(weights, sort_keys=True), "policy": text, "isolation": isolation, **{f"fingerprint.{name}": value for name, value in fingerprints.items()}}

    def _export(self) -> None:
        for name in EXPORTS:
            export(name, self._book, self._options.out)

    def _status(self, rows: Sequence[Row]) -> int:
        failed = any(isinstance(row, Grade) and row.status == "not_graded" for row in rows)
        return GRADER_FAILED if failed else GRADED

    def _say(self, text: str) -> None:
        print(text, file=self._screen, flush=True)

    def _summary(self, rows: Sequence[Row], changed: Sequence[Change]) -> None:
        grades = [row for row in rows if isinstance(row, Grade)]
        for lab in dict.fromkeys(grade.lab for grade in grades):
            of_lab = [grade for grade in grades if grade.lab == lab]
            counts = Counter(grade.status for grade in of_lab)
            mean = sum(grade.points for grade in of_lab) / len(of_lab)
            self._say(f"{lab}: {', '.join(f'{count} {status}' for status, count in sorted(counts.items()))}; "
                      f"on average {mean:.4g} of {of_lab[0].max_points:g} points")
        found = sorted((row for row in rows if isinstance(row, Found) and row.severity != "note"), key=lambda row: row.severity)
        self._lines("Unexpected", [f"{row.severity}: {row.path}: {row.message}" for row in found], "findings.csv")
        self._lines("Grades changed", [_change_line(change) for change in changed], "table 'change' of the gradebook")
        failed = [grade for grade in grades if grade.status == "not_graded"]
        self._lines("Could not be graded", [f"{one.student}, {one.lab}: {one.reason}" for one in failed], "gradebook.csv")
        if failed:
            self._say("Those count nothing yet: grade again when the cause is gone; finished jobs are kept.")
        self._say(f"Gradebook: {self._options.out / FILE_NAME}, gradebook.csv, findings.csv and results/ beside it")

    def _lines(self, title: str, lines: Sequence[str], where: str) -> None:
        if not lines:
            return
        more = f" (all of them: {where})" if len(lines) > MOST_LINES else ""
        self._say(f"{title}: {len(lines)}{more}")
        for line in lines[:MOST_LINES]:
            self._say(f"  {line}")


def _change_line(change: Change) -> str:
    status = change.status if change.status == change.status_before else f"{change.status_before} -> {change.status}"
    return f"{change.student}, {change.lab}: {change.points_before:g} -> {change.points:g} points ({status}): {change.why}"


def _run_jobs(executor: Executor, jobs: Sequence[Path], progress: Progress, labels: Mapping[str, str]) -> dict[str, str]:
    executor.run(jobs, lambda job: progress.step(labels.get(job.name, "")))
    return {job.name: why for job, why in executor.failures.items()}
