"""Makes a submission's output safe for terminals, tables and pages (as grader/judge/plain_text.h does)."""

from __future__ import annotations

import re

# Control characters except line feeds and tabs; and characters that change the direction of writing.
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain_text(text: str, most: int | None = None) -> str:
    """The text with '?' for these characters; cut after `most` characters."""
    shown = _COMMANDS.sub("?", text if most is None else text[:most])
    return shown if most is None or len(text) <= most else shown + "..."
