"""One view of everything that holds files: folders on disk, zip and tar archives. Nothing is ever unpacked by name."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

from grader.course.intake.limits import Refused
from grader.course.intake.names import MAX_PARTS, folded, shown
from grader.course.intake.submission import ERROR, NOTE, SUSPICION, Finding
from grader.course.machine_free import without_machine

SEVERITY = {
    "case_clash": NOTE,
    "name_encoding": NOTE,
    "duplicate_name": NOTE,
    "more_findings": NOTE,
    "link": SUSPICION,
    "device": SUSPICION,
    "unsafe_path": SUSPICION,
}
# Messages about unusual entries.
UNUSUAL = {
    "link": "links are not followed",
    "device": "what is neither file nor folder is left out",
    "unreadable": "left out, because it cannot be read",
    "unsafe_path": "left out, because it lies too deep",
    "case_clash": "names differ in case only; both files are looked at",
    "duplicate_name": "a name comes twice; the last one is used",
    "name_encoding": "a name is not UTF-8; the contents are used",
    "encrypted": "left out, because it needs a password; ask for an archive without one",
}


_SHORTAGES = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS)


class Findings:
    """Collects unexpected things; the walk adds whom they belong to."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def add(self, code: str, path: str, message: str, severity: str = "") -> None:
        self.found.append(Finding(severity or SEVERITY.get(code, ERROR), code, path, message))

    def add_several(self, code: str, path: str, names: list[str], message: str) -> None:
        """One finding for all @p names, so that an archive of 10000 links is one row."""
        if names:
            self.add(code, path, f"{message}: {listed(names)}")


def listed(names: list[str]) -> str:
    """The first five of @p names, and how many more there are."""
    text = ", ".join(shown(name)[:80] for name in names[:5])
    return text if len(names) <= 5 else f"{text} and {len(names) - 5} more"


@dataclass
class File:
    """A regular file. path: how people are told where it is. size: as its container says, not to be trusted."""

    name: str
    path: str
    size: int
    time: datetime | None
    time_source: str
    opener: Callable[[], IO[bytes]]
    on_disk: bool = False

    def read(self, limit: int) -> bytes:
        """@throws Refused if it holds more than @p limit bytes or cannot be read."""
        if self.size > limit:
            raise Refused("too_large", f"has {self.size} bytes; at most {limit} are read")
        try:
            with self.opener() as stream:
                data = stream.read(limit + 1)
        except Refused:
            raise
        except Exception as error:  # A hostile archive can make a decoder raise anything.
            if of_this_machine(error):
                raise
            raise Refused("broken_file", f"cannot be read ({reason_of(error)})") from None
        if len(data) > limit:
            raise Refused("too_large", f"has more bytes than its archive says, and more than {limit}")
        return data


@dataclass
class Folder:
    """Files and folders by name, each sorted."""

    name: str
    path: str
    files: dict[str, File] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)

    def folder(self, parts: tuple[str, ...]) -> Folder:
        """The folder at @p parts below this one; it is created if necessary."""
        here = self
        for part in parts:
            here = here.folders.setdefault(part, Folder(part, f"{here.path}/{shown(part)}"))
        return here

    def all_names(self) -> list[str]:
        return sorted([*self.files, *self.folders])

    def walk(self) -> Iterator[Folder]:
        yield self
        for name in sorted(self.folders):
            yield from self.folders[name].walk()


def reason_of(error: Exception) -> str:
    """What went wrong, in a few words; for errors without words, their kind."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return shown(without_machine(text))[:200] or type(error).__name__


def of_this_machine(error: Exception) -> bool:
    """Whether the error is about this machine's resources, not about the submission."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _SHORTAGES)


def moment_of(seconds: float) -> datetime | None:
    """Unix time in UTC; None for 0 and others before 1980 or after 2100, at which nobody handed in anything."""
    return datetime.fromtimestamp(int(seconds), timezone.utc) if 3.2e8 < seconds < 4.2e9 else None


def clashes_in(folder: Folder) -> list[str]:
    """'A.cu / a.cu' for names that are one name on systems which ignore case."""
    seen: dict[str, str] = {}
    return [
        f"{first} / {name}" for name in folder.all_names() if (first := seen.setdefault(folded(name), name)) != name
    ]


def open_plain(path: Path) -> IO[bytes]:
    """Opens a regular file, and nothing else: no link, no pipe that would never end."""
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    stream = os.fdopen(number, "rb")
    if not stat.S_ISREG(os.fstat(number).st_mode):
        stream.close()
        raise Refused("device", "is not a regular file")
    return stream


def disk_file(path: Path, shown_path: str, status: os.stat_result) -> File:
    return File(
        path.name, shown_path, status.st_size, moment_of(status.st_mtime), "mtime", lambda: open_plain(path), True
    )


def disk_folder(path: Path, shown_path: str, findings: Findings, max_entries: int, skipped: Path) -> Folder:
    """The folder at @p path, but for @p skipped below it. Links and devices are reported and left out.

    @throws Refused if it holds too much
    """
    left = [max_entries]
    own = os.stat(skipped) if skipped.exists() else None

    def read(path: Path, shown_path: str, depth: int) -> Folder:
        folder = Folder(path.name, shown_path)
        refused: dict[str, list[str]] = {"link": [], "device": [], "unreadable": [], "unsafe_path": []}
        try:
            entries = sorted(os.scandir(path), key=lambda entry: entry.name)
        except OSError as error:
            findings.add("unreadable", shown_path, f"cannot be listed ({error.strerror}); its files are left out")
            return folder
        left[0] -= len(entries)
        if left[0] < 0:
            raise Refused("too_many_entries", f"holds more than {max_entries} files")
        for entry in entries:
            place = f"{shown_path}/{shown(entry.name)}"
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                refused["unreadable"].append(entry.name)
                continue
            if own and os.path.samestat(status, own):
                continue
            if stat.S_ISLNK(status.st_mode):
                refused["link"].append(entry.name)
            elif stat.S_ISDIR(status.st_mode) and depth >= MAX_PARTS:
                refused["unsafe_path"].append(entry.name)
            elif stat.S_ISDIR(status.st_mode):
                folder.folders[entry.name] = read(path / entry.name, place, depth + 1)
            elif stat.S_ISREG(status.st_mode):
                folder.files[entry.name] = disk_file(path / entry.name, place, status)
            else:
                refused["device"].append(entry.name)
        for code, names in refused.items():
            findings.add_several(code, shown_path, names, UNUSUAL[code])
        findings.add_several("case_clash", shown_path, clashes_in(folder), UNUSUAL["case_clash"])
        return folder

    return read(path, shown_path, 0)
