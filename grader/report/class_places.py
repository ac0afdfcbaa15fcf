"""Where in an answer something is: which of the contract's functions a line belongs to, whatever its own function is called.

Students name kernels and helpers as they like, so a place is the set of the contract's functions from which a line is
reached. Two answers have a fault in the same place if these sets meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from grader.course.finding import Finding

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?', re.S)
_HEAD = re.compile(r"([A-Za-z_]\w*)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)[\w\s&:<>,=*-]*$")
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPENS = re.compile(r"\b(?:namespace|struct|class|union|enum|extern)\b[^;()]*$")


def _blanked(text: str) -> str:
    """The text without comments and the contents of strings; line numbers do not change."""
    return _SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@dataclass(frozen=True)
class Function:
    """first, last: lines, from 1. body: its text from its name on, without comments."""

    name: str
    first: int
    last: int
    body: str

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(_NAME.findall(self.body))


def functions_of(source: str) -> list[Function]:
    """Functions with a body, in the order of their lines. Takes linear time."""
    text = _blanked(source)
    found: list[Function] = []
    depth, head, line, open_at, inner = 0, 0, 1, None, 0
    for match in re.finditer(r"[{};\n]", text):
        char, at = match[0], match.start()
        if char == "\n":
            line += 1
        elif open_at is None and char == ";":
            head = at + 1
        elif char == "{":
            if open_at is None:
                before = text[max(head, at - 2000) : at]
                if (name := _HEAD.search(before)) and not _OPENS.search(before.strip()):
                    begin = at - len(before) + name.start()
                    open_at, inner = (name[1], begin, line - text.count("\n", begin, at)), depth
                head = at + 1
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
            if open_at is not None and depth == inner:
                name_, begin, first = open_at
                found.append(Function(name_, first, line, text[begin : at + 1]))
                open_at = None
            head = at + 1
    return found


class Places:
    """The contract's functions of one file, and what belongs to each."""

    def __init__(self, source: str, contract: Iterable[str]) -> None:
        self._functions = functions_of(source)
        self._contract = frozenset(contract)
        known: dict[str, list[Function]] = {}
        for function in self._functions:
            known.setdefault(function.name, []).append(function)
        self._closures = {name: self._reached(name, known) for name in self._contract if name in known}
        self._at: dict[int, frozenset[str]] = {}

    @staticmethod
    def _reached(start: str, known: Mapping[str, list[Function]]) -> dict[Function, None]:
        """The function and all helpers and kernels that it names, directly or not."""
        found: dict[Function, None] = {}
        waiting = [start]
        seen = {start}
        while waiting:
            for function in known[waiting.pop()]:
                found[function] = None
                for name in sorted(function.names & known.keys() - seen):
                    seen.add(name)
                    waiting.append(name)
        return found

    @property
    def defined(self) -> frozenset[str]:
        """Functions of the contract that this file has."""
        return frozenset(self._closures)

    def at(self, line: int) -> frozenset[str]:
        """The contract's functions from which @p line is reached."""
        if line not in self._at:  # Asked once for each fingerprint and known mistake.
            self._at[line] = frozenset(
                name
                for name, closure in self._closures.items()
                if any(function.first <= line <= function.last for function in closure)
            )
        return self._at[line]

    def text_of(self, names: Iterable[str]) -> str:
        """The code of these contract functions, with everything that they call, in the order of the file."""
        wanted = {function for name in names for function in self._closures.get(name, ())}
        return "\n".join(function.body for function in self._functions if function in wanted)


def places_in(finding: Finding | None, source: str, places: Places, contract: Iterable[str]) -> frozenset[str]:
    """What a test's finding points to: the lines of the student's file that it names, else the function that the case
    calls. Empty if it points nowhere."""
    if finding is None:
        return frozenset()
    if found := frozenset().union(*(places.at(line) for line in finding.lines_in(source))):
        return found
    return frozenset({finding.function}) & frozenset(contract)
