"""Names of files and folders in exports of course platforms: who, which attempt, when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

import yaml

from grader.course.intake.limits import Refused

CANVAS, MOODLE, GRADESCOPE, PLAIN = "canvas", "moodle", "gradescope", "plain"
METADATA = "submission_metadata.yml"
_CANVAS = re.compile(r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<event>\d+)_(?P<file>.+)", re.S)
# What was handed in as a link, or typed into Canvas itself.
_CANVAS_ENTRY = re.compile(r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<file>(?:link|text)\.html)", re.S)
_CANVAS_AGAIN = re.compile(r"-(\d{1,4})(?=(\.[A-Za-z0-9]+)*$)")
_MOODLE = re.compile(r"(?P<who>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)", re.S)
_GRADESCOPE = re.compile(r"submission_(\d+)(?:\.zip)?")
_ATTEMPT = re.compile(
    r"(?:^|[\s_-])(?:attempt|submission|resubmission|version|try|versuch|abgabe|v)[\s_-]*(\d{1,4})$", re.I
)


@dataclass(frozen=True)
class Label:
    """What the name of a top-level file or folder says.

    who: the student's name or id as written. number: an id of the platform, '' if there is none. file: the file's own
    name, '' for a folder. event: what files of one act of submitting have in common. attempt: 1, 2, ... or None. late:
    whether Canvas marks it so; None where the platform marks nothing.
    """

    platform: str
    who: str
    number: str = ""
    file: str = ""
    event: str = ""
    attempt: int | None = None
    late: bool | None = None


def label_of(name: str) -> Label | None:
    """None if @p name follows no platform's pattern.

    The part that a student chose, the end of the name, can never make it look like somebody else's.
    """
    if match := _CANVAS.fullmatch(name):
        file, attempt = match["file"], None
        if again := _CANVAS_AGAIN.search(file):  # "-1" is Canvas's mark of the second attempt.
            file = file[: again.start()] + file[again.end() :]
            attempt = int(again[1]) + 1
        # Canvas numbers people and files, not submissions: its archive holds the last submission of each student.
        return Label(CANVAS, match["who"], match["user"], file, match["user"], attempt, bool(match["late"]))
    if match := _CANVAS_ENTRY.fullmatch(name):
        return Label(CANVAS, match["who"], match["user"], match["file"], match["user"], None, bool(match["late"]))
    if match := _MOODLE.fullmatch(name):
        return Label(MOODLE, match["who"], match["number"], match["file"], match["number"])
    if match := _GRADESCOPE.fullmatch(name):
        return Label(GRADESCOPE, f"submission_{match[1]}", match[1], "", match[1])
    return None


def attempt_of(name: str) -> tuple[str, int | None]:
    """'s001_attempt2' -> ('s001', 2); 'attempt 2' -> ('', 2); 's001' -> ('s001', None)."""
    if match := _ATTEMPT.search(name):
        return name[: match.start()], int(match[1])
    return name, None


@dataclass(frozen=True)
class Submitted:
    """One submission in Gradescope's metadata. submitters: (sid, email, name) of each member of the group."""

    submitters: tuple[tuple[str, str, str], ...]
    at: datetime | None


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # The fast one, where there is one.
    """Reads Ruby's objects, of which Gradescope writes some, as the plain values inside them."""


def _plain(loader: Any, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_Loader.add_multi_constructor("!", _plain)
_Loader.add_multi_constructor("tag:yaml.org,2002:ruby", _plain)


def read_metadata(data: bytes) -> dict[str, Submitted]:
    """Folder of a submission: who submitted it, and when. @throws Refused if the file makes no sense."""
    try:
        _check_depth(data)
        value = yaml.load(data, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise Refused("broken_metadata", f"is not valid YAML{where}; times and names in it are not used") from None
    if not isinstance(value, dict):
        raise Refused("broken_metadata", "holds no submissions; times and names in it are not used")
    found = {}
    for key, fields in value.items():
        if isinstance(fields, dict):
            people = _get(fields, "submitters")
            people = [person for person in people if isinstance(person, dict)] if isinstance(people, list) else []
            submitters = tuple((_text(person, "sid"), _text(person, "email"), _text(person, "name")) for person in people)
            found[str(key)] = Submitted(submitters, _time(_get(fields, "created_at")))
    return found


def _text(person: dict[Any, Any], part: str) -> str:
    return str(_get(person, part) or "")


def _check_depth(data: bytes) -> None:
    """libyaml's reader recurses in C, and a crash there would end the run. @throws ValueError"""
    depth = 0
    for event in yaml.parse(data, Loader=_Loader):
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
            if depth > 50:
                raise ValueError("nested too deep")
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1


def _get(fields: dict[str, Any], key: str) -> Any:
    """Keys are Ruby's symbols, `:sid`."""
    return fields.get(f":{key}", fields.get(key))


def _time(value: Any) -> datetime | None:
    if isinstance(value, dict):
        value = value.get("utc", value.get("time"))
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().replace(" Z", "+00:00").replace(" UTC", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=timezone.utc) if isinstance(value, date) else None
    return value.replace(tzinfo=value.tzinfo or timezone.utc).astimezone(timezone.utc)
