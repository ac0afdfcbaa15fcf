"""The labs in the learner's order, and finding one from what the learner types."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.learner.errors import LearnerError
from grader.workbook.edition import read_manifest
from grader.workbook.places import Place, places

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Lab:
    """A lab. `number` counts from 1 in the order of the workbook; `needs` are the names of labs to do first. An exercise
    has no rungs."""

    name: str
    number: int
    title: str
    chapter: str
    minutes: int
    points: float
    needs: tuple[str, ...]
    worked_example: bool
    is_exercise: bool
    project: Path
    build_folder: Path

    @property
    def place(self) -> Place:
        return Place(self.project, self.chapter, self.name)

    @cached_property
    def folder(self) -> Path:
        return self.place.folder

    @cached_property
    def source(self) -> Path:
        """The file that the learner edits."""
        return self.place.student

    @property
    def handout(self) -> Path:
        return self.place.handout

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What add_lab() wrote into the build folder. @throws LearnerError if the lab is not built there"""
        path = self.build_folder / "manifests" / f"{self.name}.json"
        try:
            return read_manifest(self.build_folder, self.name)
        except FileNotFoundError:
            raise LearnerError(f"the lab '{self.name}' is not built in {self.build_folder}. `cmake {self.build_folder}` "
                               "says why (openacc_comparison needs a compiler that offloads OpenACC)") from None
        except (OSError, ValueError) as error:
            raise LearnerError(f"{path}: cannot be read ({error}); write it again with `cmake {self.build_folder}`") from None

    def shown(self, path: Path) -> str:
        """A path for the learner, from the project's root."""
        return str(path.relative_to(self.project)) if path.is_relative_to(self.project) else str(path)


def load_labs(build_folder: Path, project: Path = PROJECT) -> list[Lab]:
    """All labs in the order of the workbook. @throws LearnerError"""
    found = []
    for place in places(project).values():
        path = place.description
        try:
            json_ = json.loads(path.read_text(encoding="utf-8"))
            found.append((json_["order"], place.name, place.chapter, json_))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LearnerError(f"{path}: does not describe a lab ({error!r}); get it back with `git checkout {path}`") from None
    if not found:
        raise LearnerError(f"{project / 'labs'}: holds no labs; is this a whole clone of the project?")
    return [Lab(name, number, str(json_.get("title", name)), chapter, int(json_.get("minutes", 0)),
                float(json_.get("points", 0)), tuple(json_.get("needs", [])), bool(json_.get("worked_example")),
                "rungs" not in json_, project, build_folder)
            for number, (_, name, chapter, json_) in enumerate(sorted(found), 1)]


def find_lab(labs: list[Lab], given: str | None) -> Lab:
    """The lab with this name or number, or of this path to its folder or file; without an argument, the lab of the current folder.
    @throws LearnerError with similar names"""
    if given is None:
        here = Path.cwd()
        for lab in labs:
            if here == lab.folder or lab.folder in here.parents:
                return lab
        raise LearnerError("which lab? Give its name, or run this in the lab's folder. The labs are: "
                           + ", ".join(lab.name for lab in labs))
    names = {lab.name: lab for lab in labs}
    wanted = given.strip().rstrip("/")
    path = Path(wanted)
    for name in (wanted, wanted.lower().replace("-", "_").replace(" ", "_"), path.stem, path.name, path.parent.name):
        if name in names:
            return names[name]
    for lab in labs:
        if wanted == str(lab.number):
            return lab
    low = wanted.lower().replace("-", "_")
    near = [name for name in names if low and (name.startswith(low) or low in name)]
    near += [name for name in difflib.get_close_matches(low, names, n=3, cutoff=0.5) if name not in near]
    meant = f"Did you mean {' or '.join(near[:3])}?" if near else "The labs are: " + ", ".join(names) + "."
    raise LearnerError(f"there is no lab '{given}'. {meant}")
