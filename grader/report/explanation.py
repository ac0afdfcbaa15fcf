"""What a test's message says, taken apart: its first sentence, what to try, and the lines of the source that it names."""

from __future__ import annotations

import re

WRAPPED_AT = 100  # The grader breaks its lines before this column, and indents what follows by two more.


def paragraphs(message: str) -> list[tuple[int, str]]:
    """The message with the lines that the grader broke put together again: indent and text of each paragraph."""
    found: list[tuple[int, str]] = []
    previous = ""
    for line in message.strip("\n").splitlines():
        indent, text = len(line) - len(line.lstrip(" ")), line.strip()
        full = text and len(previous) + 1 + len(text.split()[0]) > WRAPPED_AT
        if found and full and indent == found[-1][0] + 2:
            found[-1] = found[-1][0], f"{found[-1][1]} {text}"
        elif text or found:
            found.append((indent, text))
        previous = line
    least = min((indent for indent, text in found if text), default=0)
    return [(max(0, indent - least), text) for indent, text in found]


def headline(message: str) -> str:
    """The first paragraph, a whole sentence also where a list followed it."""
    text = next((text for _, text in paragraphs(message) if text), "")
    text = re.sub(r"[;,:]? the first:$", ".", text)
    return text if len(text) <= 240 else text[:239] + "…"


def advice(message: str) -> str:
    """What the catalogue of explanations advises, or nothing."""
    found = re.search(r"^( *)(?:What to try|Try): (.+(?:\n\1 +\S.*)*)", message, re.M)
    return " ".join(found.group(2).split()) if found else ""


def errors_of(log: str, file_name: str) -> list[tuple[int, str]]:
    """Line and text of each error that a compiler's output places in a file."""
    found = re.findall(rf"^{re.escape(file_name)}[:(](\d+)\)?[:\d]*:? *(error: .*)$", log, re.M)
    return [(int(line), text.strip()) for line, text in found]


_KNOWN = re.compile(r"\S+\[.*: found |The case:|Repeat this run:|The line that|Why it costs:|What to try:|Try:|The limit:")


def guess(message: str) -> str:
    """What the grader thinks of a wrong result, or nothing: the paragraph after those that differ."""
    _, *rest = [text for _, text in paragraphs(message) if text] or [""]
    return next((text for text in rest if not _KNOWN.match(text)), "") if " wrong in " in message else ""


def lines_of(message: str, file_name: str) -> list[int]:
    """The lines of a file that a message names, each once, in its order."""
    found = re.findall(rf"(?<![\w.]){re.escape(file_name)}[:(](\d+)", message)
    return list(dict.fromkeys(int(line) for line in found))
