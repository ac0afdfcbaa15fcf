"""OUT/files: a copy of each submitted file, under the hash of its contents."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from grader.course.intake.labs import sha256_of


class Store:
    def __init__(self, folder: Path) -> None:
        """@p folder is made if it is not there. @throws OSError"""
        self.folder = folder
        self._new: set[Path] = set()
        folder.mkdir(parents=True, exist_ok=True)

    def put(self, data: bytes, suffix: str) -> tuple[str, Path]:
        """(SHA-256, path) of the copy. A copy that was damaged is written again."""
        digest = sha256_of(data)
        path = self.folder / (digest + suffix)
        try:
            known = not path.is_symlink() and path.read_bytes() == data
        except OSError:
            known = False
        if not known:
            self._write(data, path)
        return digest, path

    def _write(self, data: bytes, path: Path) -> None:
        number, name = tempfile.mkstemp(dir=self.folder, prefix=".incoming.")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)  # Not synced: a copy that is damaged by a power cut is written again.
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
        self._new.add(path)

    def drop_all_but(self, kept: set[Path]) -> None:
        """Removes files that this object wrote and that are not needed."""
        for path in self._new - kept:
            path.unlink(missing_ok=True)
        self._new &= kept
