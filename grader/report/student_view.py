"""One student's labs, as far as the student may see them: what pages, texts and PDFs are made from.

What may be seen is decided by grader.course.exporters.view, as for all exporters. Similarity and suspicions are for the
instructor and are not included here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from grader.course.exporters.view import Classroom, Entry
from grader.course.gradebook import Student, Submitted, Test
from grader.course.policy.late import due_of
from grader.course.policy.points import number
from grader.course.policy.policy import Policy

from .advice import next_steps
from .evidence import Evidence, source_of
from .source import SourceRow, cut_note, file_rows

KINDS = ("correctness", "counters", "time")
MAX_LOG = 6000  # characters of the compiler's output

# Findings that help the student who handed the file in. All others are for the instructor.
TOLD = {"empty_file", "told_by_contents", "told_by_folder", "unchanged_skeleton", "unworked_file", "wrong_suffix",
        "not_text", "misnamed", "nothing_found", "extra_files", "identical_copy", "chosen_file", "converted", "late_mark"}


@dataclass(frozen=True)
class Kind:
    """The visible tests of one kind."""

    name: str
    passed: int
    count: int
    points: float
    max_points: float


@dataclass(frozen=True)
class LabView:
    entry: Entry
    kinds: list[Kind]
    evidence: Evidence | None  # None: nothing was measured, or it may not be shown yet
    source_name: str
    source: list[SourceRow]
    source_cut: str  # a sentence if lines are left out
    build_log: str
    steps: list[str]
    lateness: list[str]
    attempts: int
    noticed: list[str]
    problem: str = ""  # why there are no figures although there should be
    when: str = ""  # when it was handed in and due, in the course's time zone; empty if not known

    @property
    def tests(self) -> tuple[Test, ...]:
        return self.entry.visible

    @property
    def ran(self) -> bool:
        """Whether any of the tests has a message."""
        return any(test.status not in ("not_run", "skipped") for test in self.tests)

    @property
    def towards_grade(self) -> list[str]:
        """From the tests' points to those that count: lateness and curve."""
        grade, said = self.entry.grade, list(self.lateness)
        if not self.entry.is_sealed and self.kinds and abs(grade.points - grade.raw_points) >= 0.005:
            said.append(f"The tests give {number(grade.raw_points)}; {number(grade.points)} of {number(grade.max_points)} count.")
        return said

    @property
    def hidden_note(self) -> str:
        count = len(self.entry.hidden)
        if not count:
            return ""
        if count == 1:
            return "1 more test counts. Its result is shown when it is released."
        return f"{count} more tests count. Their results are shown when they are released."


@dataclass(frozen=True)
class StudentView:
    student: Student
    course: str
    labs: list[LabView]
    noticed: list[str] = field(default_factory=list)

    @property
    def is_sealed(self) -> bool:
        return any(lab.entry.is_sealed for lab in self.labs)

    @property
    def points(self) -> float:
        return sum(lab.entry.shown_points for lab in self.labs)

    @property
    def max_points(self) -> float:
        return sum(lab.entry.shown_max_points for lab in self.labs)


@dataclass(frozen=True)
class Facts:
    """Data that all students share: read once."""

    classroom: Classroom
    attempts: dict[tuple[str, str], int]
    evidence: dict[str, Evidence | str]  # by job; a string: why there is none
    jobs: Path

    @staticmethod
    def count(submissions: list[Submitted]) -> dict[tuple[str, str], int]:
        counts: dict[tuple[str, str], int] = {}
        for one in submissions:
            counts[one.student, one.lab] = counts.get((one.student, one.lab), 0) + 1
        return counts


def student_view(student: Student, labs: list[str], facts: Facts) -> StudentView:
    entries = [entry for entry in facts.classroom.of(student) if entry.lab in labs]
    noticed = [f"{found.path}: {found.message}" for found in facts.classroom.findings
               if found.student == student.student and not found.lab and found.code in TOLD]
    return StudentView(student, facts.classroom.course, [_lab_view(entry, facts) for entry in entries], noticed)


def _lab_view(entry: Entry, facts: Facts) -> LabView:
    job = facts.jobs / entry.shown_job.job if entry.shown_job else None
    found = facts.evidence.get(job.name) if job and entry.shows_measurements else None
    evidence = found if isinstance(found, Evidence) else None
    source = source_of(job, entry.lab) if job else None
    rows = evidence.source if evidence else file_rows(source, []) if source else []
    return LabView(
        entry=entry,
        kinds=_kinds(entry.visible),
        evidence=evidence,
        source_name=source.name if source else "",
        source=rows,
        source_cut=cut_note(len(rows), source) if rows and source else "",
        build_log=_build_log(job) if entry.shown_status == "build_failed" and job else "",
        steps=next_steps(entry, evidence),
        lateness=_lateness(entry),
        attempts=facts.attempts.get((entry.student.student, entry.lab), 0),
        noticed=[found.message for found in facts.classroom.findings
                 if found.student == entry.student.student and found.lab == entry.lab and found.code in TOLD],
        problem=found if isinstance(found, str) else "",
        when=_when(entry, facts.classroom.policy),
    )


def _when(entry: Entry, policy: Policy) -> str:
    submission = entry.shown_submission
    if submission is None or submission.submitted_at is None:
        return ""
    due = due_of(entry.lab, entry.student.student, policy)
    told = [f"{moment.astimezone(policy.time_zone):%Y-%m-%d %H:%M:%S}"
            for moment in (datetime.fromisoformat(submission.submitted_at), due) if moment is not None]
    return f"{', due '.join(told)} ({policy.time_zone.key})"


def _kinds(tests: tuple[Test, ...]) -> list[Kind]:
    names = [*KINDS, *sorted({test.kind for test in tests} - set(KINDS))]
    groups = {name: [test for test in tests if test.kind == name] for name in names}
    return [
        Kind(name, sum(test.status == "passed" for test in group), len(group), sum(test.points for test in group),
             sum(test.max_points for test in group))
        for name, group in groups.items() if group
    ]


def _lateness(entry: Entry) -> list[str]:
    """Days late and what they cost. While tests are hidden only the days: whether grace days are spent depends on points."""
    grade = entry.grade
    if entry.shown_submission is None or not entry.shown_late_days:
        return []
    days = f"Handed in {_days(entry.shown_late_days)} late."
    if entry.is_sealed:
        return [days, "What that costs is shown together with the hidden tests."]
    said = [days]
    if grade.grace_days_used:
        said.append(f"{_days(grade.grace_days_used)} of grace {'was' if grade.grace_days_used == 1 else 'were'} used.")
    said.append("That costs no points." if grade.factor >= 1 else f"{100 * grade.factor:.4g} % of the points count.")
    return said


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _build_log(job: Path) -> str:
    try:
        text = (job / "build.log").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
    return text if len(text) <= MAX_LOG else text[:MAX_LOG] + "\n... (cut short)"
