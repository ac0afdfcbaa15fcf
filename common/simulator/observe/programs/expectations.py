"""What each case of the suite expects: its kind from the program, its lines from the markers in the source."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# The checks that may report each kind of fault. A host that reads too early may be called either.
CHECKS = {
    "clean": (),
    "race": ("race",),
    "race_same_value": ("race",),
    "race_in_another_order": ("race",),
    "race_with_a_free": ("race", "memory"),
    "host_race": ("race", "sync"),
    "memory": ("memory",),
    "init": ("init",),
    "sync": ("sync",),
    "sync_hang": ("sync",),
    "leak": ("leak",),
}
# "// race: NAME" at the end of a line that a finding names; "// host race: NAME" where it may, as far as it knows the host's lines.
MARKER = re.compile(r"//\s*(host )?(race|memory|init|sync|leak): ([a-z0-9_]+(?:, [a-z0-9_]+)*)\s*$")
LIST_LIMIT_S = 60
# Schedule seeds with this bit delay work in streams; the host's accesses are not checked then (docs/checkers.md, "Limits").
DELAYS_WORK = 4


class SuiteError(Exception):
    """A message for the person who runs the suite: what is wrong, where, and what to do."""


@dataclass(frozen=True)
class Case:
    family: str
    name: str
    expect: str
    lines: frozenset[int] = field(default=frozenset())  # of kernels: must be named
    host_lines: frozenset[int] = field(default=frozenset())  # of the host: may be named

    @property
    def faulty(self) -> bool:
        return self.expect != "clean"

    def seed(self, wanted: int) -> int:
        """The schedule seed that the case is run with where @p wanted is asked for."""
        if self.expect == "race_in_another_order":
            return wanted or 1
        if self.expect == "host_race":
            return wanted & ~DELAYS_WORK
        return wanted

    @property
    def checks(self) -> tuple[str, ...]:
        return CHECKS[self.expect]


def markers(source: Path) -> dict[str, tuple[set[int], set[int]]]:
    """By case: the marked lines of kernels and those of the host."""
    found: dict[str, tuple[set[int], set[int]]] = {}
    for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        match = MARKER.search(text)
        if match is None:
            continue
        for name in match[3].split(", "):
            found.setdefault(name, (set(), set()))[1 if match[1] else 0].add(number)
    return found


def listed(program: Path) -> list[tuple[str, str]]:
    """Name and expectation of each case, as the program lists them.

    Raises:
        SuiteError: there is no such program, or its list cannot be read.
    """
    try:
        answer = subprocess.run(
            [str(program), "--list"], capture_output=True, text=True, check=True, timeout=LIST_LIMIT_S
        )
        rows = [json.loads(line) for line in answer.stdout.splitlines()]
        return [(str(row["case"]), str(row["expect"])) for row in rows]
    except FileNotFoundError as error:
        raise SuiteError(f"There is no program {program}; build it: cmake --build BUILD --target warpbook_check_programs") from error
    except (subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
        raise SuiteError(f"{program} --list: {error}; build the program again") from error


def family_cases(source: Path, rows: list[tuple[str, str]]) -> list[Case]:
    """The cases of one family.

    Raises:
        SuiteError: the markers of the source and the cases of the program do not fit together.
    """
    marked = markers(source)
    names = {name for name, _ in rows}
    for name in marked:
        if name not in names:
            raise SuiteError(f"{source}: a marker names '{name}', and there is no such case; correct the marker")
    cases = []
    for name, expect in rows:
        if expect not in CHECKS:
            raise SuiteError(f"{source}: '{name}' expects '{expect}'; there are: {', '.join(CHECKS)}")
        lines, host_lines = marked.get(name, (set(), set()))
        if bool(lines or host_lines) != (expect != "clean"):
            raise SuiteError(f"{source}: '{name}' expects '{expect}' and has {len(lines | host_lines)} marked lines")
        cases.append(Case(source.stem, name, expect, frozenset(lines), frozenset(host_lines)))
    return cases


def suite_cases(sources: Path, programs: Path, families: list[str]) -> list[Case]:
    """All cases of these families, or of all where none is named, in the order of the sources."""
    known = sorted(path.stem for path in sources.glob("*.cu"))
    for family in families:
        if family not in known:
            raise SuiteError(f"There is no family '{family}'; there are: {', '.join(known)}")
    return [
        case
        for family in (families or known)
        for case in family_cases(sources / f"{family}.cu", listed(programs / family))
    ]
