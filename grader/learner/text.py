"""Plain text for terminals, pipes and screen readers. Colour only repeats what a word says."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.course.finding import Paragraph, filled

GOOD, BAD, DIM, STRONG = "32", "31", "2", "1"


def width() -> int:
    """Columns to fill: those of the terminal, but at least 40 and at most 120, as longer lines are hard to read."""
    return max(40, min(120, shutil.get_terminal_size((100, 24)).columns))


def colours() -> bool:
    """Whether colour may be used: on a terminal that has it, unless NO_COLOR (no-color.org) is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb" and sys.stdout.isatty()


def paint(text: str, code: str) -> str:
    return f"\033[{code}m{text}\033[0m" if colours() else text


def say(text: str = "") -> None:
    """Prints without buffering, so that a pipe gets it at once; characters that the terminal cannot show become '?'."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def wrapped(text: str, indent: str = "", hanging: str | None = None) -> str:
    """One paragraph, filled."""
    return textwrap.fill(" ".join(text.split()), width(), initial_indent=indent,
                         subsequent_indent=indent if hanging is None else hanging, break_long_words=False,
                         break_on_hyphens=False)


def fitted(paragraphs: Iterable[Paragraph]) -> str:
    """A test's message, wrapped for this terminal. Commands and lines of code are not wrapped."""
    shown = [replace(one, text=printable(one.text)) for one in paragraphs]
    return "\n".join(line.rstrip() for line in filled(shown, width()))


def printable(line: str) -> str:
    """Removes control characters: a message can quote a program's output, and with it terminal commands."""
    return "".join(c if c.isprintable() else "?" for c in line.expandtabs(4))


def table(head: Sequence[str], groups: Iterable[tuple[str, Sequence[Sequence[str]]]], right: Iterable[int] = ()) -> str:
    """Columns of text, each group of rows under its title; if the terminal is too narrow, a line for each value."""
    groups, right = list(groups), set(right)
    rows = [head, *(row for _, group in groups for row in group)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    narrow = sum(widths) + 2 * (len(widths) - 1) > width()
    lines = [] if narrow else [_columns(head, widths, right)]
    for title, group in groups:
        lines.append(title)
        for row in group:
            if narrow:
                lines.append(f"{row[0]} {row[1]}")
                lines += [f"    {name}: {value}" for name, value in zip(head[2:], row[2:]) if value]
            else:
                lines.append(_columns(row, widths, right))
    return "\n".join(lines)


def _columns(row: Sequence[str], widths: Sequence[int], right: set[int]) -> str:
    return "  ".join(value.rjust(widths[i]) if i in right else value.ljust(widths[i])
                     for i, value in enumerate(row)).rstrip()


def number(value: float) -> str:
    """5 and 4.5, not 5.0 and 4.50."""
    return f"{value:.4g}"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def duration(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return " ".join(([f"{hours} h"] if hours else []) + ([f"{rest} min"] if rest or not hours else []))


def plain(markdown: str) -> str:
    """Markdown as text: paragraphs and items wrapped, code unchanged, links by their text."""
    out: list[str] = []
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            item = re.match(r"([-*]|\d+\.) +", paragraph[0])
            hanging = " " * len(item.group()) if item else ""
            out.append(wrapped(_inline(" ".join(paragraph)), "", hanging))
            paragraph.clear()

    code = False
    for line in markdown.strip("\n").split("\n"):
        if line.lstrip().startswith("```"):
            flush()
            code = not code
        elif code:
            out.append("    " + line)
        elif not line.strip():
            flush()
            if out and out[-1]:
                out.append("")
        else:
            if re.match(r"\s*([-*]|\d+\.) ", line):
                flush()
            paragraph.append(line.strip())
    flush()
    return "\n".join(out)


def _inline(text: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]*`)", text)  # In code, a star is a star.
    return "".join(part if part.startswith("`") else re.sub(r"(\*\*?)(?=\S)(.+?)(?<=\S)\1", r"\2", part)
                   for part in parts)
