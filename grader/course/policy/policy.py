"""The rules of a course, as data. Defaults: no due dates, every test counts as it stands, the best attempt counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

BEST, LATEST = "best", "latest"
CURVES = ("none", "add", "scale", "square_root")


@dataclass(frozen=True)
class Late:
    """What being late costs.

    percent_per_day: of the points earned, for each day begun that no grace day pays for.
    cutoff_days:     a submission that is more days late than this counts 0; None: no cut-off.
    """

    percent_per_day: float = 0.0
    cutoff_days: int | None = None


@dataclass(frozen=True)
class Grace:
    """Days late that cost nothing. They are used up over the labs in the order of due dates.

    days:     for each student, in the whole course.
    per_lab:  at most so many for one lab; None: as many as are left.
    students: id of a student: days, in place of `days`.
    """

    days: int = 0
    per_lab: int | None = None
    students: Mapping[str, int] = field(default_factory=dict)

    def of(self, student: str) -> int:
        return self.students.get(student, self.days)


@dataclass(frozen=True)
class Hidden:
    """Tests that count, but whose names, messages and points students do not see until they are released.

    tests: patterns (`*`, `?`, `[...]`) for `<lab>.<kind>.<sentence>`.
    """

    tests: tuple[str, ...] = ()
    released: bool = False


@dataclass(frozen=True)
class Curve:
    """How a lab's points are raised, before the deduction for lateness; see curve.py.

    kind:   one of CURVES.
    points: what 'add' adds.
    """

    kind: str = "none"
    points: float = 0.0


@dataclass(frozen=True)
class LabPolicy:
    """The rules of one lab.

    points:     what the lab is worth; None: the sum of its tests' points.
    kinds:      kind of test: its share of the points (a weight); empty: each test counts as its points say.
    weight:     of the lab in the course's total; None: its points.
    due:        with a time zone; None: never late.
    submission: 'best' or 'latest'.
    column:     what the lab's column is called in files for Canvas and Moodle; '': the lab's title.
    """

    points: float | None = None
    kinds: Mapping[str, float] = field(default_factory=dict)
    weight: float | None = None
    due: datetime | None = None
    late: Late = Late()
    hidden: Hidden = Hidden()
    curve: Curve = Curve()
    submission: str = BEST
    column: str = ""


@dataclass(frozen=True)
class Extension:
    """More time for one student: days after the lab's due date, or a date in its place.

    lab: '' for every lab.
    """

    student: str
    lab: str = ""
    days: int = 0
    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True)
class Policy:
    """The rules of a course. `labs` holds the labs that course.json names; others follow `defaults`."""

    course: str = ""
    time_zone: ZoneInfo = ZoneInfo("UTC")
    labs: Mapping[str, LabPolicy] = field(default_factory=dict)
    defaults: LabPolicy = LabPolicy()
    grace: Grace = Grace()
    extensions: tuple[Extension, ...] = ()

    def lab(self, name: str) -> LabPolicy:
        return self.labs.get(name, self.defaults)
