"""The command line: `python3 grader/report RESULTS --output FOLDER`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .access import SECTORS, WAVEFRONTS, access_figure, access_text, rows_of
from .device import Device, load_device
from .ladder import ladder_figure, ladder_text
from .page import LabReport, Picture, render
from .profiles import Kernel, load_kernel, load_timeline
from .reader import ReportError
from .results import Lab, Results, Run, load_results
from .roofline import points_of, roofline_figure, roofline_text
from .source import source_rows
from .style import save
from .timeline import Timeline, is_worth_a_picture, timeline_figure, timeline_text

PROJECT = Path(__file__).resolve().parent.parent.parent
DEVICES = PROJECT / "common" / "simulator" / "model" / "devices"


def _device(results: Results, descriptions: Path) -> Device:
    """The described device that was simulated: on a machine with a GPU, too, counters come from there."""
    return load_device(descriptions / f"{results.predicted_device}.json")


def _kernel(run: Run) -> Kernel | None:
    return load_kernel(run.profile, run.kernel) if run.profile else None


def _timelines(runs: list[Run]) -> list[Timeline]:
    """The timelines of the first rung and of the graded answer, if the answer has one to show."""
    graded = [run for run in runs if run.graded and run.profile]
    if not graded or not is_worth_a_picture(load_timeline(graded[-1].profile)):
        return []
    shown = [runs[0], graded[-1]] if runs[0].profile and not runs[0].graded else [graded[-1]]
    return [Timeline(run, activities) for run in shown if (activities := load_timeline(run.profile))]


def _runs(lab: Lab) -> list[Run]:
    """The rungs and the graded answer; where a reference solution is itself a rung, that rung is marked instead."""
    if lab.answer == "solution" and (solution := _kernel(lab.graded)):
        for i, rung in enumerate(lab.ladder):
            if _kernel(rung) == solution:
                marked = replace(rung, title=f"{rung.title} (the solution)", graded=True)
                return [*lab.ladder[:i], marked, *lab.ladder[i + 1 :]]
    return [*lab.ladder, lab.graded]


def _pictures(
    lab: Lab, runs: list[Run], kernels: list[tuple[Run, Kernel]], device: Device, folder: Path
) -> list[Picture]:
    pictures = []

    def add(name: str, title: str, caption: str, words: str, figure) -> None:
        full_name = f"{lab.name}_{name}"
        pictures.append(Picture(full_name, title, caption, words, save(figure, folder, full_name)))

    if timed := [run for run in runs if run.time_us is not None]:
        add("ladder", "The ladder", "Each rung, and the graded answer.", ladder_text(timed), ladder_figure(timed))
    if timelines := _timelines(runs):
        add("timeline", "Timeline", "What each stream did, and when.", timeline_text(timelines),
            timeline_figure(timelines))
    for cost, name, title, caption in (
        (SECTORS, "sectors", "Global memory, by source line", "Sectors that each request needed."),
        (WAVEFRONTS, "wavefronts", "Shared memory, by source line", "Passes that each request needed."),
    ):
        if rows := rows_of(cost, kernels):
            add(name, title, caption, access_text(cost, rows), access_figure(cost, rows))
    if (points := points_of(kernels)):
        add("roofline", "Roofline", "How close each kernel comes to what the device allows.",
            roofline_text(points, device), roofline_figure(points, device))
    return pictures


def write_report(results_path: Path, folder: Path, project: Path = PROJECT, descriptions: Path = DEVICES) -> Path:
    """Writes index.html and the pictures into @p folder. @returns the page. @throws ReportError"""
    results = load_results(results_path)
    device = _device(results, descriptions)
    folder.mkdir(parents=True, exist_ok=True)
    reports = []
    for lab in results.labs:
        runs = _runs(lab)
        kernels = [(run, kernel) for run in runs if not run.library and (kernel := _kernel(run))]
        graded = _kernel(lab.graded)
        rows = source_rows(graded, project / lab.source) if graded else []
        reports.append(LabReport(lab, _pictures(lab, runs, kernels, device, folder), kernels, rows))
    page = folder / "index.html"
    page.write_text(render(results, device.display_name, reports), encoding="utf-8")
    return page


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="grader/report", description="Plots what grading found.")
    parser.add_argument("results", type=Path, help="results.json, as grading writes it")
    parser.add_argument("--output", type=Path, default=Path("report"), help="folder for index.html and the pictures")
    parser.add_argument("--project", type=Path, default=PROJECT, help="where the graded sources are looked for")
    options = parser.parse_args(arguments)
    try:
        page = write_report(options.results, options.output, options.project)
    except ReportError as error:
        print(f"report: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"report: {options.output}: cannot be written ({error.strerror}); choose another --output", file=sys.stderr)
        return 1
    print(f"report: {page}")
    return 0
