"""Runs of grading in the gradebook: a run begins, may be interrupted, and ends in one transaction with its grades."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from grader.course.changes import State, changes
from grader.course.gradebook import Change, Found, Grade, Gradebook, History, Job, Row, Run, Student, Submitted

FORGOTTEN = "forgotten"  # In table `course`: not empty while a run with --regrade, which has discarded results, is not finished.


@dataclass(frozen=True)
class Scope:
    """What a run decides on; all other grades stay as they are."""

    labs: Sequence[str]
    students: Collection[str] | None  # None: everybody.


def unfinished_run(book: Gradebook) -> Run | None:
    """The run that was interrupted, if the last one was."""
    runs = book.read(Run)
    return runs[-1] if runs and runs[-1].finished_at is None else None


def begin_run(book: Gradebook, options: Mapping[str, Any], resumed: Run | None) -> int:
    """The number of the run: that of the interrupted one if it is resumed, else a new one, which replaces it."""
    if resumed is not None:
        return resumed.run
    with book.transaction():
        book.set_course(FORGOTTEN, "")
        if (old := unfinished_run(book)) is not None:  # It produced no grades, but its finished jobs are used.
            book.delete(Run, run=old.run)
        number = max((run.run for run in book.read(Run)), default=0) + 1
        book.write([Run(number, now(), None, json.dumps(options, sort_keys=True))])
    return number


def publish(book: Gradebook, run: int, rows: Sequence[Row], scope: Scope, course: dict[str, str]) -> list[Change]:
    """Puts the rows of a run into the gradebook and ends the run: all of it, or nothing. @returns what changed"""
    before = State.read(book)
    changed = changes(run, before, State.of(rows))
    chosen = {(row.student, row.lab): row.job for row in rows if isinstance(row, Submitted) and row.chosen}
    with book.transaction():
        _clear(book, scope)
        fresh_jobs = {row.job for row in rows if isinstance(row, Job)}
        for job in fresh_jobs:
            book.delete(Job, job=job)
        book.write(rows)
        used = {row.job for row in book.read(Submitted)}
        for old in book.read(Job):
            if old.job not in used:
                book.delete(Job, job=old.job)
        book.write(History(run, row.student, row.lab, row.points, row.status, chosen.get((row.student, row.lab), ""))
                   for row in rows if isinstance(row, Grade))
        book.write(changed)
        for key, value in (course | {FORGOTTEN: ""}).items():
            book.set_course(key, value)
        (this,) = book.read(Run, run=run)
        book.write([Run(run, this.started_at, now(), this.options)])
    return changed


def _clear(book: Gradebook, scope: Scope) -> None:
    """Removes the rows that the run writes again."""
    if scope.students is None:
        for lab in scope.labs:
            book.delete(Submitted, lab=lab)
            book.delete(Grade, lab=lab)
            book.delete(Found, lab=lab)
        book.delete(Found, lab="")
        kept = {row.student for row in book.read(Grade)}
        for student in book.read(Student):
            if student.student not in kept:  # No longer on a roster, and without a grade in another lab.
                book.delete(Student, student=student.student)
        return
    for name in scope.students:
        for lab in scope.labs:
            book.delete(Submitted, student=name, lab=lab)
            book.delete(Grade, student=name, lab=lab)
            book.delete(Found, student=name, lab=lab)
        book.delete(Found, student=name, lab="")


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
