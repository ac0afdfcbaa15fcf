"""CSV files that spreadsheets open without surprises."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.batch.files import write_file

# A cell that begins with one of these is a formula to a spreadsheet, whoever wrote it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str) -> str:
    """Text of strangers as a cell that is no formula."""
    return "'" + text if text.startswith(FORMULA) else text


def write_table(path: Path, rows: Iterable[Sequence[str]]) -> Path:
    """UTF-8, lines ended as RFC 4180 says."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_file(path, text.getvalue().encode("utf-8", "backslashreplace"))
    return path
