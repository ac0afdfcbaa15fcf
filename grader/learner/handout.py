"""The hints of a handout: its `<details>`, in order; and the task of an exercise."""

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


def task_of(lab: Lab) -> str:
    """The contract without the parts for the compiler and Doxygen. @throws LearnerError if it cannot be read"""
    lines, of_program = [], False  # A program in a string of the contract is shown unchanged.
    for line in _read(lab).splitlines():
        if of_program:
            lines.append(line)
            of_program = not line.startswith(')"')
        elif not re.match(r"//(?!/)|#|/// @[{}]$", line):
            lines.append(re.sub(r"^/// ?", "", re.sub(r"@defgroup \w+ |@param |@(?=returns)", "", line)))
            of_program = ' R"(' in line
    task = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", task).strip()


def hints_of(lab: Lab) -> list[Hint]:
    """@throws LearnerError if the handout cannot be read"""
    return [Hint(html.unescape(re.sub(r"<[^>]+>", "", " ".join(title.split()))), body)
            for title, body in _HINT.findall(_read(lab))]


def _read(lab: Lab) -> str:
    try:
        return lab.handout.read_text(encoding="utf-8")
    except OSError as error:
        raise LearnerError(f"{lab.shown(lab.handout)}: cannot be read ({error.strerror}); get it back with `git checkout "
                           f"{lab.shown(lab.handout)}`") from None
