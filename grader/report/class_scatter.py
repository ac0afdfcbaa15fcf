"""Predicted time of the answers to a lab against a counter, between the rungs of its ladder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from .class_counters import LabCounters, Measured
from .style import ANSWER, BAD, INK, MUTED, PAPER, legend_above, new_figure, number, shorten

LABELS = 0.46  # Of the width of the plot: for the names of the rungs.
CELLS = 18  # Answers in one cell of a grid with this many rows and columns share a mark.


def gathered(answers: Sequence[Measured], counter: str, cell: tuple[float, float]) -> list[tuple[Measured, int]]:
    """Merges answers at nearly the same point, with the number of students who handed one of them in.

    @param cell size in decades of counter and of time
    """
    marks: dict[tuple[int, int], tuple[Measured, int]] = {}
    for one in answers:
        place = round(math.log10(max(one.counters[counter], 1)) / cell[0]), round(math.log10(one.time_us) / cell[1])
        first, count = marks.get(place, (one, 0))
        marks[place] = first, count + one.answers
    return list(marks.values())


def scatter_figure(found: LabCounters, counter: str) -> Figure:
    """@param found has an answer at least; counter: one of COUNTERS"""
    figure, axes = new_figure(3.6)
    programs = [*found.answers, *found.rungs]
    xs = [max(one.counters[counter], 1) for one in programs]
    times = [one.time_us for one in programs]
    axes.set_xscale("log")
    axes.set_yscale("log")
    decades = max(math.log10(max(xs) / min(xs)), 0.4)
    left, right = min(xs) / 10 ** (0.12 * decades), min(xs) * 10 ** (1.12 * decades)
    axes.set_xlim(left, right * (right / left) ** (LABELS / (1 - LABELS)))
    high = max(math.log10(max(times) / min(times)), 0.4)
    axes.set_ylim(min(times) / 10 ** (0.1 * high), min(times) * 10 ** (1.15 * high))
    _draw_rungs(axes, found.rungs, counter)
    for correct, colour, marker, name in ((True, ANSWER, "o", "right results"), (False, BAD, "X", "wrong results")):
        marks = gathered(
            [one for one in found.answers if one.correct == correct], counter, (decades / CELLS, high / CELLS)
        )
        for one, count in marks:
            place = max(one.counters[counter], 1), one.time_us
            axes.scatter(*place, s=_area(count), marker=marker, color=colour, edgecolor=PAPER, linewidth=0.7, zorder=3)
            if count > 1:
                away = math.sqrt(_area(count)) / 2 + 2
                axes.annotate(
                    str(count),
                    place,
                    xytext=(away if correct else -away, 0),
                    textcoords="offset points",
                    fontsize=8,
                    ha="left" if correct else "right",
                    va="center",
                    color=INK,
                    zorder=4,
                )
        if marks:
            axes.scatter([], [], s=38, marker=marker, color=colour, label=name)
    if found.rungs:
        axes.scatter([], [], marker="D", s=26, facecolor=PAPER, edgecolor=MUTED, label="rung of the ladder")
    for axis, size in ((axes.xaxis, decades), (axes.yaxis, high)):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if size < 1.3 else (1,), numticks=7))
        axis.set_major_formatter(lambda value, _: short(value))
        axis.set_minor_formatter(lambda value, _: "")
    axes.set_xlabel(f"{counter}, logarithmic")
    axes.set_ylabel("predicted time in µs, logarithmic")
    legend_above(axes, columns=2)
    return figure


def _area(count: int) -> float:
    return min(38 * math.sqrt(count), 400)


def _draw_rungs(axes: Axes, rungs: Sequence[Measured], counter: str) -> None:
    bottom, top = axes.get_ylim()
    gap = 0.055 * math.log10(top / bottom)
    height = -math.inf
    for rung in sorted(rungs, key=lambda rung: rung.time_us):
        axes.axhline(rung.time_us, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        axes.plot(
            max(rung.counters[counter], 1),
            rung.time_us,
            "D",
            markersize=5.5,
            markerfacecolor=PAPER,
            markeredgecolor=MUTED,
            zorder=2,
        )
        height = max(math.log10(rung.time_us) + 0.2 * gap, height + gap)
        axes.text(
            axes.get_xlim()[1],
            10**height,
            shorten(rung.title, 30),
            ha="right",
            va="bottom",
            fontsize=7.5,
            color=MUTED,
            zorder=2,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.4},
        )


def short(value: float) -> str:
    """1500000 as 1.5 M."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return number(value / size) + unit
    return number(value)


def scatter_text(found: LabCounters, counter: str) -> str:
    times = sorted(one.time_us for one in found.answers for _ in range(one.answers))
    parts = [f"{len(times)} answers between {number(times[0])} and {number(times[-1])} µs"]
    parts += [
        f"rung “{rung.title}”: {number(rung.time_us)} µs, {short(rung.counters[counter])} {counter}"
        for rung in found.rungs
    ]
    return f"Predicted time against {counter}. " + "; ".join(parts) + "."


def limiters(answers: Sequence[Measured]) -> list[tuple[str, int]]:
    """What limits the answers, the most frequent first."""
    counts: Counter[str] = Counter()
    for one in answers:
        counts[one.limiter] += one.answers
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
