"""Searches everything that is published for secrets: in texts, names of files, binaries, device code."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from grader.edition.device_code import FAT_BINARY, decompressed
from grader.edition.secrets import Secrets

_SPACE = re.compile(rb"[ \t]+")
_TEXT = re.compile(rb"[\t\x20-\x7e]{6,}")  # Most of a binary is not text and need not be searched.


def leaks(folder: Path, secrets: Secrets, device_code: Collection[bytes] = ()) -> list[str]:
    """Secrets found in the folder, one sentence each; nothing if all is well.

    :param device_code: contents of the only files that may contain device code
    """
    find = _finder(secrets)
    return [f"{path.relative_to(folder)}: {what}" for path in _files(folder)
            for what in _leaks_of(path, path.relative_to(folder), secrets, find, device_code)]


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in sorted(os.walk(folder)):
        yield from (Path(place, name) for name in sorted(names))


def _finder(secrets: Secrets) -> re.Pattern[bytes]:
    """One pattern for all; of two that begin alike, the longer one matches."""
    return re.compile(b"|".join(re.escape(secret) for secret in sorted(secrets.whose, key=len, reverse=True)) or b"(?!)")


def _found(data: bytes, secrets: Secrets, find: re.Pattern[bytes]) -> set[bytes]:
    inside = set(find.findall(_SPACE.sub(b" ", b"\n".join(_TEXT.findall(data)))))
    return inside | {secret for secret in secrets.whose if not _TEXT.fullmatch(secret) and secret in data}


def _leaks_of(path: Path, name: Path, secrets: Secrets, find: re.Pattern[bytes], device_code: Collection[bytes]) -> Iterator[str]:
    for found in find.findall(str(name).encode()):
        yield f"is named after {secrets.whose[found]}"
    if path.is_symlink():
        return
    data = path.read_bytes()
    if FAT_BINARY in data and data not in device_code:
        yield "contains device code, which only the labs' own object files may"
    for where, text in [("", data), *((" (decompressed)", frame) for frame in decompressed(data))]:
        for found in sorted(_found(text, secrets, find)):
            yield f"holds '{found.decode()}'{where}, of {secrets.whose[found]}"
