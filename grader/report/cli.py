"""The command line: `python3 grader/report RESULTS --output FOLDER`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .components import component_table
from .device import DEVICES, Device, load_device
from .figures import kernel_of, lab_pictures
from .reader import ReportError
from .results import Lab, Results, Run, load_results
from .results_page import LabReport, results_page
from .source import source_rows

PROJECT = Path(__file__).resolve().parent.parent.parent


def _device(results: Results, descriptions: Path) -> Device:
    """The simulated device: even on a machine with a GPU, counters come from it."""
    return load_device(descriptions / f"{results.predicted_device}.json")


def _runs(lab: Lab) -> list[Run]:
    """The rungs and the graded answer; where a reference solution is itself a rung, that rung is marked instead."""
    if lab.answer == "solution":
        for i, rung in enumerate(lab.ladder):
            if rung.source == lab.source:  # By source, not by kernel: rungs that launch differently may have the same kernel.
                marked = replace(rung, title=f"{rung.title} (the solution)", graded=True)
                return [*lab.ladder[:i], marked, *lab.ladder[i + 1 :]]
    return [*lab.ladder, lab.graded]


def write_report(results_path: Path, folder: Path, project: Path = PROJECT, descriptions: Path = DEVICES) -> Path:
    """Writes index.html and the pictures into @p folder. @returns the page. @throws ReportError"""
    results = load_results(results_path)
    device = _device(results, descriptions)
    folder.mkdir(parents=True, exist_ok=True)
    reports = []
    for lab in results.labs:
        runs = _runs(lab)
        kernels = [(run, kernel) for run in runs if not run.library and (kernel := kernel_of(run))]
        graded = kernel_of(lab.graded)
        rows = source_rows(graded, project / lab.source) if graded else []
        pictures = lab_pictures(lab.name, runs, kernels, kernels, device, folder, plots=lab.plots)
        reports.append(LabReport(lab, pictures, component_table(kernels) if kernels else None, rows))
    page = folder / "index.html"
    page.write_text(results_page(results, device.display_name, reports), encoding="utf-8")
    return page


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="grader/report", description="Plots the results of grading.")
    parser.add_argument("results", type=Path, help="results.json, as grading writes it")
    parser.add_argument("--output", type=Path, default=Path("report"), help="folder for index.html and the pictures")
    parser.add_argument("--project", type=Path, default=PROJECT, help="where to find the graded sources")
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
