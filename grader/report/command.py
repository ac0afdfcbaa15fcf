"""`warpbook report --out OUT`: pages of a graded class."""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.exporters.seen import RAN
from grader.course.exporters.view import Classroom, file_name
from grader.course.files import write_file
from grader.course.gradebook import FILE_NAME, Gradebook, Student, Submitted
from grader.course.machine_free import without_machine

from .class_report import class_report
from .evidence import STORE, Evidence, evidence_of
from .figure_store import FigureStore, link
from .pdf import pdf_of
from .reader import ReportError
from .student_blocks import student_blocks
from .student_page import student_page
from .student_view import Facts, StudentView, student_view
from .text import text_of

REPORTS, STUDENTS, KEPT = "reports", "students", ".figures"
PAGE = {"html": "index.html", "md": "report.md", "pdf": "report.pdf"}


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="warpbook report", allow_abbrev=False,
        description="Writes reports of a graded class below OUT/reports: the class's page, and one folder for each student "
                    "(docs/grading.md).")
    parser.add_argument("--out", type=Path, required=True, help="the folder that `warpbook grade` wrote")
    parser.add_argument("--format", choices=[*PAGE], default="html", help="html (default), pdf or md: plain text")
    parser.add_argument("--student", default="", metavar="STUDENT",
                        help="only this student; all other reports are left unchanged, also the class's")
    parser.add_argument("--labs", default="", metavar="A,B", help="only these labs in students' reports (default: all that were graded)")
    parser.add_argument("--jobs", type=_at_least_one, default=os.cpu_count() or 1, metavar="N",
                        help="figures, and PDFs, to make at the same time (default: %(default)s)")
    parser.add_argument("--build-folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number from 1 up")
    return int(text)


def _labs(classroom: Classroom, wanted: str) -> list[str]:
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    for name in names:
        if name not in classroom.labs:
            raise BatchError(f"--labs: '{name}' was not graded; there are: {', '.join(classroom.labs)}")
    return [lab for lab in classroom.labs if not names or lab in names]


def _students(classroom: Classroom, wanted: str) -> list[Student]:
    if not wanted:
        return list(classroom.students)
    found = [student for student in classroom.students if student.student == wanted]
    if not found:
        raise BatchError(f"--student: '{wanted}' is not in the gradebook; ids are as in gradebook.csv")
    return found


def _evidence(job: tuple[str, str], jobs: Path, kept: Path) -> Evidence | str:
    """Runs in a process of its own. If a profile is damaged, only its figures are missing."""
    name, lab = job
    try:
        return evidence_of(jobs / name, lab, kept)
    except (ReportError, OSError) as error:
        return _without_paths(str(error), jobs)


def _without_paths(text: str, jobs: Path) -> str:
    return without_machine(text, {str(jobs): "", str(jobs.parent): ""})


def _gather(wanted: Iterable[tuple[str, str]], out: Path, at_once: int) -> dict[str, Evidence | str]:
    """Figures and counts of jobs, by job."""
    jobs = sorted(set(wanted), key=lambda job: (job[1], job[0]))  # Jobs of one lab share the profiles of its rungs.
    kept = out / REPORTS / KEPT
    make = partial(_evidence, jobs=out / "jobs", kept=kept)
    if at_once == 1 or len(jobs) < 2:
        found = {job: make((job, lab)) for job, lab in jobs}
    else:
        with ProcessPoolExecutor(min(at_once, len(jobs))) as pool:
            found = dict(zip((job for job, _ in jobs), pool.map(make, jobs, chunksize=4)))
    FigureStore(kept / STORE).forget()
    return found


def write_students(book: Gradebook, out: Path, form: str = "html", student: str = "", labs: str = "",
                   at_once: int = 1) -> tuple[Path, list[str]]:
    """Writes OUT/reports/students/<id>/, of one student or of all. @returns the folder, or the one report, and what could
    not be drawn. @throws BatchError, OSError"""
    classroom = Classroom.read(book)
    students, names = _students(classroom, student), _labs(classroom, labs)
    entries = [entry for one in students for entry in classroom.of(one) if entry.lab in names]
    wanted = [(entry.shown_job.job, entry.lab) for entry in entries
              if entry.shown_job and entry.shows_measurements and entry.shown_status in RAN]
    evidence = _gather(wanted, out, at_once)
    facts = Facts(classroom, Facts.count(book.read(Submitted)), evidence, out / "jobs")
    folder = out / REPORTS / STUDENTS
    if not student:
        _forget(folder, {file_name(one.student) for one in classroom.students})
    _write_all([(student_view(one, names, facts), folder / file_name(one.student)) for one in students], form, at_once)
    problems = [f"{job}: {problem}" for job, problem in evidence.items() if isinstance(problem, str)]
    return (folder / file_name(student) / PAGE[form] if student else folder), problems


def _forget(folder: Path, kept: set[str]) -> None:
    """Removes the reports of people who are no longer in the gradebook."""
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.is_dir() and not old.is_symlink() and old.name not in kept:
            shutil.rmtree(old)


def _write_all(reports: list[tuple[StudentView, Path]], form: str, at_once: int) -> None:
    if form != "pdf" or at_once == 1 or len(reports) < 2:  # Everything except PDFs is written quickly.
        for view, folder in reports:
            _write(view, folder, form)
        return
    with ProcessPoolExecutor(min(at_once, len(reports))) as pool:
        list(pool.map(_write, *zip(*reports), [form] * len(reports)))


def _write(view: StudentView, folder: Path, form: str) -> None:
    """One report with its figures beside it; reports in other formats are left as they were written."""
    folder.mkdir(parents=True, exist_ok=True)
    _link_figures(view, folder)
    page = folder / PAGE[form]
    if form == "html":
        write_file(page, _storable(student_page(view)), durable=False)
    elif form == "md":
        write_file(page, _storable(text_of(student_blocks(view))), durable=False)
    else:
        write_file(page, pdf_of(student_page(view, paper=True), folder), durable=False)


def _link_figures(view: StudentView, folder: Path) -> None:
    """Figures of a job are stored once, however many students handed the file in."""
    files = {path.name: path for lab in view.labs if lab.evidence for path in lab.evidence.files()}
    for old in folder.iterdir():
        if old.suffix in (".png", ".svg") and old.name not in files:
            old.unlink()
    for name, path in files.items():
        link(path, folder / name)


def _storable(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def main(arguments: list[str]) -> int:
    given = _options(arguments)
    try:
        with Gradebook.open(given.out / FILE_NAME) as book:
            path, problems = write_students(book, given.out, given.format, given.student, given.labs, given.jobs)
        if not given.student:
            path = class_report(given.out, form=given.format)  # Last: it links to the students' pages.
    except (BatchError, ReportError) as error:
        print(f"warpbook report: {error}", file=sys.stderr)
        return 2
    except sqlite3.Error as error:
        print(f"warpbook report: the gradebook cannot be used ({error})", file=sys.stderr)
        return 2
    except OSError as error:
        todo = ": it belongs to another user; ask them to let you write there" if isinstance(error, PermissionError) else ""
        print(f"warpbook report: {error.filename or given.out}: {error.strerror}{todo}", file=sys.stderr)
        return 2
    for problem in problems:
        print(f"warpbook report: no figures of job {problem}", file=sys.stderr)
    print(f"report: {path}")
    return 1 if problems else 0
