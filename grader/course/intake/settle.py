"""Reduces the files found in uploads to one for each student, lab and attempt, and to what a person must decide.

A student who handed something in always has a submission, or a reason why a person must decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from grader.course.intake.candidates import Candidate, choose_one, findings_about
from grader.course.intake.collect import Collected
from grader.course.intake.decisions import Decision, DecisionsError
from grader.course.intake.labs import LabFiles
from grader.course.intake.names import archive_stem, lab_of_name, shown
from grader.course.intake.people import Who
from grader.course.intake.platforms import Label
from grader.course.intake.roster import Roster
from grader.course.intake.submission import ERROR, NOTE, Finding, Submission, Undecided
from grader.course.intake.times import Row, Times, time_of

# Findings that say why something in an upload could not be looked at.
UNREAD = (
    "too_large",
    "too_many_entries",
    "too_deep",
    "too_many_sources",
    "broken_archive",
    "broken_file",
    "encrypted",
    "unknown_archive",
    "unreadable",
    "unsafe_path",
    "link",
    "device",
)
WAITS = "A person must look at it before it counts."
AT_ONCE = timedelta(minutes=15)  # Files of a whole class within this long were downloaded or copied, not handed in,
LONG_AFTER = timedelta(days=1)  # where that was so long after the due date.


@dataclass(frozen=True)
class Upload:
    """A file or folder that somebody handed in, and its contents. hint: the lab whose folder or archive is around it.
    is_empty: whether it is a folder without a file. unusual: findings of whoever listed the folder or archive around.
    """

    path: str
    label: Label
    hint: str
    collected: Collected
    is_empty: bool = False
    unusual: tuple[Finding, ...] = ()

    @property
    def found(self) -> list[Finding]:
        return [*self.collected.findings.found, *self.unusual]


@dataclass
class Settled:
    """submissions: with who handed them in. copied: lab: about when its files were copied, if their times say no more."""

    submissions: list[tuple[Who, Submission]] = field(default_factory=list)
    undecided: tuple[Undecided, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    copied: dict[str, datetime] = field(default_factory=dict)


@dataclass
class _Event:
    """One act of submitting, for one lab. attempt: None if nothing numbers it."""

    attempt: int | None
    label: Label
    candidates: list[Candidate] = field(default_factory=list)


def settle(
    uploads: Mapping[tuple[Who, str], Sequence[Upload]],
    labs: Mapping[str, LabFiles],
    only: set[str],
    times: Times,
    roster: Roster | None,
    decisions: Mapping[tuple[str, str], Decision],
    due: Mapping[str, datetime],
) -> Settled:
    """@param uploads by who and act of submitting @throws DecisionsError"""
    return _Settling(labs, only, times, roster, decisions, due).run(uploads)


class _Settling:
    def __init__(self, labs: Mapping[str, LabFiles], only: set[str], times: Times, roster: Roster | None,
                 decisions: Mapping[tuple[str, str], Decision], due: Mapping[str, datetime]) -> None:
        self._labs, self._only, self._times, self._roster = labs, only, times, roster
        self._decisions, self._due = decisions, due
        self._result = Settled()
        self._waiting: dict[tuple[str, str], str] = {}  # (student, lab): reason
        self._found: dict[tuple[Who, str], dict[tuple[str, int | None], _Event]] = {}

    def run(self, uploads: Mapping[tuple[Who, str], Sequence[Upload]]) -> Settled:
        for (who, event), several in uploads.items():
            for upload in several:
                self._sort(who, event, upload)
        with_work = {
            (who, event.rpartition("/")[0])
            for (who, event), several in uploads.items()
            if any(upload.collected.events for upload in several)
        }
        for (who, event), several in uploads.items():
            self._account_for(who, several, (who, event.rpartition("/")[0]) in with_work)
        for key, decision in self._decisions.items():
            if key[1] in self._only:
                self._decide(decision)
        for (who, lab), events in self._found.items():
            if (who.student, lab) not in self._decisions:
                self._submit(who, lab, list(events.values()))
        self._distrust_copies()
        graded = {(one.student, one.lab) for who, one in self._result.submissions if who.listed}
        nothing = {key for key, decision in self._decisions.items() if decision.is_nothing}
        self._result.undecided = tuple(
            sorted(
                Undecided(student, lab, reason)
                for (student, lab), reason in self._waiting.items()
                if (student, lab) not in graded | nothing
            )
        )
        self._result.submissions.sort(key=lambda pair: (pair[1].student, pair[1].lab, pair[1].attempt))
        return self._result

    def _note(self, severity: str, code: str, path: str, message: str, student: str = "", lab: str = "") -> None:
        self._result.findings.append(Finding(severity, code, path, message, student, lab))

    def _sort(self, who: Who, event: str, upload: Upload) -> None:
        for attempt, candidates in upload.collected.events.items():
            for candidate in candidates:
                if candidate.lab in self._only:
                    events = self._found.setdefault((who, candidate.lab), {})
                    events.setdefault((event, attempt), _Event(attempt, upload.label)).candidates.append(candidate)

    # ---- Uploads that are not a submission

    def _account_for(self, who: Who, uploads: Sequence[Upload], has_other_work: bool) -> None:
        """Notes what came in one act of submitting and cannot be graded, for whoever it may be of. has_other_work: whether
        files of labs came beside it, so that a note among them is nothing to decide on."""
        with_file = {one.lab for upload in uploads for several in upload.collected.events.values() for one in several}
        if who.perhaps:
            for lab in (with_file or {self._told_lab(uploads)}) & (self._only | {""}):
                for student in who.perhaps:
                    self._wait(student, lab, "A file was handed in under a name that fits you and somebody else.")
            return
        if (
            not with_file
            and has_other_work
            and not any(found.code in UNREAD for upload in uploads for found in upload.found)
        ):
            return
        if not with_file:
            path = uploads[0].path
            message = "holds no file of any lab; a lab's file is recognised by its name or by the functions in it"
            self._note(ERROR, "nothing_found", path, message, who.student)
            if all(upload.is_empty and not upload.unusual for upload in uploads):
                return
            self._wait(who.student, self._told_lab(uploads), self._why_nothing(uploads))
            return
        for upload in uploads:
            if upload.hint in self._only and upload.hint not in with_file:
                self._wait(who.student, upload.hint, "What was handed in holds no file of this lab.")
            for found in upload.found:
                lab = self._lab_of_path(found.path) if found.code in UNREAD else ""
                if lab in self._only and lab not in with_file:
                    self._wait(who.student, lab, _sentence(found))

    def _wait(self, student: str, lab: str, reason: str) -> None:
        if lab in self._only or not lab:
            self._waiting.setdefault((student, lab), f"{reason} {WAITS}")

    def _told_lab(self, uploads: Sequence[Upload]) -> str:
        """The lab that was meant; '' if that is not known."""
        for upload in uploads:
            named = self._lab_of_path(upload.label.file or upload.path)
            told = [upload.hint, named, *(self._lab_of_path(found.path) for found in upload.found)]
            if lab := next(filter(None, told), ""):
                return lab
        return ""

    def _lab_of_path(self, path: str) -> str:
        name = path.rpartition("/")[2]
        told = lab_of_name(archive_stem(name) or name.rpartition(".")[0] or name, self._labs)
        return told[0] if told else ""

    def _why_nothing(self, uploads: Sequence[Upload]) -> str:
        found = [one for upload in uploads for one in upload.found if one.code in UNREAD]
        if found:
            return _sentence(min(found, key=lambda one: UNREAD.index(one.code)))
        if all(upload.label.file in ("link.html", "text.html") for upload in uploads):
            return "A link or a text was handed in, and no file."
        return "What was handed in holds no file of a lab."

    # ---- Submissions

    def _decide(self, decision: Decision) -> None:
        """A person has decided which file counts, whoever it seemed to belong to."""
        if decision.is_nothing:
            return None
        known: list[str] = []
        for (who, lab), events in self._found.items():
            for event in events.values() if lab == decision.lab else ():
                for candidate in event.candidates:
                    if candidate.origin == decision.what:
                        return self._submit_decided(decision, _Event(None, event.label, [candidate]))
                    if decision.student in (who.student, *who.perhaps):
                        known.append(candidate.origin)
        told = f"there are: {', '.join(sorted(known)[:5])}" if known else "none was found; paths are as in findings.csv"
        raise DecisionsError(
            f"{decision.place}: '{shown(decision.what)}' is not a file of {decision.student} for {decision.lab}; {told}"
        )

    def _submit_decided(self, decision: Decision, one: _Event) -> None:
        self._note(NOTE, "decided", decision.what, "is graded, as --decisions says", decision.student, decision.lab)
        self._submit(Who(decision.student, True), decision.lab, [one])

    def _submit(self, who: Who, lab: str, events: list[_Event]) -> None:
        files = self._labs[lab]
        rows = self._times.of(who.student, events[0].label.number, lab, self._roster)
        chosen: list[tuple[_Event, Candidate, list[Finding], Candidate]] = []
        for event in events:
            choice = choose_one(event.candidates, files)
            if choice.best is None:
                self._ask(who, lab, choice.rivals)
                return
            timed = self._timed(choice.best, rows, event.attempt, len(events))
            chosen.append((event, timed, [*findings_about(choice.best, files), *choice.findings], choice.best))
        if self._has_no_order(chosen):
            distinct = {best.sha256: best for _, _, _, best in reversed(chosen)}
            if len(distinct) > 1:
                self._ask(who, lab, sorted(distinct.values(), key=lambda one: one.origin))
                return
            chosen = chosen[:1]
        chosen.sort(key=lambda entry: _order(entry[0].attempt, entry[1]))
        numbers = _numbers([event.attempt for event, *_ in chosen])
        for number, (event, best, found, _) in zip(numbers, chosen):
            marked = best.time is None and bool(event.label.late)
            if marked:
                message = (
                    "is marked LATE by Canvas, by how much nobody knows: it counts as 1 day late, unless an extension gives "
                    "more time, or there is no due date"
                )
                found.append(Finding(NOTE, "late_mark", best.origin, message, lab=lab))
            submission = Submission(
                who.student, lab, best.path, best.sha256, best.time, number, best.origin,
                tuple(replace(one, student=who.student, lab=lab) for one in found), best.time_source, marked,
            )  # fmt: skip
            self._result.submissions.append((who, submission))

    def _timed(self, best: Candidate, rows: Sequence[Row], attempt: int | None, events: int) -> Candidate:
        """The submission with its stated time, if there is one."""
        at = time_of(rows, attempt, events)
        if at is None:
            return best
        return replace(best, time=at, time_source="list")

    def _has_no_order(self, chosen: Sequence[tuple[_Event, Candidate, list[Finding], Candidate]]) -> bool:
        """Whether several files came, and neither a number nor a time says which one was the last."""
        if len(chosen) < 2:
            return False
        if len({1 if event.attempt is None else event.attempt for event, *_ in chosen}) == len(chosen):
            return False
        times = [best.time for _, best, _, _ in chosen]
        return None in times or len(set(times)) < len(times)

    def _ask(self, who: Who, lab: str, rivals: Sequence[Candidate]) -> None:
        """Two files, and nothing says which one counts."""
        names = " and ".join(sorted(one.inner[-1] for one in rivals)[:3])
        for one in rivals:
            others = ", ".join(other.origin for other in rivals if other is not one)
            message = (
                f"may be the answer to {lab}, and so may {others}: nothing says which is newer. Neither is graded until you "
                "say which one counts, with --decisions (docs/course.md)"
            )
            self._note(ERROR, "two_files", one.origin, message, who.student, lab)
        if who.listed:
            self._wait(
                who.student, lab, f"Two files were handed in that differ, and nothing says which is newer: {names}."
            )

    def _distrust_copies(self) -> None:
        """Times of files, or of a list, that are all the same and long after the due date are not of submission."""
        for source, least in ((("archive", "mtime"), 2), (("list",), 3)):
            for lab, due in self._due.items():
                at = [
                    i
                    for i, (who, one) in enumerate(self._result.submissions)
                    if one.lab == lab and one.time_source in source and one.submitted_at
                ]
                times = [time for i in at if (time := self._result.submissions[i][1].submitted_at)]
                people = {self._result.submissions[i][1].student for i in at}
                if len(people) < least or max(times) - min(times) > AT_ONCE or min(times) - due < LONG_AFTER:
                    continue
                self._result.copied[lab] = min(times).astimezone(timezone.utc)
                for i in at:
                    who, one = self._result.submissions[i]
                    self._result.submissions[i] = who, replace(one, submitted_at=None, time_source="none")


def _sentence(found: Finding) -> str:
    """Of a finding, for the student whose upload it is about: the name of what was handed in, and what is wrong."""
    name, message = found.path.rpartition("/")[2], found.message[:300].rstrip(".")
    goes_on = message.split(" ", 1)[0] in ("is", "has", "holds", "lies", "unpacks", "cannot", "needs")
    return f"{name}{' ' if goes_on else ': '}{message}."


def _order(attempt: int | None, best: Candidate) -> tuple[Any, ...]:
    """Numbered attempts by number; one without a number is the first (Canvas numbers from the second on)."""
    time = best.time.timestamp() if isinstance(best.time, datetime) else 0.0
    natural = [int(part) if part.isdigit() else part for part in re.split(r"([0-9]+)", best.origin)]
    return (1 if attempt is None else attempt, time, natural)


def _numbers(given: list[int | None]) -> list[int]:
    """Increasing attempt numbers: the given ones if possible, else the next."""
    result: list[int] = []
    for number in given:
        least = result[-1] + 1 if result else 1
        result.append(max(least, number or least))
    return result
