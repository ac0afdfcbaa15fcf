"""`warpbook show STUDENT --out OUT`: what one grade is based on, for the person who has to justify it."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.course.errors import BatchError
from grader.course.exporters.tables import printable
from grader.course.exporters.view import Classroom, Entry
from grader.course.finding import filled, paragraphs_of
from grader.course.gradebook import FILE_NAME, Change, Gradebook, Run, Submitted
from grader.course.policy.late import due_of
from grader.course.policy.points import number
from grader.course.policy.policy import Policy

WIDTH = 100  # Columns of what is shown.
WORDS = {"passed": "passed", "failed": "FAILED", "inconclusive": "unclear", "skipped": "not begun", "not_run": "not run"}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook show", allow_abbrev=False,
        description="Show what a student's grade is based on: attempts, tests, points, lateness, changes, and the files to "
                    "look at. For instructors: it shows hidden tests, too.",
        epilog="Exit status: 0, or 2 if there is no such gradebook, student or lab.")
    parser.add_argument("student", metavar="STUDENT", help="the id, as in gradebook.csv")
    parser.add_argument("--out", type=Path, required=True, help="the folder that `warpbook grade` wrote")
    parser.add_argument("--lab", help="all about this lab; without it a line for each lab")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    with Gradebook.open(given.out / FILE_NAME) as book:
        room = Classroom.read(book)
        mine = [entry for entry in room if entry.student.student == given.student]
        if not mine:
            raise BatchError(f"'{given.student}' is not in {given.out / FILE_NAME}; ids are as in gradebook.csv, such "
                             f"as {', '.join(one.student for one in room.students[:3])}")
        if given.lab is None:
            lines = _all_labs(mine, given.out)
        else:
            entry = next((entry for entry in mine if entry.lab == given.lab), None)
            if entry is None:
                raise BatchError(f"--lab: '{given.lab}' was not graded; there are: {', '.join(one.lab for one in mine)}")
            lines = _one_lab(entry, room, book, given.out)
        for line in lines:
            print(printable(line))
    return 0


def _all_labs(entries: list[Entry], out: Path) -> Iterator[str]:
    yield _called(entries[0])
    width = max(len(entry.lab) for entry in entries)
    for entry in entries:
        points = f"{number(entry.grade.points)} of {number(entry.grade.max_points)}"
        yield f"  {entry.lab.ljust(width)}  {points.ljust(12)}  {entry.grade.status.replace('_', ' ')}"
        if entry.grade.reason:
            yield f"  {' ' * width}  {entry.grade.reason}"
    yield (f"All about one: warpbook show {shlex.quote(entries[0].student.student)} --out {shlex.quote(str(out))} "
           f"--lab {entries[0].lab}")


def _called(entry: Entry) -> str:
    one = entry.student
    return one.student + (f" ({', '.join(text for text in (one.name, one.email, one.section) if text)})"
                          if one.name or one.email or one.section else "")


def _one_lab(entry: Entry, room: Classroom, book: Gradebook, out: Path) -> Iterator[str]:
    grade, zone = entry.grade, room.policy.time_zone
    yield (f"{_called(entry)}, {entry.lab}: {number(grade.points)} of {number(grade.max_points)} points, "
           f"{grade.status.replace('_', ' ')}")
    yield ""
    yield from _attempts(entry, book.read(Submitted, student=grade.student, lab=grade.lab), room.policy)
    yield ""
    yield from _points(entry)
    yield from _tests(entry)
    found = [one for one in room.findings if one.student == grade.student
             and (one.lab == grade.lab or (one.lab == "" and one.severity == "error"))]
    if found:
        yield ""
        yield "Unexpected in what was handed in"
        yield from (f"  {one.severity}, {one.code}: {one.path}: {one.message}" for one in found)
    runs = {run.run: run for run in book.read(Run)}
    if changed := book.read(Change, student=grade.student, lab=grade.lab):
        yield ""
        yield "Changed"
        for one in changed:
            when = _local(runs[one.run].finished_at, zone) if one.run in runs else f"run {one.run}"
            yield f"  {when}: {number(one.points_before)} -> {number(one.points)} points: {one.why}"
    yield from _files(entry, out)


def _local(moment: str | None, zone: ZoneInfo) -> str:
    """A time of the gradebook (UTC) in the course's time zone."""
    if moment is None:
        return "at an unknown time"
    return datetime.fromisoformat(moment).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def _attempts(entry: Entry, attempts: list[Submitted], policy: Policy) -> Iterator[str]:
    due = due_of(entry.lab, entry.student.student, policy)
    rules = policy.lab(entry.lab)
    yield f"Handed in (times in {policy.time_zone.key}; the {rules.submission} attempt counts)"
    for one in attempts:
        counts = "counts" if one.chosen else "does not count"
        yield f"  {one.attempt}. {_local(one.submitted_at, policy.time_zone)}, {counts}: {one.origin}"
    if not attempts:
        yield f"  {entry.grade.reason}" if entry.is_undecided else "  nothing"
    if due is not None:
        extended = " (extended for this student)" if rules.due is not None and due > rules.due else ""
        yield f"  due: {due.astimezone(policy.time_zone):%Y-%m-%d %H:%M:%S}{extended}"


def _points(entry: Entry) -> Iterator[str]:
    grade = entry.grade
    kinds: dict[str, tuple[float, float]] = {}
    for test in entry.tests:
        points, most = kinds.get(test.kind, (0.0, 0.0))
        kinds[test.kind] = points + test.points, most + test.max_points
    parts = ", ".join(f"{kind} {number(round(points, 2))} of {number(round(most, 2))}"
                      for kind, (points, most) in kinds.items())
    yield "Points"
    yield f"  tests: {number(grade.raw_points)} of {number(grade.max_points)}{f' ({parts})' if parts else ''}"
    before_lateness = grade.points / grade.factor if grade.factor else None
    if before_lateness is not None and abs(before_lateness - grade.raw_points) > 0.02:
        yield f"  after the curve: {number(round(before_lateness, 2))}"
    if grade.late_days:
        paid = f", {grade.grace_days_used} paid by grace" if grade.grace_days_used else ""
        days = f"{grade.late_days} {'day' if grade.late_days == 1 else 'days'}"
        yield f"  late: {days}{paid}: {grade.factor * 100:.4g} % of the points remain"
    yield f"  what counts: {number(grade.points)}"


def _tests(entry: Entry) -> Iterator[str]:
    if entry.tests:
        yield ""
        yield "Tests of the attempt that counts"
    for test in entry.tests:
        hidden = " (hidden)" if test.hidden else ""
        yield (f"  {WORDS.get(test.status, test.status).ljust(9)} {number(round(test.points, 2))} of "
               f"{number(round(test.max_points, 2))}  {test.kind}.{test.sentence}{hidden}")
        if test.status != "passed":
            yield from filled(paragraphs_of(test.finding, test.message), WIDTH, "      ")
    if entry.grade.status in ("build_failed", "not_graded"):
        yield f"  {entry.grade.reason}"


def _files(entry: Entry, out: Path) -> Iterator[str]:
    if entry.submission is None or not entry.submission.job:
        return
    folder = out / "jobs" / entry.submission.job
    try:
        source = folder / json.loads((folder / "job.json").read_text(encoding="utf-8"))["source"]
    except (OSError, ValueError, KeyError):
        yield f"\nThe job's folder {folder} cannot be read; grade again to restore it."
        return
    yield ""
    yield "Files to look at"
    yield f"  what was graded: {source}"
    yield f"  what the compiler said: {folder / 'build.log'}"
    if (folder / "profile.json").is_file():
        yield f"  what was counted: {folder / 'profile.json'}"
    yield f"  run it again: cp {shlex.quote(str(source))} labs/*/{entry.lab}/ && warpbook check {entry.lab} --all"
