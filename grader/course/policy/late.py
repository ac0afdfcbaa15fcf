"""How late a submission is, and what that costs. Days are days of the calendar in the course's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from grader.course.policy.policy import LabPolicy, Late, Policy


@dataclass(frozen=True)
class Lateness:
    """days: begun after the due date. grace_days: of these, paid by grace. factor: of the points that are left.

    too_late: after the cut-off; then factor is 0 and no grace day is used. at_least: it may be more days; nothing says.
    """

    days: int = 0
    grace_days: int = 0
    factor: float = 1.0
    too_late: bool = False
    at_least: bool = False

    @property
    def sentence(self) -> str:
        """'' if it was on time."""
        if self.days == 0:
            return ""
        late = f"{_days(self.days)} late" + (
            " (marked late by the platform; by how much is not known)" if self.at_least else ""
        )
        if self.too_late:
            return f"{late}: after the last day on which it counts"
        graced = f", {self.grace_days} paid by grace" if self.grace_days else ""
        return f"{late}{graced}: {self.factor * 100:.4g} % of the points"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def days_after(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The same time of day, @p days days of the calendar later, in @p zone.

    Where the clock skips that time of day, the moment it would have been without the skip; where it comes twice, the
    later one.
    """
    local = moment.astimezone(zone).replace(tzinfo=None) + timedelta(days=days)
    return local_time(local, zone) if days else moment


def local_time(local: datetime, zone: ZoneInfo) -> datetime:
    """A time of day without zone, as a moment in UTC. Of two, the later one; a skipped one: as if not skipped."""
    moments = [local.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc) for fold in (0, 1)]
    return max(moments)


def days_late(submitted_at: datetime | None, due: datetime | None, zone: ZoneInfo) -> int:
    """Days begun after @p due; 0 at that second itself (fractions are dropped), 1 from one second later on.

    An unknown time is never late.
    """
    if submitted_at is None or due is None:
        return 0
    moment = submitted_at.replace(microsecond=0)
    if moment <= due:
        return 0
    days = max(0, (moment - due).days - 2)
    while days_after(due, days, zone) < moment:
        days += 1
    return days


def late(
    submitted_at: datetime | None,
    due: datetime | None,
    rules: Late,
    grace_left: int,
    zone: ZoneInfo,
    marked_late: bool = False,
) -> Lateness:
    """What it costs if @p grace_left grace days may be used for it. factor = max(0, 1 - percent / 100 * unpaid days).

    No grace day is used if it would not save points. marked_late: it is late, but not known by how much: one day is
    all that is certain.
    """
    unknown = marked_late and submitted_at is None and due is not None
    days = 1 if unknown else days_late(submitted_at, due, zone)
    if days == 0:
        return Lateness()
    if rules.cutoff_days is not None and days > rules.cutoff_days:
        return Lateness(days, 0, 0.0, True, unknown)
    paid = min(days, max(0, grace_left)) if rules.percent_per_day > 0 else 0
    factor = max(0.0, 1.0 - rules.percent_per_day * (days - paid) / 100.0)
    return Lateness(days, paid if factor > 0 else 0, factor, False, unknown)


def due_of(lab: str, student: str, policy: Policy) -> datetime | None:
    """When @p student must have handed in @p lab. Of several extensions the one that ends last counts."""
    rules: LabPolicy = policy.lab(lab)
    if rules.due is None:
        return None
    due = rules.due
    for extension in policy.extensions:
        if extension.student == student and extension.lab in ("", lab):
            until = extension.until or days_after(rules.due, extension.days, policy.time_zone)
            due = max(due, until)
    return due
