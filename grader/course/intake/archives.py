"""Opens zip and tar archives as folders. Whatever is wrong with one is a finding or Refused, never another error."""

from __future__ import annotations

import bz2
import gzip
import mmap
import stat
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import partial
from typing import IO, cast
from zoneinfo import ZoneInfo

from grader.course.intake.limits import MIB, Budget, Refused
from grader.course.intake.names import safe_parts, shown
from grader.course.intake.tree import UNUSUAL, File, Findings, Folder, clashes_in, moment_of, of_this_machine, reason_of
from grader.course.policy.late import local_time

_CHUNK = MIB
MAX_FINDINGS = 200  # of one archive


@contextmanager
def opened(file: File, budget: Budget, zone: ZoneInfo, findings: Findings) -> Iterator[Folder]:
    """The members of archive @p file. @p zone: of the times in a zip that has no better ones.

    Members are read while it is open. Members that are not safe are left out, with a finding.
    @throws Refused if it is broken, encrypted as a whole, or holds too much.
    """
    with ExitStack() as stack:
        try:
            folder = _open(file, budget, zone, findings, stack)
        except Refused:
            raise
        except Exception as error:  # Decoders get hostile input: any kind of error means that it is broken.
            if of_this_machine(error):
                raise
            raise Refused("broken_archive", f"is broken ({reason_of(error)}); nothing in it is used") from None
        yield folder


def _open(file: File, budget: Budget, zone: ZoneInfo, findings: Findings, stack: ExitStack) -> Folder:
    stream = _seekable(file, budget, stack)
    begin = stream.read(512)
    packed = begin.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))
    packed = packed or (file.name.casefold().endswith(".zip") and zipfile.is_zipfile(stream))
    stream.seek(0)
    if packed:
        return _open_zip(file, stream, budget, zone, findings, stack)
    if begin.startswith(b"\x1f\x8b"):
        stream = _unpacked(cast(IO[bytes], gzip.GzipFile(fileobj=stream)), budget, stack)
    elif begin.startswith(b"BZh"):
        stream = _unpacked(cast(IO[bytes], bz2.BZ2File(stream)), budget, stack)
    elif begin[257:262] != b"ustar" and not file.name.casefold().endswith(".tar"):
        kind = "is empty" if not begin else f"begins with the bytes {begin[:4].hex(' ')}"
        raise Refused("broken_archive", f"is neither zip nor tar, whatever its name says: it {kind}")
    return _open_tar(file, stream, budget, findings, stack)


def _seekable(file: File, budget: Budget, stack: ExitStack) -> IO[bytes]:
    """The archive's bytes as a seekable file: the file itself if it is on disk, else a temporary copy."""
    stream = stack.enter_context(file.opener())
    if file.on_disk:
        return stream
    return _unpacked(stream, budget, stack)


def _unpacked(stream: IO[bytes], budget: Budget, stack: ExitStack) -> IO[bytes]:
    copy = stack.enter_context(tempfile.TemporaryFile())
    while chunk := stream.read(_CHUNK):
        budget.spend(len(chunk))
        copy.write(chunk)
    copy.seek(0)
    return copy


class _Members:
    """Puts members into the tree of folders, and remembers those that are refused, and where they were."""

    def __init__(self, file: File, findings: Findings) -> None:
        self.root = Folder(file.name, file.path)
        self.findings = findings
        self._unsafe: dict[str, list[str]] = {}
        self._unusual: dict[tuple[str, str], list[str]] = {}

    def place(self, name: str) -> tuple[Folder, str] | None:
        """The folder and the last part of @p name; None for an unsafe one, and for the root itself."""
        parts, problem = safe_parts(name)
        if problem:
            self._unsafe.setdefault(problem, []).append(name)
        return (self.root.folder(parts[:-1]), parts[-1]) if parts else None

    def add(self, folder: Folder, file: File) -> None:
        if file.name in folder.files:
            self.unusual("duplicate_name", folder, file.name)
        folder.files[file.name] = file

    def unusual(self, code: str, folder: Folder, name: str) -> None:
        self._unusual.setdefault((folder.path, code), []).append(name)

    def report(self) -> None:
        """A finding for each folder and kind, so that it finds its student; for too many folders, one for all."""
        for problem, names in sorted(self._unsafe.items()):
            self.findings.add_several("unsafe_path", self.root.path, names, f"refused, because the path {problem}")
        for folder in self.root.walk():
            for clash in clashes_in(folder):
                self.unusual("case_clash", folder, clash)
        for number, ((path, code), names) in enumerate(sorted(self._unusual.items())):
            if number == MAX_FINDINGS:
                more = f"{len(self._unusual) - number} more folders in it hold links, clashing names and the like"
                self.findings.add("more_findings", self.root.path, more)
                break
            self.findings.add_several(code, path, names, UNUSUAL[code])


def _open_zip(
    file: File, stream: IO[bytes], budget: Budget, zone: ZoneInfo, findings: Findings, stack: ExitStack
) -> Folder:
    _check_directory(stream, budget)
    archive = stack.enter_context(zipfile.ZipFile(stream))
    infos = archive.infolist()
    budget.entries(len(infos))
    budget.check(sum(info.file_size for info in infos))
    members = _Members(file, findings)
    for info in infos:
        name, readable = _zip_name(info)
        if (place := members.place(name)) is None:
            continue
        folder, last = place
        if not readable:
            members.unusual("name_encoding", folder, last)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if name.endswith(("/", "\\")):
            folder.folder((last,))
        elif kind == stat.S_IFLNK:
            members.unusual("link", folder, last)
        elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            members.unusual("device", folder, last)
        elif info.flag_bits & 0x1:
            members.unusual("encrypted", folder, last)
        else:
            opener = partial(archive.open, info)
            path = f"{folder.path}/{shown(last)}"
            members.add(folder, File(last, path, info.file_size, _zip_time(info, zone), "archive", opener))
    members.report()
    return members.root


def _check_directory(stream: IO[bytes], budget: Budget) -> None:
    """Counts the entries before zipfile makes an object of each. @throws Refused"""
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        count, at = 0, data.find(b"PK\x01\x02")
        while at >= 0 and count <= budget.max_entries:
            count, at = count + 1, data.find(b"PK\x01\x02", at + 46)
        if count > budget.max_entries:
            budget.entries(count)


def _zip_name(info: zipfile.ZipInfo) -> tuple[str, bool]:
    """The name, and whether it is sure. Without the flag for UTF-8, zipfile reads a name as code page 437.

    Many programs write UTF-8 anyway.
    """
    name = info.orig_filename
    if info.flag_bits & 0x800 or name.isascii():
        return name, True
    try:
        return name.encode("cp437").decode("utf-8"), True
    except UnicodeError:
        return name, False


def _zip_time(info: zipfile.ZipInfo, zone: ZoneInfo) -> datetime | None:
    """When a member was last changed: in UTC if the archive says so (field 0x5455), else local time, to two seconds."""
    extra = info.extra
    while len(extra) >= 4:
        field, size = struct.unpack_from("<HH", extra)
        if field == 0x5455 and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return moment_of(struct.unpack_from("<i", extra, 5)[0])
        extra = extra[4 + size :]
    try:
        local = datetime(*info.date_time)
    except ValueError:
        return None
    return local_time(local, zone) if local.year > 1980 else None  # 1980-01-01 means "unknown".


def _open_tar(file: File, stream: IO[bytes], budget: Budget, findings: Findings, stack: ExitStack) -> Folder:
    archive = stack.enter_context(tarfile.open(fileobj=stream, mode="r:", encoding="utf-8", errors="surrogateescape"))
    members = _Members(file, findings)
    end = -1
    while (info := archive.next()) is not None:
        if archive.offset <= end:
            raise Refused("broken_archive", "is broken (a member begins before the one in front of it)")
        end = archive.offset
        budget.entries(1)
        archive.members.clear()  # type: ignore[attr-defined] # It would keep every header.
        _add_tar_member(archive, info, budget, members)
    _check_end(archive, stream, findings, file)
    members.report()
    return members.root


def _add_tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget, members: _Members) -> None:
    if (place := members.place(info.name)) is None:
        return
    folder, last = place
    if any("\udc80" <= char <= "\udcff" for char in info.name):
        members.unusual("name_encoding", folder, last)
    if info.isdir():
        folder.folder((last,))
    elif info.issym() or info.islnk():
        members.unusual("link", folder, last)
    elif not info.isreg():
        members.unusual("device", folder, last)
    else:
        budget.check(info.size)
        path = f"{folder.path}/{shown(last)}"
        opener = partial(_whole, archive, info)
        members.add(folder, File(last, path, info.size, moment_of(info.mtime), "archive", opener))


def _whole(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(info)
    if stream is None:
        raise Refused("broken_file", "has no contents in its archive")
    return stream


def _check_end(archive: tarfile.TarFile, stream: IO[bytes], findings: Findings, file: File) -> None:
    """tarfile takes a broken header for the end; so check whether it is one."""
    stream.seek(archive.offset)
    block = stream.read(512)
    if block.strip(b"\0"):
        findings.add("broken_archive", file.path, "is broken after some entries; those before are used")
