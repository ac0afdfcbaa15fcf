"""The labs: the file that a student edits, and how it is recognised."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.course.errors import BatchError
from grader.workbook.answers import RUNG, SOLUTION, WRONG, answers_of
from grader.workbook.places import Place, places

# The second half of each alternative matches an unterminated comment or string to its end, so that no text needs more than
# one pass.
_BLANK = re.compile(r'//[^\n]*|/\*(?:.*?\*/|.*)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'?', re.S)
_DECLARED = re.compile(r"\b([A-Za-z_]\w*)\s*\([^;{}()]{0,1000}\)\s*;")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(?:[^"\n]*/)?(\w+)\.h"', re.M)
_WORDS = {"if", "for", "while", "switch", "catch", "main", "return", "sizeof"}


@dataclass(frozen=True)
class LabFiles:
    """suffix: '.cu' or '.cpp'. functions: of the contract and of the skeleton. header: the contract's text.

    skeleton: SHA-256 of the file as it is handed out. references: of solutions, rungs and wrong answers, and where each
    is.
    """

    lab: str
    suffix: str
    functions: frozenset[str]
    header: bytes
    skeleton: str
    references: Mapping[str, str]

    @property
    def file(self) -> str:
        return self.lab + self.suffix


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def code_of(text: str) -> str:
    """@p text without comments and the contents of strings."""
    return _BLANK.sub(" ", text)


def defined_functions(text: str) -> set[str]:
    """Names that look like functions with a body. Takes linear time for any @p text."""
    found: set[str] = set()
    pieces = re.split(r"([;{}])", code_of(text))
    for head, end in zip(pieces[::2], pieces[1::2]):
        if end == "{" and (names := _CALL.findall(head)) and names[0] not in _WORDS:
            found.update(names)
    return found - _WORDS


def declared_functions(header: str) -> frozenset[str]:
    """Names of the functions that a contract declares."""
    return frozenset(_DECLARED.findall(code_of(header))) - _WORDS


def included_names(text: str) -> set[str]:
    """'coalescing' for `#include "coalescing.h"`, in whatever folder."""
    return set(_INCLUDED.findall(text))


def load_labs(project: Path) -> dict[str, LabFiles]:
    """All labs of the project at @p project, by name. @throws BatchError if there are none or one is not complete."""
    labs = {}
    for name, place in places(project).items():
        try:
            labs[name] = _load(place)
        except (OSError, ValueError) as error:
            raise BatchError(f"{place.folder}: is not a complete lab ({error}); see grader/README.md") from None
    if not labs:
        raise BatchError(f"{project / 'labs'}: holds no labs; it must be the folder labs/ of warpbook")
    return labs


def _load(place: Place) -> LabFiles:
    suffix = ".cpp" if json.loads(place.description.read_text(encoding="utf-8")).get("openacc") else ".cu"
    header = place.contract.read_bytes()
    skeleton = (place.folder / (place.name + suffix)).read_bytes()
    declared = set(_DECLARED.findall(code_of(header.decode("utf-8"))))
    references: dict[str, str] = {}
    for answer in answers_of(place, SOLUTION, RUNG, WRONG):
        data = answer.text.encode()
        if data != skeleton:
            references.setdefault(sha256_of(data), answer.file.relative_to(place.project).as_posix())
    functions = declared | defined_functions(skeleton.decode("utf-8"))
    return LabFiles(place.name, suffix, frozenset(functions - _WORDS), header, sha256_of(skeleton), references)


def lab_of_contents(text: str, labs: Mapping[str, LabFiles]) -> str | None:
    """The lab most of whose functions @p text defines; including its contract counts as two. None: no lab, or a tie."""
    defined, included = defined_functions(text), included_names(text)
    scores = {lab: len(files.functions & defined) for lab, files in labs.items()}
    scores = {lab: score + 2 * (lab in included) for lab, score in scores.items() if score}
    best = [lab for lab, score in scores.items() if score == max(scores.values())]
    return best[0] if len(best) == 1 else None
