"""Walks through one submission and finds the files that may be answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from grader.batch.intake.archives import opened
from grader.batch.intake.candidates import SOURCES, Candidate, recognise, split_name
from grader.batch.intake.labs import LabFiles
from grader.batch.intake.limits import Budget, Limits, Refused
from grader.batch.intake.names import archive_stem, is_junk, is_readable_archive, shown
from grader.batch.intake.platforms import attempt_of
from grader.batch.intake.store import Store
from grader.batch.intake.submission import NOTE, SUSPICION, Finding
from grader.batch.intake.tree import File, Findings, Folder, listed

MANIFEST = "warpbook_submission.json"  # what `warpbook submit` adds; nothing in it is trusted


@dataclass
class Collected:
    """What one submission held. events: attempt (None: not told) -> candidates. others: files that are no answers."""

    events: dict[int | None, list[Candidate]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    others: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """Where the walk is: folders from the submission's top, archives around, time of submission if that is settled."""

    inner: tuple[str, ...] = ()
    depth: int = 0
    attempt: int | None = None
    time: tuple[datetime | None, str] | None = None

    def into(self, name: str) -> _Place:
        attempt = attempt_of(name)[1]
        return _Place((*self.inner, name), self.depth, self.attempt if attempt is None else attempt, self.time)


class Collector:
    """Looks through submissions, one after the other."""

    def __init__(self, labs: Mapping[str, LabFiles], store: Store, zone: ZoneInfo, limits: Limits) -> None:
        self._labs, self._store, self._zone, self._limits = labs, store, zone, limits

    def collect(
        self, item: File | Folder, name: str, hint: str, attempt: int | None, time: tuple[datetime | None, str] | None
    ) -> Collected:
        """What @p item holds.

        name: of a file, without what the platform added. hint: a lab whose folder or archive lies around, or ''.
        attempt: as the name says, or None. time: as the platform says, with its source, or None.
        """
        limits = self._limits
        self._into = Collected()
        self._budget = Budget(limits.student_bytes, limits.student_entries, limits.depth)
        self._sources = 0
        place = _Place((hint,) if hint else (), 0, attempt, time)
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
        inner = place.into(archive_stem(name) or name)
        time = place.time or (file.time, file.time_source)  # When it was handed in, not when its files were written.
        with opened(file, self._budget, self._zone, self._into.findings) as folder:
            self._folder(folder, _Place(inner.inner, place.depth + 1, inner.attempt, time))

    def _source(self, file: File, name: str, place: _Place) -> None:
        self._sources += 1
        if self._sources > self._limits.sources:
            if self._sources == self._limits.sources + 1:
                message = f"holds more than {self._limits.sources} sources; from this one on, none is looked at"
                self._into.findings.add("too_many_sources", file.path, message)
            return
        data = file.read(self._limits.source_bytes)
        self._budget.spend(len(data))
        text = data.decode("utf-8", "replace")
        found = recognise(name, text, reversed(place.inner), self._labs)
        if found is None:
            self._into.others.append("/".join((*place.inner, name)))
            return
        findings = []
        if found.note:
            findings.append(Finding(SUSPICION, "misnamed", file.path, found.note, lab=found.lab))
        if b"\0" in data or "\ufffd" in text:
            what = "holds bytes that are no UTF-8 text; it is compiled as it is"
            findings.append(Finding(NOTE, "not_text", file.path, what, lab=found.lab))
        digest, path = self._store.put(data, self._labs[found.lab].suffix)
        time, source = place.time or (file.time, file.time_source)
        self._into.events.setdefault(place.attempt, []).append(
            Candidate(
                found.lab, found.how, file.path, (*place.inner, name), digest, len(data), path, time,
                source if time else "none", file.time, tuple(findings),
            )  # fmt: skip
        )

    def _is_contract(self, file: File, name: str) -> bool:
        """Whether it is a lab's contract; one that was changed is reported."""
        stem, suffix = split_name(name)
        if suffix != ".h" or stem not in self._labs:
            return False
        if file.read(self._limits.source_bytes).split() != self._labs[stem].header.split():
            message = f"{shown(name)} is not the course's; it is ignored, the course's is used"
            self._into.findings.add("changed_contract", file.path, message, NOTE)
        return True
