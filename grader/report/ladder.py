"""The ladder as bars: the time of each rung and of the graded answer, one under the other."""

from __future__ import annotations

import textwrap

from matplotlib.figure import Figure

from .results import Run
from .style import ANSWER, INK, RUNG, legend_above, new_figure, number, shorten


def _comparison(run: Run, first: Run) -> str:
    if run is first or not run.time_us or not first.time_us:
        return ""
    if run.time_us <= first.time_us:
        return f", {number(first.time_us / run.time_us)}× faster"
    return f", {number(run.time_us / first.time_us)}× slower"


def ladder_figure(runs: list[Run]) -> Figure:
    """@param runs which all have a time, the first rung first"""
    measured = any(run.measured_us is not None for run in runs)
    figure, axes = new_figure(0.75 + 0.42 * len(runs) + (0.25 if measured else 0))
    longest = max(max(run.time_us, run.measured_us or 0) for run in runs)
    for row, run in enumerate(runs):
        axes.barh(row, run.time_us, height=0.62, color=ANSWER if run.graded else RUNG)
        end = max(run.time_us, run.measured_us or 0)
        text = f"{number(run.time_us)} µs{_comparison(run, runs[0])}"
        axes.annotate(text, (end, row), xytext=(7, 0), textcoords="offset points", va="center")
        if run.measured_us is not None:
            axes.plot(run.measured_us, row, marker="D", color=INK, markersize=5, linestyle="none")
    axes.set_yticks(range(len(runs)), [textwrap.fill(shorten(run.title, 44), 22) for run in runs])
    axes.invert_yaxis()
    axes.set_xlim(0, longest * 1.25)
    axes.set_xlabel("time in µs (shorter is better)")
    axes.tick_params(axis="y", length=0)
    if measured:
        axes.bar(0, 0, color=RUNG, label="predicted")
        axes.plot([], [], marker="D", color=INK, markersize=5, linestyle="none", label="measured on a GPU")
        legend_above(axes, columns=2)
    return figure


def ladder_text(runs: list[Run]) -> str:
    """The figure in words, for those who do not see it."""
    parts = []
    for run in runs:
        measured = f", measured {number(run.measured_us)} µs" if run.measured_us is not None else ""
        parts.append(f"{run.title}: {number(run.time_us)} µs{measured}")
    return "Bars of time. " + "; ".join(parts) + "."
