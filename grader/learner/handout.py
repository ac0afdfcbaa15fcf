"""The hints of a handout: its `<details>`, in order."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from grader.learner.errors import LearnerError
from grader.learner.labs import Lab

_HINT = re.compile(r"<details>\s*<summary>(.*?)</summary>\s*(.*?)\s*</details>", re.S)


@dataclass(frozen=True)
class Hint:
    """`title` is plain text and names the hint in the progress; `text` is Markdown."""

    title: str
    text: str


def hints_of(lab: Lab) -> list[Hint]:
    """@throws LearnerError if the handout cannot be read"""
    try:
        text = lab.handout.read_text(encoding="utf-8")
    except OSError as error:
        raise LearnerError(f"{lab.shown(lab.handout)}: cannot be read ({error.strerror}); get it back with `git checkout "
                           f"{lab.shown(lab.handout)}`") from None
    return [Hint(html.unescape(re.sub(r"<[^>]+>", "", " ".join(title.split()))), body)
            for title, body in _HINT.findall(text)]
