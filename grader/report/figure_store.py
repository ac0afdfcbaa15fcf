"""Stores figures for reuse: answers with the same measurements have the same figures, and drawing dominates a report's cost."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from .style import save, themed

KINDS = (".png", ".svg")


@functools.cache
def own_code() -> bytes:
    """Changes with the program that draws."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


@dataclass(frozen=True)
class FigureStore:
    """Files by the hash of their data; None: nothing is stored. Several processes may use one at the same time."""

    folder: Path | None = None

    def draw(self, name: str, data: str, figure: Callable[[], Figure], folder: Path) -> str:
        """Puts NAME.png and NAME.svg into @p folder. @param data all that the figure shows @returns the SVG for the page"""
        if self.folder is None:
            return save(figure(), folder, name)
        key = hashlib.sha256(b"\0".join((own_code(), name.encode(), data.encode("utf-8", "backslashreplace")))).hexdigest()
        kept = [self.folder / f"{key}{kind}" for kind in KINDS]
        if not all(path.is_file() for path in kept):
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder) as place:
                save(figure(), Path(place), name)
                for path in kept:
                    (Path(place) / f"{name}{path.suffix}").replace(path)
        for path in kept:
            link(path, folder / f"{name}{path.suffix}")
        return themed(kept[1].read_text(encoding="utf-8"), name)

    def forget(self) -> None:
        """Removes figures without links. Call it when nothing is being drawn."""
        for path in self.folder.iterdir() if self.folder and self.folder.is_dir() else ():
            if path.suffix in KINDS and path.stat().st_nlink == 1:
                path.unlink()


def link(path: Path, target: Path) -> None:
    """Makes @p target a hard link to @p path, or a copy if the file system has no links."""
    if target.exists() and os.path.samefile(target, path):
        return
    target.unlink(missing_ok=True)
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)
