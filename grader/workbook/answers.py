"""All answers that the project has for a lab: its solution, rungs, answers in other styles, wrong ones and exploits.

An answer is a file of its own, the first comment of which has lines `// key: value`, or a mutant (mutants.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from grader.workbook.mutants import KEYS, Keyed, MutantError, apply, plain, read_mutants
from grader.workbook.places import Place

SOLUTION, RUNG, RIGHT, WRONG, EXPLOIT = "solution", "rung", "right", "wrong", "exploit"
FOLDERS = {RUNG: "rungs", RIGHT: "right", WRONG: "wrong", EXPLOIT: "exploits"}
_LINE = re.compile(rf"// ({'|'.join(KEYS)}): *(.+?) *$")


@dataclass(frozen=True)
class Answer(Keyed):
    """`file`: its file; a mutant shares it with others. `text`: the whole program. `said`: its description. `keys`: the keys in
    its first lines: rejected-by, because (several), earns, gets, alone."""

    kind: str
    name: str
    file: Path
    text: str
    said: str = ""
    keys: dict[str, list[str]] = field(default_factory=dict)
    is_mutant: bool = False

    @property
    def title(self) -> str:
        """Its name in commands: "solution", "wrong:missing_barrier"."""
        return self.kind if self.kind == SOLUTION else f"{self.kind}:{self.name}"


def _from_file(kind: str, path: Path) -> Answer:
    text = path.read_text(encoding="utf-8", errors="replace")
    said: list[str] = []
    keys: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if key := _LINE.match(line):
            keys.setdefault(key[1], []).append(key[2])
        elif not keys:
            said.append(line.removeprefix("//").strip())
    return Answer(kind, path.stem, path, text, " ".join(said), keys)


def _mutants(place: Place, kind: str, solution: str) -> Iterator[Answer]:
    """@param solution without its tags"""
    for path in sorted((place.grading / FOLDERS[kind]).glob("*.diff")):
        for mutant in read_mutants(path):
            base, of = solution, f"the solution of {place.name}"
            if origin := mutant.key("from"):
                try:
                    base, of = (place.grading / origin).read_text(encoding="utf-8"), origin
                except OSError as error:
                    raise MutantError(f"{path}:{mutant.line}: {mutant.name}: from {origin}, {error.strerror}") from None
            elif not mutant.hunks:
                raise MutantError(f"{path}:{mutant.line}: {mutant.name} changes no line and names no file after `from:`")
            yield Answer(kind, mutant.name, path, apply(mutant, base, of), mutant.said, mutant.keys, True)


def answers_of(place: Place, *kinds: str) -> list[Answer]:
    """Answers of these kinds, or all: the solution first, then by kind and name. @throws MutantError if a mutant no longer fits, or
    two share a name"""
    text = place.solution.read_text(encoding="utf-8")
    solution = plain(text)
    found = [Answer(SOLUTION, place.name, place.solution, text)] if SOLUTION in (kinds or (SOLUTION,)) else []
    for kind, folder in FOLDERS.items():
        if kinds and kind not in kinds:
            continue
        files = [_from_file(kind, path) for path in sorted((place.grading / folder).glob(f"*{place.suffix}"))]
        both = sorted([*files, *_mutants(place, kind, solution)], key=lambda answer: answer.name)
        for one, other in pairwise(both):
            if one.name == other.name:
                raise MutantError(f"{other.file}: the name {one.name} is taken by {one.file}")
        found += both
    return found


def key_of(place: Place, answer: Answer) -> str:
    """The manifest's key of an answer's program: the path from the project's root that its file has, or would have."""
    return f"grader/labs/{place.path}/{FOLDERS[answer.kind]}/{answer.name}{place.suffix}"


def wrong_answers(place: Place) -> list[Answer]:
    return answers_of(place, WRONG)
