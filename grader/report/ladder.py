"""The ladder as bars: the time of each rung and of the graded answer, predicted and measured, one under the other."""

from __future__ import annotations

import textwrap

from matplotlib.figure import Figure

from .results import Run
from .style import ANSWER, BAD, INK, RUNG, legend_above, new_figure, number, shorten

MANY_TIMES = 40  # If the longest bar is this many times the shortest, the scale is logarithmic.


def _predicted(run: Run) -> float:
    """Of a run that has a predicted time, as all in the figure."""
    return run.time_us if run.time_us is not None else 0.0


def _time(run: Run) -> float:
    return run.measured_us if run.measured_us is not None else _predicted(run)


def _comparison(run: Run, first: Run) -> str:
    if run is first or not _time(run) or not _time(first):
        return ""
    ratio = _time(first) / _time(run)
    if number(ratio) == "1" or number(1 / ratio) == "1":
        return ", as fast"
    return f", {number(ratio)}× faster" if ratio > 1 else f", {number(1 / ratio)}× slower"


def _colour(run: Run) -> str:
    return BAD if run.library else ANSWER if run.graded else RUNG


def ladder_figure(runs: list[Run]) -> Figure:
    """@param runs which all have a predicted time, the first rung first"""
    measured = any(run.measured_us is not None for run in runs)
    figure, axes = new_figure(0.75 + (0.56 if measured else 0.42) * len(runs) + (0.25 if measured else 0))
    times = [time for run in runs for time in (run.time_us, run.measured_us) if time]
    longest, shortest = max(times, default=1), min(times, default=1)
    logarithmic = longest > MANY_TIMES * shortest
    for row, run in enumerate(runs):
        both = run.measured_us is not None
        axes.barh(row - (0.2 if both else 0), run.time_us, height=0.36 if both else 0.62, color=_colour(run))
        if both:
            low, high = (run.measured.low_us, run.measured.high_us) if run.measured else (run.measured_us,) * 2
            axes.barh(row + 0.2, run.measured_us, height=0.36, color="none", edgecolor=_colour(run), linewidth=1.2,
                      hatch="////")
            axes.plot([low, high], [row + 0.2] * 2, color=INK, linewidth=1.6, solid_capstyle="butt")
        end = max(_predicted(run), run.measured_us or 0)
        times_text = f"{number(_predicted(run))} µs"
        if run.measured_us is not None:
            times_text = f"{number(_predicted(run))} | {number(run.measured_us)} µs"
        comparison = _comparison(run, runs[0])
        axes.annotate(times_text + ("\n" + comparison[2:] if both and comparison else comparison), (end, row), xytext=(7, 0),
                      textcoords="offset points", va="center", annotation_clip=False)
    titles = [run.title + (" (library)" if run.library else "") for run in runs]
    axes.set_yticks(range(len(runs)), [textwrap.fill(shorten(title, 75), 26) for title in titles])
    axes.invert_yaxis()
    if logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: number(value))
        axes.set_xlim(shortest / 2, longest * (longest / shortest) ** 1.1)
    else:
        axes.set_xlim(0, longest * (1.45 if measured else 2.2))
    axes.set_xlabel("time in µs, logarithmic" if logarithmic else "time in µs (shorter is better)")
    axes.tick_params(axis="y", length=0)
    if measured:
        axes.barh(0, 0, color=RUNG, label="predicted")
        axes.barh(0, 0, color="none", edgecolor=RUNG, hatch="////", label="measured on a GPU")
        legend_above(axes, columns=2)
    return figure


def ladder_text(runs: list[Run]) -> str:
    """The figure in words, for readers who cannot see it."""
    parts = []
    for run in runs:
        measured = f", measured {number(run.measured_us)} µs" if run.measured_us is not None else ""
        library = " (library)" if run.library else ""
        parts.append(f"{run.title}{library}: {number(_predicted(run))} µs{measured}")
    return "Bars of time. " + "; ".join(parts) + "."
