"""Reads course.json: checks it against course.schema.json and against itself, and names the line of each mistake."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timezone
from datetime import time as time_of_day
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import jsonschema

from grader.course.errors import BatchError
from grader.course.policy.json_places import JsonError, PlacedJson
from grader.course.policy.late import local_time
from grader.course.policy.policy import Curve, Extension, Grace, Hidden, LabPolicy, Late, Policy

SCHEMA = Path(__file__).with_name("course.schema.json")
MAX_BYTES = 4 * 2**20
_KINDS = {
    "object": "an object {...}",
    "array": "a list [...]",
    "string": 'a string in ""',
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}


class PolicyError(BatchError):
    """All mistakes of a course.json, a line each: `course.json:12:5: labs.coalescing.due: ...`."""


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def load_policy(
    path: Path, labs: Iterable[str], students: Iterable[str] | None = None, tests: Iterable[str] | None = None
) -> Policy:
    """The policy in @p path.

    labs: names of all labs that exist. students: ids on the roster, if there is one. tests: names of all tests, as
    `<lab>.<kind>.<sentence>`; with them, a pattern that hides none of them is a mistake.

    @throws PolicyError with every mistake found, each with line, column, what is wrong, and what is allowed.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PolicyError(
            f"{path}: cannot be read ({error.strerror}); give --policy the path of a course.json"
        ) from None
    if len(data) > MAX_BYTES:
        raise PolicyError(f"{path}: has {len(data)} bytes; a course.json has at most {MAX_BYTES}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PolicyError(f"{path}:{line}: is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    return parse_policy(text, str(path), labs, students, tests)


def parse_policy(
    text: str,
    name: str,
    labs: Iterable[str],
    students: Iterable[str] | None = None,
    tests: Iterable[str] | None = None,
) -> Policy:
    """As load_policy(), from the text. name: how errors call the file."""
    try:
        placed = PlacedJson(text)
    except JsonError as error:
        raise PolicyError(f"{name}:{error.line}:{error.column}: not valid JSON: {error.message}") from None
    problems = list(_schema_problems(placed))
    if not problems:
        problems = list(_own_problems(placed, set(labs), None if students is None else set(students)))
        problems += _hidden_problems(placed, None if tests is None else list(tests))
    if problems:
        ordered = sorted(set(problems))
        text = "\n".join(f"{name}:{line}:{column}: {message}" for line, column, message in ordered)
        raise PolicyError(text.encode("utf-8", "backslashreplace").decode("utf-8"))
    return _policy(placed.value)


Problem = tuple[int, int, str]


def _where(path: Iterable[str | int]) -> str:
    """('extensions', 2, 'lab') -> 'extensions[2].lab'."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.lstrip(".")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _choices(names: Iterable[str], wrong: str = "") -> str:
    """'did you mean "late"? Allowed: ...'."""
    names = list(names)
    near = difflib.get_close_matches(wrong, names, 1) if wrong else []
    guess = f'did you mean "{near[0]}"? ' if near else ""
    return f"{guess}Allowed: {', '.join(names)}"


def _schema_problems(placed: PlacedJson) -> Iterator[Problem]:
    for error in _validator().iter_errors(placed.value):
        path = tuple(error.absolute_path)
        for key, message in _explained(error):
            full = path + ((key,) if key else ())
            line, column = placed.place_of_key(full) if key else placed.place(full)
            where = _where(full)
            yield line, column, f"{where}: {message}" if where else message


def _explained(error: jsonschema.ValidationError) -> Iterator[tuple[str, str]]:
    """(key inside the value, '' for the value itself; what is wrong and what is allowed)."""
    value, rule, schema = error.instance, error.validator_value, error.schema
    match error.validator:
        case "additionalProperties":
            known = list(schema.get("properties", {}))
            for key in value:
                if key not in known:
                    yield key, f"there is no such key here; {_choices(known, key)}"
        case "required":
            for key in rule:
                if key not in value:
                    yield "", f'"{key}" is missing' + _described(schema, key)
        case "oneOf":
            yield "", 'needs either "days" or "until", and not both'
        case "enum":
            near = value if isinstance(value, str) else ""
            yield "", f"is {_shown(value)}; {_choices((f'{item}' for item in rule), near)}"
        case "const":
            yield "", f"is {_shown(value)}; it must be {_shown(rule)}"
        case "type":
            yield "", f"is {_shown(value)}; it must be {_KINDS.get(rule, rule)}" + _described(schema)
        case "pattern":
            examples = '"2026-10-12", "2026-10-12 23:59" or "2026-10-12T21:59:00Z"'
            yield "", f"is {_shown(value)}; it must be a date such as {examples}"
        case "minimum" | "maximum" | "exclusiveMinimum":
            words = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}
            yield "", f"is {_shown(value)}; it must be {words[error.validator]} {rule}"
        case "minLength" | "minProperties":
            yield "", f"is {_shown(value)}; it must not be empty"
        case _:
            yield "", error.message


def _described(schema: Mapping[str, Any], key: str = "") -> str:
    described = schema.get("properties", {}).get(key, {}) if key else schema
    return f": {described['description']}" if "description" in described else ""


def _own_problems(placed: PlacedJson, labs: set[str], students: set[str] | None) -> Iterator[Problem]:
    """Checks beyond the schema: names of labs and students, zones, dates that do not exist, keys without effect."""
    value = placed.value

    def at(path: tuple[str | int, ...], message: str, key: bool = False) -> Problem:
        line, column = placed.place_of_key(path) if key else placed.place(path)
        return line, column, f"{_where(path)}: {message}"

    if (zone := value.get("time_zone")) is not None and _zone(zone) is None:
        yield at(
            ("time_zone",),
            f'is {_shown(zone)}, no time zone that this system knows; use an IANA name such as "Europe/Berlin", '
            '"America/New_York" or "UTC"',
        )
    for lab in value.get("labs", {}):
        if lab not in labs:
            yield at(("labs", lab), f"there is no such lab; {_choices(sorted(labs), lab)}", key=True)
    rules: list[tuple[tuple[str, ...], Any]] = [(("defaults",), value.get("defaults", {}))]
    rules += [(("labs", lab), fields) for lab, fields in value.get("labs", {}).items()]
    for path, fields in rules:
        yield from (at((*path, *inner), message) for inner, message in _rules_problems(fields))
    if "column" in value.get("defaults", {}):
        yield at(("defaults", "column"), "would call every lab the same; give it in the rules of each lab", key=True)
    columns: dict[str, str] = {}
    for lab, fields in value.get("labs", {}).items():
        if (column := fields.get("column")) is not None and columns.setdefault(column, lab) != lab:
            yield at(("labs", lab, "column"), f"is {_shown(column)}, as of {columns[column]}; each lab needs its own")
    dated = bool(value.get("defaults", {}).get("due"))
    for i, extension in enumerate(value.get("extensions", [])):
        place = ("extensions", i)
        lab = extension.get("lab")
        if lab is not None and lab not in labs:
            yield at((*place, "lab"), f"is {_shown(lab)}, no lab; {_choices(sorted(labs), lab)}")
        elif lab is not None and not dated and not value.get("labs", {}).get(lab, {}).get("due"):
            yield at((*place, "lab"), f'the lab {lab} has no "due", so there is nothing to extend; give it one')
        if "until" in extension and (problem := _moment_problem(extension["until"])):
            yield at((*place, "until"), problem)
        if students is not None and extension["student"] not in students:
            yield at((*place, "student"), _no_student(extension["student"], students))
    for student in value.get("grace", {}).get("students", {}):
        if students is not None and student not in students:
            yield at(("grace", "students", student), _no_student(student, students), key=True)


def _hidden_problems(placed: PlacedJson, tests: list[str] | None) -> Iterator[Problem]:
    """Patterns that hide no test: a typo there would show a test that was meant to be hidden."""
    rules: list[tuple[tuple[str, ...], str, Any]] = [(("defaults",), "", placed.value.get("defaults", {}))]
    rules += [(("labs", lab), f"{lab}.", fields) for lab, fields in placed.value.get("labs", {}).items()]
    for path, prefix, fields in rules if tests is not None else ():
        names = [test for test in tests or () if test.startswith(prefix)]
        for i, pattern in enumerate(fields.get("hidden", {}).get("tests", [])):
            if not any(fnmatchcase(name, pattern) for name in names):
                place: tuple[str | int, ...] = (*path, "hidden", "tests", i)
                near = difflib.get_close_matches(pattern, names, 1, 0.5) or names[:1]
                such = f', such as "{near[0]}"' if near else ""
                wanted = f"tests are called <lab>.<kind>.<sentence>{such}"
                yield (*placed.place(place), f"{_where(place)}: {_shown(pattern)} matches no test; {wanted}")


def _no_student(student: str, students: set[str]) -> str:
    near = difflib.get_close_matches(student, sorted(students), 1)
    return f"{_shown(student)} is not on the roster" + (
        f'; did you mean "{near[0]}"?' if near else "; use the student's id"
    )


def _rules_problems(fields: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    if "due" in fields and (problem := _moment_problem(fields["due"])):
        yield ("due",), problem
    if "kinds" in fields and sum(fields["kinds"].values()) <= 0:
        yield ("kinds",), "all shares are 0, so nothing could earn points; give at least one kind more than 0"
    curve = fields.get("curve", {})
    if curve.get("kind") == "add" and "points" not in curve:
        yield ("curve",), '"points" is missing: the curve "add" needs to know what to add'
    if "points" in curve and curve.get("kind") != "add":
        yield ("curve", "points"), f'only the curve "add" has points; "{curve["kind"]}" has none'


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _moment_problem(text: str) -> str:
    try:
        _moment(text, ZoneInfo("UTC"))
    except (ValueError, OverflowError) as error:
        return f"is {_shown(text)}, no date of the calendar ({error})"
    return ""


def _moment(text: str, zone: ZoneInfo) -> datetime:
    """The last second that is meant: "2026-10-12" until 23:59:59 of that day, "... 23:59" until 23:59:59, in UTC."""
    given = re.fullmatch(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?", text)
    if given is None:
        raise ValueError(text)
    day, clock, seconds, offset = given.groups()
    local = datetime.combine(
        date.fromisoformat(day), time_of_day.fromisoformat((clock or "23:59") + (seconds or ":59"))
    )
    if not 1980 <= local.year <= 9000:
        raise ValueError("the year must be from 1980 to 9000")
    if offset:
        return datetime.fromisoformat(local.isoformat() + offset.replace("Z", "+00:00")).astimezone(timezone.utc)
    return local_time(local, zone)


def _policy(value: Mapping[str, Any]) -> Policy:
    zone = ZoneInfo(value.get("time_zone", "UTC"))
    defaults = _rules(value.get("defaults", {}), LabPolicy(), zone)
    grace = value.get("grace", {})
    return Policy(
        course=value.get("course", ""),
        time_zone=zone,
        labs={lab: _rules(fields, defaults, zone) for lab, fields in value.get("labs", {}).items()},
        defaults=defaults,
        grace=Grace(int(grace.get("days", 0)), grace.get("per_lab"), dict(grace.get("students", {}))),
        extensions=tuple(
            Extension(
                student=item["student"],
                lab=item.get("lab", ""),
                days=int(item.get("days", 0)),
                until=_moment(item["until"], zone) if "until" in item else None,
                reason=item.get("reason", ""),
            )
            for item in value.get("extensions", [])
        ),
    )


def _rules(fields: Mapping[str, Any], base: LabPolicy, zone: ZoneInfo) -> LabPolicy:
    """The rules in @p fields, with @p base for missing ones; "late" and "hidden" are completed key by key."""
    late, hidden, curve = fields.get("late", {}), fields.get("hidden", {}), fields.get("curve")
    return LabPolicy(
        points=fields.get("points", base.points),
        kinds=dict(fields.get("kinds", base.kinds)),
        weight=fields.get("weight", base.weight),
        due=_moment(fields["due"], zone) if "due" in fields else base.due,
        late=Late(
            late.get("percent_per_day", base.late.percent_per_day), late.get("cutoff_days", base.late.cutoff_days)
        ),
        hidden=Hidden(tuple(hidden.get("tests", base.hidden.tests)), hidden.get("released", base.hidden.released)),
        curve=Curve(curve["kind"], curve.get("points", 0.0)) if curve else base.curve,
        submission=fields.get("submission", base.submission),
        column=fields.get("column", ""),
    )
