"""Where the files of each lab are: labs/<chapter>/<lab> and its other folders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]


class NoSuchLab(LookupError):
    """A name that no lab has."""


@dataclass(frozen=True)
class Place:
    """The folders and files of one lab. `name` is unique across chapters."""

    project: Path
    chapter: str
    name: str

    @property
    def path(self) -> str:
        """Below labs/, solutions/ and grader/labs/: "memory/coalescing"."""
        return f"{self.chapter}/{self.name}"

    @property
    def folder(self) -> Path:
        """What students get."""
        return self.project / "labs" / self.path

    @property
    def solutions(self) -> Path:
        return self.project / "solutions" / self.path

    @property
    def grading(self) -> Path:
        """Tests, and answers right and wrong."""
        return self.project / "grader" / "labs" / self.path

    @property
    def description(self) -> Path:
        return self.folder / "lab.json"

    @property
    def handout(self) -> Path:
        """The file with the task: README.md; for an exercise, the contract."""
        page = self.folder / "README.md"
        return page if page.is_file() or "rungs" in self.json else self.contract

    @property
    def json(self) -> dict[str, Any]:
        """lab.json; an exercise has no rungs. @throws OSError, ValueError"""
        found: dict[str, Any] = json.loads(self.description.read_text(encoding="utf-8"))
        return found

    @property
    def contract(self) -> Path:
        return self.folder / f"{self.name}.h"

    @property
    def suffix(self) -> str:
        """The suffix of a student's file: ".cu", or ".cpp" if two compilers read it."""
        return ".cpp" if (self.solutions / f"{self.name}.cpp").exists() or (self.folder / f"{self.name}.cpp").exists() else ".cu"

    @property
    def student(self) -> Path:
        """The file that a student edits."""
        return self.folder / (self.name + self.suffix)

    @property
    def solution(self) -> Path:
        return self.solutions / (self.name + self.suffix)


def places(project: Path = PROJECT) -> Mapping[str, Place]:
    """All labs by name, in the order of their paths; those whose folder holds a lab.json."""
    found = sorted((project / "labs").glob("*/*/lab.json"))
    return {path.parent.name: Place(project, path.parent.parent.name, path.parent.name) for path in found}


def place_of(lab: str, project: Path = PROJECT) -> Place:
    """@throws NoSuchLab"""
    found = sorted((project / "labs").glob(f"*/{lab}/lab.json")) if lab.replace("_", "").isalnum() else []
    if not found:
        raise NoSuchLab(f"{project / 'labs'}: holds no lab '{lab}', which would be labs/<chapter>/{lab}/lab.json")
    return Place(project, found[0].parent.parent.name, lab)
