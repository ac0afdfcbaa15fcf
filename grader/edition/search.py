"""Searches everything that is published for secrets: in texts, names of files, binaries, device code."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.course.errors import BatchError
from grader.edition.device_code import FAT_BINARY, decompressed
from grader.edition.secrets import Secrets

_SPACE = re.compile(rb"[ \t]+")
_TEXT = re.compile(rb"[\t\x20-\x7e]{6,}")  # Most of a binary is not text and need not be searched.


def leaks(folder: Path, secrets: Secrets, device_code: Collection[bytes] = ()) -> list[str]:
    """Secrets found in the folder, one sentence each, by file; nothing if all is well.

    :param device_code: contents of the only files that may contain device code
    """
    found: list[str] = []
    ways: list[str] = []  # How a secret in the text of this number is reported.
    odd = [secret for secret in secrets.whose if not _TEXT.fullmatch(secret)]  # Not in what is searched: it has only text.
    with TemporaryDirectory(prefix="warpbook-search-") as texts:
        def add(text: bytes, how: str) -> None:
            Path(texts, str(len(ways))).write_bytes(text)
            ways.append(how)

        for path in _files(folder):
            name = path.relative_to(folder)
            add(str(name).encode(), f"{name}: is named after {{whose}}")
            if path.is_symlink():
                continue
            data = path.read_bytes()
            if FAT_BINARY in data and data not in device_code:
                found.append(f"{name}: contains device code, which only the labs' own object files may")
            for where, content in [("", data), *((" (decompressed)", frame) for frame in decompressed(data))]:
                holds = f"{name}: holds '{{secret}}'{where}, of {{whose}}"
                add(_SPACE.sub(b" ", b"\n".join(_TEXT.findall(content))), holds)
                found += [_told(holds, secret, secrets) for secret in odd if secret in content]
        return found + [_told(ways[k], secret, secrets) for k, secret in _occurrences(Path(texts), secrets)]


def _told(how: str, secret: bytes, secrets: Secrets) -> str:
    return how.replace("{secret}", secret.decode()).replace("{whose}", secrets.whose[secret])


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in sorted(os.walk(folder)):
        yield from (Path(place, name) for name in sorted(names))


def _occurrences(texts: Path, secrets: Secrets) -> list[tuple[int, bytes]]:
    """Which secrets are in the text of which number, each once. grep looks for all at a time; of two that begin alike it finds the
    longer one."""
    if not secrets.whose:
        return []
    (texts / "secrets").write_bytes(b"\n".join(secrets.whose) + b"\n")
    ran = subprocess.run(["grep", "-roaF", "--exclude=secrets", "-f", "secrets"], cwd=texts, capture_output=True, check=False,
                         env=os.environ | {"LC_ALL": "C"})
    if ran.returncode > 1:
        raise BatchError(f"grep, which searches what is published, failed: {ran.stderr.decode(errors='replace')}")
    lines = (line.partition(b":") for line in ran.stdout.splitlines())
    return sorted({(int(k), secret) for k, _, secret in lines})
