"""Which known wrong answer a failing answer resembles: by its code, or by how its tests fail.

grader/wrong/<lab> holds the usual mistakes, each with the test that rejects it (`rejected-by`) and what that test says
(`because`). An answer resembles one of them
- by its code, if the test fails and the answer has at least half of the fingerprints that only this wrong answer has;
- by its signs, if the test fails with a message that says all of `because`, and at most MOST_ALIKE known mistakes fit.
  Of failing tests only those of the first kind in KINDS are looked at: who reads the wrong element is slow, too.
Otherwise it is counted under what its first failing test says. Cheats are never named by signs alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from grader.batch.errors import BatchError
from grader.batch.exporters.view import Entry
from grader.batch.gradebook import Test
from grader.batch.similarity.compare import source_of
from grader.batch.similarity.pairs import answer_of
from grader.batch.similarity.reference import Reference, reference_of

LEAST_SHARE = 0.5  # Of the fingerprints that are the wrong answer's own.
LEAST_OWN = 3  # So many of them at least: fewer say nothing.
OWN_TO = 3  # A fingerprint is a wrong answer's own if at most so many of the lab's wrong answers have it.
MOST_ALIKE = 3
KINDS = ("correctness", "counters", "time")
BY_CODE, BY_SIGNS, BY_MESSAGE = "code", "signs", "message"


@dataclass(frozen=True)
class WrongAnswer:
    """mistake: one sentence. test: its full name. because: what its message says, without names of files."""

    name: str
    mistake: str
    test: str
    because: tuple[str, ...]
    text: str

    @property
    def is_cheat(self) -> bool:
        return self.mistake.lower().startswith("a cheat")


@dataclass(frozen=True)
class Mistake:
    """What one answer is counted under. `what`: sentences, one for each mistake that fits, or the first line of a
    message. `how`: BY_CODE, BY_SIGNS, BY_MESSAGE."""

    what: tuple[str, ...]
    how: str
    test: str


def known_mistakes(project: Path, lab: str) -> list[WrongAnswer]:
    """By name; empty for a lab without any."""
    found = []
    for path in sorted((project / "grader" / "wrong" / lab).glob("*.c*")):
        text = path.read_text(encoding="utf-8", errors="replace")
        test = re.search(r"^// rejected-by: *(.+?) *$", text, re.M)
        if path.suffix in (".cu", ".cpp") and test:
            because = re.findall(r"^// because: *(.+?) *$", text, re.M)
            signs = tuple(sign for sign in because if path.name not in sign)
            mistake = text.split("\n", 1)[0].removeprefix("//").strip()
            found.append(WrongAnswer(path.stem, mistake, f"{lab}.{test[1]}", signs, text))
    return found


def _rank(test: str) -> int:
    kind = test.split(".")[1] if test.count(".") else ""
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def first_line(message: str) -> str:
    """What a message says, numbers aside, so that answers which fail alike are counted together. Of a line that goes on
    below only whole sentences are kept."""
    line = next((line.strip() for line in message.splitlines() if line.strip()), "")
    sentences = re.match(r".*[.!?:;](?=\s|$)", line)
    line = sentences[0] if sentences else line
    return re.sub(r"(?<![\w.])(0x[0-9a-f]+|\d+([.,]\d+)*)(?!\w)", "N", line)


class Mistakes:
    """The known mistakes of one lab. Without the lab's sources in `project`, nothing is known and messages are left."""

    def __init__(self, project: Path, lab: str) -> None:
        self._project = project
        self._lab = lab
        self.known = known_mistakes(project, lab)

    @cached_property
    def _reference(self) -> Reference | None:
        try:
            return reference_of(self._project, self._lab)
        except BatchError:
            return None

    @cached_property
    def _own_prints(self) -> dict[str, np.ndarray]:
        """By wrong answer: fingerprints that few other wrong answers and no reference solution have."""
        if self._reference is None:
            return {}
        prints = {wrong.name: self._prints(wrong.text) for wrong in self.known}
        solutions = [
            self._prints(path.read_text(encoding="utf-8", errors="replace"))
            for path in sorted((self._project / "solutions" / self._lab).glob("*.c*"))
        ]
        right = np.unique(np.concatenate([np.zeros(0, np.uint64), *solutions]))
        holders = Counter(value for own in prints.values() for value in own.tolist())
        return {
            name: np.array(
                [value for value in np.setdiff1d(own, right).tolist() if holders[value] <= OWN_TO], np.uint64
            )
            for name, own in prints.items()
        }

    def _prints(self, text: str) -> np.ndarray:
        return answer_of("", text, self._reference).prints

    def _by_code(self, failed: Mapping[str, str], source: str) -> list[WrongAnswer]:
        """The nearest; several only if the answer has as large a share of as many fingerprints of each."""
        candidates = [wrong for wrong in self.known if wrong.test in failed]
        if not candidates or self._reference is None:
            return []
        prints = self._prints(source)
        near: dict[tuple[float, int], list[WrongAnswer]] = {}
        for wrong in candidates:
            own = self._own_prints[wrong.name]
            if len(own) >= LEAST_OWN and (share := float(np.isin(own, prints).mean())) >= LEAST_SHARE:
                near.setdefault((share, len(own)), []).append(wrong)
        return near[max(near)] if near else []

    def _by_signs(self, failed: Mapping[str, str]) -> list[WrongAnswer]:
        first = min(map(_rank, failed))
        return [
            wrong
            for wrong in self.known
            if wrong.because
            and not wrong.is_cheat
            and wrong.test in failed
            and _rank(wrong.test) == first
            and all(sign in failed[wrong.test] for sign in wrong.because)
        ]

    def of(self, tests: Sequence[Test], source: str) -> Mistake | None:
        """source: the answer's text, or '' if it is not there. @returns None if no test failed"""
        failed = {test.name: test.message for test in tests if test.status == "failed"}
        if not failed:
            return None
        if near := self._by_code(failed, source):
            return Mistake(tuple(sorted(wrong.mistake for wrong in near)), BY_CODE, near[0].test)
        alike = self._by_signs(failed)
        if 0 < len(alike) <= MOST_ALIKE:
            return Mistake(tuple(sorted(wrong.mistake for wrong in alike)), BY_SIGNS, alike[0].test)
        name = min(failed, key=_rank)
        return Mistake((first_line(failed[name]) or "(no message)",), BY_MESSAGE, name)


def common_mistakes(out: Path, project: Path, lab: str, entries: Sequence[Entry]) -> list[tuple[Mistake, list[Entry]]]:
    """What the failing answers of a lab are counted under, the most common first."""
    mistakes = Mistakes(project, lab)
    by_job: dict[str, Mistake | None] = {}
    groups: dict[Mistake, list[Entry]] = {}
    for entry in entries:
        if entry.job is None or entry.submission is None:
            continue
        if entry.job.job not in by_job:
            by_job[entry.job.job] = mistakes.of(entry.tests, _source(out, entry.submission.sha256))
        if mistake := by_job[entry.job.job]:
            groups.setdefault(mistake, []).append(entry)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0].how, group[0].what))


def _source(out: Path, sha256: str) -> str:
    try:
        return source_of(out, sha256)
    except BatchError:  # Copied without its files: messages are left to go by.
        return ""
