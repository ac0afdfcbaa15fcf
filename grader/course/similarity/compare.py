"""Compares the answers of a graded class, lab by lab, and stores what a person should look at."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.gradebook import FILE_NAME, Gradebook, Similarity
from grader.course.similarity.excerpts import excerpts_of
from grader.course.similarity.fingerprints import K, T
from grader.course.similarity.pairs import (
    EXPECTED_WEIGHT,
    LEAST_EVIDENCE,
    LEAST_SCORE,
    SOLUTION_SHARE,
    Answer,
    Pair,
    all_pairs,
    answer_of,
    clusters_of,
    share_of,
    suspicious,
)
from grader.course.similarity.reference import reference_of, solutions_of

PROJECT = Path(__file__).resolve().parents[3]
RESULT_NAME = "similarity.json"
MOST_EXCERPTS = 200  # Pairs of a lab, the most alike first, whose excerpts are stored: 40 students who all copied make 780 pairs.


@dataclass(frozen=True)
class LabComparison:
    """What was found in one lab. `answers` were read; `pairs` are suspicious ones, the most alike first. `like_solution`:
    students whose answer has most of the project's own solution, and the share that it has."""

    lab: str
    answers: dict[str, Answer]
    sources: dict[str, str]
    pairs: list[Pair]
    clusters: dict[str, int]
    like_solution: dict[str, float]


def compare_lab(project: Path, lab: str, sources: dict[str, str]) -> LabComparison:
    """sources: text of the answer by student. @throws BatchError if the project has no such lab"""
    reference = reference_of(project, lab)
    answers = {student: answer_of(student, text, reference) for student, text in sorted(sources.items())}
    pairs = suspicious(all_pairs(list(answers.values()), reference, LEAST_SCORE))
    solutions = [answer_of("", path.read_text(encoding="utf-8"), reference) for path in solutions_of(project, lab)]
    shares = {student: max(share_of(solution, answer) for solution in solutions) for student, answer in answers.items()}
    like_solution = {student: share for student, share in shares.items() if share >= SOLUTION_SHARE}
    return LabComparison(lab, answers, sources, pairs, dict(clusters_of(pairs)), like_solution)


def compare(out: Path, project: Path = PROJECT) -> list[LabComparison]:
    """Compares the submissions that count in the gradebook of folder `out`. Replaces its table `similarity` and
    writes OUT/similarity.json. Points stay as they are. @throws BatchError"""
    with Gradebook.create(out / FILE_NAME) as book:
        sources: dict[str, dict[str, str]] = {}
        for (student, lab), submitted in sorted(book.chosen().items()):
            sources.setdefault(lab, {})[student] = source_of(out, submitted.sha256)
        found = [compare_lab(project, lab, texts) for lab, texts in sorted(sources.items())]
        with book.transaction():
            book.delete(Similarity)
            book.write(Similarity(lab.lab, pair.a, pair.b, round(pair.score, 3), pair.shared, lab.clusters[pair.a])
                       for lab in found for pair in lab.pairs)
    _write(out / RESULT_NAME, json.dumps(to_json(found), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return found


def source_of(out: Path, sha256: str) -> str:
    """The text of a submitted file, whatever bytes it contains. @throws BatchError if it is missing"""
    for suffix in (".cu", ".cpp"):
        path = out / "files" / (sha256 + suffix)
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace")
    raise BatchError(f"{out / 'files' / sha256}.cu: the gradebook names this file, but it is gone; grade again with "
                     "--resume, which fetches it from the submissions")


def to_json(found: list[LabComparison]) -> dict[str, Any]:
    return {
        "format": "warpbook.similarity", "version": 1,
        "parameters": {"noise_tokens": K, "guarantee_tokens": T, "least_score": LEAST_SCORE,
                       "least_evidence": LEAST_EVIDENCE, "expected_weight": EXPECTED_WEIGHT,
                       "solution_share": SOLUTION_SHARE},
        "labs": [_lab_to_json(lab) for lab in found],
    }


def _lab_to_json(lab: LabComparison) -> dict[str, Any]:
    members: dict[int, list[str]] = {}
    for student, number in sorted(lab.clusters.items()):
        members.setdefault(number, []).append(student)
    return {
        "lab": lab.lab,
        "compared": len(lab.answers),
        "like_solution": [{"student": student, "share": round(share, 3)} for student, share in lab.like_solution.items()],
        "clusters": [{"cluster": number, "students": students} for number, students in sorted(members.items())],
        "pairs": [{"a": pair.a, "b": pair.b, "score": round(pair.score, 3), "shared": pair.shared,
                   "evidence": round(pair.evidence, 1), "cluster": lab.clusters[pair.a],
                   "excerpts": excerpts_to_json(lab, pair) if position < MOST_EXCERPTS else None}
                  for position, pair in enumerate(lab.pairs)],
    }


def excerpts_to_json(lab: LabComparison, pair: Pair) -> list[dict[str, Any]]:
    lines_a, lines_b = lab.sources[pair.a].split("\n"), lab.sources[pair.b].split("\n")
    return [{**asdict(excerpt), "a_text": lines_a[excerpt.a_first - 1:excerpt.a_last],
             "b_text": lines_b[excerpt.b_first - 1:excerpt.b_last]}
            for excerpt in excerpts_of(lab.answers[pair.a], lab.answers[pair.b])]


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(path.name + ".new")
    try:
        with open(temporary, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise BatchError(f"{path}: cannot be written ({error.strerror}); the gradebook has the pairs") from None
