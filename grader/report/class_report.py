"""The page of a class, from a folder that was graded: `python3 -m grader.report.class_report OUT`."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from grader.course.errors import BatchError
from grader.course.exporters.view import file_name
from grader.course.files import write_file

from .class_blocks import class_blocks
from .class_counters import COUNTERS, counters_of
from .class_data import ClassData, LabView, load_class
from .class_figures import (
    hardest_figure,
    hardest_text,
    points_figure,
    points_text,
    submissions_figure,
    submissions_text,
    tests_figure,
    tests_text,
    totals_figure,
    totals_text,
)
from .class_graph import Cluster, clusters_of, graph_figure, graph_text
from .class_mistakes import common_mistakes
from .class_page import ClassPictures, LabPart, Link, class_page, hardest_tests
from .class_scatter import scatter_figure, scatter_text
from .page import Picture
from .pdf import pdf_of
from .style import save
from .text import text_of

PROJECT = Path(__file__).resolve().parents[2]
PAGE = {"html": "index.html", "md": "class.md", "pdf": "class.pdf"}
REPORTS = "reports"  # OUT/reports: the class's page, and students/<student>/index.html.


def class_report(out: Path, project: Path = PROJECT, form: str = "html") -> Path:
    """Writes OUT/reports/index.html, class.md or class.pdf, and its figures, each as PNG and SVG. `project` has the labs'
    known mistakes.

    :returns: the report
    :raises BatchError: if `out` has no gradebook that can be read
    :raises OSError: if the page cannot be written
    """
    data = load_class(out)
    folder = out / REPORTS
    folder.mkdir(parents=True, exist_ok=True)

    drawn: set[str] = set()

    def draw(name: str, title: str, caption: str, words: str, figure: Figure | None) -> Picture | None:
        if figure is None:
            return None
        drawn.add(name)
        return Picture(name, title, caption, words, save(figure, folder, name))

    clusters = clusters_of(data.similarities)
    parts = [_lab_part(lab, out, project, draw) for lab in data.labs]
    text = class_page(data, parts, _pictures(data, clusters, draw), clusters, _link(folder), paper=form == "pdf")
    page = _write(text, folder, form)
    for old in folder.iterdir():  # Figures of things that no longer exist.
        if old.suffix in (".png", ".svg") and old.stem not in drawn:
            old.unlink()
    return page


def _write(text: str, folder: Path, form: str) -> Path:
    """The class page in a format of PAGE."""
    page = folder / PAGE[form]
    if form == "pdf":
        write_file(page, pdf_of(text, folder), durable=False)
        return page
    if form == "md":
        text = text_of(class_blocks(text))
    write_file(page, text.encode("utf-8", "backslashreplace"), durable=False)
    return page


def _link(folder: Path) -> Link:
    """The path of a student's page, if there is one."""

    def link(student: str) -> str:
        name = f"students/{file_name(student)}/index.html"
        return name if (folder / name).is_file() else ""

    return link


Draw = Callable[[str, str, str, str, Figure | None], Picture | None]


def _lab_part(lab: LabView, out: Path, project: Path, draw: Draw) -> LabPart:
    shares = lab.tests()
    tests = scatter = None
    if shares:
        tests = draw(
            f"tests_{lab.name}",
            "How each test ended",
            "Answers that were graded, the hardest test on top.",
            tests_text(shares),
            tests_figure(shares),
        )
    counters = counters_of(out, lab.entries)
    counter = counters.telling() if counters.answers else next(iter(COUNTERS))
    if counters.answers:
        scatter = draw(
            f"scatter_{lab.name}",
            f"Time and {counter}",
            "The counter that correlates best with time. A number at a mark: so many answers are there.",
            scatter_text(counters, counter),
            scatter_figure(counters, counter),
        )
    return LabPart(lab, tests, common_mistakes(out, project, lab.name, lab.entries), counters, counter, scatter)


def _pictures(data: ClassData, clusters: Sequence[Cluster], draw: Draw) -> ClassPictures:
    labs, hardest = data.labs, hardest_tests(data)
    percents = [data.classroom.percent(student) for student in data.students]
    titles = {lab.name: lab.title for lab in labs}
    return ClassPictures(
        draw(
            "points",
            "Points by lab",
            "Students, by the share of the lab's points that counts.",
            points_text(labs),
            points_figure(labs),
        )
        if labs and data.students
        else None,
        draw(
            "totals",
            "The whole course",
            "Students, by their points of all labs graded so far.",
            totals_text(percents),
            totals_figure(percents),
        )
        if labs and percents
        else None,
        draw(
            "hardest",
            "Hardest tests",
            "Share of the answers that failed.",
            hardest_text(hardest),
            hardest_figure(hardest),
        )
        if hardest
        else None,
        draw(
            "submissions",
            "Submissions over time",
            "A lab's bars are scaled to its busiest time; the line is the due date, a triangle an extended one for "
            "students.",
            submissions_text(labs, data.submissions, data.zone),
            submissions_figure(labs, data.submissions, data.zone),
        ),
        draw(
            "similarity",
            "Answers that are alike",
            "Students joined by a line have answers that are alike.",
            graph_text(clusters, titles),
            graph_figure(clusters, titles),
        )
        if clusters
        else None,
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m grader.report.class_report", description="The page of a graded class."
    )
    parser.add_argument(
        "out", type=Path, metavar="OUT", help="folder of the gradebook, from `warpbook grade --out OUT`"
    )
    parser.add_argument("--format", choices=[*PAGE], default="html", help="html (default), pdf or md: plain text")
    options = parser.parse_args(arguments)
    try:
        page = class_report(options.out, form=options.format)
    except BatchError as error:
        print(f"class_report: {error}", file=sys.stderr)
        return 2
    except sqlite3.Error as error:
        print(f"class_report: the gradebook cannot be used ({error})", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"class_report: {error.filename or options.out}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"class_report: {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
