"""Draws what the graded answer's own functions measured: sweeps, staircases and heat maps."""

from __future__ import annotations

import math

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .plot import Curve, Plot
from .style import ANSWER, BAD, INK, MUTED, PAPER, RUNG, WEAK, legend_above, new_figure, number

# As many curves as there are styles can be distinguished without colours.
STYLES = [(ANSWER, "o", "-"), (BAD, "s", "-"), (RUNG, "^", "--"), (WEAK, "D", "--"), (MUTED, "v", ":"), (INK, "x", ":")]
FAINTEST, DARK = 0.06, 0.6  # For a heat map's cells: the opacity of the least value, and the opacity from which on text is light.
MOST_TICKS = 6
NAMES_OF_SIZES = ((1 << 30, "Gi"), (1 << 20, "Mi"), (1 << 10, "Ki"))


def size(value: float) -> str:
    """1024 -> 1 Ki, because sizes are powers of two; other numbers unchanged."""
    for unit, name in NAMES_OF_SIZES:
        if value >= unit and value % (unit / 4) == 0:
            return f"{number(value / unit)} {name}"
    return number(value)


def plot_figure(plot: Plot) -> Figure:
    return _heat_map(plot) if plot.kind == "heat_map" else _curves(plot)


def _curves(plot: Plot) -> Figure:
    figure, axes = new_figure(2.7 + 0.2 * (len(plot.curves) // 2))
    for curve, (colour, marker, line) in zip(plot.curves, STYLES):
        axes.plot(*zip(*curve.points), color=colour, marker=marker, markersize=3.5, linewidth=1.3, linestyle=line,
                  drawstyle="steps-mid" if plot.kind == "staircase" else "default", label=curve.label)
    columns = plot.columns
    axes.set_xscale("log", base=2)
    ticks = _apart(columns)
    axes.set_xticks(ticks, [size(column) for column in ticks])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 1.08 * max(y for curve in plot.curves for _, y in curve.points))
    axes.yaxis.set_major_formatter(lambda value, _: number(value))
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    if len(plot.curves) > 1:
        legend_above(axes, columns=2)
    return figure


def _apart(columns: list[float]) -> list[float]:
    """The ticks whose labels do not touch each other, on a logarithmic axis."""
    room = math.log2(columns[-1] / columns[0]) / MOST_TICKS
    ticks: list[float] = []
    for column in columns:
        if not ticks or math.log2(column / ticks[-1]) >= room:
            ticks.append(column)
    return ticks


def _heat_map(plot: Plot) -> Figure:
    columns = plot.columns
    figure, axes = new_figure(0.9 + 0.36 * len(plot.curves))
    most = max(y for curve in plot.curves for _, y in curve.points)
    for row, curve in enumerate(plot.curves):
        for x, value in curve.points:
            share = max(value / most, FAINTEST) if most > 0 else FAINTEST
            axes.add_patch(Rectangle((columns.index(x), row), 1, 1, facecolor=ANSWER, alpha=share, linewidth=0))
            axes.text(columns.index(x) + 0.5, row + 0.5, number(value), ha="center", va="center", fontsize=8.5,
                      color=PAPER if share > DARK else INK)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(plot.curves), 0)
    axes.set_xticks([i + 0.5 for i in range(len(columns))], [size(column) for column in columns])
    axes.set_yticks([i + 0.5 for i in range(len(plot.curves))], [curve.label for curve in plot.curves])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    axes.set_title(plot.value, loc="left", fontsize=9)
    return figure


def plot_text(plot: Plot) -> str:
    """The figure in words: for a sweep, the ends of each curve and its maximum; else every point."""
    points = [f"{curve.label}: " + ", ".join(f"{number(value)} at {size(x)}" for x, value in curve.points) for curve in plot.curves]
    if plot.kind == "heat_map":
        return f"Heat map of {plot.value}, {plot.y} down, {plot.x} to the right. " + "; ".join(points) + "."
    if plot.kind == "staircase":
        return f"{plot.y} over {plot.x}, logarithmic. " + "; ".join(points) + "."
    return f"{plot.y} over {plot.x}, logarithmic. " + "; ".join(map(_in_words, plot.curves)) + "."


def _in_words(curve: Curve) -> str:
    first, last = curve.points[0], curve.points[-1]
    x, most = max(curve.points, key=lambda point: point[1])
    peak = "" if (x, most) in (first, last) else f", at most {number(most)} at {size(x)}"
    return f"{curve.label}: {number(first[1])} at {size(first[0])}, {number(last[1])} at {size(last[0])}{peak}"
