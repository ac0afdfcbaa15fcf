"""Cost per request by source line: what each load and store needed, compared with the ideal."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import PurePath

from matplotlib.figure import Figure

from .profiles import Access, Kernel
from .results import Run
from .style import ANSWER, BAD, INK, MUTED, legend_above, new_figure, number, shorten

MAX_ROWS = 40


@dataclass(frozen=True)
class Cost:
    """What is plotted: sectors of global accesses, or wavefronts of shared ones."""

    space: str
    unit: str

    def found(self, access: Access) -> float:
        return (access.sectors if self.unit == "sectors" else access.wavefronts) / access.requests

    def ideal(self, access: Access) -> float:
        return (access.sectors_ideal if self.unit == "sectors" else access.wavefronts_ideal) / access.requests


SECTORS = Cost("global", "sectors")
WAVEFRONTS = Cost("shared", "wavefronts")


@dataclass(frozen=True)
class Row:
    run: Run
    access: Access
    found: float
    ideal: float

    @property
    def wasteful(self) -> bool:
        """More than a tenth above the ideal: a request at the edge of a matrix is not waste."""
        return self.found > 1.1 * self.ideal

    @property
    def label(self) -> str:
        where = f"line {self.access.line}" if self.access.line else "no line"  # Code that the compiler adds may have no line.
        return f"{where}, {self.access.kind}"

    @property
    def place(self) -> str:
        """The label for readers who do not see the bar's heading."""
        return f"{self.access.kind} in {PurePath(self.access.file).name}:{self.access.line}"


def rows_of(cost: Cost, runs: list[tuple[Run, Kernel]]) -> list[Row]:
    rows = [
        Row(run, access, cost.found(access), cost.ideal(access))
        for run, kernel in runs
        for access in kernel.accesses(cost.space)
    ]
    return rows[:MAX_ROWS]


def access_figure(cost: Cost, rows: list[Row]) -> Figure:
    """Bars grouped by run; a mark at the ideal. Wasteful bars differ by colour and by their label."""
    positions, headings, y = [], [], 0.0
    for i, row in enumerate(rows):
        if i == 0 or row.run is not rows[i - 1].run:
            lines = textwrap.wrap(shorten(row.run.title, 90), 46)
            y += 0.45 * (len(lines) - 1)
            headings.append((y + 0.1 - 0.22 * (len(lines) - 1), "\n".join(lines)))
            y += 0.85
        positions.append(y)
        y += 0.85
    figure, axes = new_figure(0.95 + 0.27 * y)
    widest = max(max(row.found, row.ideal) for row in rows)
    for position, row in zip(positions, rows):
        axes.barh(position, row.found, height=0.6, color=BAD if row.wasteful else ANSWER)
        axes.plot([row.ideal] * 2, [position - 0.38, position + 0.38], color=INK, linewidth=2)
        text = f"{number(row.found)}, at best {number(row.ideal)}" if row.wasteful else number(row.found)
        axes.annotate(text, (max(row.found, row.ideal), position), xytext=(5, 0), textcoords="offset points", va="center")
    for position, heading in headings:
        axes.annotate(heading, (0, position), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8.5,
                      linespacing=1.05, weight="bold")
    axes.plot([], [], color=INK, linewidth=2, label="at best")
    axes.bar(0, 0, color=ANSWER, label="good")
    axes.bar(0, 0, color=BAD, label="wasteful")
    axes.set_yticks(positions, [row.label for row in rows])
    axes.set_ylim(y - 0.3, -0.5)
    axes.set_xlim(0, widest * 1.45)
    axes.set_xlabel(f"{cost.unit} per request (fewer is better)")
    axes.tick_params(axis="y", length=0, labelcolor=MUTED)
    legend_above(axes, columns=3)
    return figure


def access_text(cost: Cost, rows: list[Row]) -> str:
    parts = [
        f"{row.run.title}, {row.place}: {number(row.found)} {cost.unit} per request, at best {number(row.ideal)}"
        for row in rows
    ]
    return "Bars by source line. " + "; ".join(parts) + "."
