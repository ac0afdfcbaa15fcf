"""The top folder of an edition: README.md, setup.sh, .gitignore, and a workflow that grades on push."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.course.labs import Lab

FILES = Path(__file__).parent / "files"
# Name of the file here: its name in the edition.
NAMES = {"README.md": "README.md", "setup.sh": "setup.sh", "gitignore": ".gitignore", "gitattributes": ".gitattributes",
         "grade.yml": ".github/workflows/grade.yml"}


def write_front(folder: Path, home: Path, labs: Sequence[Lab], points: Callable[[Lab], float]) -> None:
    for name, made in NAMES.items():
        path = folder / made
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FILES / name, path)
    shutil.copy(labs[0].project_root / "common" / "install.sh", home / "install.sh")
    page = folder / "README.md"
    text = page.read_text(encoding="utf-8").replace("{labs}", _table(labs, points)).replace("{first}", labs[0].name)
    page.write_text(text, encoding="utf-8")


def _table(labs: Sequence[Lab], points: Callable[[Lab], float]) -> str:
    rows = ["| | lab | you learn | minutes | points |", "| --- | --- | --- | --- | --- |"]
    for number, lab in enumerate(labs, 1):
        page = "README.md" if "rungs" in lab.json else f"{lab.name}.h"
        kind = "" if "rungs" in lab.json else " (exercise)"
        rows.append(f"| {number} | [{lab.name}](labs/{lab.path}/{page}){kind} | {lab.json['teaches']} | {lab.json['minutes']} | "
                    f"{points(lab):g} |")
    return "\n".join(rows)
