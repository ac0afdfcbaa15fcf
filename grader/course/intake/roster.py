"""The roster: who is in the class, read from whatever CSV the registrar or the platform gives."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.intake.names import folded, shown, squashed
from grader.course.intake.submission import Student
from grader.course.plain_text import plain_text
from grader.course.text_files import TextError, text_of

MAX_BYTES = 16 * 2**20
# Headings, reduced to letters and digits; of several columns with ids, the first in this order is the student's id.
ID = (
    "studentid", "studentnumber", "sid", "sisuserid", "sisid", "orgdefinedid", "idnumber", "matriculationnumber",
    "matrikelnummer", "matrnr", "netid", "username", "userid", "sisloginid", "loginid", "login", "uid", "id", "student",
)  # fmt: skip
NAME = ("name", "fullname", "studentname", "displayname", "student")
FIRST = ("firstname", "givenname", "first", "vorname", "forename")
LAST = ("lastname", "surname", "familyname", "last", "nachname")
EMAIL = ("email", "emailaddress", "mail", "studentemail")
SECTION = ("section", "sections", "sectionname", "group", "groups", "class", "tutorial")
# Columns by which a platform finds a student when grades are imported: heading, squashed: what it is called here.
CANVAS = {"sisuserid": "sis_user_id", "sisloginid": "sis_login_id", "id": "canvas_id"}
MOODLE = {"idnumber": "id_number"}
TEST_STUDENT = "student, test"  # Canvas lists this one besides the class.


class RosterError(BatchError):
    """All mistakes of a roster, a line each: `roster.csv:12: ...`."""


@dataclass
class Roster:
    """students: in the order of the file. Looks up people by id, login, email or name."""

    students: tuple[Student, ...]
    platform_ids: dict[str, dict[str, str]] = field(default_factory=dict)  # by student: CANVAS and MOODLE, as listed
    _keys: dict[str, set[str]] = field(default_factory=dict)
    _ids: tuple[dict[str, set[str]], ...] = field(default_factory=lambda: ({}, {}, {}))  # the surest first
    _names: dict[str, set[str]] = field(default_factory=dict)

    def add_keys(self, student: Student, other_ids: Iterable[str] = ()) -> None:
        login = student.email.split("@")[0]
        for ids, keys in zip(self._ids, ([student.student], [*other_ids, student.email], [login])):
            for key in filter(None, keys):
                ids.setdefault(folded(key), set()).add(student.student)
                self._keys.setdefault(student.student, set()).add(folded(key))
        for key in name_keys(student.name):
            self._names.setdefault(key, set()).add(student.student)

    def keys_of(self, student: str) -> set[str]:
        """Everything that identifies this student: ids, logins and e-mail addresses, folded."""
        return {key for key in self._keys.get(student, ()) if self.by_id(key) == {student}}

    def by_id(self, text: str) -> set[str]:
        """Ids of students whose id, login, email or part of it before the '@' is @p text."""
        key = folded(text.strip())
        return next((set(ids[key]) for ids in self._ids if key in ids), set())

    def by_name(self, text: str) -> set[str]:
        """Ids of students with this name, in any order of first and last names, with or without accents."""
        return set().union(*(self._names.get(key, ()) for key in name_keys(text)))

    def find(self, text: str) -> set[str]:
        """Students that a whole text means: by id, else by name."""
        return self.by_id(text) or self.by_name(text)

    def find_in(self, text: str) -> set[str]:
        """Students that a longer text means, like 's001_lab3_final': by an id as one of its words."""
        words = re.split(r"[\s_()\[\],;]+", text)
        finer = [word for part in words for word in re.split(r"[-.]+", part)]
        for parts in (words, finer):
            if found := set().union(*(self.by_id(word) for word in parts if _tells(word))):
                return found
        return set()


def _tells(word: str) -> bool:
    """Whether a word is unlikely to be an id by chance: '2' may be the number of a lab."""
    return len(word) >= 4 or (any(char.isdigit() for char in word) and any(char.isalpha() for char in word))


def name_keys(name: str) -> set[str]:
    """'Last, First Middle' and 'First Middle Last' have a key in common, with Canvas's 'lastfirstmiddle'."""
    words = [word for part in re.split(r"[\s,]+", name) if (word := squashed(part))]
    return {"".join(words[i:] + words[:i]) for i in range(min(len(words), 8))}


def load_roster(path: Path) -> Roster:
    """@throws RosterError with every mistake and its line"""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RosterError(f"{path}: cannot be read ({error.strerror}); give --roster the path of a CSV file") from None
    if len(data) > MAX_BYTES:
        raise RosterError(f"{path}: has {len(data)} bytes; a roster has at most {MAX_BYTES}")
    return parse_roster(_text_of(data, path), str(path))


def _text_of(data: bytes, path: Path) -> str:
    try:
        return text_of(data)
    except TextError as error:
        line = data.count(b"\n", 0, next((i for i, byte in enumerate(data) if byte >= 0x80), 0)) + 1
        raise RosterError(f"{path}:{line}: {error}; save it as CSV UTF-8") from None


def parse_roster(text: str, name: str) -> Roster:
    """As load_roster(), from the text. name: how errors call the file."""
    if "\0" in text:
        raise RosterError(f"{name}:{text[:text.index(chr(0))].count(chr(10)) + 1}: has a NUL; save it as CSV UTF-8")
    rows = _rows(text, name)
    if not rows:
        raise RosterError(f"{name}:1: is empty; its first line must name the columns: student id, name, email, section")
    columns = _Columns([squashed(heading) for heading in rows[0][1]], rows[0][1], f"{name}:{rows[0][0]}")
    problems: list[str] = []
    seen: dict[str, tuple[str, int]] = {}
    people: list[tuple[Student, list[str]]] = []
    platform_ids: dict[str, dict[str, str]] = {}
    for line, row in rows[1:]:
        if len(row) != columns.count:
            problems.append(f"{name}:{line}: has {len(row)} fields, but the first line names {columns.count} columns")
            continue
        student = columns.student(row)
        if columns.is_no_student(row):
            continue
        if problem := _problem_of(student.student):
            problems.append(f"{name}:{line}: {problem}")
        elif first := seen.get(folded(student.student)):
            problems.append(
                f"{name}:{line}: the id {shown(student.student)} is in line {first[1]} already; ids are unique"
            )
        else:
            seen[folded(student.student)] = (student.student, line)
            # Platforms let people choose their names.
            texts = {key: plain_text(" ".join(getattr(student, key).split()), 200) for key in ("name", "email", "section")}
            people.append((replace(student, **texts), columns.other_ids(row)))
            platform_ids[student.student] = columns.platform_ids(row)
    if problems:
        raise RosterError("\n".join(problems))
    if not people:
        raise RosterError(f"{name}: names columns, but nobody; it needs a line for each student")
    roster = Roster(tuple(student for student, _ in people), platform_ids)
    for student, others in people:
        roster.add_keys(student, others)
    return roster


def _rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """(line, fields) of the lines that are not empty. The separator is what the first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, line = [], 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        raise RosterError(f"{name}:{line}: is not valid CSV ({error}); look for a quote that is not closed") from None
    return rows


def _problem_of(student: str) -> str:
    if not student:
        return "has no student id; give each student one"
    if len(student) > 100:
        return f"an id of {len(student)} characters; at most 100"
    if student.startswith(".") or any(char in "/\\" or unicodedata.category(char).startswith("C") for char in student):
        return f"the id '{shown(student)}' must not begin with '.' or hold '/', '\\' or control characters"
    return ""


class _Columns:
    """The meaning of the columns, from leniently matched headings."""

    def __init__(self, headings: list[str], as_written: list[str], place: str) -> None:
        self.count = len(headings)
        named = [headings.index(name) for name in NAME if name in headings]
        self.first, self.last, self.email, self.section = (
            next((headings.index(name) for name in names if name in headings), None)
            for names in (FIRST, LAST, EMAIL, SECTION)
        )
        ids = [headings.index(name) for name in ID if name in headings]
        self.name = named[0] if named else None
        # A column "student" holds ids only where nothing else does, and names only where nothing else does.
        if self.name is not None and self.name in ids:
            if len(ids) > 1:
                ids.remove(self.name)
            else:
                self.name = None
        if "student" in headings and headings.index("student") in ids and len(ids) > 1:
            ids.remove(headings.index("student"))
        if not ids and self.email is not None:
            ids = [self.email]
        if not ids:
            written = ", ".join(f"'{shown(heading.strip())}'" for heading in as_written)
            raise RosterError(
                f"{place}: no column holds ids of students; the columns are {written}; call one 'student id'"
            )
        self.ids = ids
        is_canvas = "id" in headings and any(name in headings for name in ("sisuserid", "sisloginid"))
        self._platform = {headings.index(name): key for name, key in (CANVAS if is_canvas else MOODLE).items()
                          if name in headings}
        self._as_written = as_written

    def student(self, row: list[str]) -> Student:
        def cell(column: int | None) -> str:
            return "" if column is None else " ".join(row[column].split())

        name = cell(self.name) or " ".join(filter(None, (cell(self.first), cell(self.last))))
        return Student(self._id(row), name, cell(self.email), cell(self.section))

    def _id(self, row: list[str]) -> str:
        """The first id column that is not blank: platforms leave ids blank that a school did not assign."""
        columns = self.ids if self.email is None else [*self.ids, self.email]
        return next((row[column].strip() for column in columns if row[column].strip()), "")

    def other_ids(self, row: list[str]) -> list[str]:
        return [row[column].strip() for column in self.ids if row[column].strip() != self._id(row)]

    def platform_ids(self, row: list[str]) -> dict[str, str]:
        """The ids by which a platform finds the student again; blank ones too, so that they stay blank."""
        return {key: row[column].strip() for column, key in self._platform.items()}

    def is_no_student(self, row: list[str]) -> bool:
        """Canvas writes lines for possible points and for posting grades, and lists a test student."""
        first = row[0].strip().casefold()
        if "points possible" in first or any(cell.strip() == "Points Possible" for cell in row[:2]):
            return True
        if first == TEST_STUDENT and self._platform:
            return True
        return bool(self._platform) and not self._id(row) and not first
