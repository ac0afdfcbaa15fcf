"""Decodes text: UTF-8, or UTF-16 with or without a byte order mark; and says in one sentence why something is not text."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 4096
_KINDS = (
    (b"\x7fELF", "a program"),
    (b"MZ", "a program of Windows"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "a document of an office program"),
    (b"!<arch>", "a library"),
    (b"Rar!", "a rar archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
)


class TextError(Exception):
    """Why some bytes are not text; begins with a verb."""


def encoding_of(data: bytes) -> str:
    """'utf-8', 'utf-8-sig', 'utf-16', 'utf-16-le', ...; '' if it is none of them."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name if _decodes(data, name) else ""
    head = data[:_LOOKED_AT]
    if b"\0" in head and len(head) >= 4:  # Code is nearly all ASCII: in UTF-16 every other byte is 0.
        for name, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if zeros.count(0) > 0.9 * len(zeros) and _decodes(data, name):
                return name
    return "utf-8" if b"\0" not in data and _decodes(data, "utf-8") else ""


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        return "\0" not in data.decode(encoding)
    except UnicodeError:
        return False


def text_of(data: bytes) -> str:
    """@throws TextError"""
    if encoding := encoding_of(data):
        return data.decode(encoding)
    if (what := binary_kind(data)) is not None:
        raise TextError(f"is not text, but {what}")
    at = next(i for i, byte in enumerate(data) if byte >= 0x80)
    raise TextError(f"is not UTF-8 (byte {data[at]:#x} in line {data.count(10, 0, at) + 1})")


def binary_kind(data: bytes) -> str | None:
    """'a program' and the like for bytes that are not from an editor; None for text in any encoding."""
    if encoding_of(data):
        return None
    for mark, what in _KINDS:
        if data.startswith(mark):
            return what
    strange = sum(byte < 9 or 13 < byte < 32 for byte in data[:_LOOKED_AT])
    if b"\0" in data or strange > 0.05 * min(len(data), _LOOKED_AT):
        return "a binary file"
    return None


def no_source(data: bytes, name: str) -> str:
    """Why there is nothing to compile, in one sentence; '' if there is. name: of the file that is wanted."""
    if not data.strip():
        return "The file is empty: there is nothing to compile."
    if (what := binary_kind(data)) is not None:
        return f"The file is not text, but {what}: hand in the source, {name}, saved as UTF-8."
    if encoding_of(data).startswith(("utf-16", "utf-32")):  # Intake has read it; a compiler does not.
        return "The file was saved as UTF-16, which compilers do not read: save it as UTF-8."
    return ""
