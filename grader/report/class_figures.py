"""Figures of a class: points by lab, totals, how tests ended, and when submissions came."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from matplotlib import dates
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.course.gradebook import Submitted

from .class_data import LabView, TestShare
from .style import ANSWER, BAD, GRID, INK, PAPER, RUNG, WEAK, legend_above, new_figure, shorten

# Bands of points, the best first: name, least share of the lab's points, colour, hatch (for print without colour).
FULL, MOST, SOME, NONE, WAITING, MISSING = (
    "full points", "half or more", "less than half", "no points", "no grade yet", "nothing handed in")  # fmt: skip
BANDS = ((FULL, ANSWER, ""), (MOST, RUNG, ""), (SOME, WEAK, ""), (NONE, BAD, "////"), (WAITING, PAPER, "...."),
         (MISSING, GRID, ""))  # fmt: skip
ENDINGS = (("passed", ANSWER, ""), ("inconclusive", RUNG, "...."), ("failed", BAD, "////"), ("not run", GRID, ""))
EXTENDED = {"marker": "^", "facecolor": PAPER, "edgecolor": BAD, "linewidth": 1, "zorder": 3, "clip_on": False}
SHOWN_TESTS = 20
BINS = 48  # Of the time axis.


def bands_of(lab: LabView) -> dict[str, int]:
    """How many students are in each band of points."""
    counts = dict.fromkeys((name for name, _, _ in BANDS), 0)
    for entry in lab.entries:
        grade = entry.grade
        if grade.status == "not_graded":
            band = WAITING
        elif entry.submission is None:
            band = MISSING
        elif grade.points <= 0:
            band = NONE
        elif grade.points >= grade.max_points:
            band = FULL
        else:
            band = MOST if grade.points >= grade.max_points / 2 else SOME
        counts[band] += 1
    return counts


def _stack(axes: Axes, rows: Sequence[Sequence[int]], kinds: Sequence[tuple[str, str, str]]) -> None:
    """Stacked horizontal bars, each part with its number if there is room."""
    longest = max((sum(row) for row in rows), default=1) or 1
    for i, (name, colour, hatch) in enumerate(kinds):
        lefts = [sum(row[:i]) for row in rows]
        widths = [row[i] for row in rows]
        if not any(widths):
            continue
        axes.barh(
            range(len(rows)),
            widths,
            left=lefts,
            color=colour,
            height=0.66,
            label=name,
            hatch=hatch,
            edgecolor=PAPER,
            linewidth=0.8,
        )
        for row, (left, width) in enumerate(zip(lefts, widths)):
            if width >= 0.05 * longest * len(str(width)):
                axes.text(
                    left + width / 2,
                    row,
                    str(width),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=PAPER if colour == ANSWER else INK,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.2} if hatch else None,
                )
    axes.set_xlim(0, longest)
    axes.set_ylim(len(rows) - 0.5, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.get_major_locator().set_params(integer=True)


def points_figure(labs: Sequence[LabView]) -> Figure:
    """Students in bands of points, a bar for each lab."""
    figure, axes = new_figure(1.15 + 0.4 * len(labs))
    _stack(axes, [list(bands_of(lab).values()) for lab in labs], BANDS)
    axes.set_yticks(range(len(labs)), [_label(lab.title, 20, 2) for lab in labs])
    axes.set_xlabel("students")
    legend_above(axes, columns=2)
    return figure


def points_text(labs: Sequence[LabView]) -> str:
    parts = []
    for lab in labs:
        counts = ", ".join(f"{count} {band}" for band, count in bands_of(lab).items() if count)
        parts.append(f"{lab.title}: {counts or 'no students'}")
    return "Bars of students by their points. " + "; ".join(parts) + "."


def totals_figure(percents: Sequence[float]) -> Figure:
    """How many students reached how many per cent of the course. @param percents at least one"""
    figure, axes = new_figure(2.5)
    counts = totals_of(percents)
    axes.bar([10 * i + 5 for i in range(10)], counts, width=9.4, color=ANSWER)
    for i, count in enumerate(counts):
        if count:
            axes.annotate(
                str(count), (10 * i + 5, count), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=8
            )
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 10))
    axes.set_ylim(0, max(counts) * 1.15)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("per cent of the course's points")
    axes.set_ylabel("students")
    return figure


def totals_of(percents: Sequence[float]) -> list[int]:
    """Ten bins: 0 to under 10, ..., 90 to 100."""
    counts = [0] * 10
    for percent in percents:
        counts[min(max(int(percent // 10), 0), 9)] += 1
    return counts


def totals_text(percents: Sequence[float]) -> str:
    parts = [f"{10 * i} to {10 * i + 10} per cent: {count}" for i, count in enumerate(totals_of(percents)) if count]
    return "Histogram of students by their total. " + "; ".join(parts) + "."


def tests_figure(shares: Sequence[TestShare]) -> Figure:
    """How each test ended, the hardest on top; SHOWN_TESTS of them at most."""
    shares = shares[:SHOWN_TESTS]
    labels = [_label(share.test.sentence + (" (hidden)" if share.test.hidden else ""), 32, 3) for share in shares]
    figure, axes = new_figure(1.0 + sum(0.22 + 0.15 * (label.count("\n") + 1) for label in labels))
    rows = [(share.passed, share.inconclusive, share.failed, share.not_run) for share in shares]
    _stack(axes, rows, ENDINGS)
    axes.set_yticks(range(len(shares)), labels, fontsize=8)
    axes.set_xlabel("answers")
    legend_above(axes, columns=2)
    return figure


def tests_text(shares: Sequence[TestShare]) -> str:
    parts = [f"{share.test.sentence}: {share.failed} of {share.ran} failed" for share in shares[:SHOWN_TESTS]]
    return "Bars of how each test ended, the hardest first. " + "; ".join(parts) + "."


def hardest_figure(hardest: Sequence[tuple[LabView, TestShare]]) -> Figure:
    """The share of the answers that failed each test. @param hardest one at least, the hardest first"""
    labels = [f"{shorten(lab.title, 36)}:\n{_label(one.test.sentence, 34, 2)}" for lab, one in hardest]
    figure, axes = new_figure(0.6 + sum(0.22 + 0.14 * (label.count("\n") + 1) for label in labels))
    axes.barh(range(len(hardest)), [100 * one.failed_share for _, one in hardest], color=BAD, height=0.5)
    for row, (_, one) in enumerate(hardest):
        axes.annotate(
            f"{100 * one.failed_share:.0f} %",
            (100 * one.failed_share, row),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(hardest)), labels, fontsize=8)
    axes.set_ylim(len(hardest) - 0.5, -0.6)
    axes.set_xlim(0, 118)
    axes.set_xticks(range(0, 101, 25))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("per cent of the answers failed")
    return figure


def hardest_text(hardest: Sequence[tuple[LabView, TestShare]]) -> str:
    parts = [f"{lab.title}, {one.test.sentence}: {100 * one.failed_share:.0f} per cent" for lab, one in hardest]
    return "Bars of the share that failed. " + "; ".join(parts) + "."


def times_of(submissions: Sequence[Submitted], lab: str) -> list[datetime]:
    """When the attempts at a lab were handed in, as far as that is known."""
    return sorted(moment for one in submissions if one.lab == lab and (moment := one.moment) is not None)


def after_due(lab: LabView, submissions: Sequence[Submitted]) -> int:
    """Attempts after the student's due date, including extensions."""
    due = [(one.moment, lab.due_of(one.student)) for one in submissions if one.lab == lab.name]
    return sum(moment > until for moment, until in due if moment is not None and until is not None)


def submissions_figure(labs: Sequence[LabView], submissions: Sequence[Submitted], zone: ZoneInfo) -> Figure | None:
    """Attempts over time, a row of bars for each lab, with its due date and, below the bars, a mark where due dates of
    students were extended to: the more students, the larger. @returns None if no time is known"""
    times = {lab.name: times_of(submissions, lab.name) for lab in labs}
    labs = [lab for lab in labs if times[lab.name]]
    if not labs:
        return None
    shown = [time for lab in labs for time in times[lab.name]]
    shown += [due for lab in labs if lab.due for due in (lab.due, *lab.extended.values())]
    first, last = min(shown), max(shown)
    width = max((last - first) / BINS, timedelta(hours=1))
    first, last = first - width, last + 2 * width
    bins = int((last - first) / width) + 1
    figure, axes = new_figure(0.95 + 0.5 * len(labs))
    starts = [dates.date2num(first + i * width) for i in range(bins)]
    for row, lab in enumerate(labs):
        counts = [0] * bins
        for time in times[lab.name]:
            counts[int((time - first) / width)] += 1
        highest = max(counts)
        base = row + 0.4
        axes.bar(
            starts,
            [-0.75 * count / highest for count in counts],
            width=width / timedelta(days=1),
            bottom=base,
            align="edge",
            color=ANSWER,
        )
        axes.plot([starts[0], starts[-1]], [base, base], color=GRID, linewidth=0.8)
        if lab.due:
            axes.plot([lab.due] * 2, [base + 0.06, base - 0.85], color=BAD, linewidth=1.8)
        extended = Counter(int((until - first) / width) for until in lab.extended.values())
        axes.scatter(
            [starts[place] + width / timedelta(days=1) / 2 for place in extended],
            [base] * len(extended),
            s=[10 + 7 * math.sqrt(count) for count in extended.values()],
            **EXTENDED,
        )
    axes.plot([], [], color=BAD, linewidth=1.8, label="due")
    if any(lab.extended for lab in labs):
        axes.scatter([], [], s=20, label="extended to", **EXTENDED)
    axes.set_yticks(range(len(labs)), [_label(lab.title, 18, 2) for lab in labs])
    axes.set_ylim(len(labs) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    locator = dates.AutoDateLocator(minticks=3, maxticks=5, tz=zone)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz=zone))
    axes.set_xlim(starts[0], starts[-1])
    if any(lab.due for lab in labs):
        legend_above(axes, columns=2)
    return figure


def submissions_text(labs: Sequence[LabView], submissions: Sequence[Submitted], zone: ZoneInfo) -> str:
    parts = []
    for lab in labs:
        if times := times_of(submissions, lab.name):
            part = f"{lab.title}: {len(times)} from {day(times[0], zone)} to {day(times[-1], zone)}"
            if lab.due:
                part += f", due {day(lab.due, zone)}, {after_due(lab, submissions)} too late"
            if lab.extended:
                last = max(lab.extended.values())
                part += f", {len(lab.extended)} extended, the last until {day(last, zone)}"
            parts.append(part)
    return "Attempts over time. " + "; ".join(parts) + "."


def day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _label(text: str, width: int, lines: int) -> str:
    wrapped = textwrap.wrap(text, width)
    if len(wrapped) > lines:
        wrapped = [*wrapped[: lines - 1], shorten(" ".join(wrapped[lines - 1 :]), width)]
    return "\n".join(wrapped)
