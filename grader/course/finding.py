"""What a test found, as the record that grader/judge makes (docs/formats.md): views take numbers, lines and kinds from it.

The sentences are for people; nothing parses them.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import Any

VERSION = 1


@dataclass(frozen=True)
class Site:
    """A place in a source file; `line` is 0 where none is known."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of the finding as text. Code is never wrapped."""

    indent: int
    text: str
    code: bool = False


@dataclass(frozen=True)
class Finding:
    """`kind` and `topic` are for statistics. `evidence`: numbers by name. `function`: the one that the case calls."""

    kind: str
    topic: str
    subject: str
    headline: str
    why: str
    what_to_try: str
    sites: tuple[Site, ...]
    evidence: Mapping[str, float]
    limit: float | None
    function: str
    paragraphs: tuple[Paragraph, ...]

    def lines_in(self, file_name: str) -> list[int]:
        """The lines of a file that it is about, each once, the most important first."""
        lines = [site.line for site in self.sites if site.line and PurePath(site.file).name == file_name]
        return list(dict.fromkeys(lines))

    @property
    def advice(self) -> str:
        """What to do; for a wrong result, what it looks like."""
        return self.what_to_try or self.why


def finding_of(record: Mapping[str, Any] | None) -> Finding | None:
    """None for a record of another version, or a damaged one: then there is only the test's message."""
    try:
        if record is None or record["version"] != VERSION:
            return None
        limit, function = record["limit"], record["case"]["values"].get("function", "")
        return Finding(
            kind=str(record["kind"]),
            topic=str(record["topic"]),
            subject=str(record["subject"]),
            headline=str(record["headline"]),
            why=str(record["why"]),
            what_to_try=str(record["try"]),
            sites=tuple(Site(str(one["file"]), int(one["line"]), str(one["function"])) for one in record["sites"]),
            evidence={str(one["name"]): float(one["value"]) for one in record["evidence"]},
            limit=None if limit is None else float(limit["value"]),
            function=function if isinstance(function, str) else "",
            paragraphs=tuple(
                Paragraph(int(one["indent"]), str(one["text"]), bool(one["code"])) for one in record["paragraphs"]
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


@lru_cache(maxsize=4096)
def finding_in(text: str) -> Finding | None:
    """The same from JSON, as the gradebook keeps it; empty: there is none."""
    try:
        return finding_of(json.loads(text)) if text else None
    except ValueError:
        return None


def paragraphs_of(finding: Finding | None, message: str) -> tuple[Paragraph, ...]:
    """Paragraphs of a finding, or, without one, the lines of the message."""
    if finding is not None:
        return finding.paragraphs
    lines = [line for line in message.splitlines() if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return tuple(Paragraph(len(line) - len(line.lstrip()) - least, line.strip()) for line in lines)


def filled(paragraphs: Sequence[Paragraph], width: int, indent: str = "  ") -> Iterable[str]:
    """Lines for a terminal with `width` columns."""
    for paragraph in paragraphs:
        first = indent + " " * paragraph.indent
        if paragraph.code or len(first) + len(paragraph.text) <= width:
            yield first + paragraph.text
        else:
            yield from textwrap.wrap(
                paragraph.text, width, initial_indent=first, subsequent_indent=first + "  ", break_long_words=False,
                break_on_hyphens=False,
            )
