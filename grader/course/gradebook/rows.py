"""The rows of the gradebook: a class for each table of schema.sql, with a field for each column."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, ClassVar

from grader.course.finding import Finding, finding_in


@dataclass(frozen=True)
class Row:
    """What all rows share. `ORDER` is the order in which they are read."""

    TABLE: ClassVar[str]
    ORDER: ClassVar[str]


@dataclass(frozen=True)
class Student(Row):
    TABLE: ClassVar[str] = "student"
    ORDER: ClassVar[str] = "student"
    student: str
    name: str = ""
    email: str = ""
    section: str = ""


@dataclass(frozen=True)
class Submitted(Row):
    """A row of table `submission`. `id` None: the next free one, when it is written."""

    TABLE: ClassVar[str] = "submission"
    ORDER: ClassVar[str] = "student, lab, attempt"
    student: str
    lab: str
    sha256: str
    job: str
    submitted_at: str | None
    attempt: int
    origin: str
    chosen: bool
    id: int | None = None

    @property
    def moment(self) -> datetime | None:
        """When it was handed in, UTC; None if that is not known."""
        try:
            moment = datetime.fromisoformat(self.submitted_at or "")
        except ValueError:
            return None
        return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)


@dataclass(frozen=True)
class Found(Row):
    """A row of table `finding`."""

    TABLE: ClassVar[str] = "finding"
    ORDER: ClassVar[str] = "student, lab, path, code, message, severity"
    student: str
    lab: str
    severity: str
    code: str
    path: str
    message: str


@dataclass(frozen=True)
class Job(Row):
    TABLE: ClassVar[str] = "job"
    ORDER: ClassVar[str] = "lab, job"
    job: str
    lab: str
    status: str
    reason: str
    points: float
    max_points: float
    time_us: float | None
    isolation: str


@dataclass(frozen=True)
class Test(Row):
    TABLE: ClassVar[str] = "test"
    ORDER: ClassVar[str] = "job, position"
    job: str
    position: int
    name: str
    kind: str
    status: str
    points: float
    max_points: float
    message: str
    hidden: bool
    finding_json: str = ""  # Empty: there is none.

    @property
    def finding(self) -> Finding | None:
        return finding_in(self.finding_json)

    @property
    def sentence(self) -> str:
        """The name without lab and kind."""
        return self.name.split(".", 2)[-1]


@dataclass(frozen=True)
class Grade(Row):
    TABLE: ClassVar[str] = "grade"
    ORDER: ClassVar[str] = "student, lab"
    student: str
    lab: str
    raw_points: float
    max_points: float
    late_days: int
    grace_days_used: int
    factor: float
    points: float
    status: str
    reason: str


@dataclass(frozen=True)
class Similarity(Row):
    TABLE: ClassVar[str] = "similarity"
    ORDER: ClassVar[str] = "lab, a, b"
    lab: str
    a: str
    b: str
    score: float
    shared: int
    cluster: int


@dataclass(frozen=True)
class Run(Row):
    TABLE: ClassVar[str] = "run"
    ORDER: ClassVar[str] = "run"
    run: int
    started_at: str
    finished_at: str | None
    options: str


@dataclass(frozen=True)
class History(Row):
    TABLE: ClassVar[str] = "history"
    ORDER: ClassVar[str] = "run, student, lab"
    run: int
    student: str
    lab: str
    points: float
    status: str
    job: str


@dataclass(frozen=True)
class Change(Row):
    TABLE: ClassVar[str] = "change"
    ORDER: ClassVar[str] = "run, student, lab"
    run: int
    student: str
    lab: str
    points_before: float
    points: float
    status_before: str
    status: str
    why: str


ROWS: tuple[type[Row], ...] = (Student, Submitted, Found, Job, Test, Grade, Similarity, Run, History, Change)
FLAGS = {"chosen", "hidden"}  # SQLite has no booleans.


def to_python(column: str, value: Any) -> Any:
    return bool(value) if column in FLAGS else value
