"""Who a submission belongs to: by roster, by the platform's data, or by names of folders and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.course.intake.names import shown, tokens
from grader.course.intake.platforms import CANVAS, GRADESCOPE, PLAIN, Label, Submitted
from grader.course.intake.roster import Roster
from grader.course.intake.submission import ERROR, SUSPICION


@dataclass(frozen=True)
class Who:
    """A student by id if known, else by what was found. listed: whether the roster has this student. perhaps: those
    of the roster whom the name fits, if it fits several."""

    student: str
    listed: bool
    perhaps: tuple[str, ...] = ()


class People:
    """Finds students. Doubts go to `note` (severity, code, path, message, student)."""

    def __init__(self, labs: Iterable[str], roster: Roster | None, note: Callable[..., None]) -> None:
        self._labs, self._roster, self._note = sorted(labs, key=len, reverse=True), roster, note
        self._numbers: dict[tuple[str, str], str] = {}  # (name, where it is one person's): number of the platform

    def of_file(self, name: str) -> str:
        """'s001' of 's001_coalescing.cu'; '' if the name tells no student."""
        if Path(name).suffix.lower() not in (".cu", ".cpp", ".cc", ".cxx", ".c", ".txt"):
            return ""
        stem = Path(name).stem
        if self._roster:
            found = self._roster.find_in(stem)
            return found.pop() if len(found) == 1 else ""
        for lab in self._labs:
            if match := re.fullmatch(rf"(?:(.+?)[\s_.-]+{lab}|{lab}[\s_.-]+(.+))", stem, re.I):
                rest = match[1] or match[2]
                # A word with a digit in it is a login or an id; "lab", "final", "2" and the like are not.
                known = re.fullmatch(
                    r"(?i)lab|final|copy|solution|answer|my|new|v?\d+|(lab|version|attempt|try)\W?\d+", rest
                )
                if not known and any(char.isdigit() for char in rest) and len(tokens(rest)) <= 2:
                    return rest
        return ""

    def of_submission(self, path: str, name: str, label: Label, submitted: Submitted | None) -> list[Who]:
        """Everybody who handed in the file or folder at @p path with this @p name."""
        if submitted and submitted.submitters:
            people = [
                self._person(path, name, filter(None, person), person[2] or person[1])
                for person in submitted.submitters
            ]
            return sorted(set(people), key=lambda who: who.student)
        return [self._identified(path, label)]

    def _person(self, path: str, name: str, keys: Iterable[str], called: str) -> Who:
        """A member of a Gradescope submission: by sid, then by email, then by name."""
        keys = list(keys)
        if not self._roster:
            return Who(safe_id(keys[0]) if keys else name, True)
        several: set[str] = set()
        for key in keys:
            if len(found := self._roster.find(key)) == 1:
                return Who(found.pop(), True)
            several = several or found
        return self._one_of(path, several, safe_id(called or name)) if several else self._nobody(path, called or name)

    def _one_of(self, path: str, found: set[str], called: str) -> Who:
        """Nobody's, until a person says whose."""
        message = (
            f"may be of {' or '.join(sorted(found))}: nobody gets a grade for it before you say whose it is, with "
            "--decisions or by the student's id in its name"
        )
        self._note(ERROR, "ambiguous_student", path, message, called)
        return Who(called, False, tuple(sorted(found)))

    def _identified(self, path: str, label: Label) -> Who:
        """By the name in the label; Canvas's user number distinguishes people with the same name, and is used if the name is unknown."""
        if not self._roster:
            return self._namesake(path, label)
        found = self._roster.find(label.who)
        if label.platform == PLAIN:
            found = found or self._roster.find_in(label.who)
        # Others number submissions, not people.
        by_number = self._roster.by_id(label.number) if label.platform == CANVAS else set()
        if len(found) > 1 and len(both := found & by_number) == 1:
            found = both
        if len(found) == 1 and by_number and not found & by_number:
            other = f"the number {label.number} is that of {min(by_number)}"
            if self._is_canvas_number(label.number, by_number):  # People choose their names in Canvas.
                message = f"is called like {min(found)}, but {other} on Canvas's list; the number was used"
                self._note(SUSPICION, "two_identities", path, message, min(by_number))
                return Who(min(by_number), True)
            message = f"is called like {min(found)}, but {other}"
            self._note(SUSPICION, "two_identities", path, message, min(found))
            found = found | by_number
        if not found and len(by_number) == 1:
            other = f"the number {label.number} is that of {min(by_number)}"
            message = f"is called '{shown(label.who)}', who is not on the roster, but {other}; the number was used"
            self._note(SUSPICION, "told_by_number", path, message, min(by_number))
        found = found or by_number
        if len(found) == 1:
            return Who(min(found), True)
        if found:
            return self._one_of(path, found, safe_id(f"{label.who}_{label.number}" if label.number else label.who))
        return self._nobody(path, label.who)

    def _is_canvas_number(self, number: str, students: Iterable[str]) -> bool:
        """Whether the roster came from Canvas and has this number as the one of these students there."""
        roster = self._roster
        return roster is not None and all(roster.platform_ids.get(one, {}).get("canvas_id") == number for one in students)

    def _namesake(self, path: str, label: Label) -> Who:
        """Without a roster: two people with one name are two people. Moodle's numbers are valid only within one assignment."""
        called = safe_id(label.who)
        if label.number and label.platform != GRADESCOPE:
            scope = (called, "" if label.platform == CANVAS else path.rpartition("/")[0])
            if self._numbers.setdefault(scope, label.number) != label.number:
                called = f"{called}_{label.number}"
                message = f"has the name of somebody else; it is listed as {called}. A roster tells such people apart"
                self._note(SUSPICION, "same_name", path, message, called)
        return Who(called, True)

    def _nobody(self, path: str, called: str) -> Who:
        message = f"is of '{shown(called)}', who is not on the roster; it is listed, and counts for nobody"
        self._note(ERROR, "not_on_roster", path, message, safe_id(called))
        return Who(safe_id(called), False)


def safe_id(text: str) -> str:
    """A name as an id: it may become the name of a file."""
    return re.sub(r"[/\\\x00-\x1f\x7f]", "_", shown(text)).strip().lstrip(".")[:100] or "unknown"
