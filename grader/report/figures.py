"""The figures of one lab: ladder, plots of the answer's own functions, timeline, memory accesses by source line, roofline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from .access import MAX_ROWS, SECTORS, WAVEFRONTS, access_figure, access_text, rows_of
from .device import Device
from .figure_store import FigureStore
from .ladder import ladder_figure, ladder_text
from .page import Picture
from .plot import Plot
from .plot_figure import plot_figure, plot_text
from .profiles import Activity, Kernel, load_kernel, load_profile, load_timeline
from .results import Run
from .roofline import points_of, roofline_figure, roofline_text
from .timeline import MAX_ROWS as MAX_STREAMS
from .timeline import Timeline, is_worth_a_picture, timeline_figure, timeline_text


def kernel_of(run: Run) -> Kernel | None:
    """The slowest kernel of a run; None without a profile, and if all work was done on the host. @throws ReportError"""
    return load_kernel(run.profile, run.kernel) if run.profile and load_profile(run.profile) else None


def _timeline(run: Run) -> list[Activity]:
    return load_timeline(run.profile) if run.profile else []


def _time(run: Run) -> float:
    return run.time_us or 0.0


def timelines_of(runs: Sequence[Run]) -> list[Timeline]:
    """The timelines of the graded answer and of a rung to compare it with, if the answer has a timeline. The rung is the fastest
    one, which shows what could be gained, or the first one if the answer is as fast."""
    graded = [run for run in runs if run.graded and run.profile]
    if not graded or not is_worth_a_picture(_timeline(graded[-1])):
        return []
    answer = graded[-1]
    rungs = [run for run in runs if run.profile and run.time_us and not run.graded and not run.library]
    fastest = min(rungs, key=_time, default=None)
    if fastest and answer.time_us and answer.time_us <= 1.02 * _time(fastest):
        fastest = rungs[0]
    shown = [answer, fastest] if fastest else [answer]
    return [Timeline(run, activities) for run in shown if (activities := _timeline(run))]


def lab_pictures(
    lab: str, runs: Sequence[Run], kernels: list[tuple[Run, Kernel]], by_line: list[tuple[Run, Kernel]], device: Device,
    folder: Path, store: FigureStore = FigureStore(), plots: Sequence[Plot] = ()
) -> list[Picture]:
    """Writes the figures of a lab, as LAB_NAME.png and .svg, into @p folder.

    @param runs    the first rung first; those without a time have no bar
    @param kernels to show in the roofline
    @param by_line the kernels whose accesses are shown line by line
    @param store   for reusing figures of the same data
    @param plots   of what the answer's own functions measured
    """
    pictures = []

    def add(name: str, title: str, caption: str, words: str, data: object, figure: Callable[[], Figure]) -> None:
        full_name = f"{lab}_{name}"
        svg = store.draw(full_name, repr((title, words, data)), figure, folder)
        pictures.append(Picture(full_name, title, caption, words, svg))

    if timed := [run for run in runs if run.time_us is not None]:
        add("ladder", "The ladder", "Each rung, and the graded answer.", ladder_text(timed),
            list(map(_plain, timed)), lambda: ladder_figure(timed))
    for plot in plots:
        add(plot.name, plot.title, plot.caption, plot_text(plot), plot, partial(plot_figure, plot))
    if timelines := timelines_of(runs):
        cut = any(len(one.streams) > MAX_STREAMS for one in timelines)
        caption = "What each stream did, and when." + (f" The first {MAX_STREAMS} streams." if cut else "")
        add("timeline", "Timeline", caption, timeline_text(timelines),
            [(_plain(one.run), one.activities) for one in timelines], lambda: timeline_figure(timelines))
    for cost, name, title, caption in (
        (SECTORS, "sectors", "Global memory, by source line", "Sectors that each request needed."),
        (WAVEFRONTS, "wavefronts", "Shared memory, by source line", "Wavefronts that each request needed."),
    ):
        if rows := rows_of(cost, by_line):
            if len({row.run.title for row in rows}) > 1:
                caption += " Lines are those of each program's own file."
            if len(rows) == MAX_ROWS:
                caption += f" The first {MAX_ROWS} are shown."
            add(name, title, caption, access_text(cost, rows), [(row.run.title, row.access) for row in rows],
                partial(access_figure, cost, rows))
    if points := points_of(kernels):
        add("roofline", "Roofline", "How close each kernel comes to what the device allows.",
            roofline_text(points, device), [device, *(replace(point, run=_plain(point.run)) for point in points)],
            lambda: roofline_figure(points, device))
    return pictures


def _plain(run: Run) -> Run:
    """The data of a run that is drawn, without the path of its profile."""
    return replace(run, profile=None)
