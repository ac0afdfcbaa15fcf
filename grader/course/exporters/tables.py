"""CSV files that spreadsheets open without surprises."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.course.files import write_file

# A cell that begins with one of these is a formula to a spreadsheet, whoever wrote it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


# Terminal escape sequences, characters that some programs take for the end of the text, and those that change the direction of
# writing, so that a name looks like another one. Line ends are allowed.
CONTROL = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
           if chr(code) not in "\t\n\r"}


def printable(text: str) -> str:
    """Untrusted text, made safe for a terminal."""
    return text.translate(CONTROL)


def plain(text: str) -> str:
    """Untrusted text as a cell that is not a formula."""
    text = printable(text)
    return "'" + text if text.startswith(FORMULA) else text


def write_table(path: Path, rows: Iterable[Sequence[str]]) -> Path:
    """UTF-8, with line ends as in RFC 4180."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_file(path, text.getvalue().encode("utf-8", "backslashreplace"))
    return path
