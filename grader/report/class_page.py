"""The class page: each lab and everybody, for a browser or for paper (pdf.py)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from grader.course.exporters.view import Entry

from .class_counters import LabCounters, Measured
from .class_data import ClassData, LabView, TestShare
from .class_figures import SHOWN_TESTS, after_due, day, times_of
from .class_findings import SEVERITIES, findings_of
from .class_graph import SHOWN_CLUSTERS, Cluster
from .class_mistakes import BY_CODE, BY_SIGNS, Mistake
from .class_scatter import limiters, short
from .page import Picture, render
from .words import STATUS

HARDEST = 10
SHOWN_STUDENTS = 8
HOW = {BY_CODE: "its code", BY_SIGNS: "the same test and finding"}
AS_FAST = 1.05  # An answer is as fast as a rung up to this many times its time.
SYMBOLS = ("passed", "failed", "inconclusive", "not_started", "not_graded", "missing")

Link = Callable[[str], str]  # From a student's id to the path of the student's page; empty if there is none.


@dataclass(frozen=True)
class Resembled:
    """Answers that resemble the same wrong answers. `seen`: the evidence."""

    what: tuple[str, ...]
    seen: str
    students: list[str]


@dataclass(frozen=True)
class LabPart:
    """The page's data about one lab. Pictures are None if there is nothing to draw."""

    lab: LabView
    tests_picture: Picture | None
    mistakes: list[tuple[Mistake, list[Entry]]]
    counters: LabCounters
    counter: str
    scatter_picture: Picture | None

    @cached_property
    def tests(self) -> list[TestShare]:
        return self.lab.tests()

    @property
    def waiting(self) -> int:
        """Submissions that a person must look at."""
        return sum(entry.is_undecided for entry in self.lab.entries)

    @property
    def resembled(self) -> list[Resembled]:
        """Failing answers by the known mistake that they resemble, the most frequent first."""
        known: dict[tuple[str, ...], list[tuple[str, list[Entry]]]] = {}
        for mistake, entries in self.mistakes:
            if mistake.how in HOW:
                known.setdefault(mistake.what, []).append((mistake.how, entries))
        found = [
            Resembled(
                what,
                "; ".join(HOW[how] + (f" ({len(group)})" if len(groups) > 1 else "") for how, group in groups),
                sorted(entry.student.student for _, group in groups for entry in group),
            )
            for what, groups in known.items()
        ]
        return sorted(found, key=lambda one: (-len(one.students), one.what))

    @property
    def others(self) -> list[tuple[str, list[str]]]:
        """Failing answers that resemble none: test and headline, and students."""
        return [
            (f"{mistake.test.split('.', 2)[-1]}: {mistake.what[0]}", [entry.student.student for entry in entries])
            for mistake, entries in self.mistakes
            if mistake.how not in HOW
        ]

    @cached_property
    def times(self) -> list[float]:
        return _times(self.counters.answers)

    @property
    def median_time(self) -> float:
        return statistics.median(self.times)

    def as_fast(self, rung: Measured) -> int:
        return sum(time <= AS_FAST * rung.time_us for time in self.times)

    @property
    def limits(self) -> list[tuple[str, int, float]]:
        """Limiter, answers, and the median of their times."""
        return [
            (name, count, statistics.median(_times([one for one in self.counters.answers if one.limiter == name])))
            for name, count in limiters(self.counters.answers)
        ]


def _times(answers: Sequence[Measured]) -> list[float]:
    """A time for each student who handed one of the answers in."""
    return [one.time_us for one in answers for _ in range(one.answers)]


@dataclass(frozen=True)
class ClassPictures:
    points: Picture | None
    totals: Picture | None
    hardest: Picture | None
    submissions: Picture | None
    graph: Picture | None


@dataclass(frozen=True)
class Attempts:
    """When the attempts at a lab were handed in. `late`: None without a due date."""

    lab: LabView
    times: list[datetime]
    late: int | None

    @property
    def extended_to(self) -> datetime:
        return max(self.lab.extended.values())


def hardest_tests(data: ClassData) -> list[tuple[LabView, TestShare]]:
    """The tests of all labs that the largest share of the answers failed."""
    found = [(lab, one) for lab in data.labs for one in lab.tests() if one.failed]
    return sorted(found, key=lambda pair: (-pair[1].failed_share, -pair[1].failed))[:HARDEST]


def _attempts(data: ClassData) -> list[Attempts]:
    found = []
    for lab in data.labs:
        if times := times_of(data.submissions, lab.name):
            found.append(Attempts(lab, times, after_due(lab, data.submissions) if lab.due else None))
    return found


def _sections(parts: Sequence[LabPart]) -> list[tuple[str, str]]:
    """Id and heading of all sections, in their order."""
    return [
        ("overview", "Overview"),
        ("hardest", "Hardest tests"),
        ("time", "Submissions over time"),
        *((f"lab-{part.lab.name}", part.lab.title) for part in parts),
        ("similar", "Answers that are alike"),
        ("findings", "What was unexpected"),
        ("everybody", "Everybody"),
    ]


def class_page(
    data: ClassData,
    parts: Sequence[LabPart],
    pictures: ClassPictures,
    clusters: Sequence[Cluster],
    link: Link,
    paper: bool = False,
) -> str:
    """The page as HTML. @param paper for pdf.py: without links to the students' pages"""
    return render(
        "class.html",
        paper,
        data=data,
        labs=parts,
        pictures=pictures,
        clusters=clusters,
        sections=_sections(parts),
        link=(lambda _: "") if paper else link,
        hardest=hardest_tests(data),
        attempts=_attempts(data),
        timeless=sum(one.submitted_at is None for one in data.submissions),
        findings=findings_of(data),
        severities=SEVERITIES,
        when=lambda moment: day(moment, data.zone),
        short=short,
        symbols=[STATUS[status] for status in SYMBOLS],
        shown_students=SHOWN_STUDENTS,
        shown_tests=SHOWN_TESTS,
        shown_clusters=SHOWN_CLUSTERS,
    )
