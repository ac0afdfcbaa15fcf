"""Mutants: mistakes, written as changes to lines of the solution, many in one file.

A file of them (grader/labs/<chapter>/<lab>/wrong/*.diff) looks like this:

    === off_by_one_guard
    The guard lets one thread too many store.
    rejected-by: correctness.every shape is transposed exactly
    because: out_of_bounds topic=past_allocation code="out[i] = in[i]"
    -  if (row < rows) out[i] = in[i];
    +  if (row <= rows) out[i] = in[i];

The first lines say what the mistake is. Then keys: `rejected-by` (a test; if it is left out, that of the mutant before) and
`because` (the kind of its finding, and values in it), as for every wrong answer; `only-by: checkers` (without checkers, all
results are right in the documented order); `from` (a file below the lab's folder in grader/labs that is changed instead of the
solution); `alone` (why the mutant needs a program of its own). Then hunks: lines that begin with a space are kept, with -
removed, with + added. Lines that are kept or removed must be in the solution exactly once; if they occur several times, a line
"@@ text" above them says which: the first after a line that contains the text. A further hunk begins with a line @@, with a
text or without. A change within a line is a hunk of one line, which needs no @@ before it:

    ~ row < rows => row <= rows

The text before => must be in one line of the solution, once, or below the line that an @@ above names. A mutant without hunks
is the unchanged file of `from`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

KEYS = ("rejected-by", "because", "only-by", "from", "alone", "earns", "gets")
_HEAD = re.compile(r"=== (\w+)$")
_SIGNS = (" ", "-", "+")
_SWAP = re.compile(r"~ (.+?) =>(?: (.*))?$")
_KEY = re.compile(rf"({'|'.join(KEYS)}): *(.+?) *$")


class MutantError(ValueError):
    """What is wrong with a file of mutants: file:line, and what to do."""


@dataclass
class Hunk:
    """`old`: lines that must be there; `new`: the lines that replace them. `swap`: instead of these, a text within a line, and what
    replaces it. `line`: its line number, for messages."""

    anchor: str
    line: int
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    swap: tuple[str, str] | None = None

    def is_empty(self) -> bool:
        return not self.old and not self.new and self.swap is None


class Keyed:
    """Something with `keys`: values by key, in the order of the file."""

    keys: dict[str, list[str]]

    def key(self, name: str) -> str:
        """The first value of a key; "" if there is none."""
        return self.keys.get(name, [""])[0]


@dataclass
class Mutant(Keyed):
    """`said`: what the mistake is. `keys`: values by key, in the order of the file."""

    name: str
    file: Path
    line: int
    said: str = ""
    keys: dict[str, list[str]] = field(default_factory=dict)
    hunks: list[Hunk] = field(default_factory=list)


def plain(solution: str) -> str:
    """A tagged solution without its tags and the lines for students: the text that mutants change."""
    lines, skipping = [], False
    for line in solution.splitlines():
        text = line.strip()
        if text in ("// BEGIN SOLUTION", "// END SOLUTION") or text.startswith("// SKELETON: "):
            skipping = False
        elif text.startswith("// TODO(student):"):
            skipping = True
        elif not (skipping and text.startswith("//")):
            skipping = False
            lines.append(line)
    return "\n".join(lines) + "\n"


def read_mutants(path: Path) -> Iterator[Mutant]:
    """@throws MutantError"""
    test: list[str] = []
    for mutant in _read(path):
        test = mutant.keys.get("rejected-by", test)
        if test:
            mutant.keys["rejected-by"] = test
        yield mutant


def _read(path: Path) -> Iterator[Mutant]:
    mutant: Mutant | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if head := _HEAD.match(line):
            if mutant:
                yield mutant
            mutant = Mutant(head[1], path, number)
        elif mutant is None:
            if line and not line.startswith("#"):
                raise MutantError(f"{path}:{number}: a mutant begins with '=== name'; before the first one only lines with # are allowed")
        elif line.startswith("@@"):
            mutant.hunks.append(Hunk(line[2:].strip(), number))
        elif mutant.keys and (swap := _SWAP.match(line)):
            if not mutant.hunks or not mutant.hunks[-1].is_empty():
                mutant.hunks.append(Hunk("", number))
            mutant.hunks[-1].swap = (swap[1], swap[2] or "")
        elif mutant.hunks or (mutant.keys and line[:1] in _SIGNS):
            if not mutant.hunks or (line and mutant.hunks[-1].swap):
                mutant.hunks.append(Hunk("", number))
            _add(mutant.hunks[-1], line, path, number)
        elif key := _KEY.match(line):
            mutant.keys.setdefault(key[1], []).append(key[2])
        elif line.strip():
            mutant.said = f"{mutant.said} {line.strip()}".strip()
    if mutant:
        yield mutant


def _add(hunk: Hunk, line: str, path: Path, number: int) -> None:
    sign, text = line[:1], line[1:]
    if sign and sign not in _SIGNS:
        raise MutantError(f"{path}:{number}: a line of a hunk begins with a space, - or +, not with '{sign}'")
    if sign != "+":
        hunk.old.append(text)
    if sign != "-":
        hunk.new.append(text)


def _trimmed(hunk: Hunk) -> tuple[list[str], list[str]]:
    """Without the empty lines at its end, which separate it from the next."""
    old, new = list(hunk.old), list(hunk.new)
    while old and new and old[-1] == new[-1] == "":
        old.pop()
        new.pop()
    return old, new


def _swap(lines: list[str], first: int, hunk: Hunk, where: str, of: str) -> None:
    """Makes a change within a line, from line @p first on. @throws MutantError if the text is not there, or not once"""
    old, new = hunk.swap or ("", "")
    times = sum(line.count(old) for line in lines[first:])
    if times == 0 or (times > 1 and not hunk.anchor):
        raise MutantError(f"{where}: '{old}' {'does not occur' if times == 0 else f'occurs {times} times'} in {of}." +
                          ("" if times == 0 else " Add to it, or name a line above it after @@."))
    at = next(i for i in range(first, len(lines)) if old in lines[i])
    lines[at] = lines[at].replace(old, new, 1)


def apply(mutant: Mutant, text: str, of: str) -> str:
    """@p text with the mutant's changes. @throws MutantError if one does not fit. @param of what the text is"""
    lines = text.splitlines()
    for hunk in mutant.hunks:
        where = f"{mutant.file}:{hunk.line}: {mutant.name}"
        first = 0
        if hunk.anchor:
            first = next((i for i, line in enumerate(lines) if hunk.anchor in line), -1)
            if first < 0:
                raise MutantError(f"{where}: no line of {of} contains '{hunk.anchor}'")
        old, new = _trimmed(hunk)
        if hunk.swap:
            _swap(lines, first, hunk, where, of)
            continue
        if not old:
            raise MutantError(f"{where}: a hunk needs at least one line that is kept or removed, to say where it belongs")
        found = [i for i in range(first, len(lines) - len(old) + 1) if lines[i:i + len(old)] == old]
        if not found or (len(found) > 1 and not hunk.anchor):
            said = "do not occur" if not found else f"occur {len(found)} times"
            raise MutantError(f"{where}: these lines {said} in {of}:\n" + "\n".join(old) +
                              ("" if not found else "\nName a line above them after @@."))
        lines[found[0]:found[0] + len(old)] = new
    return "\n".join(lines) + "\n"
