"""How alike the answers of a class are, pair by pair, and which of them belong together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course.similarity.fingerprints import hashes_of, winnow
from grader.course.similarity.reference import Reference
from grader.course.similarity.tokens import Token, tokens_of

# Measured on the answers in testdata and their disguised copies (similarity_test.py). Independent ones score up to 0.43,
# even in classes of two to five, where nothing shows what is common; in a lab that leaves few choices up to 0.56, but there
# with an evidence of 2.5 at most. Disguised copies score 0.62 and more with an evidence of 8.1 and more.
LEAST_SCORE = 0.55
LEAST_EVIDENCE = 6.0  # Six rare fingerprints, or four times as many of the obvious: short answers never get there.
EXPECTED_WEIGHT = 0.25  # Of what the project's own answers hold, too.

# Of the project's own solution, which lies in every clone: what an answer has of its fingerprints. Independent answers
# have up to 0.56 of them, disguised copies of the solutions of all labs 0.76 and more (similarity_test.py). Solutions with
# fewer fingerprints say nothing: those of short exercises, where a disguise may hide a third, and of labs that are solved as
# they are handed out.
SOLUTION_SHARE = 0.66
SOLUTION_PRINTS = 18


@dataclass(frozen=True)
class Answer:
    """One student's file. `parts` are the runs of tokens that are theirs, `prints` the different fingerprints."""

    student: str
    parts: tuple[tuple[Token, ...], ...]
    prints: np.ndarray[Any, Any]


@dataclass(frozen=True)
class Pair:
    """score: 0 to 1, the share of the fingerprints of the answer that has fewer, by weight, which the other one has,
    too. shared: how many both have. evidence: the sum of their weights, each from 0 to 1."""

    a: str
    b: str
    score: float
    shared: int
    evidence: float


def answer_of(student: str, source: str, reference: Reference) -> Answer:
    parts = reference.own_parts(tokens_of(source, reference.names))
    prints = []
    for part in parts:
        hashes = hashes_of(part)
        prints.append(hashes[winnow(hashes)])
    return Answer(student, tuple(map(tuple, parts)), np.unique(np.concatenate([np.zeros(0, np.uint64), *prints])))


def weights_of(vocabulary: np.ndarray[Any, Any], holders: np.ndarray[Any, Any], answers: int, reference: Reference) -> np.ndarray[Any, Any]:
    """The weight of a fingerprint, from 1 (two in the class have it) to 0 (all have it)."""
    if answers > 2:
        weights = np.log(answers / np.maximum(holders, 2)) / math.log(answers / 2)
    else:
        weights = np.ones(len(vocabulary))
    return np.where(np.isin(vocabulary, reference.expected), EXPECTED_WEIGHT * weights, weights)


def all_pairs(answers: Sequence[Answer], reference: Reference, least_score: float = 0.0) -> list[Pair]:
    """Every pair that shares a fingerprint and scores `least_score` or more, by student."""
    if len(answers) < 2:
        return []
    answers = sorted(answers, key=lambda answer: answer.student)
    vocabulary, places = np.unique(np.concatenate([answer.prints for answer in answers]), return_inverse=True)
    rows = np.repeat(np.arange(len(answers)), [len(answer.prints) for answer in answers])
    holders = np.bincount(places, minlength=len(vocabulary))
    weights = weights_of(vocabulary, holders, len(answers), reference)
    own = np.bincount(rows, weights[places], minlength=len(answers))
    # Only fingerprints that two answers have need a column: a large unique file must not cost memory.
    common = np.cumsum(holders > 1) - 1
    wanted = holders[places] > 1
    holds = np.zeros((len(answers), int((holders > 1).sum())))
    holds[rows[wanted], common[places[wanted]]] = 1
    shared = holds @ holds.T
    evidence = (holds * weights[holders > 1]) @ holds.T
    least = np.minimum.outer(own, own)
    scores = np.minimum(np.divide(evidence, least, out=np.zeros_like(evidence), where=least > 1e-9), 1.0)
    scores, evidence = np.round(scores, 4), np.round(evidence, 4)  # The last bits depend on the machine.
    return [Pair(answers[i].student, answers[j].student, float(scores[i, j]), int(shared[i, j]), float(evidence[i, j]))
            for i, j in np.argwhere(np.triu((shared > 0) & (scores >= least_score), 1)).tolist()]


def share_of(solution: Answer, answer: Answer) -> float:
    """The share of a solution's fingerprints that an answer has; 0 if there are too few to say."""
    if len(solution.prints) < SOLUTION_PRINTS:
        return 0.0
    return round(len(np.intersect1d(solution.prints, answer.prints)) / len(solution.prints), 4)


def suspicious(pairs: Sequence[Pair]) -> list[Pair]:
    """Those that a person should look at, the most alike first."""
    chosen = [pair for pair in pairs if pair.score >= LEAST_SCORE and pair.evidence >= LEAST_EVIDENCE]
    return sorted(chosen, key=lambda pair: (-pair.score, -pair.shared, pair.a, pair.b))


def clusters_of(pairs: Sequence[Pair]) -> Mapping[str, int]:
    """The cluster of each student in `pairs`: 1, 2, ..., the largest first. Students are in one cluster if pairs
    connect them, if need be over others."""
    leader: dict[str, str] = {}

    def find(student: str) -> str:
        while leader.setdefault(student, student) != student:
            leader[student] = student = leader[leader[student]]
        return student

    for pair in pairs:
        first, second = sorted((find(pair.a), find(pair.b)))
        leader[second] = first
    groups: dict[str, list[str]] = {}
    for student in sorted(leader):
        groups.setdefault(find(student), []).append(student)
    ordered = sorted(groups.values(), key=lambda group: (-len(group), group))
    return {student: number for number, group in enumerate(ordered, 1) for student in group}
