"""What answers to a lab have in common without copying."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.course.errors import BatchError
from grader.course.similarity.fingerprints import hashes_of
from grader.course.similarity.tokens import Token, names_of, tokens_of
from grader.workbook.answers import RUNG, SOLUTION, WRONG, answers_of
from grader.workbook.places import Place

GIVEN = 8  # Runs of this many tokens that the skeleton or the contract holds, too, are not the student's.


@dataclass(frozen=True)
class Reference:
    """names: of the contract, which nobody can change. given: hashes of runs of GIVEN tokens in what is handed out.
    expected: hashes of runs of K tokens in the project's own answers, right and wrong: the obvious ways to write
    it."""

    names: frozenset[str]
    given: frozenset[int]
    expected: np.ndarray[Any, Any]

    def own_parts(self, tokens: Sequence[Token]) -> list[list[Token]]:
        """The rest of a file without what was handed out. No run of tokens spans a gap."""
        theirs = np.ones(len(tokens), bool)
        for position, value in enumerate(hashes_of(tokens, GIVEN).tolist()):
            if value in self.given:
                theirs[position:position + GIVEN] = False
        parts: list[list[Token]] = [[]]
        for token, keep in zip(tokens, theirs.tolist()):
            if keep:
                parts[-1].append(token)
            elif parts[-1]:
                parts.append([])
        return [part for part in parts if part]


def make_reference(given: Iterable[str], contract: Iterable[str], answers: Iterable[str]) -> Reference:
    """given: texts of the files that students get and need not write. contract: those of them that are headers.
    answers: texts of answers that people are expected to write by themselves."""
    names = frozenset().union(*(names_of(text) for text in contract))
    handed_out = {value for text in given for value in hashes_of(tokens_of(text, names), GIVEN).tolist()}
    expected = [hashes_of(tokens_of(text, names)) for text in answers]
    return Reference(names, frozenset(handed_out), np.unique(np.concatenate([np.zeros(0, np.uint64), *expected])))


def solutions_of(project: Path, lab: str) -> list[Path]:
    """The reference solution's file. @throws BatchError if there is none, and so no such lab"""
    found = sorted(path for suffix in (".cu", ".cpp") for path in (project / "solutions").glob(f"*/{lab}/{lab}{suffix}"))
    if not found:
        raise BatchError(f"{project / 'solutions'}: holds no <chapter>/{lab}/{lab}.cu or .cpp, so '{lab}' is not a lab here")
    return found


def reference_of(project: Path, lab: str) -> Reference:
    """Of a lab of this project. @throws BatchError if there is no such lab"""
    solutions = solutions_of(project, lab)
    place = Place(project, solutions[0].parent.parent.name, lab)
    headers = [_text(path) for folder in (place.folder, place.solutions) for path in sorted(folder.glob("*.h"))]
    headers += [_text(path) for path in sorted(place.folder.glob("*.cuh"))]
    skeletons = [_skeleton(project, path) for path in solutions]
    answers = [answer.text for answer in answers_of(place, SOLUTION, RUNG, WRONG)]
    return make_reference([*headers, *skeletons], headers, answers)


def _skeleton(project: Path, solution: Path) -> str:
    """Derived again: the file in labs/ may hold somebody's answer. A solution without regions is handed out unchanged."""
    text = _text(solution)
    if "// BEGIN SOLUTION" not in text:
        return text
    return str(_deriver(project / "common" / "cmake" / "derive_skeleton.py").derive(text, str(solution)))


@cache
def _deriver(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("derive_skeleton", path)
    if spec is None or spec.loader is None:
        raise BatchError(f"{path} cannot be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
