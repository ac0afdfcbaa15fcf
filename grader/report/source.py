"""The graded source, line by line, with the counters of each line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

from grader.course.plain_text import plain_text

from .profiles import Access, Kernel, Line
from .style import number

MAX_LINES = 3000  # More are not shown, and the page says so.
WASTE = 1.1  # a cost above this many times the ideal is shown as wasteful, as in the figures


@dataclass(frozen=True)
class SourceRow:
    line: int
    text: str
    executed: str
    lanes: str
    cost: str
    wasteful: bool


def lines_of(source: Path) -> list[str]:
    """The lines as compilers count them: only a line feed ends one. Control characters are replaced.

    :raises OSError: if it cannot be read
    """
    text = source.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").removesuffix("\n")
    return plain_text(text).split("\n") if text else []


def _cost(access: Access) -> tuple[str, bool]:
    shared = access.space == "shared"
    found = (access.wavefronts if shared else access.sectors) / access.requests
    ideal = (access.wavefronts_ideal if shared else access.sectors_ideal) / access.requests
    wasteful = found > WASTE * ideal
    unit = ("wavefront" if shared else "sector") + ("" if number(found) == "1" else "s")
    return f"{access.kind} {number(found)} {unit}{f' ({number(ideal)})' if wasteful else ''}", wasteful


def _row(number_: int, text: str, line: Line | None) -> SourceRow:
    if line is None or line.inst_executed == 0:
        return SourceRow(number_, text, "", "", "", False)
    costs = [_cost(access) for access in line.accesses if access.requests]
    lanes = number(round(line.thread_inst_executed_true / line.inst_executed, 1))
    return SourceRow(
        number_, text, f"{line.inst_executed:,}", lanes, "\n".join(cost for cost, _ in costs), any(bad for _, bad in costs)
    )


def source_rows(kernel: Kernel, source: Path) -> list[SourceRow]:
    """The lines of @p source between the first and the last that @p kernel executed; empty if there are none.

    A source that cannot be read (because it was graded elsewhere) still gives the rows with counts, without their text.
    """
    lines = {line.line: line for line in kernel.lines if PurePath(line.file).name == source.name}
    if not lines:
        return []
    try:
        text = lines_of(source)
    except OSError:
        return [_row(at, "", line) for at, line in sorted(lines.items())][:MAX_LINES]
    first, last = min(lines), max(lines)
    return [
        _row(at, text[at - 1] if at <= len(text) else "", lines.get(at)) for at in range(first, last + 1)
    ][:MAX_LINES]


def file_rows(source: Path, lines: list[Line]) -> list[SourceRow]:
    """All lines of @p source, the first MAX_LINES, with the counts of those in @p lines; empty if it cannot be read."""
    counted = {line.line: line for line in lines if PurePath(line.file).name == source.name}
    try:
        text = lines_of(source)
    except OSError:
        return []
    return [_row(at, line, counted.get(at)) for at, line in enumerate(text[:MAX_LINES], 1)]


def cut_note(shown: int, source: Path) -> str:
    """A sentence if not all lines of @p source are shown."""
    try:
        lines = len(lines_of(source))
    except OSError:
        return ""
    return f"The file has {lines:,} lines; only the first {shown:,} are shown." if lines > shown else ""
