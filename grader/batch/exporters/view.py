"""The gradebook as exporters see it: an entry for each student and lab, and what of it a student may see."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.batch.gradebook import Found, Grade, Gradebook, Job, Student, Submitted, Test


@dataclass(frozen=True)
class Entry:
    """One student and lab. `submission` and `job` are those that count, None where nothing was handed in."""

    student: Student
    lab: str
    title: str
    grade: Grade
    submission: Submitted | None
    job: Job | None
    tests: tuple[Test, ...]

    @property
    def visible(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if not test.hidden)

    @property
    def hidden(self) -> tuple[Test, ...]:
        """Tests that count and that students do not see yet. While there are any, nothing that a student reads may tell
        how they ended: neither a total, nor a status, nor a reason."""
        return tuple(test for test in self.tests if test.hidden)

    @property
    def is_sealed(self) -> bool:
        """Whether students may not see yet how this ended. A program that never ran tells nothing of hidden tests."""
        return bool(self.hidden) and self.grade.status in ("passed", "failed", "inconclusive")

    @property
    def shown_points(self) -> float:
        """The grade, or, while tests are hidden, the points of the others before lateness and curve."""
        return _sum(test.points for test in self.visible) if self.is_sealed else self.grade.points

    @property
    def shown_max_points(self) -> float:
        return _sum(test.max_points for test in self.visible) if self.is_sealed else self.grade.max_points

    @property
    def shown_status(self) -> str:
        """The status, or, while tests are hidden, what the others alone say."""
        if not self.is_sealed:
            return self.grade.status
        statuses = {test.status for test in self.visible}
        return next((status for status in ("failed", "inconclusive") if status in statuses), "passed")

    @property
    def shown_time_us(self) -> float | None:
        """Predicted time of a right answer, for comparing with others: a wrong one must not lead."""
        return self.job.time_us if self.job is not None and self.is_correct and self.shows_measurements else None

    @property
    def shows_measurements(self) -> bool:
        """False while tests of time or counters are hidden: time and profile would tell how they ended."""
        return not any(test.kind != "correctness" for test in self.hidden)

    @property
    def feedback(self) -> str:
        """One or two sentences for the student."""
        if not self.is_sealed:
            return self.grade.reason or "All tests passed."
        failed = sum(test.status != "passed" for test in self.visible)
        seen = f"{len(self.visible) - failed} of {len(self.visible)} visible tests passed"
        points = f"{number(self.shown_points)} of {number(self.shown_max_points)} points so far"
        return f"{seen}: {points}. More tests count later."

    @property
    def is_correct(self) -> bool:
        """By what students may see."""
        tests = [test for test in self.visible if test.kind == "correctness"]
        return bool(tests) and all(test.status == "passed" for test in tests)


@dataclass(frozen=True)
class Classroom:
    """Everybody and every lab, each in its order."""

    course: str
    students: tuple[Student, ...]
    labs: tuple[str, ...]
    titles: dict[str, str]
    weights: dict[str, float]
    entries: dict[tuple[str, str], Entry]
    findings: tuple[Found, ...]

    @classmethod
    def read(cls, book: Gradebook) -> Classroom:
        students = book.read(Student)
        by_id = {student.student: student for student in students}
        titles = json.loads(book.course("titles", "{}"))
        chosen, jobs = book.chosen(), {job.job: job for job in book.read(Job)}
        tests: dict[str, list[Test]] = {}
        for test in book.read(Test):
            tests.setdefault(test.job, []).append(test)
        entries = {}
        for grade in book.read(Grade):
            submission = chosen.get((grade.student, grade.lab))
            job = jobs.get(submission.job) if submission else None
            entries[grade.student, grade.lab] = Entry(
                by_id.get(grade.student, Student(grade.student)), grade.lab, titles.get(grade.lab, grade.lab), grade,
                submission, job, tuple(tests.get(job.job, ())) if job else ())
        return cls(book.course("title"), tuple(students), tuple(json.loads(book.course("labs", "[]"))), titles,
                   json.loads(book.course("weights", "{}")), entries, tuple(book.read(Found)))

    def __iter__(self) -> Iterator[Entry]:
        """Entries by student, then in the order of the labs."""
        for student in self.students:
            for lab in self.labs:
                if (entry := self.entries.get((student.student, lab))) is not None:
                    yield entry

    def of(self, student: Student) -> list[Entry]:
        return [self.entries[student.student, lab] for lab in self.labs if (student.student, lab) in self.entries]

    def percent(self, student: Student) -> float:
        """Of the whole course, the labs weighed as the policy says; 100 only if nothing is missing."""
        entries = [entry for entry in self.of(student) if entry.grade.max_points > 0]
        weight = {entry.lab: self.weights.get(entry.lab, entry.grade.max_points) for entry in entries}
        if not (whole := sum(weight.values())):
            return 0.0
        value = 100 * sum(weight[entry.lab] * entry.grade.points / entry.grade.max_points for entry in entries) / whole
        complete = all(entry.grade.points >= entry.grade.max_points for entry in entries if weight[entry.lab] > 0)
        return round(value, 2) if complete else min(round(value, 2), 99.99)


def _sum(values: Iterator[float]) -> float:
    return round(sum(values), 2)


def number(value: float) -> str:
    """With at most two digits behind the point, and none that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def file_name(student: str) -> str:
    """A name for a file or folder: ids come from strangers, and may hold slashes, dots and worse. Ids that differ get
    names that differ, also where a file system makes no difference of capitals."""
    safe = re.sub(r"[^A-Za-z0-9._@+-]", "_", student)[:80].lstrip(".-") or "_"
    if safe == student and safe == safe.lower():
        return safe
    return f"{safe}-{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
