"""Clusters of answers that are alike, as circles of students with lines between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from grader.course.gradebook import Similarity

from .style import ANSWER, INK, MUTED, PAPER, WIDTH, new_figure, shorten

SHOWN_CLUSTERS = 24
ACROSS = 12.0  # Width of the layout in units.


@dataclass(frozen=True)
class Cluster:
    lab: str
    number: int
    students: tuple[str, ...]
    pairs: tuple[Similarity, ...]  # The most alike first.

    @property
    def radius(self) -> float:
        """The radius of the circle of students, such that neighbours are one unit apart."""
        return 0.8 if len(self.students) < 5 else 1.0 / (2 * math.sin(math.pi / len(self.students)))

    def places(self, x: float, y: float) -> dict[str, tuple[float, float]]:
        step = 2 * math.pi / len(self.students)
        return {
            student: (x + self.radius * math.sin(i * step), y + self.radius * math.cos(i * step))
            for i, student in enumerate(self.students)
        }


def clusters_of(similarities: Sequence[Similarity]) -> list[Cluster]:
    """By lab, then by number."""
    groups: dict[tuple[str, int], list[Similarity]] = {}
    for pair in similarities:
        groups.setdefault((pair.lab, pair.cluster), []).append(pair)
    return [
        Cluster(
            lab,
            number,
            tuple(sorted({name for pair in pairs for name in (pair.a, pair.b)})),
            tuple(sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))),
        )
        for (lab, number), pairs in sorted(groups.items())
    ]


def _arranged(clusters: Sequence[Cluster]) -> tuple[list[tuple[Cluster, float, float]], float, float]:
    """Centres of the clusters, in rows. @returns also the total width and height"""
    placed, x, y, line, widest = [], 0.0, 0.0, 0.0, ACROSS
    for cluster in clusters:
        wide, high = 2 * cluster.radius + 2.2, 2 * cluster.radius + 2.4
        if x > 0 and x + wide > ACROSS:
            x, y, line = 0.0, y + line, 0.0
        placed.append((cluster, x + wide / 2, -(y + 1.5 + cluster.radius)))
        x, line, widest = x + wide, max(line, high), max(widest, x + wide)
    return placed, widest, y + line


def graph_figure(clusters: Sequence[Cluster], titles: dict[str, str]) -> Figure:
    """@param clusters one at least; SHOWN_CLUSTERS are drawn"""
    placed, width, height = _arranged(clusters[:SHOWN_CLUSTERS])
    figure, axes = new_figure(max(WIDTH * height / width, 1.3))
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(0, width)
    axes.set_ylim(-height, 0)
    for cluster, x, y in placed:
        places = cluster.places(x, y)
        for pair in cluster.pairs:
            (x1, y1), (x2, y2) = places[pair.a], places[pair.b]
            axes.plot(
                [x1, x2],
                [y1, y2],
                color=ANSWER,
                linewidth=0.4 + 2.6 * max(pair.score - 0.5, 0) * 2,
                zorder=1,
                linestyle="-" if pair.score >= 0.8 else (0, (3, 2)),
            )
        axes.scatter(
            [x for x, _ in places.values()],
            [y for _, y in places.values()],
            s=26,
            color=PAPER,
            edgecolor=INK,
            linewidth=1,
            zorder=2,
        )
        for student, (at_x, at_y) in places.items():
            away = 0.32
            dx, dy = (at_x - x) / cluster.radius, (at_y - y) / cluster.radius
            axes.text(
                at_x + away * dx,
                at_y + away * dy,
                shorten(student, 12),
                fontsize=7.5,
                color=INK,
                zorder=3,
                ha="left" if dx > 0.3 else "right" if dx < -0.3 else "center",
                va="bottom" if dy > 0.3 else "top" if dy < -0.3 else "center",
            )
        axes.text(
            x,
            y + cluster.radius + 0.95,
            f"{shorten(titles.get(cluster.lab, cluster.lab), 16)} {cluster.number}",
            ha="center",
            va="bottom",
            fontsize=8,
            color=MUTED,
        )
    return figure


def graph_text(clusters: Sequence[Cluster], titles: dict[str, str]) -> str:
    parts = [
        f"{titles.get(cluster.lab, cluster.lab)} {cluster.number}: {', '.join(cluster.students)}"
        for cluster in clusters[:SHOWN_CLUSTERS]
    ]
    return "Students whose answers are alike, joined by lines. " + "; ".join(parts) + "."
