"""Keeps the tables of labs, in labs/README.md, labs/<chapter>/README.md and docs/paths.md, as labs/chapters.json,
labs/paths.json and each lab.json say.

    lab_tables.py            exit status 1 if a page says something else, or if orders and needs make no course or no path
    lab_tables.py --write    writes the tables
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from page_table import ROOT, problem

sys.path.insert(0, str(ROOT))
from grader.workbook.places import places

ORDERS = 100  # Each chapter has so many, the first from 100 on.
HEAD = "| | lab | you learn | minutes | needs |\n| --- | --- | --- | --- | --- |\n"


@dataclass(frozen=True)
class Lab:
    """One row: `number` counts over all chapters, `json` is its lab.json."""

    name: str
    chapter: str
    json: dict[str, Any]
    number: int = 0

    def link(self, folder: str) -> str:
        page = "README.md" if "rungs" in self.json else f"{self.name}.h"  # The contract is the task of an exercise.
        return f"[{self.name}]({folder}{self.name}/{page})"

    def row(self, folder: str) -> str:
        needs = ", ".join(self.json["needs"]) or "-"
        kind = "" if "rungs" in self.json else " (exercise)"
        return (f"| {self.number} | {self.link(folder)}{kind} | {self.json['teaches']} | {self.json['minutes']} | {needs} |\n")


def chapters() -> list[dict[str, str]]:
    """In the order of the course; those without labs are to come."""
    read: list[dict[str, str]] = json.loads((ROOT / "labs" / "chapters.json").read_text(encoding="utf-8"))
    return read


def labs() -> list[Lab]:
    """In the order of the course."""
    found = [Lab(place.name, place.chapter, place.json) for place in places(ROOT).values()]
    found.sort(key=lambda lab: (lab.json["order"], lab.name))
    return [Lab(lab.name, lab.chapter, lab.json, number) for number, lab in enumerate(found, 1)]


def problems(known: list[dict[str, str]], found: list[Lab]) -> list[str]:
    """What makes no course: two labs of one name or order, an order outside its chapter, needs that come later."""
    said = []
    place = {chapter["chapter"]: index for index, chapter in enumerate(known, 1)}
    number = {lab.name: lab.number for lab in found}
    for lab in found:
        where, order = f"labs/{lab.chapter}/{lab.name}/lab.json", lab.json["order"]
        if lab.chapter not in place:
            said.append(f"labs/{lab.chapter}: is no chapter of labs/chapters.json")
        elif order // ORDERS != place[lab.chapter]:
            first = place[lab.chapter] * ORDERS
            said.append(f"{where}: order {order} is outside of its chapter's, {first} to {first + ORDERS - 1}")
        twins = [other for other in found if other is not lab and (other.name == lab.name or other.json["order"] == order)]
        said += [f"{where}: shares its name or its order {order} with labs/{other.chapter}/{other.name}" for other in twins]
        said += [f"{where}: needs '{need}', which is not a lab or comes later" for need in lab.json["needs"]
                 if number.get(need, lab.number) >= lab.number]
    return said


def paths() -> list[dict[str, Any]]:
    """Each with its title, what a part of it is ("week"), and the names of labs in each part."""
    read: list[dict[str, Any]] = json.loads((ROOT / "labs" / "paths.json").read_text(encoding="utf-8"))
    return read


def stray(known: list[dict[str, Any]], found: list[Lab]) -> list[str]:
    """What makes no path: labs that are not there, come twice, or come before what they need."""
    said = []
    by_name = {lab.name: lab for lab in found}
    for path in known:
        done: set[str] = set()
        for name in (name for part in path["parts"] for name in part):
            where = f"labs/paths.json: {path['title']}: '{name}'"
            if name not in by_name:
                said.append(f"{where} is not a lab")
                continue
            said += [f"{where} comes before '{need}', which it needs" for need in by_name[name].json["needs"] if need not in done]
            said += [f"{where} comes twice"] if name in done else []
            done.add(name)
    return said


def hours(done: list[Lab]) -> str:
    """To the next quarter."""
    return f"{math.ceil(sum(lab.json['minutes'] for lab in done) / 15) / 4:g}"


def path_tables(known: list[dict[str, Any]], found: list[Lab]) -> str:
    """All paths, a table each."""
    by_name = {lab.name: lab for lab in found}
    text = f"All labs and exercises together take {hours(found)} hours.\n"
    for path in known:
        parts = [[by_name[name] for name in part if name in by_name] for part in path["parts"]]
        text += f"\n**{path['title']}**: {path['about']} Hours in all: {hours([lab for part in parts for lab in part])}.\n\n"
        text += f"| {path['unit']} | labs and exercises | hours |\n| --- | --- | --- |\n"
        for number, part in enumerate(parts, 1):
            text += f"| {number} | {', '.join(lab.link(f'../labs/{lab.chapter}/') for lab in part)} | {hours(part)} |\n"
    return text


def blocks(known: list[dict[str, str]], found: list[Lab]) -> dict[tuple[Path, str], str]:
    """What stands in each page between the lines <!-- NAME --> and <!-- end of NAME -->."""
    tables = {}
    whole = HEAD
    for chapter in known:
        name = chapter["chapter"]
        rows = [lab for lab in found if lab.chapter == name]
        if rows:
            whole += f"| | **[{chapter['title']}]({name}/README.md)**: {chapter['covers']} | | | |\n"
            whole += "".join(lab.row(f"{name}/") for lab in rows)
            tables[ROOT / "labs" / name / "README.md", "labs"] = HEAD + "".join(lab.row("") for lab in rows)
    return {(ROOT / "labs" / "README.md", "labs"): whole, (ROOT / "docs" / "paths.md", "paths"): path_tables(paths(), found), **tables}


def main() -> int:
    known, found = chapters(), labs()
    said = problems(known, found) + stray(paths(), found)
    for (page, name), table in blocks(known, found).items():
        wrong = problem(page, name, table, "--write" in sys.argv[1:], "python3 docs/lab_tables.py --write")
        said += [wrong] if wrong else []
    for line in said:
        print(line, file=sys.stderr)
    return 1 if said or not found else 0


if __name__ == "__main__":
    sys.exit(main())
