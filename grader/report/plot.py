"""Plots of what the graded answer's own functions measured, as results.json has them (docs/formats.md)."""

from __future__ import annotations

from dataclasses import dataclass

from .reader import Record, ReportError

KINDS = ("sweep", "staircase", "heat_map")


@dataclass(frozen=True)
class Curve:
    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plot:
    name: str
    kind: str
    title: str
    caption: str
    x: str
    y: str
    value: str  # of a heat map: what its colours mean
    curves: tuple[Curve, ...]

    @property
    def columns(self) -> list[float]:
        return sorted({x for curve in self.curves for x, _ in curve.points})


def _curve(record: Record) -> Curve:
    points = record.fields.get("points")
    try:
        return Curve(record.text("label"), tuple((float(x), float(y)) for x, y in points or []))
    except (TypeError, ValueError):
        raise ReportError(f"{record.file}: {record.place}.points is {str(points)[:60]}; it must be a list of pairs of numbers "
                          "(docs/formats.md)") from None


def plot_of(record: Record) -> Plot:
    """@throws ReportError"""
    return Plot(
        name=record.text("name"),
        kind=record.one_of("kind", KINDS),
        title=record.text("title"),
        caption=record.text("caption"),
        x=record.text("x"),
        y=record.text("y"),
        value=record.text("value"),
        curves=tuple(curve for curve in map(_curve, record.records("curves")) if curve.points),
    )
