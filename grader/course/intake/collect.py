"""Walks through one submission and finds the files that may be answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from grader.course.intake.archives import opened
from grader.course.intake.candidates import SOURCES, Candidate, recognise, split_name
from grader.course.intake.labs import LabFiles
from grader.course.intake.limits import Budget, Limits, Refused
from grader.course.intake.names import archive_stem, is_junk, is_readable_archive, shown
from grader.course.intake.platforms import attempt_of
from grader.course.intake.store import Store
from grader.course.intake.submission import NOTE, SUSPICION, Finding
from grader.course.intake.tree import File, Findings, Folder, listed
from grader.course.text_files import binary_kind, encoding_of

MANIFEST = "warpbook_submission.json"  # what `warpbook submit` adds; nothing in it is trusted


@dataclass
class Collected:
    """The contents of one submission. events: attempt (None: not known) -> candidates. others: files that are not answers."""

    events: dict[int | None, list[Candidate]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    others: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """The current place of the walk: folders from the submission's top, archives around, time of submission if it is known."""

    inner: tuple[str, ...] = ()
    depth: int = 0
    attempt: int | None = None
    time: tuple[datetime | None, str] | None = None
    folders_are_attempts: bool = False

    def into(self, name: str) -> _Place:
        attempt = attempt_of(name)[1] if self.folders_are_attempts else None
        return replace(self, inner=(*self.inner, name), attempt=self.attempt if attempt is None else attempt)


class Collector:
    """Searches submissions, one after the other."""

    def __init__(
        self, labs: Mapping[str, LabFiles], store: Store, zone: ZoneInfo, limits: Limits, trusts_files: bool = False
    ) -> None:
        """@param trusts_files whether times of files that no student packed say when the files were handed in"""
        self._labs, self._store, self._zone, self._limits = labs, store, zone, limits
        self._trusts_files = trusts_files

    def collect(
        self,
        item: File | Folder,
        name: str,
        hint: str,
        attempt: int | None,
        time: tuple[datetime | None, str] | None,
        folders_are_attempts: bool = False,
    ) -> Collected:
        """What @p item holds.

        name: of a file, without what the platform added. hint: a lab whose folder or archive lies around, or ''.
        attempt: as the name says, or None. time: as the platform says, with its source, or None. folders_are_attempts:
        whether folders such as "attempt 2" are attempts; inside an upload they are not, or everybody made their own.
        """
        limits = self._limits
        self._into = Collected()
        self._budget = Budget(limits.student_bytes, limits.student_entries, limits.depth)
        self._sources = 0
        place = _Place((hint,) if hint else (), 0, attempt, time, folders_are_attempts and isinstance(item, Folder))
        try:
            if isinstance(item, Folder):
                self._folder(item, place)
            else:
                self._file(item, name, place)
        except Refused as refused:
            self._into.findings.add(refused.code, item.path, refused.message)
        collected = self._into
        if collected.others:
            count = f"{len(collected.others)} files are" if len(collected.others) > 1 else "1 file is"
            message = (
                f"{count} ignored, because the labs need only the file that a student edits: {listed(collected.others)}"
            )
            collected.findings.add("extra_files", item.path, message, NOTE)
        return collected

    def _folder(self, folder: Folder, place: _Place) -> None:
        for name in sorted(folder.files):
            if not is_junk(name):
                self._file(folder.files[name], name, place)
        for name in sorted(folder.folders):
            if not is_junk(name):
                self._folder(folder.folders[name], place.into(name))

    def _file(self, file: File, name: str, place: _Place) -> None:
        try:
            if archive_stem(name) is not None:
                self._archive(file, name, place)
            elif split_name(name)[1] in SOURCES:
                self._source(file, name, place)
            elif name != MANIFEST and not self._is_contract(file, name):
                self._into.others.append("/".join((*place.inner, name)))
        except Refused as refused:
            self._into.findings.add(refused.code, file.path, refused.message)

    def _archive(self, file: File, name: str, place: _Place) -> None:
        if not is_readable_archive(name):
            raise Refused("unknown_archive", "is an archive of a kind that is not read; ask for .zip or .tar.gz")
        if place.depth >= self._limits.depth:
            raise Refused("too_deep", f"lies in {place.depth} archives inside each other; it is not unpacked")
        inner = replace(place, folders_are_attempts=False).into(archive_stem(name) or name)
        time = place.time or self._time_of(file)  # When it was handed in, not when its files were written.
        with opened(file, self._budget, self._zone, self._into.findings) as folder:
            self._folder(folder, replace(inner, depth=place.depth + 1, time=time))

    def _time_of(self, file: File) -> tuple[datetime | None, str]:
        """Of a file that no student packed: its time is a submission's only where the instructor says so."""
        return (file.time, file.time_source) if self._trusts_files and file.time else (None, "none")

    def _source(self, file: File, name: str, place: _Place) -> None:
        self._sources += 1
        if self._sources > self._limits.sources:
            if self._sources == self._limits.sources + 1:
                message = f"holds more than {self._limits.sources} sources; from this one on, none is looked at"
                self._into.findings.add("too_many_sources", file.path, message)
            return
        data = file.read(self._limits.source_bytes)
        self._budget.spend(len(data))
        findings = []
        if (encoding := encoding_of(data)) not in ("", "utf-8"):
            data = data.decode(encoding).encode()
            what = f"was saved as {encoding.upper().removesuffix('-SIG')}; it was read, and graded as UTF-8. Save it as UTF-8"
            if encoding != "utf-8-sig":  # A byte order mark before UTF-8 does no harm.
                findings.append(Finding(NOTE, "converted", file.path, what))
        text = data.decode("utf-8", "replace")
        found = recognise(name, text, reversed(place.inner), self._labs)
        if found is None:
            self._into.others.append("/".join((*place.inner, name)))
            return
        findings = [replace(one, lab=found.lab) for one in findings]
        if found.note:
            findings.append(Finding(SUSPICION, "misnamed", file.path, found.note, lab=found.lab))
        if kind := binary_kind(data):
            findings.append(Finding(NOTE, "not_text", file.path, f"is not text, but {kind}", lab=found.lab))
        elif "\ufffd" in text:
            what = "holds bytes that are not UTF-8; it is compiled as it is. Save it as UTF-8"
            findings.append(Finding(NOTE, "not_text", file.path, what, lab=found.lab))
        digest, path = self._store.put(data, self._labs[found.lab].suffix)
        time, source = place.time or self._time_of(file)
        # Which of two files is newer: as the student's own archive says, or a file whose time is trusted.
        changed = file.time if place.depth or self._trusts_files else None
        self._into.events.setdefault(place.attempt, []).append(
            Candidate(
                found.lab, found.how, file.path, (*place.inner, name), digest, len(data), path, time,
                source if time else "none", changed, tuple(findings),
            )
        )  # fmt: skip

    def _is_contract(self, file: File, name: str) -> bool:
        """Whether it is a lab's contract; one that was changed is reported."""
        stem, suffix = split_name(name)
        if suffix != ".h" or stem not in self._labs:
            return False
        if file.read(self._limits.source_bytes).split() != self._labs[stem].header.split():
            message = f"{shown(name)} is not the course's; it is ignored, the course's is used"
            self._into.findings.add("changed_contract", file.path, message, NOTE)
        return True
