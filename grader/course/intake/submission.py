"""The results of intake: submissions, students, and everything unexpected that was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

NOTE, SUSPICION, ERROR = "note", "suspicion", "error"

# Where a time of submission comes from: a list (`--times`), the platform's metadata, and, only where an instructor says
# that they are times of submission (`--times files`), the times of files in an archive or on disk.
TIME_SOURCES = ("list", "platform", "archive", "mtime", "none")


@dataclass(frozen=True, order=True)
class Finding:
    """Something unexpected. It never ends a run, and never changes points by itself.

    severity: 'note' (for information), 'suspicion' (a person should look), 'error' (something could not be used).
    code:     what it is, in one snake_case word that stays the same from version to version (docs/course.md).
    path:     where it was seen: path of the archive or folder, and members behind it, separated by '/'.
    message:  one sentence for a person: what was seen, and what was done about it.
    student, lab: whom and what it is about; '' if that is not known.
    """

    severity: str
    code: str
    path: str
    message: str
    student: str = ""
    lab: str = ""


@dataclass(frozen=True)
class Submission:
    """One file that a student handed in for one lab.

    student:      id of the student, as on the roster; without a roster, the name of the folder, archive or login.
    lab:          name of the lab, as in labs/.
    path:         the file's copy, OUT/files/<sha256>.<cu|cpp>.
    sha256:       of the contents, 64 hex digits.
    submitted_at: with a time zone (UTC), or None if nothing tells.
    attempt:      1, 2, ...: the order in which this student handed in this lab.
    origin:       path as given, or archive/member.
    findings:     about this file, each with `student` and `lab` set.
    time_source:  where submitted_at comes from, one of TIME_SOURCES.
    marked_late:  whether Canvas marks it LATE and nothing states its time.
    """

    student: str
    lab: str
    path: Path
    sha256: str
    submitted_at: datetime | None
    attempt: int
    origin: str
    findings: tuple[Finding, ...] = ()
    time_source: str = "none"
    marked_late: bool = False


@dataclass(frozen=True, order=True)
class Undecided:
    """Something was handed in, and a person must decide what counts: it is not graded, and never counts as nothing.

    lab:    '' if nothing tells it: then it may be any lab of which nothing else came.
    reason: one or two sentences, which the student reads.
    """

    student: str
    lab: str
    reason: str


@dataclass(frozen=True, order=True)
class Student:
    """A person on the roster, or, without one, a name that submissions came under."""

    student: str
    name: str = ""
    email: str = ""
    section: str = ""


@dataclass(frozen=True)
class Intake:
    """Everything that was handed in.

    submissions: of students on the roster (without a roster: of everybody), sorted by student, lab, attempt.
    unlisted:    of nobody on the roster; `student` is the name that was found.
    students:    the roster in its order; without one, everybody who handed in something, sorted.
    missing:     ids of students on the roster from whom nothing usable came, for any lab.
    undecided:   what came and cannot be graded before a person decides, one for each student and lab.
    findings:    those that belong to no single submission; those of submissions are in `Submission.findings`.
    """

    submissions: tuple[Submission, ...] = ()
    unlisted: tuple[Submission, ...] = ()
    students: tuple[Student, ...] = ()
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())
    undecided: tuple[Undecided, ...] = ()

    def waiting(self, student: str, lab: str) -> str:
        """Why @p student, of whom no file is graded for @p lab, handed in something all the same; '' if nothing came."""
        found = {one.lab: one.reason for one in self.undecided if one.student == student and one.lab in ("", lab)}
        return found.get(lab) or found.get("") or ""

    def all_findings(self) -> list[Finding]:
        """Every finding once, sorted by student, lab, path and code."""
        seen = set(self.findings)
        for submission in (*self.submissions, *self.unlisted):
            seen.update(submission.findings)
        return sorted(seen, key=lambda found: (found.student, found.lab, found.path, found.code, found.message))
