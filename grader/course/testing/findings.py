"""Findings for tests, in the form in which grader/judge writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from grader.course.finding import VERSION, Finding, finding_of


def finding_record(kind: str = "wrong_result", topic: str = "", *, headline: str = "It is wrong.", why: str = "",
                   advice: str = "", sites: Iterable[tuple[str, int]] = (), function: str = "",
                   evidence: Mapping[str, float] | None = None, subject: str = "") -> dict[str, Any]:
    texts = [(0, headline), *((2, f"at {file}:{line}") for file, line in sites), *((2, text) for text in (why, advice) if text)]
    return {
        "version": VERSION, "kind": kind, "topic": topic, "subject": subject, "before": [], "headline": headline,
        "examples": [], "facts": [],
        "sites": [{"file": file, "line": line, "function": "", "text": "", "label": "at ", "notes": []} for file, line in sites],
        "evidence": [{"name": name, "value": value, "unit": ""} for name, value in (evidence or {}).items()],
        "limit": None, "why": why, "try": advice, "limit_reason": "", "more": [], "saw": "", "printed": [],
        "case": {"text": "", "values": {"function": function} if function else {}}, "command": "",
        "paragraphs": [{"indent": indent, "text": text, "code": False} for indent, text in texts],
    }


def finding_json(*arguments: str, **fields: Any) -> str:
    """As the gradebook keeps it."""
    return json.dumps(finding_record(*arguments, **fields), sort_keys=True)


def made_finding(*arguments: str, **fields: Any) -> Finding:
    found = finding_of(finding_record(*arguments, **fields))
    assert found is not None
    return found


def message_of(record: Mapping[str, Any]) -> str:
    """The text that goes with a record."""
    return "".join(f"  {' ' * one['indent']}{one['text']}\n" for one in record["paragraphs"])
