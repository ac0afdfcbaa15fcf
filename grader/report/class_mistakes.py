"""Which known wrong answer a failing answer resembles: by its code, or by what its tests found.

grader/labs/<chapter>/<lab>/wrong holds the usual mistakes, each with the test that rejects it (`rejected-by`), and
known_findings.json what that test found (record_findings.py writes it). An answer resembles one of them only on evidence of
the same kind in the same place:
- by its code, if the test fails and the answer has, in the functions that this wrong answer gets wrong, at least half of
  the fingerprints that only this wrong answer has, and the findings are alike; or nearly all of them;
- by its signs, if the test fails with a similar finding that says more than "it is wrong" or "it is slow" and is in
  a function that this wrong answer gets wrong, and at most MOST_ALIKE known mistakes fit.
  Of the failing tests only those of the first kind in KINDS count: an answer that reads wrong elements may also be slow.
Findings are alike if they are of one kind and topic, and the numbers that depend on the way of access alone agree.
Otherwise it is counted under what its first failing test found. Cheats are never named by signs alone.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.course.errors import BatchError
from grader.course.exporters.view import Entry
from grader.course.finding import Finding
from grader.course.gradebook import Test
from grader.course.intake.labs import declared_functions
from grader.course.similarity.compare import source_of
from grader.course.similarity.fingerprints import K, hashes_of, winnow
from grader.course.similarity.pairs import Answer, answer_of
from grader.course.similarity.reference import Reference, reference_of
from grader.course.similarity.tokens import tokens_of
from grader.workbook.answers import wrong_answers
from grader.workbook.places import NoSuchLab, Place, place_of

from .class_places import Places, places_in

LEAST_SHARE = 0.5  # Of the wrong answer's own fingerprints.
ENOUGH_SHARE = 0.8  # With this share, even a finding of another kind is taken for the same mistake.
LEAST_OWN = 3  # At least this many of them: fewer are no evidence.
OWN_TO = 3  # A fingerprint is a wrong answer's own if at most this many of the lab's wrong answers have it.
MOST_ALIKE = 3
KINDS = ("correctness", "counters", "time")
BY_CODE, BY_SIGNS, BY_FINDING = "code", "signs", "finding"
CHEATS = "cheats"  # The file of wrong answers that try to get points which they do not earn: wrong/cheats.diff.
KNOWN = Path(__file__).parent / "known_findings.json"
# Kinds that only say that something is wrong, slow or ended early, not what the mistake is.
_NO_KIND = {"not_right_yet", "too_slow", "ended_early", "missing_output", "note"}
_ONLY_WITH_TOPIC = {"wrong_result", "never_written", "requirement", "program_error", "call_failed"}
_NO_TOPIC = {"", "nothing_written"}
# Numbers that depend on the access pattern, not on the size of the case.
OF_ACCESS = ("per_request", "ideal_per_request", "conflict_degree")
_AGREE = 0.05


@dataclass(frozen=True)
class WrongAnswer:
    """mistake: one sentence. test: its full name. finding: what that test found; None: not recorded. is_cheat: it
    is one of the cheats."""

    name: str
    mistake: str
    test: str
    text: str
    finding: Finding | None = None
    is_cheat: bool = False

    @property
    def says_kind(self) -> bool:
        """Whether the finding shows what kind of mistake it is."""
        found = self.finding
        if found is None or found.kind in _NO_KIND:
            return False
        return found.kind not in _ONLY_WITH_TOPIC or found.topic not in _NO_TOPIC


@dataclass(frozen=True)
class Mistake:
    """The entry that one answer is counted under. `what`: sentences, one for each mistake that fits, or the headline of a finding.
    `how`: BY_CODE, BY_SIGNS, BY_FINDING. `key`: equal for equal entries."""

    what: tuple[str, ...] = field(compare=False)
    how: str
    test: str
    key: tuple[str, ...]


@lru_cache(maxsize=1)
def _recorded() -> dict[str, dict[str, Finding]]:
    """By lab and wrong answer. The words of these findings are not stored."""
    record = json.loads(KNOWN.read_text(encoding="utf-8"))
    if (record["format"], record["version"]) != ("warpbook.known_findings", 1):
        raise BatchError(f"{KNOWN}: format is {record['format']} {record['version']}, not warpbook.known_findings 1")
    return {
        lab: {
            name: Finding(one["kind"], one["topic"], "", "", "", "", (), one["evidence"], None, "", ())
            for name, one in answers.items()
        }
        for lab, answers in record["labs"].items()
    }


def known_mistakes(project: Path, lab: str) -> list[WrongAnswer]:
    """By name; empty for a lab without any."""
    try:
        place = place_of(lab, project)
    except NoSuchLab:
        return []
    recorded = _recorded().get(lab, {})
    return [
        WrongAnswer(answer.name, answer.said, f"{lab}.{answer.key('rejected-by')}", answer.text, recorded.get(answer.name),
                    answer.file.stem == CHEATS)
        for answer in wrong_answers(place)
    ]


def _rank(test: str) -> int:
    kind = test.split(".")[1] if test.count(".") else ""
    return KINDS.index(kind) if kind in KINDS else len(KINDS)




def _texts(source: str) -> list[str]:
    return [token.text for token in tokens_of(source)]


def alike(one: Finding | None, other: Finding | None) -> bool:
    """Whether two findings may come from the same mistake."""
    if one is None or other is None or (one.kind, one.topic) != (other.kind, other.topic):
        return False
    both = [name for name in OF_ACCESS if name in one.evidence and name in other.evidence]
    return all(math.isclose(one.evidence[name], other.evidence[name], rel_tol=_AGREE) for name in both)


class Mistakes:
    """The known mistakes of one lab. Without the lab's sources in `project`, answers are counted by their findings only."""

    def __init__(self, project: Path, lab: str) -> None:
        self._project = project
        self._lab = lab
        try:
            self._place: Place | None = place_of(lab, project)
        except NoSuchLab:
            self._place = None
        self.known = known_mistakes(project, lab)

    @cached_property
    def _reference(self) -> Reference | None:
        try:
            return reference_of(self._project, self._lab)
        except BatchError:
            return None

    @cached_property
    def _own_prints(self) -> dict[str, np.ndarray[Any, Any]]:
        """By wrong answer: fingerprints that few other wrong answers and no reference solution have."""
        if self._reference is None or self._place is None:
            return {}
        prints = {wrong.name: self._prints(wrong.text) for wrong in self.known}
        solutions = [
            self._prints(path.read_text(encoding="utf-8", errors="replace"))
            for path in sorted(self._place.solutions.glob("*.c*"))
        ]
        right = np.unique(np.concatenate([np.zeros(0, np.uint64), *solutions]))
        holders = Counter(value for own in prints.values() for value in own.tolist())
        return {
            name: np.array(
                [value for value in np.setdiff1d(own, right).tolist() if holders[value] <= OWN_TO], np.uint64
            )
            for name, own in prints.items()
        }

    def _answer(self, text: str) -> Answer:
        """Of a lab whose reference solution is known."""
        if self._reference is None:
            raise BatchError(f"the solution of {self._lab} is missing")
        return answer_of("", text, self._reference)

    def _prints(self, text: str) -> np.ndarray[Any, Any]:
        return self._answer(text).prints

    def _lines_of_prints(self, text: str) -> list[tuple[int, int, int]]:
        """Fingerprints, and the lines that each begins and ends on."""
        found = []
        for part in self._answer(text).parts:
            hashes = hashes_of(part)
            found += [(int(hashes[at]), part[at].line, part[at + K - 1].line) for at in winnow(hashes).tolist()]
        return found

    @cached_property
    def _contract(self) -> frozenset[str]:
        return declared_functions(self._place.contract.read_text(encoding="utf-8")) if self._place else frozenset()

    @cached_property
    def _wrong_in(self) -> dict[str, frozenset[str]]:
        """By wrong answer: the contract's functions that it gets wrong."""
        solution = Places(self._place.solution.read_text(encoding="utf-8") if self._place else "", self._contract)
        right = {name: _texts(solution.text_of([name])) for name in self._contract}
        found = {}
        for wrong in self.known:
            places = Places(wrong.text, self._contract)
            changed = {name for name in places.defined if _texts(places.text_of([name])) != right[name]}
            found[wrong.name] = frozenset(changed) or places.defined
        return found

    def _place_of_test(self, test: str) -> frozenset[str]:
        """The function that a test is about, if all known mistakes that it rejects agree."""
        if len(self._contract) == 1:
            return self._contract
        several = [self._wrong_in[wrong.name] for wrong in self.known if wrong.test == test]
        return frozenset.intersection(*several) if len(several) > 1 else frozenset()

    def _by_code(self, failed: Mapping[str, Test], source: str, places: Places) -> list[WrongAnswer]:
        """The nearest known mistake; several only if the answer has equal shares of equally many fingerprints of each."""
        candidates = [wrong for wrong in self.known if wrong.test in failed]
        if not candidates or self._reference is None:
            return []
        near: dict[tuple[float, int], list[WrongAnswer]] = {}
        lines = self._lines_of_prints(source)
        prints: dict[frozenset[str], np.ndarray[Any, Any]] = {}
        for wrong in candidates:
            own, where = self._own_prints[wrong.name], self._wrong_in[wrong.name]
            if len(own) < LEAST_OWN:
                continue
            if where not in prints:  # Only the code of these functions; in a file without them, all of it.
                there = where & places.defined
                kept = [
                    value for value, first, last in lines if not there or there & (places.at(first) | places.at(last))
                ]
                prints[where] = np.array(kept, np.uint64)
            share = float(np.isin(own, prints[where]).mean())
            if share >= ENOUGH_SHARE or (share >= LEAST_SHARE and wrong.says_kind and alike(failed[wrong.test].finding, wrong.finding)):
                near.setdefault((share, len(own)), []).append(wrong)
        return near[max(near)] if near else []

    def _by_signs(self, failed: Mapping[str, Test], places: Places) -> list[WrongAnswer]:
        first = min(map(_rank, failed))
        file = self._place.student.name if self._place else ""
        found = []
        for wrong in self.known:
            if wrong.is_cheat or not wrong.says_kind or wrong.test not in failed or _rank(wrong.test) != first:
                continue
            finding = failed[wrong.test].finding
            where = places_in(finding, file, places, self._contract) or self._place_of_test(wrong.test)
            if alike(finding, wrong.finding) and where & self._wrong_in[wrong.name]:
                found.append(wrong)
        return found

    def of(self, tests: Sequence[Test], source: str) -> Mistake | None:
        """source: the answer's text, or '' if it is missing. @returns None if no test failed"""
        failed = {test.name: test for test in tests if test.status == "failed"}
        if not failed:
            return None
        places = Places(source, self._contract)
        for how, several in ((BY_CODE, self._by_code(failed, source, places)), (BY_SIGNS, self._by_signs(failed, places))):
            if several and (how == BY_CODE or len(several) <= MOST_ALIKE):
                what = tuple(sorted(wrong.mistake for wrong in several))
                return Mistake(what, how, several[0].test, what)
        name = min(failed, key=_rank)
        finding = failed[name].finding
        if finding is None:
            return Mistake(("(no finding)",), BY_FINDING, name, ())
        # A requirement is about a call with arguments that differ from run to run.
        subject = "" if finding.kind == "requirement" else finding.subject
        return Mistake((finding.headline,), BY_FINDING, name, (finding.kind, finding.topic, subject))


@lru_cache(maxsize=128)  # Its wrong answers are read once, not for each report.
def _mistakes_of(project: Path, lab: str) -> Mistakes:
    return Mistakes(project, lab)


def common_mistakes(out: Path, project: Path, lab: str, entries: Sequence[Entry]) -> list[tuple[Mistake, list[Entry]]]:
    """The entries that the failing answers of a lab are counted under, the most common first."""
    mistakes = _mistakes_of(project, lab)
    by_job: dict[str, Mistake | None] = {}
    groups: dict[Mistake, list[Entry]] = {}
    for entry in entries:
        if entry.job is None or entry.submission is None:
            continue
        if entry.job.job not in by_job:
            by_job[entry.job.job] = mistakes.of(entry.tests, _source(out, entry.submission.sha256))
        if mistake := by_job[entry.job.job]:
            groups.setdefault(mistake, []).append(entry)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0].how, group[0].test, group[0].key))


def _source(out: Path, sha256: str) -> str:
    try:
        return source_of(out, sha256)
    except BatchError:  # Copied without its files: only findings are left.
        return ""
