"""Files that are written completely or not at all, and a folder that one process uses at a time."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError


def write_file(path: Path, data: bytes | str, mode: int = 0o644, durable: bool = True) -> None:
    """Writes a file atomically: a reader finds the old contents or the new. Creates its folder.

    @param durable survives a power cut too; files that can be written again at any time need not, which is faster
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise BatchError(f"{path}: cannot be written ({error.strerror})") from None
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes renames in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def json_text(value: Any) -> str:
    """The same bytes for the same value."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds a folder for this process. @throws BatchError if another one holds it"""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / "lock", "w", encoding="ascii")
    except OSError as error:
        raise BatchError(f"{folder}: cannot be written ({error.strerror}); choose another --out") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BatchError(f"{folder}: another `warpbook grade` is running there; "
                             "wait for it, or choose another --out") from None
        yield
