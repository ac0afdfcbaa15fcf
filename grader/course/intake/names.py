"""Untrusted names: whether a path is safe, how a name is shown, and which lab a file's name means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MAX_NAME = 1000  # characters of a path inside an archive
MAX_PARTS = 40
JUNK = {"__macosx", ".ds_store", "thumbs.db", "desktop.ini", ".git", ".svn", ".vs", ".vscode", ".idea", "__pycache__"}
OWN = "warpbook_submission.json"  # The manifest that `warpbook submit` adds. Nothing in it is trusted, so it is skipped.
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz")
OTHER_ARCHIVES = (
    ".7z",
    ".rar",
    ".tar.xz",
    ".txz",
    ".xz",
    ".tar.zst",
    ".zst",
    ".gz",
    ".bz2",
    ".lzh",
    ".cab",
    ".dmg",
    ".iso",
)
_COPY = re.compile(r"[\s_-]*(?:\((\d{1,6})\)|copy(?:[\s_-]*(\d{1,6}))?|kopie)\s*$", re.I)


def shown(name: str) -> str:
    """@p name with everything escaped that is unsafe in a terminal, a page or an encoding."""
    return "".join(
        char if char.isprintable() and unicodedata.category(char) not in ("Cf", "Cs") else ascii(char)[1:-1]
        for char in name
    )


def is_junk(name: str) -> bool:
    """Files that operating systems, editors and `warpbook submit` create; nobody handed them in on purpose."""
    return name.casefold() in JUNK or name == OWN or name.startswith("._") or name.endswith("~")


def safe_parts(name: str) -> tuple[tuple[str, ...], str]:
    """The parts of a path inside an archive; or nothing, and why it is refused. Both '/' and '\\' separate."""
    if "\0" in name:
        return (), "has a NUL in its name"
    if len(name) > MAX_NAME:
        return (), f"has a name of {len(name)} characters"
    name = name.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return (), "has an absolute path"
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts:
        return (), "leads out of its folder with '..'"
    if len(parts) > MAX_PARTS:
        return (), f"lies {len(parts) - 1} folders deep"
    return parts, ""


def archive_stem(name: str) -> str | None:
    """'s001.tar.gz' -> 's001'; None if the name is not that of an archive, readable or not."""
    lower = name.casefold()
    for suffix in sorted((*ARCHIVES, *OTHER_ARCHIVES), key=len, reverse=True):
        if lower.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return None


def is_readable_archive(name: str) -> bool:
    return name.casefold().endswith(ARCHIVES)


def folded(text: str) -> str:
    """For comparing: one form of Unicode, no case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def squashed(text: str) -> str:
    """Letters and digits only, without accents or case: 'Lab-1 Größe' -> 'lab1grosse'."""
    plain = unicodedata.normalize("NFKD", folded(text))
    return "".join(char for char in plain if char.isalnum())


def tokens(text: str) -> list[str]:
    """Words of a name: split where it is no letter or digit, and where camelCase begins a word."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return [token for part in re.split(r"[\W_]+", spaced) if (token := squashed(part))]


def without_copy(stem: str) -> tuple[str, int]:
    """'coalescing (2)' -> ('coalescing', 2): what browsers and file managers add to the name of a copy."""
    if match := _COPY.search(stem):
        return stem[: match.start()], int(match.group(1) or match.group(2) or 1)
    return stem, 0


EXACT, SAME_LETTERS, PART_OF_NAME = 0, 1, 2


def lab_of_name(name: str, labs: Iterable[str]) -> tuple[str, int] | None:
    """The lab that a name (without suffix) means, and how clearly; None if it means none, or several.

    EXACT: it is the lab's. SAME_LETTERS: but for case, separators, numbers at the end and the marks of a copy.
    PART_OF_NAME: the lab's name is some of its words ('lab_coalescing_final', 'MyBankConflicts2').
    """
    labs = list(labs)
    if name in labs:
        return name, EXACT
    plain = squashed(without_copy(name)[0]).rstrip("0123456789")
    for lab in labs:
        if plain == squashed(lab):
            return lab, SAME_LETTERS
    found = {lab for lab in labs if _holds_words(tokens(name), squashed(lab))}
    if not found:
        whole = squashed(name)
        found = {lab for lab in labs if len(squashed(lab)) >= 6 and squashed(lab) in whole}
    return (found.pop(), PART_OF_NAME) if len(found) == 1 else None


def _holds_words(words: list[str], lab: str) -> bool:
    """Whether some words in a row are @p lab, numbers at the end of the last aside."""
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if joined == lab or joined.rstrip("0123456789") == lab:
                return True
            if len(joined) > len(lab) + 8:
                break
    return False
