"""Files that may be an answer: found in one submission, then one chosen for each lab, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from grader.course.intake.labs import LabFiles, defined_functions, included_names, lab_of_contents
from grader.course.intake.names import PART_OF_NAME, lab_of_name, without_copy
from grader.course.intake.submission import NOTE, SUSPICION, Finding

SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".cuh", ".txt", "")
BY_CONTENTS, BY_FOLDER = 3, 4


@dataclass(frozen=True)
class Found:
    """Which lab a file is for, and how that was recognised: EXACT ... PART_OF_NAME, BY_CONTENTS or BY_FOLDER."""

    lab: str
    how: int
    note: str = ""


def split_name(name: str) -> tuple[str, str]:
    """Stem and suffix: 'Coalescing.CU' -> ('Coalescing', '.cu'); 'coalescing.cu.txt' -> ('coalescing', '.cu')."""
    bare, copy = without_copy(name)
    path = PurePosixPath(bare)
    stem, suffix = path.stem, path.suffix.lower()
    if suffix == ".txt" and PurePosixPath(stem).suffix.lower() in (".cu", ".cpp"):
        stem, suffix = PurePosixPath(stem).stem, PurePosixPath(stem).suffix.lower()
    return (f"{stem} ({copy})" if copy else stem), suffix


def recognise(name: str, text: str, folders: Iterable[str], labs: Mapping[str, LabFiles]) -> Found | None:
    """The lab that a file is for; None: it is for no lab.

    Its name decides, unless it defines functions of another lab and none of this one. If the name does not say: the
    functions that it defines; without these, a folder around it (innermost first) that is named like a lab.
    """
    stem, suffix = split_name(name)
    named = lab_of_name(stem, labs)
    by_contents = lab_of_contents(text, labs)
    if named:
        lab, how = named
        files = labs[lab]
        defines = files.functions & defined_functions(text)
        if by_contents and by_contents != lab and not defines and lab not in included_names(text):
            return Found(by_contents, BY_CONTENTS, f"is called like {lab}, but holds functions of {by_contents} only")
        if defines or suffix == files.suffix or (how != PART_OF_NAME and suffix in (".cu", ".cpp")):
            return Found(lab, how)
        return None
    if by_contents:
        return Found(by_contents, BY_CONTENTS)
    for folder in folders:
        hint = lab_of_name(folder, labs)
        if hint and suffix == labs[hint[0]].suffix:
            return Found(hint[0], BY_FOLDER)
    return None


@dataclass(frozen=True)
class Candidate:
    """A file that may be an answer. origin: its path for people. inner: its path inside the submission.

    time: of submission. changed: as its archive says; only for choosing between files of one submission.
    """

    lab: str
    how: int
    origin: str
    inner: tuple[str, ...]
    sha256: str
    size: int
    path: Path
    time: datetime | None
    time_source: str
    changed: datetime | None
    findings: tuple[Finding, ...] = ()

    @property
    def in_project(self) -> bool:
        """Whether it is where the project has the student's file: labs/<chapter>/<lab>/, or without the chapter."""
        return self.inner[-2:-1] == (self.lab,) and "labs" in self.inner[-4:-2]

    @property
    def in_reference(self) -> bool:
        """Whether it is where a copy of the whole project has files that are not the student's."""
        return any(part in ("solutions", "grader", "build") for part in self.inner[:-1])


_Key = Callable[[Candidate, LabFiles], object]
# Smaller is better; the first key that differs decides, and its text says why.
_RULES: tuple[tuple[str, _Key], ...] = (
    ("the other is empty", lambda file, files: file.size == 0),
    ("the other is not the student's work", lambda file, files: is_handed_out(file.sha256, files)),
    ("it lies at labs/<lab>/", lambda file, files: not file.in_project),
    ("the other lies among files that come with the labs", lambda file, files: file.in_reference),
    ("its suffix is the lab's", lambda file, files: split_name(file.inner[-1])[1] != files.suffix),
)
# Which of several copies of one file, or of several unchanged files, represents all.
_PLAINEST: _Key = lambda file, files: (file.how, len(file.inner), file.origin)  # noqa: E731


def is_handed_out(sha256: str, files: LabFiles) -> bool:
    """Whether it is a file of the project, unchanged."""
    return sha256 == files.skeleton or sha256 in files.references


@dataclass(frozen=True)
class Choice:
    """best: the file that counts; None: a person must choose among `rivals`. findings: about each other one."""

    best: Candidate | None
    findings: tuple[Finding, ...] = ()
    rivals: tuple[Candidate, ...] = ()


def choose_one(candidates: Iterable[Candidate], files: LabFiles) -> Choice:
    """Chooses, from files of one submission for one lab, the one that counts. If two differ it is the newer one, if their
    times are known; a name does not say which of two files a student meant."""

    def rank(file: Candidate) -> tuple[Any, ...]:
        return tuple(key(file, files) for _, key in _RULES)

    ranked = sorted(candidates, key=lambda file: (rank(file), _PLAINEST(file, files)))
    first = [file for file in ranked if rank(file) == rank(ranked[0])]
    distinct = {file.sha256: file for file in reversed(first)}
    best, newer = ranked[0], False
    if len(distinct) > 1 and best.size and not is_handed_out(best.sha256, files):
        times = sorted({file.changed for file in first if file.changed})
        newest = [file for file in first if times and file.changed == times[-1]]
        if any(file.changed is None for file in first) or len({file.sha256 for file in newest}) != 1:
            return Choice(None, (), tuple(sorted(distinct.values(), key=lambda file: file.origin)))
        best, newer = newest[0], True
    others = [file for file in ranked if file is not best]
    findings = [found for file in others if (found := _about_other(best, file, files, newer and file in first))]
    refused = [
        file
        for file in others
        if file.sha256 != best.sha256
        and file.size
        and not is_handed_out(file.sha256, files)
        and not (best.in_project and file.in_reference)
    ]
    if refused:
        names = ", ".join(sorted("/".join(file.inner) for file in refused)[:3])
        why = _why(best, refused[0], files, newer and refused[0] in first)
        message = f"{'/'.join(best.inner)} was graded, and not {names}, because {why}"
        findings.append(Finding(NOTE, "chosen_file", best.origin, message, lab=files.lab))
    return Choice(best, tuple(findings))


def _why(best: Candidate, other: Candidate, files: LabFiles, newer: bool) -> str:
    if newer and best.changed and other.changed:
        return f"it is newer ({best.changed:%Y-%m-%d %H:%M:%S}, the other {other.changed:%Y-%m-%d %H:%M:%S} UTC)"
    words = next((words for words, key in _RULES if key(best, files) != key(other, files)), "its name is plainer")
    return words.replace("<lab>", files.lab)


def _about_other(best: Candidate, other: Candidate, files: LabFiles, newer: bool) -> Finding | None:
    if best.in_project and other.in_reference:
        return None  # A copy of the whole project: these are not meant as answers.
    if other.sha256 == best.sha256:
        message = f"is the same file as {best.origin}; that one is graded"
        return Finding(NOTE, "identical_copy", other.origin, message, lab=files.lab)
    if other.size == 0 or is_handed_out(other.sha256, files):
        what = "is empty" if other.size == 0 else "is an unchanged file of the project"
        message = f"{what}; {best.origin} is taken for {files.lab}"
        return Finding(NOTE, "unworked_file", other.origin, message, lab=files.lab)
    why = _why(best, other, files, newer)
    message = f"is not graded: {best.origin} is taken for {files.lab}, because {why}"
    return Finding(SUSPICION, "two_candidates", other.origin, message, lab=files.lab)


def findings_about(file: Candidate, files: LabFiles) -> list[Finding]:
    """What is unusual about the file that counts."""
    found = list(file.findings)

    def add(severity: str, code: str, message: str) -> None:
        found.append(Finding(severity, code, file.origin, message, lab=files.lab))

    if file.size == 0:
        add(NOTE, "empty_file", "is empty")
    if file.sha256 == files.skeleton:
        add(NOTE, "unchanged_skeleton", "is the file as it was handed out")
    elif file.sha256 in files.references:
        add(SUSPICION, "reference_file", f"is byte for byte {files.references[file.sha256]} of the project")
    if split_name(file.inner[-1])[1] != files.suffix:
        add(NOTE, "wrong_suffix", f"is graded as {files.file}, whatever its suffix says")
    if file.how == BY_CONTENTS:
        add(NOTE, "told_by_contents", f"does not tell its lab by its name; it defines functions of {files.lab}")
    if file.how == BY_FOLDER:
        add(NOTE, "told_by_folder", f"does not tell its lab; it is taken for {files.lab}, as its folder is called")
    return found
