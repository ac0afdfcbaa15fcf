"""How much a submission may contain; more is refused and reported, so that no archive fills a disk or takes a day."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 2**10, 2**20, 2**30


@dataclass(frozen=True)
class Limits:
    """source_bytes: of a file that may be a student's answer. depth: archives inside each other in one submission.

    student_bytes, student_entries: what all archives of one submission unpack to. class_bytes, class_entries: the same
    for the archives around the submissions, that a platform wrote. sources: files of one submission that are read.
    """

    source_bytes: int = MIB
    sources: int = 500
    depth: int = 4
    student_bytes: int = 256 * MIB
    student_entries: int = 20_000
    class_bytes: int = 16 * GIB
    class_entries: int = 500_000


class Refused(Exception):
    """Something is not read. code, message: as in a Finding."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Budget:
    """The remaining bytes and entries while one submission, or the archive around all of them, is unpacked."""

    def __init__(self, max_bytes: int, max_entries: int, depth: int) -> None:
        self.max_bytes, self.max_entries, self.depth = max_bytes, max_entries, depth
        self._bytes, self._entries = 0, 0

    def entries(self, count: int) -> None:
        """@throws Refused"""
        if self._entries + count > self.max_entries:
            raise Refused("too_many_entries", f"holds more than {self.max_entries} entries; it is not unpacked")
        self._entries += count

    def spend(self, count: int) -> None:
        """@throws Refused"""
        self.check(count)
        self._bytes += count

    def check(self, count: int) -> None:
        """Whether @p count bytes more would still fit. @throws Refused"""
        if self._bytes + count > self.max_bytes:
            raise Refused("too_large", f"unpacks to more than {self.max_bytes} bytes; it is not unpacked")
