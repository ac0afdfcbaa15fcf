"""Reading JSON written by other parts: every error names the file, the place, what is wrong and what to do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ReportError(Exception):
    """A message for the person who runs the report."""


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return "null" if value is None else names[type(value)]


@dataclass(frozen=True)
class Record:
    """A JSON object with its file and place, read field by field with checks."""

    fields: dict[str, Any]
    file: Path
    place: str = ""

    def _path(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def _get(self, key: str, wanted: str, types: tuple[type, ...], optional: bool) -> Any:
        if key not in self.fields and not optional:
            raise ReportError(f"{self.file}: {self._path(key)} is missing; it must be {wanted} (docs/formats.md)")
        value = self.fields.get(key)
        if value is None and optional:
            return None
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ReportError(
                f"{self.file}: {self._path(key)} is {_kind(value)} ({json.dumps(value)[:60]}); "
                f"it must be {wanted} (docs/formats.md)"
            )
        return value

    def text(self, key: str) -> str:
        found: str = self._get(key, "a string", (str,), False)
        return found

    def optional_text(self, key: str) -> str | None:
        found: str | None = self._get(key, "a string or null", (str,), True)
        return found

    def flag(self, key: str) -> bool:
        found: bool = self._get(key, "true or false", (bool,), False)
        return found

    def number(self, key: str) -> float:
        found: float = self._get(key, "a number", (int, float), False)
        return found

    def optional_number(self, key: str) -> float | None:
        found: float | None = self._get(key, "a number or null", (int, float), True)
        return found

    def count(self, key: str) -> int:
        value = self._get(key, "a whole number, 0 or more", (int, float), False)
        if value != int(value) or value < 0:
            raise ReportError(f"{self.file}: {self._path(key)} is {value}; it must be a whole number, 0 or more")
        return int(value)

    def optional_count(self, key: str) -> int | None:
        return None if self.fields.get(key) is None else self.count(key)

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            raise ReportError(f"{self.file}: {self._path(key)} is '{value}'; it must be one of {', '.join(allowed)}")
        return value

    def record(self, key: str) -> Record:
        return Record(self._get(key, "an object", (dict,), False), self.file, self._path(key))

    def records(self, key: str, optional: bool = False) -> list[Record]:
        values = self._get(key, "a list", (list,), optional) or []
        for i, value in enumerate(values):
            if not isinstance(value, dict):
                raise ReportError(f"{self.file}: {self._path(key)}[{i}] is {_kind(value)}; it must be an object")
        return [Record(value, self.file, f"{self._path(key)}[{i}]") for i, value in enumerate(values)]

    def numbers(self, key: str) -> dict[str, float]:
        values: dict[str, float] = self._get(key, "an object of numbers", (dict,), False)
        for name, value in values.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise ReportError(f"{self.file}: {self._path(key)}['{name}'] is {_kind(value)}; it must be a number")
        return values


def load_json(path: Path, made_by: str) -> Record:
    """Reads a JSON object. @p made_by: how to make the file again, for errors."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReportError(f"{path}: there is no such file; {made_by}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: cannot be read ({error}); {made_by}") from None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ReportError(
            f"{path}:{error.lineno}:{error.colno}: not valid JSON ({error.msg}); the file is cut short or damaged: {made_by}"
        ) from None
    if not isinstance(value, dict):
        raise ReportError(f"{path}: holds {_kind(value)}, not an object; {made_by}")
    return Record(value, path)


def load_versioned(path: Path, name: str, version: int, made_by: str) -> Record:
    """Reads a file of format @p name and refuses any other format or version."""
    record = load_json(path, made_by)
    if record.text("format") != name:
        raise ReportError(f"{path}: format is '{record.text('format')}', expected '{name}'; is it the right file?")
    if record.number("version") != version:
        raise ReportError(
            f"{path}: version {record.number('version')} of {name}, but this report reads version {version}; "
            f"write it with the same warpbook: {made_by}"
        )
    return record
