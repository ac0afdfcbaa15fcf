"""What a person decided about files that intake must not decide on: `--decisions FILE.csv`."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.intake.names import shown, squashed
from grader.course.intake.roster import Roster
from grader.course.text_files import TextError, text_of

NOTHING = "nothing"
COLUMNS = ("student", "lab", "decision")


class DecisionsError(BatchError):
    """All mistakes of a list of decisions, a line each."""


@dataclass(frozen=True)
class Decision:
    """what: NOTHING (as if nothing had been handed in), or the path of the file that counts, as findings.csv has it."""

    student: str
    lab: str
    what: str
    place: str

    @property
    def is_nothing(self) -> bool:
        return self.what == NOTHING


def load_decisions(path: Path, labs: Collection[str], roster: Roster | None) -> dict[tuple[str, str], Decision]:
    """By student and lab. @throws DecisionsError with every mistake and its line"""
    try:
        text = text_of(path.read_bytes())
    except OSError as error:
        raise DecisionsError(f"{path}: cannot be read ({error.strerror}); give --decisions a CSV file") from None
    except TextError as error:
        raise DecisionsError(f"{path}: {error}; save it as CSV UTF-8") from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    found: dict[tuple[str, str], Decision] = {}
    problems: list[str] = []
    head: list[str] = []
    for cells in reader:
        place = f"{path}:{reader.line_num}"
        if not any(cell.strip() for cell in cells):
            continue
        if not head:
            head = [squashed(cell) for cell in cells]
            if missing := [name for name in COLUMNS if name not in head]:
                raise DecisionsError(
                    f"{place}: has no column '{missing[0]}'; the first line must name the columns {', '.join(COLUMNS)}"
                )
            continue
        record = dict(zip(head, (cell.strip() for cell in cells)))
        student, lab, what = (record.get(name, "") for name in COLUMNS)
        known = roster.by_id(student) if roster else {student}
        if len(known) != 1 or not student:
            problems.append(f"{place}: '{shown(student)}' is not on the roster; give the id")
        elif lab not in labs:
            problems.append(f"{place}: '{shown(lab)}' is not a lab; there are: {', '.join(labs)}")
        elif not what:
            problems.append(f"{place}: decides nothing; write the path of a file, as findings.csv has it, or {NOTHING}")
        elif (min(known), lab) in found:
            problems.append(f"{place}: {student}, {lab} is decided in {found[min(known), lab].place} already")
        else:
            found[min(known), lab] = Decision(min(known), lab, NOTHING if what.lower() == NOTHING else what, place)
    if problems:
        raise DecisionsError("\n".join(problems))
    return found
