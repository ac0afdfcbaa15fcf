"""`warpbook report` in a student edition: the student's own answers, graded now and plotted."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from grader.workbook.edition import is_edition, project_of

from .reader import ReportError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="warpbook report", allow_abbrev=False,
        description="Grades all your answers, and plots their counters and times: the rungs with your place among them, and the "
                    "cost of every load and store by its line.",
        epilog="Exit status: 0 if the page was written, however your answers did; else 2.")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="folder for index.html (default: report, beside labs)")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    return parser


def are_meant(arguments: Sequence[str]) -> bool:
    """Rejects --out: a student has no graded class."""
    folder = next((Path(value) for name, value in pairwise(arguments) if name == "--build-folder"), None)
    return folder is not None and is_edition(folder) and not any(word.startswith("--out=") or word == "--out" for word in arguments)


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        from .cli import write_report
    except ModuleNotFoundError as error:
        print(f"warpbook report: Python has no {error.name}, which draws the report; install it, once: ./setup.sh --report",
              file=sys.stderr)
        return 2
    home = options.build_folder.resolve()
    output = (options.output or project_of(home) / "report").resolve()
    graded = subprocess.run([home / "bin" / "warpbook", "results", "--grade", "--output", output], check=False)
    if graded.returncode != 0:
        return 2
    try:
        page = write_report(output / "results.json", output, project_of(home))
    except (ReportError, OSError) as error:
        print(f"warpbook report: {error}", file=sys.stderr)
        return 2
    print(f"Open {page}")
    return 0
