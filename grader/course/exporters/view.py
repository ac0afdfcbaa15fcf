"""The gradebook for exporters: an entry for each student and lab, and what the student may see of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.course.exporters.seen import RAN, Seen, applied_policy, seen_attempts
from grader.course.gradebook import Found, Grade, Gradebook, Job, Student, Submitted, Test
from grader.course.policy.points import number
from grader.course.policy.policy import Policy


@dataclass(frozen=True)
class Entry:
    """One student and lab. `submission`, `job` and `tests` are those that count, None where nothing was handed in. What
    is `shown_...`, and everything derived from it, is for students: it is of another attempt, `seen`, if naming the one that counts
    would reveal the outcome of hidden tests."""

    student: Student
    lab: str
    title: str
    grade: Grade
    submission: Submitted | None
    job: Job | None
    tests: tuple[Test, ...]
    seen: Seen | None = None

    @property
    def shown_submission(self) -> Submitted | None:
        return self.seen.submission if self.seen else self.submission

    @property
    def shown_job(self) -> Job | None:
        return self.seen.job if self.seen else self.job

    @property
    def shown_late_days(self) -> int:
        return self.seen.late_days if self.seen else self.grade.late_days

    @property
    def _shown_tests(self) -> tuple[Test, ...]:
        return self.seen.tests if self.seen else self.tests

    @property
    def visible(self) -> tuple[Test, ...]:
        return tuple(test for test in self._shown_tests if not test.hidden)

    @property
    def hidden(self) -> tuple[Test, ...]:
        """Tests that count and that students do not see yet. While there are any, nothing that a student reads may reveal
        their outcome: neither a total, nor a status, nor a reason."""
        return tuple(test for test in self._shown_tests if test.hidden)

    @property
    def is_sealed(self) -> bool:
        """Whether students may not see the outcome yet. A program that never ran reveals nothing about hidden tests."""
        return bool(self.hidden) and (self.seen is not None or self.grade.status in RAN)

    @property
    def shown_points(self) -> float:
        """The grade, or, while tests are hidden, the points of the others before lateness and curve."""
        return _sum(test.points for test in self.visible) if self.is_sealed else self.grade.points

    @property
    def shown_max_points(self) -> float:
        return _sum(test.max_points for test in self.visible) if self.is_sealed else self.grade.max_points

    @property
    def shown_status(self) -> str:
        """The status, or, while tests are hidden, that of the others alone, by the rule of the judge (docs/formats.md)."""
        if not self.is_sealed:
            return self.grade.status
        statuses = {test.status for test in self.visible}
        if statuses <= {"passed"}:
            return "passed"
        return "inconclusive" if statuses <= {"passed", "inconclusive"} else "failed"

    @property
    def shown_time_us(self) -> float | None:
        """Predicted time of a right answer, for comparing with others: a wrong one must not come first."""
        job = self.shown_job
        return job.time_us if job is not None and self.is_correct and self.shows_measurements else None

    @property
    def shows_measurements(self) -> bool:
        """False while tests of time or counters are hidden: time and profile would reveal their outcome."""
        return not any(test.kind != "correctness" for test in self.hidden)

    @property
    def feedback(self) -> str:
        """One or two sentences for the student."""
        if not self.is_sealed:
            if self.grader_failed:  # Only the instructor sees what failed, and where.
                return "Not graded yet: the grader failed on it, which says nothing about the answer. It will be graded again."
            return self.grade.reason or "All tests passed."
        failed = sum(test.status != "passed" for test in self.visible)
        seen = f"{len(self.visible) - failed} of {len(self.visible)} visible tests passed"
        points = f"{number(self.shown_points)} of {number(self.shown_max_points)} points so far"
        return " ".join([f"{seen}: {points}. More tests count later.", *self.attempt_note])

    @property
    def grader_failed(self) -> bool:
        return self.grade.status == "not_graded" and self.submission is not None

    @property
    def is_undecided(self) -> bool:
        """Whether something was handed in that a person must look at before there can be a grade."""
        return self.grade.status == "not_graded" and self.submission is None

    @property
    def attempt_note(self) -> list[str]:
        """A sentence on which attempt this is, if it may be another one that counts."""
        if self.seen is None:
            return []
        return [f"This is attempt {self.seen.submission.attempt}, the best one by the tests shown here. Which attempt "
                "counts is settled, and told, when all tests are released."]

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
    policy: Policy = Policy()
    platform_ids: dict[str, dict[str, str]] = field(default_factory=dict)  # By student: the platforms' ids.

    @classmethod
    def read(cls, book: Gradebook) -> Classroom:
        students = book.read(Student)
        by_id = {student.student: student for student in students}
        titles = json.loads(book.course("titles", "{}"))
        chosen, jobs = book.chosen(), {job.job: job for job in book.read(Job)}
        tests: dict[str, list[Test]] = {}
        for test in book.read(Test):
            tests.setdefault(test.job, []).append(test)
        labs = tuple(json.loads(book.course("labs", "[]")))
        policy = applied_policy(book, labs)
        marks = {found.path for found in book.read(Found, code="late_mark")}
        seen = seen_attempts(book.read(Submitted), jobs, tests, policy, marks)
        entries = {}
        for grade in book.read(Grade):
            submission = chosen.get((grade.student, grade.lab))
            job = jobs.get(submission.job) if submission else None
            entries[grade.student, grade.lab] = Entry(
                by_id.get(grade.student, Student(grade.student)), grade.lab, titles.get(grade.lab, grade.lab), grade,
                submission, job, tuple(tests.get(job.job, ())) if job else (), seen.get((grade.student, grade.lab)))
        return cls(book.course("title"), tuple(students), labs, titles, json.loads(book.course("weights", "{}")), entries,
                   tuple(book.read(Found)), policy, json.loads(book.course("platform_ids", "{}")))

    def column(self, lab: str) -> str:
        """A lab's name in a table for a platform."""
        return self.policy.lab(lab).column or self.titles.get(lab, lab)

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


def file_name(student: str) -> str:
    """A name for a file or folder: ids are untrusted, and may contain slashes, dots and worse. Ids that differ get
    names that differ, even on a file system that ignores case."""
    safe = re.sub(r"[^A-Za-z0-9._@+-]", "_", student)[:80].lstrip(".-") or "_"
    if safe == student and safe == safe.lower():
        return safe
    return f"{safe}-{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
