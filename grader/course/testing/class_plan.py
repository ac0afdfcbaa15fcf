"""Who hands in what, when and how in a made-up class, decided by a seed; and from that the grade that each must get."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal

from grader.course.similarity.disguise import commented, renamed
from grader.course.similarity.tokens import names_of
from grader.course.testing.class_origins import AUTHOR, HOSTILE, SOLUTION, Origin, origins_of, worth_of
from grader.workbook.places import place_of

LABS = ("vector_add", "coalescing", "bank_conflicts")
MOST = {"vector_add": 20.0, "coalescing": 100.0, "bank_conflicts": 100.0}
DUE = {lab: datetime(2026, 10, 5 + 7 * i, 18, 0, tzinfo=timezone.utc) for i, lab in enumerate(LABS)}
PERCENT_PER_DAY, CUTOFF_DAYS, GRACE_DAYS, EXTENSION_DAYS = 10, 5, 1, 4
LATEST = {"vector_add"}  # Labs in which the latest attempt counts; elsewhere the best.
PLAIN, FILES, ZIP, TAR, CANVAS, MOODLE = "plain", "files", "zip", "tar", "canvas", "moodle"
LAYOUTS = (PLAIN, PLAIN, FILES, ZIP, TAR, CANVAS, CANVAS, MOODLE)
# Other names of files; for the last one only the contents tell what it is.
MISNAMED = ("{Lab}.CU", "{lab} (1).cu", "my_{lab}_final.cu", "{lab}.cu.txt", "answer.cu")


@dataclass
class Attempt:
    """One file for a lab. `days_late` are days begun after the due date."""

    origin: Origin
    text: str
    days_late: int = 0
    number: int = 1
    name: str = ""

    @property
    def is_late(self) -> bool:
        return self.days_late > 0

    @property
    def at(self) -> datetime:
        """On time is some hours before; each resubmission comes an hour later."""
        return DUE[self.origin.lab] + timedelta(days=self.days_late, hours=-9 + self.number)


@dataclass
class Member:
    """A student. `copied`: lab: of whom; `attempts`: lab: in their order."""

    student: str
    layout: str
    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    extension: bool = False
    copied: dict[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return int(self.student[1:])

    @property
    def is_timed(self) -> bool:
        """Whether anything states when this student's files came. Of every second file from Canvas there is only its mark."""
        return self.layout != CANVAS or self.number % 2 == 1

    @property
    def brings_a_note(self) -> bool:
        """Half of those without an answer hand in something else."""
        return not self.attempts and self.number % 2 == 1


@dataclass(frozen=True)
class Expected:
    student: str
    lab: str
    status: str
    points: float
    made_of: str
    why: str


class _Deck:
    """Every answer comes up once before any comes up again, the solution more often."""

    def __init__(self, origins: Sequence[Origin], order: random.Random) -> None:
        self._origins, self._order, self._left = list(origins), order, []

    def draw(self) -> Origin:
        if not self._left:
            self._left = [*self._origins, *([self._origins[0]] * (len(self._origins) // 4))]
            self._order.shuffle(self._left)
        return self._left.pop()


def make_plan(students: int, seed: int, labs: Sequence[str] = LABS, hostile_names: Sequence[str] = ()) -> list[Member]:
    """The class. Of 200 students 34 are hostile, each in another way, 8 copy from 4, 8 hand in nothing.

    @param hostile_names ways to be hostile, files of testdata/hostile; empty: all
    """
    order = random.Random(seed)
    decks = {lab: _Deck([one for one in origins_of(lab) if one.kind not in (HOSTILE, AUTHOR)], order) for lab in labs}
    members = [Member(f"s{i:03}", order.choice(LAYOUTS)) for i in range(1, students + 1)]
    people = members[:]
    order.shuffle(people)

    def some(per_200: int, least: int = 1) -> list[Member]:
        count = max(least, round(per_200 * students / 200))
        taken, people[:] = people[:count], people[count:]
        return taken

    absent, hostile = some(8), some(34)
    attackers = [origin for lab in labs for origin in origins_of(lab)
                 if origin.kind == HOSTILE and (not hostile_names or origin.name.partition("/")[2] in hostile_names)]
    order.shuffle(attackers)
    for member, origin in zip(hostile, attackers):
        member.attempts[origin.lab] = [Attempt(origin, origin.text())]
    for lab in labs:
        if any(origin.kind == AUTHOR for origin in origins_of(lab)):
            _let_copy(lab, some(12, 2), order)
    for member in [*hostile, *people]:
        wanted = order.sample(list(labs), order.choice([1, 1, 2, 2, 3][:2 * len(labs) - 1]))
        for lab in wanted:
            if lab not in member.attempts:
                origin = decks[lab].draw()
                member.attempts[lab] = [Attempt(origin, origin.text())]
    assert all(not member.attempts for member in absent)
    for member in people:
        _vary(member, decks, order)
    for member in members:
        for attempts in member.attempts.values():
            for attempt in attempts:
                attempt.name = attempt.name or f"{attempt.origin.lab}.cu"
    return members


def _let_copy(lab: str, people: list[Member], order: random.Random) -> None:
    """The first people are authors of answers that nobody else wrote; the others copy from them, disguised."""
    authors = [origin for origin in origins_of(lab) if origin.kind == AUTHOR]
    names = names_of(place_of(lab).contract.read_text(encoding="utf-8"))
    wrote = dict(zip((member.student for member in people[: max(1, len(people) // 3)]), authors))
    for i, member in enumerate(people):
        if member.student in wrote:
            origin = wrote[member.student]
            member.attempts[lab] = [Attempt(origin, origin.text())]
            continue
        source = list(wrote)[i % len(wrote)]
        origin = wrote[source]
        text = [origin.text(), renamed(origin.text(), names, i), commented(origin.text(), i),
                commented(renamed(origin.text(), names, i), i)][i % 4]
        member.attempts[lab] = [Attempt(origin, text)]
        member.copied[lab] = source


def _vary(member: Member, decks: dict[str, _Deck], order: random.Random) -> None:
    """Late, handed in again, or called by another name: one of these for four in ten."""
    lab = order.choice(list(member.attempts))
    (first,) = member.attempts[lab]
    what = order.choice(["late", "late", "extended", "again", "again", "too late", "misnamed", "misnamed", *[""] * 12])
    if what in ("late", "extended"):
        first.days_late = order.choice([1, 2, 4, 5, 6])
        member.extension = what == "extended"
        member.layout = CANVAS if member.layout in (ZIP, TAR) else member.layout  # An archive has one time for all.
    elif what in ("again", "too late"):
        origin = decks[lab].draw()
        member.attempts[lab].append(Attempt(origin, origin.text(), 9 if what == "too late" else 0, 2))
        member.layout = order.choice([PLAIN, CANVAS])
    elif what == "misnamed" and member.layout != CANVAS:
        by_name = MISNAMED[:-1] if first.origin.kind != SOLUTION else MISNAMED
        name = order.choice(by_name)
        first.name = name.format(lab=lab, Lab="".join(word.title() for word in lab.split("_")))


def expected_of(members: Sequence[Member], labs: Sequence[str] = LABS) -> Iterator[Expected]:
    """The grades, by the rules of the course as a person would apply them."""
    for member in members:
        for lab in labs:
            attempts = member.attempts.get(lab, [])
            if member.brings_a_note:
                yield Expected(member.student, lab, "not_graded", 0.0, "", "handed in, and no answer")
                continue
            if not attempts:
                yield Expected(member.student, lab, "missing", 0.0, "", "nothing was handed in")
                continue
            graded = [(attempt, *_points(member, attempt)) for attempt in attempts]
            in_time = [row for row in graded if row[2] > 0] or graded[:1]
            if lab in LATEST:
                attempt, points, share = in_time[-1]
            else:  # Of equals the earlier one.
                attempt, points, share = max(in_time, key=lambda row: (row[1], -row[0].number))
            status = worth_of(attempt.origin, MOST[lab]).status
            why = ", ".join(part for part in (
                f"attempt {attempt.number} of {len(attempts)}" if len(attempts) > 1 else "",
                f"{attempt.days_late} days late: {share} % of the points" if attempt.days_late else "",
                f"copied from {member.copied[lab]}" if lab in member.copied else "",
                f"called {attempt.name}" if attempt.name != f"{lab}.cu" else "") if part)
            yield Expected(member.student, lab, status, points, attempt.origin.name, why)


def _points(member: Member, attempt: Attempt) -> tuple[float, int]:
    """Points, and what is left after lateness in percent. Nobody is late in two labs, so grace is never used up."""
    days = attempt.days_late - (EXTENSION_DAYS if member.extension else 0)
    if not member.is_timed:  # Late, says Canvas, by its own due date; one day is certain, if there was no extension.
        days = 1 if attempt.is_late and not member.extension else 0
    if days > CUTOFF_DAYS:
        share = 0
    else:
        share = 100 - PERCENT_PER_DAY * max(0, days - GRACE_DAYS)
    worth = worth_of(attempt.origin, MOST[attempt.origin.lab])
    whole = Decimal(repr(worth.points)) * share / 100
    return float(whole.quantize(Decimal("0.01"), ROUND_HALF_UP)), share
