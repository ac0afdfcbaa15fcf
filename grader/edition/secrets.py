"""What an edition must not contain: words and lines that occur only in answers, or only in hidden tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from grader.course.labs import Lab
from grader.edition.handouts import PAGES, skeleton_of
from grader.edition.visible_tests import cut_tests, source_of
from grader.workbook.answers import FOLDERS, SOLUTION, answers_of
from grader.workbook.places import place_of

_WORD = re.compile(r"[A-Za-z_]\w+")
_NAME = re.compile(r"\w*(_|\d|[a-z][A-Z])\w*$")  # Plain English words are not secret.
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_LEAST_WORD, _LEAST_LINE, _LEAST_STRING = 10, 24, 20
# Names that come with CUDA and the language are not secret.
_COMMON = re.compile(r"(cuda|cu[A-Z]|_|nv|std|cooperative)\w*$")
OF_CLASSES = Path("grader/report/known_findings.json")  # For reports of a class: it names wrong answers.
_TEXTS = {".py", ".cpp", ".h", ".cu", ".cuh", ".md", ".json", ".cmake", ".txt", ".sh"}


@dataclass
class Secrets:
    """Bytes that must not occur anywhere, each with where they come from."""

    whose: dict[bytes, str] = field(default_factory=dict)

    def add(self, text: str, whose: str) -> None:
        self.whose.setdefault(text.encode(), whose)


def secrets_of(project: Path, labs: Sequence[Lab], hidden: dict[str, frozenset[str]]) -> Secrets:
    """Names of answers; words and lines of their code that occur nowhere else in what is published; for hidden tests, which share
    a file with others, sentences and messages that the others do not have.

    Solutions of worked examples are handed out, so they are not secret.
    """
    secrets = Secrets()
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in _public(project)}
    for lab in labs:
        texts[skeleton_of(lab)] = skeleton_of(lab).read_text(encoding="utf-8")
        texts |= {path: cut_tests(texts[path], hidden[lab.name])[0] for path in [source_of(lab)] if lab.name in hidden}
    public = "\n".join(_spaced(line) for text in texts.values() for line in text.splitlines())
    is_public = cache(public.__contains__)  # Answers of a lab have most of their words and lines in common.
    for lab in labs:
        for name in hidden.get(lab.name, ()):
            secrets.add(name.split(".", 1)[1], f"the hidden test {lab.name}.{name}")
        if lab.name in hidden:
            for text in cut_tests(source_of(lab).read_text(encoding="utf-8"), hidden[lab.name])[1]:
                for found in _STRING.findall(text):
                    if len(found) >= _LEAST_STRING and not is_public(found):
                        secrets.add(found, f"a hidden test of {lab.name}")
        _add_answers(secrets, project, lab, is_public)
    return secrets


def _add_answers(secrets: Secrets, project: Path, lab: Lab, is_public: Callable[[str], bool]) -> None:
    for answer in answers_of(place_of(lab.name, project)):
        if answer.kind == SOLUTION and lab.json.get("worked_example"):
            continue
        whose = f"{answer.title} of {lab.name}"
        if answer.kind != SOLUTION and not is_public(answer.name):
            secrets.add(answer.name, f"the name of {whose}")
        for word in set(_WORD.findall(answer.text)):
            if len(word) >= _LEAST_WORD and _NAME.match(word) and not _COMMON.match(word) and not is_public(word):
                secrets.add(word, whose)
        for line in {_spaced(line) for line in answer.text.splitlines()}:
            if len(line) >= _LEAST_LINE and not is_public(line):
                secrets.add(line, whose)


def _spaced(line: str) -> str:
    """With single spaces."""
    return " ".join(line.split())


def _public(project: Path) -> Iterator[Path]:
    """All texts of the project that are published, or from which published files are built."""
    yield from (project / "docs" / name for name in PAGES)
    for top in ("labs", "common", "grader"):
        for path in sorted((project / top).rglob("*")):
            if path.suffix in _TEXTS and path.is_file() and not _is_kept(path.relative_to(project)):
                yield path


def _is_kept(path: Path) -> bool:
    """An answer, or a test of the project itself. The file that students edit counts as an answer: it may be filled in."""
    if path == OF_CLASSES:
        return True
    if path.parts[0] == "labs":
        return path.suffix in (".cu", ".cpp")
    if path.name.endswith(("_test.py", ".test.cpp")) or {"testing", "testdata"} & {*path.parts}:
        return path.parts[:2] != ("grader", "labs")
    return path.parts[:2] == ("grader", "labs") and any(part in FOLDERS.values() for part in path.parts)
