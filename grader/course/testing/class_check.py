"""Compares the gradebook of a made-up class with what is expected of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Similarity
from grader.course.testing.class_folder import CANARY, CANARY_TEXT, COPIES


def _table(path: Path) -> list[dict[str, str]]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise BatchError(f"{path}: cannot be read ({error.strerror}); class_of make writes it") from None


def check(out: Path, expected: Path) -> list[str]:
    """@returns what differs, a line each; nothing if all is as expected. @throws BatchError"""
    rows = _table(expected)
    with Gradebook.open(out / FILE_NAME) as book:
        grades = {(row.student, row.lab): row for row in book.read(Grade)}
        pairs = book.read(Similarity)
    problems = list(_differences(rows, grades))
    problems += _accusations(rows, pairs, _table(expected.with_name(COPIES)))
    canary = expected.with_name(CANARY)
    if not canary.is_file() or canary.read_text(encoding="utf-8", errors="replace") != CANARY_TEXT:
        problems.append(f"{canary}: was changed: something escaped from the sandbox")
    if not any((out / "results").glob("*/results.json")):
        problems.append("no student has a results.json")
    students = len({row["student"] for row in rows})
    print(f"{len(rows)} grades of {students} students and {len(pairs)} pairs of answers alike were looked at.")
    return problems


def _differences(rows: list[dict[str, str]], grades: dict[tuple[str, str], Grade]) -> Iterator[str]:
    wanted = {(row["student"], row["lab"]) for row in rows}
    for student, lab in sorted(grades.keys() - wanted):
        yield f"{student} {lab}: has a grade that nobody expects"
    for row in rows:
        grade = grades.get((row["student"], row["lab"]))
        what = f"{row['student']} {row['lab']} ({', '.join(filter(None, [row['made_of'], row['why']]))})"
        if grade is None:
            yield f"{what}: has no grade"
        elif (grade.status, f"{grade.points:.2f}") != (row["status"], row["points"]):
            yield (f"{what}: is {grade.status} with {grade.points:.2f} points, not {row['status']} with "
                   f"{row['points']}: {grade.reason}")
        elif not grade.reason and grade.points != grade.max_points:
            yield f"{what}: no reason is given"


def _accusations(rows: list[dict[str, str]], pairs: list[Similarity], copies: list[dict[str, str]]) -> Iterator[str]:
    """Pairs that are listed and are of different origin, and copies that are not listed."""
    made_of = {(row["student"], row["lab"]): row["made_of"] for row in rows}
    listed = {(pair.lab, frozenset((pair.a, pair.b))): pair for pair in pairs}
    for pair in pairs:
        mine, other = made_of.get((pair.a, pair.lab), ""), made_of.get((pair.b, pair.lab), "")
        if mine != other:
            yield f"{pair.a} and {pair.b} {pair.lab}: {mine} and {other} are called alike, with {pair.score}"
    for copy in copies:
        if (copy["lab"], frozenset((copy["student"], copy["copied_from"]))) not in listed:
            yield f"{copy['student']} {copy['lab']}: copied from {copy['copied_from']}, and is not listed"
