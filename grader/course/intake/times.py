"""Times of submission that somebody states: lists that platforms export, and lists that an instructor writes.

A time in an archive, or of a file on disk, is often that of a download or a copy, not of a submission: it counts
only where an instructor says so (`--times files`). docs/course.md has an example of each list.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from grader.course.errors import BatchError
from grader.course.intake.names import folded, lab_of_name, shown, squashed
from grader.course.intake.roster import EMAIL, FIRST, ID, LAST, NAME, Roster
from grader.course.policy.late import local_time
from grader.course.text_files import TextError, text_of

FILES = "files"  # `--times files`: where no platform packed them, the files' own times are those of submission.
MAX_BYTES = 64 * 2**20
WHEN = ("submittedat", "lastmodifiedsubmission", "submissiontime", "submitted", "time", "zuletztgeandertabgabe")
LAB = ("lab", "assignment", "assignmentname", "assignmenttitle")
ATTEMPT = ("attempt", "attemptnumber")
NUMBER = ("identifier", "userid", "teilnehmernummer")  # A platform's own number of a person, or of a participant.
NOTHING = {"", "-", "–", "null", "none", "never"}
_MONTHS = {
    **{name: i for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)},
    "mär": 3, "mai": 5, "okt": 10, "dez": 12,
}
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?\s*(?P<half>[ap]\.?m\.?)?"
_LONG = (  # As Moodle writes them: "Monday, 5 October 2026, 6:00 PM", "Monday, October 5, 2026, 6:00 PM"
    re.compile(
        rf"(?:[^\W\d]+,?\s+)?(?P<day>\d{{1,2}})\.?\s+(?P<month>[^\W\d]+)\.?,?\s+(?P<year>\d{{4}}),?\s+{_TIME}", re.I
    ),
    re.compile(
        rf"(?:[^\W\d]+,?\s+)?(?P<month>[^\W\d]+)\.?\s+(?P<day>\d{{1,2}}),?\s+(?P<year>\d{{4}}),?\s+{_TIME}", re.I
    ),
)


class TimesError(BatchError):
    """All mistakes of a list of times, a line each: `times.csv:12: ...`."""


@dataclass(frozen=True)
class Row:
    """One line of a list. keys: ids, logins and the like of the student; number: of the platform; lab: '' for any."""

    at: datetime
    keys: tuple[str, ...]
    name: str
    number: str
    lab: str
    attempt: int | None


@dataclass
class Times:
    """What `--times` says. files: whether the files' own times count."""

    files: bool = False
    rows: tuple[Row, ...] = ()
    _by_key: dict[str, list[Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            for key in {folded(key) for key in (*row.keys, row.name, f"#{row.number}" if row.number else "") if key}:
                self._by_key.setdefault(key, []).append(row)

    def of(self, student: str, number: str, lab: str, roster: Roster | None) -> list[Row]:
        """All rows about @p student and @p lab, by attempt and time. number: that the platform's file name has."""
        found = self._by_key.get(folded(f"#{number}"), []) if number else []
        if not found:
            keys = roster.keys_of(student) if roster else {folded(student)}
            found = [row for key in sorted(keys) for row in self._by_key.get(key, [])]
        if not found and roster:
            found = [row for row in self.rows if row.name and roster.by_name(row.name) == {student}]
        unique = {id(row): row for row in found if row.lab in ("", lab)}
        return sorted(unique.values(), key=lambda row: (row.attempt or 0, row.at))


def time_of(rows: Sequence[Row], attempt: int | None, events: int) -> datetime | None:
    """When one of @p events submissions of a student was made. A list may contain attempts of which no file exists: a
    platform hands out the last one, so a file that is alone is that."""
    if not rows:
        return None
    numbered = {row.attempt: row.at for row in rows if row.attempt is not None}
    if events == 1:
        return max(row.at for row in rows)
    if attempt is not None or numbered:
        return numbered.get(attempt or 1)
    return None


def load_times(given: Sequence[str], labs: Collection[str], titles: Mapping[str, str], zone: ZoneInfo) -> Times:
    """@param given the values of --times: 'files', a file, a folder of files, or LAB=PATH
    @param titles what platforms call labs: {'Lab 2 (48202)': 'coalescing'}
    @throws TimesError with every mistake and its line
    """
    rows: list[Row] = []
    problems: list[str] = []
    for one in given:
        if one == FILES:
            continue
        lab, _, rest = one.partition("=")
        named, path = (lab, Path(rest)) if rest and lab in labs else ("", Path(one))
        paths = sorted(p for p in path.iterdir() if p.suffix.lower() in (".csv", ".json")) if path.is_dir() else [path]
        if not paths:
            problems.append(f"{path}: holds no .csv and no .json; --times takes lists of submissions (docs/course.md)")
        for file in paths:
            try:
                rows += _Reader(file, named, labs, titles, zone).read()
            except TimesError as error:
                problems.append(str(error))
    if problems:
        raise TimesError("\n".join(problems))
    return Times(FILES in given, tuple(rows))


class _Reader:
    """Reads one list."""

    def __init__(self, path: Path, lab: str, labs: Collection[str], titles: Mapping[str, str], zone: ZoneInfo) -> None:
        self._path, self._labs, self._zone = path, labs, zone
        self._titles = {squashed(title): name for title, name in titles.items()}
        told = lab_of_name(path.stem, labs)
        self._lab = lab or self._titles.get(squashed(path.stem), "") or (told[0] if told else "")
        self._problems: list[str] = []

    def read(self) -> list[Row]:
        try:
            data = self._path.read_bytes()
        except OSError as error:
            raise TimesError(
                f"{self._path}: cannot be read ({error.strerror}); give --times a list of submissions, a "
                "folder of them, or the word files (docs/course.md)"
            ) from None
        if len(data) > MAX_BYTES:
            raise TimesError(f"{self._path}: has {len(data)} bytes; a list of submissions has at most {MAX_BYTES}")
        try:
            text = text_of(data)
        except TextError as error:
            raise TimesError(f"{self._path}: {error}; save it as CSV UTF-8") from None
        records = self._json(text) if self._path.suffix.lower() == ".json" else self._table(text)
        rows = [row for place, record in records if (row := self._row(place, record))]
        if self._problems:
            raise TimesError("\n".join(self._problems))
        return rows

    def _table(self, text: str) -> list[tuple[str, dict[str, str]]]:
        lines = text.splitlines()
        first = next((line for line in lines if line.strip()), "")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
        head: list[str] = []
        found = []
        try:
            for cells in reader:
                if not any(cell.strip() for cell in cells):
                    continue
                if not head:
                    head = [squashed(cell) for cell in cells]
                    self._check(head, cells)
                else:
                    found.append((f"{self._path}:{reader.line_num}", dict(zip(head, (cell.strip() for cell in cells)))))
        except csv.Error as error:
            raise TimesError(f"{self._path}:{reader.line_num}: is not valid CSV ({error})") from None
        if not head:
            raise TimesError(
                f"{self._path}: is empty; its first line must name the columns: student, lab, submitted_at"
            )
        return found

    def _check(self, head: Sequence[str], written: Sequence[str]) -> None:
        columns = ", ".join(f"'{shown(cell.strip())}'" for cell in written)
        if not any(name in head for name in WHEN):
            raise TimesError(
                f"{self._path}:1: no column holds times of submission; the columns are {columns}; call it "
                "'submitted_at', or export the grading worksheet in English"
            )
        if not any(name in head for name in (*ID, *NAME, *EMAIL, *NUMBER, *LAST)):
            raise TimesError(
                f"{self._path}:1: no column says whose the times are; the columns are {columns}; call one 'student'"
            )
        if not self._lab and not any(name in head for name in LAB) and len(self._labs) > 1:
            raise TimesError(
                f"{self._path}: tells no lab, neither in its name nor in a column 'lab'; say it: "
                f"--times LAB={self._path.name}"
            )

    def _json(self, text: str) -> list[tuple[str, dict[str, str]]]:
        """A list of objects, as Canvas's interface for programs answers: a submission each, its attempts in
        `submission_history` if that was asked for."""
        try:
            value = json.loads(
                text.removeprefix("while(1);")
            )  # Canvas answers a logged-in browser like this.
        except (ValueError, RecursionError) as error:
            raise TimesError(f"{self._path}: is not valid JSON ({error})") from None
        value = value if isinstance(value, list) else [value]
        found: list[tuple[str, dict[str, str]]] = []
        for number, one in enumerate(value, 1):
            if not isinstance(one, dict) or "submitted_at" not in one:
                raise TimesError(
                    f"{self._path}: entry {number} has no submitted_at; a list of objects with user_id, "
                    "attempt and submitted_at is needed"
                )
            history = one.get("submission_history")
            for each in history if isinstance(history, list) and history else [one]:
                if isinstance(each, dict):
                    place = f"{self._path}: entry {number}"
                    found.append((place, {squashed(key): _text(item) for key, item in ({**one, **each}).items()}))
                    user = one.get("user")
                    if isinstance(user, dict):
                        found[-1][1].update(
                            {squashed(key): _text(user[key]) for key in ("login_id", "sis_user_id") if user.get(key)}
                        )
        if not self._lab and len(self._labs) > 1 and not all(any(name in one for name in LAB) for _, one in found):
            raise TimesError(
                f"{self._path}: tells no lab, neither in its name nor in its entries; say it: "
                f"--times LAB={self._path.name}"
            )
        return found

    def _row(self, place: str, record: Mapping[str, str]) -> Row | None:
        def first(names: Sequence[str]) -> str:
            return next((record[name] for name in names if record.get(name)), "")

        when = first(WHEN)
        if squashed(when) in NOTHING or when in NOTHING:
            return None
        at = parsed_time(when, self._zone)
        if at is None:
            self._problems.append(
                f"{place}: '{shown(when)[:60]}' is not a time that can be read; write it like "
                "2026-10-24 23:59:00 or 2026-10-24T21:59:00Z, or export the list in English"
            )
            return None
        number = first(NUMBER)
        digits = re.search(r"\d+", number)
        attempt = first(ATTEMPT)
        lab = self._lab
        if title := first(LAB):
            told = self._titles.get(squashed(title)) or (lab_of_name(title, self._labs) or ("",))[0]
            if not told and not lab:
                return None  # Of an assignment that is not a lab.
            lab = told or lab
        name = first(NAME) or " ".join(filter(None, (first(FIRST), first(LAST))))
        keys = tuple(record[name] for name in (*ID, *EMAIL) if record.get(name))
        if not keys and not name and not digits:
            self._problems.append(f"{place}: does not say whose time it is; fill in the student")
            return None
        return Row(at, keys, name, digits[0] if digits else "", lab, int(attempt) if attempt.isdigit() else None)


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value)


def parsed_time(text: str, zone: ZoneInfo) -> datetime | None:
    """A moment in UTC; None if it cannot be read. Without a zone it is @p zone's. Days before months (4/5/2026) are not
    guessed."""
    text = " ".join(text.split())
    try:
        found: datetime | None = datetime.fromisoformat(
            re.sub(r" (?=[+-]\d\d:?\d\d$)| UTC$| Z$", lambda m: "" if m[0] == " " else "+00:00", text)
        )
    except ValueError:
        found = _long_time(text)
    if found is None:
        return None
    if found.tzinfo is not None:
        return found.astimezone(timezone.utc)
    return local_time(found, zone)


def _long_time(text: str) -> datetime | None:
    for pattern in _LONG:
        if match := pattern.fullmatch(text):
            month = _MONTHS.get(match["month"].casefold()[:3])
            hour = int(match["hour"])
            if match["half"]:
                hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
            try:
                return datetime(
                    int(match["year"]),
                    month or 0,
                    int(match["day"]),
                    hour,
                    int(match["minute"]),
                    int(match["second"] or 0),
                )
            except ValueError:
                continue
    return None
