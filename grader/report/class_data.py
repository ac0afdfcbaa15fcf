"""The data of a class page: the gradebook, lab by lab, with the due dates of its policy."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.course.exporters.seen import RAN
from grader.course.exporters.view import Classroom, Entry
from grader.course.gradebook import FILE_NAME, Found, Gradebook, Similarity, Student, Submitted, Test
from grader.course.policy.late import due_of


@dataclass(frozen=True)
class TestShare:
    """The outcomes of a test in a class. `not_run`: answers that did not build, were not started, or were not run by it."""

    test: Test
    passed: int
    failed: int
    inconclusive: int
    not_run: int

    @property
    def ran(self) -> int:
        return self.passed + self.failed + self.inconclusive

    @property
    def failed_share(self) -> float:
        """Of the answers in which it ran; 0 if it ran in none."""
        return self.failed / self.ran if self.ran else 0.0


@dataclass(frozen=True)
class LabView:
    """One lab of a class. `entries`: of everybody, by student. `due`: None if it has no due date. `extended`: of students
    with an extension, when they must hand in; later than `due`."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    due: datetime | None
    extended: Mapping[str, datetime] = field(default_factory=dict)

    def due_of(self, student: str) -> datetime | None:
        return self.extended.get(student, self.due)

    @property
    def came(self) -> int:
        """Students who handed something in, even if it waits for a person to decide."""
        return sum(entry.submission is not None or entry.is_undecided for entry in self.entries)

    @property
    def handed_in(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.submission is not None]

    @property
    def graded(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.job is not None]

    def count(self, *statuses: str) -> int:
        return sum(entry.grade.status in statuses for entry in self.entries)

    @property
    def late(self) -> int:
        return sum(entry.grade.late_days > 0 for entry in self.handed_in)

    @property
    def median_points(self) -> float | None:
        """Of those who handed in; None if nobody did."""
        points = [entry.grade.points for entry in self.handed_in]
        return statistics.median(points) if points else None

    @property
    def max_points(self) -> float:
        return max((entry.grade.max_points for entry in self.entries), default=0.0)

    def tests(self) -> list[TestShare]:
        """The hardest first; of equally hard ones, in the lab's order."""
        known: dict[str, Test] = {}
        statuses: dict[str, Counter[str]] = {}
        for entry in self.graded:
            for test in entry.tests:
                known.setdefault(test.name, test)
                statuses.setdefault(test.name, Counter())[test.status] += 1
        everybody = len(self.graded)
        shares = []
        for name, test in known.items():
            passed, failed, inconclusive = (statuses[name][status] for status in RAN)
            shares.append(TestShare(test, passed, failed, inconclusive, everybody - passed - failed - inconclusive))
        return sorted(shares, key=lambda share: (-share.failed_share, share.test.position, share.test.name))


@dataclass(frozen=True)
class ClassData:
    """`out` is the folder of the gradebook; times are shown in `zone`."""

    out: Path
    title: str
    classroom: Classroom
    labs: tuple[LabView, ...]
    submissions: tuple[Submitted, ...]
    similarities: tuple[Similarity, ...]
    zone: ZoneInfo
    isolation: str

    @property
    def students(self) -> tuple[Student, ...]:
        return self.classroom.students

    @property
    def findings(self) -> tuple[Found, ...]:
        return self.classroom.findings

    def lab_title(self, lab: str) -> str:
        return self.classroom.titles.get(lab, lab)


def load_class(out: Path) -> ClassData:
    """@throws BatchError if there is no gradebook in @p out, or it cannot be read"""
    with Gradebook.open(out / FILE_NAME) as book:
        classroom = Classroom.read(book)
        policy = classroom.policy
        labs = tuple(
            LabView(
                lab,
                classroom.titles.get(lab, lab),
                tuple(
                    entry
                    for student in classroom.students
                    if (entry := classroom.entries.get((student.student, lab))) is not None
                ),
                policy.lab(lab).due,
                _extended(classroom, lab),
            )
            for lab in classroom.labs
        )
        return ClassData(
            out,
            classroom.course,
            classroom,
            labs,
            tuple(book.read(Submitted)),
            tuple(book.read(Similarity)),
            policy.time_zone,
            book.course("isolation"),
        )


def _extended(classroom: Classroom, lab: str) -> dict[str, datetime]:
    """By student, of those in the class."""
    due = classroom.policy.lab(lab).due
    named = {extension.student for extension in classroom.policy.extensions}
    found = {
        one.student: due_of(lab, one.student, classroom.policy) for one in classroom.students if one.student in named
    }
    return {student: until for student, until in found.items() if due is not None and until is not None and until > due}
