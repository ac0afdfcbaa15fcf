"""Writes a made-up class as course platforms hand it out, with its roster, its policy and the grades expected."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.files import json_text
from grader.course.testing.class_origins import PROJECT
from grader.course.testing.class_plan import (CANVAS, CUTOFF_DAYS, DUE, EXTENSION_DAYS, FILES, GRACE_DAYS, LATEST,
                                             MOODLE, PERCENT_PER_DAY, TAR, ZIP, Attempt, Member, expected_of)

SUBMISSIONS, ROSTER, POLICY, TIMES, EXPECTED, COPIES, CANARY = (
    "submissions", "roster.csv", "course.json", "times", "expected.csv", "copies.csv", "canary")
DOWNLOADED = max(DUE.values()) + timedelta(days=30)  # What Canvas and Moodle write into their archives.
CANARY_TEXT = "token-that-only-the-canary-holds\n"


def write_class(folder: Path, members: Sequence[Member], labs: Sequence[str]) -> None:
    """@throws BatchError if the folder holds something else"""
    if folder.exists() and any(folder.iterdir()) and not (folder / EXPECTED).is_file():
        raise BatchError(f"{folder}: is not empty and no class made by this; choose a new folder")
    for name in (SUBMISSIONS, TIMES):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir(parents=True)
    for member in members:
        _Writer(folder, member).write()
    for lab in labs:
        _write_times(folder / TIMES, members, lab)
    (folder / CANARY).write_text(CANARY_TEXT, encoding="ascii")
    (folder / CANARY).chmod(0o666)  # Nothing but the sandbox protects it.
    _write_table(folder / ROSTER, ["id", "name", "email"],
                 ([one.student, f"Student {one.student.upper()}", f"{one.student}@example.org"] for one in members))
    (folder / POLICY).write_text(json_text(_policy(members, labs)), encoding="utf-8")
    _write_table(folder / EXPECTED, ["student", "lab", "status", "points", "made_of", "why"],
                 ([row.student, row.lab, row.status, f"{row.points:.2f}", row.made_of, row.why]
                  for row in expected_of(members, labs)))
    _write_table(folder / COPIES, ["lab", "student", "copied_from"],
                 ([lab, one.student, source] for one in members for lab, source in one.copied.items()))


def _write_table(path: Path, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def rules_of(folder: Path) -> list[str]:
    """Options of `warpbook grade` for a class in @p folder. What no platform packed has the times of its files."""
    return ["--roster", str(folder / ROSTER), "--policy", str(folder / POLICY), "--times", "files",
            "--times", str(folder / TIMES)]


def _write_times(folder: Path, members: Sequence[Member], lab: str) -> None:
    """What Canvas and Moodle say of when files came: <lab>.json, <lab>.csv. Their archives do not."""
    timed = [(one, attempt) for one in members if one.is_timed for attempt in one.attempts.get(lab, [])]
    canvas = [{"user_id": _canvas_number(one), "attempt": attempt.number, "submitted_at": f"{attempt.at:%Y-%m-%dT%H:%M:%SZ}",
               "late": attempt.is_late} for one, attempt in timed if one.layout == CANVAS]
    (folder / f"{lab}.json").write_text(json_text(canvas), encoding="utf-8")
    _write_table(folder / f"{lab}.csv", ["Identifier", "Full name", "Status", "Last modified (submission)"],
                 ([f"Participant {_moodle_number(one)}", f"Student {one.student.upper()}", "Submitted for grading",
                   f"{attempt.at:%A, %d %B %Y, %I:%M %p}"] for one, attempt in timed if one.layout == MOODLE))


def _canvas_number(member: Member) -> int:
    return 9000 + member.number


def _moodle_number(member: Member) -> int:
    return 40000 + member.number


def _policy(members: Sequence[Member], labs: Sequence[str]) -> Mapping[str, object]:
    late = [(one.student, lab) for one in members if one.extension
            for lab, attempts in one.attempts.items() if attempts[0].days_late]
    return {
        "format": "warpbook.course", "version": 1, "course": "A class made by a script", "time_zone": "UTC",
        "defaults": {"late": {"percent_per_day": PERCENT_PER_DAY, "cutoff_days": CUTOFF_DAYS}},
        "labs": {lab: {"due": f"{DUE[lab]:%Y-%m-%dT%H:%M:%SZ}", "submission": "latest" if lab in LATEST else "best",
                       "hidden": {"tests": [f"{lab}.time.*"]}} for lab in labs},
        "grace": {"days": GRACE_DAYS},
        "extensions": [{"student": student, "lab": lab, "days": EXTENSION_DAYS, "reason": "asked for it"}
                       for student, lab in late]}


class _Writer:
    """Files of one student, in the layout that is theirs."""

    def __init__(self, folder: Path, member: Member) -> None:
        self._root = folder
        self._member = member
        self._files = [attempt for attempts in member.attempts.values() for attempt in attempts]

    def write(self) -> None:
        who = self._member.student
        if not self._files:
            if self._member.brings_a_note:
                self._put(f"{who}/readme.txt", "I forgot the file.\n", DUE["vector_add"])
            return
        if self._member.layout in (ZIP, TAR):
            moment = min(attempt.at for attempt in self._files)
            make = self._zip if self._member.layout == ZIP else self._tar
            self._put(f"{who}.{'zip' if self._member.layout == ZIP else 'tar.gz'}", make(), moment)
            return
        for attempt in self._files:
            self._put(self._name(attempt), self._text(attempt), attempt.at)

    def _name(self, attempt: Attempt) -> str:
        who, several = self._member.student, len(self._member.attempts[attempt.origin.lab]) > 1
        if self._member.layout == CANVAS:
            file = 70000 + 10 * self._member.number + sorted(self._member.attempts).index(attempt.origin.lab)
            stem, suffix = attempt.name.split(".", 1)
            late = "LATE_" if attempt.is_late else ""
            again = f"-{attempt.number - 1}" if attempt.number > 1 else ""
            return f"{who}student_{late}{_canvas_number(self._member)}_{file}_{stem}{again}.{suffix}"
        if self._member.layout == MOODLE:
            return f"Student {who.upper()}_{_moodle_number(self._member)}_assignsubmission_file_/{attempt.name}"
        if self._member.layout == FILES:
            return f"{who}_{attempt.name}"
        return f"{who}_attempt{attempt.number}/{attempt.name}" if several else f"{who}/{attempt.name}"

    def _text(self, attempt: Attempt) -> str:
        """With the paths of this class where a hostile one names them."""
        text = attempt.text
        for name, value in (("CANARY", self._root / CANARY), ("OUT", self._root / "out"), ("PROJECT", PROJECT),
                            ("OTHER", self._root / SUBMISSIONS / "s001" / "vector_add.cu"),
                            ("HOME", Path.home()), ("PORT", "9")):
            text = text.replace(f"@{name}@", str(value))
        return text

    def _put(self, name: str, contents: str | bytes, moment: datetime) -> None:
        path = self._root / SUBMISSIONS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        if self._member.layout in (CANVAS, MOODLE):
            moment = DOWNLOADED
        os.utime(path, (moment.timestamp(), moment.timestamp()))

    def _zip(self) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for attempt in self._files:
                info = zipfile.ZipInfo(f"my answers/{attempt.name}", attempt.at.timetuple()[:6])
                archive.writestr(info, self._text(attempt))
        return stream.getvalue()

    def _tar(self) -> bytes:
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w:gz") as archive:
            for attempt in self._files:
                data = self._text(attempt).encode()
                info = tarfile.TarInfo(attempt.name)
                info.size, info.mtime = len(data), int(attempt.at.timestamp())
                archive.addfile(info, io.BytesIO(data))
        return stream.getvalue()
