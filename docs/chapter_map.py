"""The map of a chapter, labs/<chapter>/map.svg: which lab leads to which, as "needs" in each lab.json says.

Drawn by docs/pictures.py. A lab stands one column to the right of the last that it needs; labs of earlier chapters that it
needs stand in a column of their own, at the left. There is no arrow for a lab that another of its needs leads to. An arrow
has a place in each column that it passes, as labs have, so that it passes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lab_tables import Lab, labs

if TYPE_CHECKING:
    from pictures import Sheet

WIDE, HIGH, ACROSS, DOWN, EDGES = 9.6, 1.0, 12.6, 1.6, 0.1  # A box, the distance from one to the next, and the room around.


@dataclass
class Place:
    """Of a lab on the map, or of an arrow on its way to the lab: its column, its row in it, and what is before it."""

    name: str
    lab: Lab
    column: int
    row: float = 0.0
    needs: list[str] = field(default_factory=list)

    @property
    def is_lab(self) -> bool:
        return self.name == self.lab.name


def columns(chapter: str, course: Sequence[Lab]) -> list[list[Place]]:
    """The labs of @p chapter and those that they need, column by column, each from top to bottom."""
    known = {lab.name: lab for lab in course}
    found: dict[str, Place] = {}
    for lab in (lab for lab in course if lab.chapter == chapter):
        needs = _nearest(lab, known)
        for need in needs:
            found.setdefault(need, Place(need, known[need], 0))
        found[lab.name] = Place(lab.name, lab, 1 + max((found[need].column for need in needs), default=0), needs=needs)
    if all(place.lab.chapter == chapter for place in found.values()):
        for place in found.values():
            place.column -= 1
    for place in list(found.values()):
        place.needs = [_way(found[need], place, found) for need in place.needs]
    made = [[place for place in found.values() if place.column == number]
            for number in range(1 + max(place.column for place in found.values()))]
    for column in made:
        for place in column:  # Beside what it needs; else in the order of the course.
            before = [found[need].row for need in place.needs]
            place.row = sum(before) / len(before) if before else float(place.lab.number)
        column.sort(key=lambda place: (place.row, place.lab.number))
        for row, place in enumerate(column):
            place.row = float(row)
    highest = max(len(column) for column in made)
    for column in made:
        _spread(column, found, highest)
    return made


def _way(start: Place, end: Place, found: dict[str, Place]) -> str:
    """Adds the places of an arrow in the columns between. @returns the name of the last place before its end"""
    before = start.name
    for column in range(start.column + 1, end.column):
        place = Place(f"{start.name} to {end.name}, column {column}", end.lab, column, needs=[before])
        found[place.name] = place
        before = place.name
    return before


def _nearest(lab: Lab, known: dict[str, Lab]) -> list[str]:
    """What it needs, without what those need themselves."""
    needs: list[str] = lab.json["needs"]
    implied = {before for need in needs for before in _all_before(need, known)}
    return [need for need in needs if need not in implied]


def _all_before(name: str, known: dict[str, Lab]) -> set[str]:
    needs: list[str] = known[name].json["needs"]
    return {*needs, *(before for need in needs for before in _all_before(need, known))}


def _spread(column: Sequence[Place], found: dict[str, Place], rows: int) -> None:
    """Moves a column's labs down to what they need, as far as there is room."""
    free = rows - len(column)
    for place in column:
        before = [found[need].row for need in place.needs]
        wanted = round(sum(before) / len(before)) if before else place.row + free / 2
        moved = min(max(wanted - place.row, 0.0), float(free))
        for later in column[column.index(place):]:
            later.row += moved
        free -= int(moved)


def draw(sheet: Sheet, chapter: str) -> None:
    """Labs in bold letters, exercises in plain ones, labs of other chapters dotted."""
    from pictures import EDGE, EMPTY, PALE, SKY

    made = columns(chapter, labs())
    places = {place.name: place for column in made for place in column}
    rows = max(place.row for place in places.values()) + 1
    sheet.wide = max(5.0, 2.35 * len(made))
    panel = sheet.panel("What leads where", (0, ACROSS * (len(made) - 1) + WIDE + EDGES), (-EDGES, DOWN * rows - (DOWN - HIGH) + EDGES))
    corner = {name: (ACROSS * place.column, DOWN * (rows - 1 - place.row)) for name, place in places.items()}
    for name, place in places.items():
        x, y = corner[name][0], corner[name][1] + HIGH / 2
        if not place.is_lab:
            panel.line([(x, y), (x + WIDE, y)], EDGE, 1.1)
        for need in place.needs:
            before = (corner[need][0] + WIDE, corner[need][1] + HIGH / 2)
            if place.is_lab:
                panel.arrow(before, (x, y), EDGE)
            else:
                panel.line([before, (x, y)], EDGE, 1.1)
    for name, place in places.items():
        is_lab, is_here = "rungs" in place.lab.json, place.lab.chapter == chapter
        if place.is_lab:
            panel.box(*corner[name], WIDE, HIGH, EMPTY if not is_here else SKY if is_lab else PALE, name,
                      size=-2.0, bold=is_lab, dash="-" if is_here else ":")
