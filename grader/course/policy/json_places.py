"""Reads JSON and remembers where each value is, so that an error about a value can name its line."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined] # typeshed does not have it.
from typing import Any

Path = tuple[str | int, ...]  # Keys and indices from the root to a value.

_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_MAX_DEPTH = 50


class JsonError(Exception):
    """message, with line and column, both from 1 on."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


class PlacedJson:
    """A JSON text: its `value`, and the place of each value and key in it."""

    def __init__(self, text: str) -> None:
        """@throws JsonError if it is not JSON, or if an object has a key twice."""
        self.text = text
        self._values: dict[Path, int] = {}
        self._keys: dict[Path, int] = {}
        self.value, end = self._read(self._skip(0), ())
        if (rest := self._skip(end)) != len(text):
            raise self._error("there is text after the end of the JSON value", rest)

    def place(self, path: Path) -> tuple[int, int]:
        """Line and column of the value at @p path; of the nearest value around it if there is none."""
        path = tuple(path)
        while path not in self._values:
            path = path[:-1]
        return self._line_and_column(self._values[path])

    def place_of_key(self, path: Path) -> tuple[int, int]:
        """Line and column of the key that ends @p path; of its value if it is not a key of an object."""
        return self._line_and_column(self._keys[tuple(path)]) if tuple(path) in self._keys else self.place(path)

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def _error(self, message: str, offset: int) -> JsonError:
        return JsonError(message, *self._line_and_column(offset))

    def _skip(self, offset: int) -> int:
        found = _SPACE.match(self.text, offset)
        return found.end() if found else offset

    def _read(self, offset: int, path: Path) -> tuple[Any, int]:
        self._values[path] = offset
        if len(path) > _MAX_DEPTH:
            raise self._error(f"values are nested more than {_MAX_DEPTH} deep", offset)
        first = self.text[offset : offset + 1]
        if first == "{":
            return self._read_object(offset, path)
        if first == "[":
            return self._read_list(offset, path)
        if first == '"':
            return self._read_string(offset)
        if word := _WORD.match(self.text, offset):
            if len(word.group()) > 100:
                raise self._error(f"a number of {len(word.group())} characters; 100 are the most", offset)
            return json.loads(word.group()), word.end()
        what = f"'{first}'" if first else "the end of the file"
        raise self._error(
            f'{what} where a value must be (an object, a list, a string in "", a number, true, false)', offset
        )

    def _read_string(self, offset: int) -> tuple[str, int]:
        try:
            found: tuple[str, int] = scanstring(self.text, offset + 1, True)
            return found
        except json.JSONDecodeError as error:
            raise self._error(f"not a valid string: {error.msg}", error.pos) from None

    def _read_object(self, offset: int, path: Path) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {}
        offset = self._skip(offset + 1)
        if self.text[offset : offset + 1] == "}":
            return result, offset + 1
        while True:
            if self.text[offset : offset + 1] != '"':
                raise self._error('a key in "" must be here (a comma after the last entry is not allowed)', offset)
            key_offset = offset
            key, offset = self._read_string(offset)
            if key in result:
                line, _ = self._line_and_column(self._keys[path + (key,)])
                raise self._error(f'"{key}" is here for the second time; the first is in line {line}', key_offset)
            self._keys[path + (key,)] = key_offset
            offset = self._skip(offset)
            if self.text[offset : offset + 1] != ":":
                raise self._error(f'a ":" must follow the key "{key}"', offset)
            result[key], offset = self._read(self._skip(offset + 1), path + (key,))
            offset, done = self._next(offset, "}")
            if done:
                return result, offset

    def _read_list(self, offset: int, path: Path) -> tuple[list[Any], int]:
        result: list[Any] = []
        offset = self._skip(offset + 1)
        if self.text[offset : offset + 1] == "]":
            return result, offset + 1
        while True:
            value, offset = self._read(offset, path + (len(result),))
            result.append(value)
            offset, done = self._next(offset, "]")
            if done:
                return result, offset

    def _next(self, offset: int, end: str) -> tuple[int, bool]:
        """After an entry: the place of the next one, or after @p end."""
        offset = self._skip(offset)
        mark = self.text[offset : offset + 1]
        if mark == end:
            return offset + 1, True
        if mark != ",":
            raise self._error(f'a "," or a "{end}" must be here', offset)
        return self._skip(offset + 1), False
