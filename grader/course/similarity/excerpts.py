"""The places where two answers are alike, for a person to read side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from grader.course.similarity.fingerprints import K, hashes_of
from grader.course.similarity.pairs import Answer

MOST_REPEATS = 50  # A run that one file repeats more often is no evidence, and costs quadratic time.


@dataclass(frozen=True)
class Excerpt:
    """Lines a_first to a_last of the one and b_first to b_last of the other, which share a run of `tokens` tokens."""

    a_first: int
    a_last: int
    b_first: int
    b_last: int
    tokens: int


def excerpts_of(a: Answer, b: Answer) -> list[Excerpt]:
    """The longest common run of tokens first, each token at most once, no run shorter than K: greedy string tiling
    (Wise 1993) on the runs that fingerprints are made of. In the order of a's lines."""
    places = defaultdict(list)
    for j, part in enumerate(b.parts):
        for q, value in enumerate(hashes_of(part).tolist()):
            places[value].append((j, q))
    hits = {(i, p, j, q) for i, part in enumerate(a.parts) for p, value in enumerate(hashes_of(part).tolist())
            for j, q in places.get(value, ()) if len(places[value]) <= MOST_REPEATS}
    taken_a: set[tuple[int, int]] = set()
    taken_b: set[tuple[int, int]] = set()
    found = []
    for length, i, p, j, q in sorted(_runs(hits), key=lambda run: (-run[0], run[1:])):
        # Tokens that a longer run has used are cut off at both ends.
        while length and ((i, p) in taken_a or (j, q) in taken_b):
            p, q, length = p + 1, q + 1, length - 1
        fits = next((n for n in range(length) if (i, p + n) in taken_a or (j, q + n) in taken_b), length)
        if fits < K:
            continue
        taken_a.update((i, p + n) for n in range(fits))
        taken_b.update((j, q + n) for n in range(fits))
        found.append(Excerpt(a.parts[i][p].line, a.parts[i][p + fits - 1].line, b.parts[j][q].line,
                             b.parts[j][q + fits - 1].line, fits))
    return sorted(found, key=lambda excerpt: (excerpt.a_first, excerpt.b_first))


def _runs(hits: set[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int, int]]:
    """Hits that follow each other as (tokens, part and position in a, part and position in b)."""
    runs = []
    for i, p, j, q in hits:
        if (i, p - 1, j, q - 1) in hits:
            continue
        length = 1
        while (i, p + length, j, q + length) in hits:
            length += 1
        runs.append((length + K - 1, i, p, j, q))
    return runs
