"""A generated table in a page, between the lines <!-- NAME --> and <!-- end of NAME -->."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def problem(page: Path, name: str, table: str, write: bool, again: str) -> str | None:
    """Compares a page's table with what it should be, or writes it.

    @param table the text between both lines, without the empty lines around it
    @param write puts the table in its place instead
    @param again the command that writes the table
    @returns what is wrong; None if the page has the table
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    shown = page.relative_to(ROOT)
    before, found_begin, rest = (page.read_text(encoding="utf-8") if page.is_file() else "").partition(begin)
    old, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        return f"{shown}: the lines {begin.strip()} and {end.strip()} are missing; a table goes between them"
    new = f"\n{table}\n"
    if write:
        page.write_text(f"{before}{begin}{new}{end}{after}", encoding="utf-8")
    elif old != new:
        return f"{shown}: has an old table of {name}: {again}"
    return None
