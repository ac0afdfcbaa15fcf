"""Keeps the tables of labs, in labs/README.md and labs/<chapter>/README.md, as labs/chapters.json and each lab.json say.

    lab_tables.py            exit status 1 if a page says something else, or if orders and needs make no course
    lab_tables.py --write    writes the tables
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from grader.workbook.places import places  # noqa: E402

BEGIN, END = "<!-- labs -->\n", "<!-- end of labs -->\n"
ORDERS = 100  # Each chapter has so many, the first from 100 on.
HEAD = "| | lab | you learn | minutes | needs |\n| --- | --- | --- | --- | --- |\n"


@dataclass(frozen=True)
class Lab:
    """One row: `number` counts over all chapters, `json` is its lab.json."""

    name: str
    chapter: str
    json: dict[str, Any]
    number: int = 0

    def row(self, folder: str) -> str:
        needs = ", ".join(self.json["needs"]) or "-"
        page = "README.md" if "rungs" in self.json else f"{self.name}.h"  # The contract is the task of an exercise.
        kind = "" if "rungs" in self.json else " (exercise)"
        return (f"| {self.number} | [{self.name}]({folder}{self.name}/{page}){kind} | {self.json['teaches']} | "
                f"{self.json['minutes']} | {needs} |\n")


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
        said += [f"{where}: needs '{need}', which is no lab or comes later" for need in lab.json["needs"]
                 if number.get(need, lab.number) >= lab.number]
    return said


def pages(known: list[dict[str, str]], found: list[Lab]) -> dict[Path, str]:
    """The table of each page."""
    tables = {}
    whole = HEAD
    for chapter in known:
        name = chapter["chapter"]
        rows = [lab for lab in found if lab.chapter == name]
        if rows:
            whole += f"| | **[{chapter['title']}]({name}/README.md)**: {chapter['covers']} | | | |\n"
            whole += "".join(lab.row(f"{name}/") for lab in rows)
            tables[ROOT / "labs" / name / "README.md"] = HEAD + "".join(lab.row("") for lab in rows)
    return {ROOT / "labs" / "README.md": whole, **tables}


def main() -> int:
    known, found = chapters(), labs()
    said = problems(known, found)
    for page, table in pages(known, found).items():
        shown = page.relative_to(ROOT)
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
        before, begin, rest = text.partition(BEGIN)
        old, end, after = rest.partition(END)
        if not begin or not end:
            said.append(f"{shown}: the lines {BEGIN.strip()} and {END.strip()} are missing; the table goes between them")
        elif old != f"\n{table}\n":
            if "--write" in sys.argv[1:]:
                page.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")
            else:
                said.append(f"{shown}: has an old table of labs: python3 docs/lab_tables.py --write")
    for line in said:
        print(line, file=sys.stderr)
    return 1 if said or not found else 0


if __name__ == "__main__":
    sys.exit(main())
