"""The timeline as a picture: what each stream copied and computed, and when."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .profiles import Activity
from .results import Run
from .style import ANSWER, BAD, PAPER, RUNG, WIDTH, legend_above, number

ENGINES = {
    "copy_in": ("copy to the GPU", RUNG),
    "compute": ("kernel", ANSWER),
    "copy_out": ("copy from the GPU", BAD),
}
MAX_ROWS = 12
SAME_SCALE = 2.5  # Up to this ratio of their lengths, two timelines share one scale.


@dataclass(frozen=True)
class Timeline:
    run: Run
    activities: list[Activity]

    @property
    def streams(self) -> list[int]:
        return sorted({activity.stream for activity in self.activities})

    @property
    def start_us(self) -> float:
        return min(activity.start_us for activity in self.activities)

    @property
    def length_us(self) -> float:
        return max(activity.end_us for activity in self.activities) - self.start_us

    @property
    def title(self) -> str:
        return f"{self.run.title}: {number(self.length_us)} µs"


def is_worth_a_picture(activities: list[Activity]) -> bool:
    """Whether several streams work; with one stream, nothing can overlap."""
    return len({activity.stream for activity in activities}) > 1


def busy_us(activities: list[Activity], engine: str) -> float:
    """The time in which at least one activity of an engine ran."""
    total, end = 0.0, float("-inf")
    for activity in sorted((a for a in activities if a.engine == engine), key=lambda a: a.start_us):
        total += max(0.0, activity.end_us - max(activity.start_us, end))
        end = max(end, activity.end_us)
    return total


def timeline_figure(timelines: list[Timeline]) -> Figure:
    """@param timelines one panel each; on one scale of time unless one would be too short to be read"""
    lengths = [timeline.length_us for timeline in timelines]
    shared = max(lengths) <= SAME_SCALE * min(lengths)
    rows = [min(len(timeline.streams), MAX_ROWS) for timeline in timelines]
    figure = Figure(figsize=(WIDTH, 1.0 + sum((0.5 if shared else 0.75) + 0.24 * count for count in rows)), layout="constrained")
    panels = figure.subplots(len(timelines), 1, sharex=shared, squeeze=False, gridspec_kw={"height_ratios": rows})[:, 0]
    for axes, timeline in zip(panels, timelines):
        _panel(axes, timeline)
        axes.set_xlim(0, 1.02 * (max(lengths) if shared else timeline.length_us))
        axes.set_title(timeline.title, loc="left", fontsize=9)
    panels[-1].set_xlabel("time in µs, predicted" + ("" if shared else "; each has its own scale"))
    used = {activity.engine for timeline in timelines for activity in timeline.activities}
    for engine, (label, colour) in ENGINES.items():
        if engine in used:
            panels[0].barh(0, 0, color=colour, label=label)
    legend_above(panels[0], columns=3)
    panels[0].set_title(timelines[0].title, loc="left", fontsize=9, pad=20)
    return figure


def _panel(axes: Axes, timeline: Timeline) -> None:
    streams = timeline.streams[:MAX_ROWS]
    least = timeline.length_us / 400  # The least length that is drawn.
    for activity in timeline.activities:
        if activity.stream not in streams or activity.engine not in ENGINES:
            continue
        length = activity.end_us - activity.start_us
        axes.barh(streams.index(activity.stream), max(length, least), left=activity.start_us - timeline.start_us, height=0.72,
                  color=ENGINES[activity.engine][1], edgecolor=PAPER, linewidth=0.4 if length > 4 * least else 0.0)
    axes.set_yticks(range(len(streams)), [f"stream {stream}" if stream else "default" for stream in streams])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)


def timeline_text(timelines: list[Timeline]) -> str:
    """The figure in words."""
    parts = []
    for timeline in timelines:
        length = timeline.length_us
        busy = ", ".join(
            f"{label} {number(100 * busy_us(timeline.activities, engine) / length)} %"
            for engine, (label, _) in ENGINES.items()
            if length > 0 and busy_us(timeline.activities, engine) > 0
        )
        parts.append(f"{timeline.run.title}: {number(length)} µs in {len(timeline.streams)} streams; busy: {busy}")
    return "Bars over time. " + "; ".join(parts) + "."
