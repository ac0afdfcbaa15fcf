"""The page of graded labs, from results.json: points, tests, figures and the source line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .components import ComponentTable
from .page import Picture, render
from .results import Lab, Results, Run
from .source import MAX_LINES, SourceRow


@dataclass(frozen=True)
class LabReport:
    lab: Lab
    pictures: list[Picture]
    components: ComponentTable | None
    source: list[SourceRow]

    @property
    def timed(self) -> list[Run]:
        """The runs to show with predicted and measured times; empty if nothing was measured."""
        runs = [*self.lab.ladder, self.lab.graded]
        return runs if any(run.measured is not None for run in runs) else []

    @property
    def disorder(self) -> list[tuple[str, str]]:
        """Titles of rungs: the first is predicted to be the faster one, the second is measured to be."""
        titles = {run.rung: run.title for run in self.lab.ladder}
        return [(titles.get(one, one), titles.get(other, other)) for one, other in self.lab.disorder]


def results_page(results: Results, device_name: str, reports: Sequence[LabReport]) -> str:
    """The page as HTML."""
    labs = [report.lab for report in reports]
    return render("results.html", paper=False, results=results, device=device_name, reports=reports, labs=labs, max_lines=MAX_LINES,
                  measured=any(lab.graded.measured_us is not None for lab in labs),
                  points=sum(lab.points for lab in labs), max_points=sum(lab.max_points for lab in labs))
