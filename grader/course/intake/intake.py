"""From a folder or archive, as it comes from a course platform, to submissions of students for labs."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.course.errors import BatchError
from grader.course.intake.archives import opened
from grader.course.intake.collect import Collector
from grader.course.intake.decisions import Decision
from grader.course.intake.labs import LabFiles
from grader.course.intake.limits import Budget, Limits, Refused
from grader.course.intake.names import EXACT, SAME_LETTERS, archive_stem, is_junk, is_readable_archive, lab_of_name, shown
from grader.course.intake.people import People, Who
from grader.course.intake.platforms import GRADESCOPE, METADATA, PLAIN, Label, Submitted, attempt_of, label_of, read_metadata
from grader.course.intake.roster import Roster
from grader.course.intake.settle import Settled, Upload, settle
from grader.course.intake.store import Store
from grader.course.intake.submission import NOTE, Finding, Intake, Student, Submission
from grader.course.intake.times import Times
from grader.course.intake.tree import File, Findings, Folder, disk_file, disk_folder

MAX_METADATA = 64 * 2**20
_MAX_LAYERS = 8  # folders and archives around the submissions


class IntakeError(BatchError):
    """There is nothing to read."""


def take_in(
    source: Path,
    files: Path,
    labs: Mapping[str, LabFiles],
    roster: Roster | None = None,
    zone: ZoneInfo = ZoneInfo("UTC"),
    limits: Limits = Limits(),
    only: Iterable[str] | None = None,
    times: Times = Times(),
    decisions: Mapping[tuple[str, str], Decision] = {},
    due: Mapping[str, datetime] = {},
) -> Intake:
    """Everything handed in below @p source, a folder or an archive.

    files: folder for the copies, OUT/files; OUT itself may be inside @p source, and is skipped. labs: from load_labs().
    roster: without one, students are called as their folders, archives or logins are. zone: of times that come without
    one (zip archives). only: labs to read; files of others are skipped. times: of submission, as somebody states
    them. decisions: by student and lab, of a person. due: when labs are due: all files of about one later moment were
    downloaded or copied then.
    @throws IntakeError if @p source itself cannot be read, or no submission is in it
    @throws DecisionsError if a decision names a file that is not there
    """
    return _Intake(files, labs, roster, zone, limits, only, times, decisions, due).run(source)


class _Intake:
    def __init__(self, files: Path, labs: Mapping[str, LabFiles], roster: Roster | None, zone: ZoneInfo, limits: Limits,
                 only: Iterable[str] | None, times: Times, decisions: Mapping[tuple[str, str], Decision],
                 due: Mapping[str, datetime]) -> None:
        self._labs, self._roster, self._zone, self._limits = labs, roster, zone, limits
        self._only = set(labs if only is None else only)
        self._times, self._decisions, self._due = times, decisions, due
        self._store = Store(files)
        self._collector = Collector(labs, self._store, zone, limits, times.files)
        self._findings = Findings()
        self._uploads: dict[tuple[Who, str], list[Upload]] = {}  # by who and the act of submitting
        self._placed: list[Finding] = []
        self._kept: dict[str, list[Finding]] = {}  # path of an archive around submissions: what is unusual in it
        self._owners: dict[str, str] = {}  # path of a submission: student
        self._unusual: dict[str, list[Finding]] = {}  # path of a submission: what is unusual in it
        self._people = People(labs, roster, self._note)

    def run(self, source: Path) -> Intake:
        with ExitStack() as stack:
            root = self._open_root(source, stack)
            self._visit(root, "", 0, stack)
        if not self._uploads:
            wanted = "give the folder or archive that has a folder, an archive or a file for each student"
            raise IntakeError(f"{source}: holds no submissions; {wanted}")
        for found in self._findings.found:  # Links and the like, found while listing the folder.
            self._unusual.setdefault(self._owned_path(found.path), []).append(found)
        uploads = {
            key: [replace(upload, unusual=tuple(self._unusual.get(upload.path, ()))) for upload in several]
            for key, several in self._uploads.items()
        }
        settled = settle(uploads, self._labs, self._only, self._times, self._roster, self._decisions, self._due)
        self._placed += settled.findings
        self._store.drop_all_but({submission.path for _, submission in settled.submissions})
        taken = tuple(submission for who, submission in settled.submissions if who.listed)
        unlisted = tuple(submission for who, submission in settled.submissions if not who.listed)
        self._note_times(root.path, taken, settled)
        if self._roster:
            students = self._roster.students
        else:
            students = tuple(Student(name) for name in sorted({who.student for who, _ in self._uploads}))
        with_work = {submission.student for submission in taken}
        return Intake(
            taken,
            unlisted,
            students,
            tuple(student.student for student in students if student.student not in with_work),
            tuple(sorted({*map(self._attributed, self._findings.found), *self._placed})),
            settled.undecided,
        )

    def _note_times(self, path: str, taken: Iterable[Submission], settled: Settled) -> None:
        """Says once where times come from, if they are not certain."""
        sources = [submission.time_source for submission in taken]
        if count := sum(source in ("archive", "mtime") for source in sources):
            message = f"the times of {_files(count)} are those of the files, as --times files says; copying changes such times"
            self._note(NOTE, "times_from_disk", path, message)
        for lab, moment in sorted(settled.copied.items()):
            message = (
                f"all files for {lab} are of about {moment:%Y-%m-%d %H:%M} UTC, long after the due date: that is when they "
                "were downloaded or copied, and nobody is called late for it. Give the times of submission: --times "
                "FILE.csv (docs/course.md)"
            )
            self._note(NOTE, "copied_times", path, message, "", lab)
        if count := sources.count("none"):
            marked = sum(submission.marked_late for submission in taken)
            late = f", but for {marked} that Canvas marks LATE, by how much nobody knows: 1 day" if marked else ""
            message = (
                f"of {_files(count)} nothing states the time of submission; nobody is called late for them{late}. The times "
                "in archives of Canvas and Moodle are those of the download. Give a list of submissions: --times "
                "FILE.csv (docs/course.md)"
            )
            self._note(NOTE, "no_time", path, message)

    def _attributed(self, found: Finding) -> Finding:
        """A finding of the walk down, with the student whose submission it is in."""
        path = self._owned_path(found.path)
        return replace(found, student=self._owners[path]) if path else found

    def _owned_path(self, path: str) -> str:
        """Of the submission that @p path is in; '' if it is in none."""
        while path and path not in self._owners:
            path = path.rpartition("/")[0]
        return path

    # ---- From the top down to what belongs to one student

    def _open_root(self, source: Path, stack: ExitStack) -> Folder:
        name = shown(source.name or str(source))
        try:
            status = os.stat(source)
            if stat.S_ISDIR(status.st_mode):
                return disk_folder(source, name, self._findings, self._limits.class_entries, self._store.folder.parent)
            file = disk_file(source.resolve(), name, status)
            if not stat.S_ISREG(status.st_mode) or archive_stem(source.name) is None:
                raise Refused("", "is neither a folder nor an archive (.zip, .tar, .tar.gz, .tar.bz2)")
            return self._enter(file, stack)
        except OSError as error:
            raise IntakeError(f"{source}: cannot be read ({error.strerror}); give the folder of submissions") from None
        except Refused as refused:
            raise IntakeError(f"{source}: {refused.message}") from None

    def _enter(self, file: File, stack: ExitStack) -> Folder:
        """An archive around submissions. @throws Refused"""
        if not is_readable_archive(file.name):
            raise Refused("unknown_archive", "is an archive of a kind that is not read; use .zip or .tar.gz")
        budget = Budget(self._limits.class_bytes, self._limits.class_entries, _MAX_LAYERS)
        return stack.enter_context(opened(file, budget, self._zone, self._findings))

    def _visit(self, folder: Folder, hint: str, layer: int, stack: ExitStack) -> None:
        """A folder (or the inside of an archive) whose entries belong to students, or lead to such folders."""
        names = [name for name in folder.all_names() if not is_junk(name)]
        metadata = self._metadata(folder)
        loose: list[str] = []
        for name in names:
            if name == METADATA:
                continue
            both: tuple[File | Folder | None, ...] = (folder.files.get(name), folder.folders.get(name))
            for item in (one for one in both if one is not None):
                self._visit_entry(folder, item, hint, layer, len(names) == 1, metadata, loose, stack)
        if loose:
            rest = Folder(folder.name, folder.path, {name: folder.files[name] for name in loose})
            stem = archive_stem(folder.name) or folder.name
            self._take(rest, "", Label(PLAIN, stem), hint, {})

    def _visit_entry(self, folder: Folder, item: File | Folder, hint: str, layer: int, alone: bool,
                     metadata: Mapping[str, Submitted], loose: list[str], stack: ExitStack) -> None:
        name = item.name
        stem = name if isinstance(item, Folder) else archive_stem(name)
        if label := label_of(name):
            self._take(item, label.file or name, label, hint, metadata)
            return
        if stem is None:  # A file that is no archive: named after a student, or part of the folder's own submission.
            who = self._people.of_file(name)
            if who:
                self._take(item, name, Label(PLAIN, who), hint, metadata)
            else:
                loose.append(name)
            return
        bare, attempt = attempt_of(stem)
        lab = lab_of_name(stem, self._labs)
        if not (self._roster and (self._roster.find(stem) or self._roster.find(bare))) and layer < _MAX_LAYERS:
            names_lab = lab is not None and lab[1] <= SAME_LETTERS
            inside = self._look_inside(item, stack, names_lab or alone)
            if inside is not None and (names_lab or self._holds_students(inside, alone)):
                if names_lab and self._is_answer(inside):
                    self._findings.found += self._kept.get(item.path, [])
                    loose_folder = Folder(folder.name, folder.path, {}, {name: inside})
                    self._take(loose_folder, "", Label(PLAIN, archive_stem(folder.name) or folder.name), hint, metadata)
                else:
                    self._findings.found += self._kept.get(item.path, [])
                    self._visit(inside, lab[0] if lab and names_lab else hint, layer + 1, stack)
                return
        if lab and self._roster is None and lab[1] == EXACT and isinstance(item, File):
            loose.append(name)
            return
        self._take(item, name, Label(PLAIN, bare.strip(" _-") or stem, attempt=attempt), hint, metadata)

    def _look_inside(self, item: File | Folder, stack: ExitStack, wanted: bool) -> Folder | None:
        """The entries of a folder; of an archive only if it may be one around submissions."""
        if isinstance(item, Folder):
            return item
        limits = self._limits
        try:
            found = Findings()
            budget = Budget(limits.student_bytes, limits.student_entries, _MAX_LAYERS)
            if wanted:
                budget = Budget(limits.class_bytes, limits.class_entries, _MAX_LAYERS)
            if not is_readable_archive(item.name):
                return None
            with ExitStack() as own:
                inside = own.enter_context(opened(item, budget, self._zone, found))
                if wanted or self._holds_students(inside, False):
                    stack.push(own.pop_all())
                    self._kept[item.path] = found.found
                    return inside
        except Refused:  # It is reported when it is read as a submission.
            pass
        return None

    def _holds_students(self, folder: Folder, alone: bool) -> bool:
        """Whether the entries of @p folder belong to different students. alone: nothing lies beside it."""
        names = [name for name in folder.all_names() if not is_junk(name)]
        labels = [label for name in names if name != METADATA and (label := label_of(name))]
        if METADATA in folder.files and labels:
            return True
        # One file called like a platform's is no reason to think that a student's folder is everybody's.
        people = {label.who for label in labels}
        known = self._roster is not None and any(self._roster.find(who) for who in people)
        if labels and len(labels) == len(names) and (alone or known or len(people) > 1):
            return True
        stems = [stem for name in names if (stem := name if name in folder.folders else archive_stem(name))]
        if self._roster:
            bare = [part for stem in stems for part in (stem, attempt_of(stem)[0])]
            if any(self._roster.find(stem) for stem in bare):
                return True
        if not alone or len(stems) != len(names):
            return False
        if len(names) == 1 and names[0] in folder.folders:
            return self._holds_students(folder.folders[names[0]], True)
        labs = any(lab_of_name(stem, self._labs) for stem in stems)
        own = any(attempt_of(stem)[1] is not None for stem in stems) or "labs" in stems or "src" in stems
        return len(stems) > 1 and not labs and not own

    def _is_answer(self, folder: Folder) -> bool:
        """Whether a folder called like a lab holds that lab's answer itself, and no folders of students."""
        return not folder.folders and not any(
            label_of(name) or archive_stem(name) or self._people.of_file(name) for name in folder.files
        )

    # ---- One submission

    def _metadata(self, folder: Folder) -> dict[str, Submitted]:
        file = folder.files.get(METADATA)
        if file is None:
            return {}
        try:
            return read_metadata(file.read(MAX_METADATA))
        except Refused as refused:
            self._findings.add(refused.code, file.path, refused.message)
            return {}

    def _take(self, item: File | Folder, name: str, label: Label, hint: str, metadata: Mapping[str, Submitted]) -> None:
        """All labs of one submission, for everybody who handed it in."""
        submitted = metadata.get(label.who) or metadata.get(item.name) if label.platform == GRADESCOPE else None
        time: tuple[datetime | None, str] | None = (submitted.at, "platform") if submitted and submitted.at else None
        if label.platform != PLAIN and time is None:
            time = (None, "none")  # Times in platforms' archives are those of the download.
        collected = self._collector.collect(item, name, hint, label.attempt, time, label.platform == PLAIN)
        event = f"{item.path.rpartition('/')[0]}/{label.event or item.name}"
        for who in self._people.of_submission(item.path, item.name, label, submitted):
            self._owners.setdefault(item.path, who.student)
            self._placed += [replace(found, student=who.student) for found in collected.findings.found]
            upload = Upload(item.path, label, hint, collected, _is_empty(item))
            self._uploads.setdefault((who, event), []).append(upload)

    def _note(self, severity: str, code: str, path: str, message: str, student: str = "", lab: str = "") -> None:
        self._placed.append(Finding(severity, code, path, message, student, lab))


def _is_empty(item: File | Folder) -> bool:
    """Whether it is a folder without any file: nothing was handed in."""
    return isinstance(item, Folder) and all(is_junk(name) for folder in item.walk() for name in folder.files)


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
