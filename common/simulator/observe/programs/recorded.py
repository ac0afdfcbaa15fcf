"""The recorded answers of compute-sanitizer on real hardware (compute_sanitizer.sh writes them)."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from expectations import Case, SuiteError

COLUMNS = ["family", "case", "tool", "exit", "errors", "first"]
# Exit codes of a run that did not end in time.
CUT_SHORT = (124, 137)
# Which tool looks for what a check looks for.
TOOLS = {"race": "racecheck", "memory": "memcheck", "leak": "memcheck", "init": "initcheck", "sync": "synccheck"}


@dataclass(frozen=True)
class Answer:
    exit: int  # of the program or the tool; 124: it did not end in time
    errors: int  # that the tool counts
    first: str  # line that tells of an error

    @property
    def cut_short(self) -> bool:
        return self.exit in CUT_SHORT


Answers = dict[tuple[str, str, str], Answer]  # by family, case and tool ("plain": without a tool)


def read_answers(folder: Path) -> Answers:
    """All *.csv of a folder.

    Raises:
        SuiteError: there is none, or a line does not have the columns.
    """
    paths = sorted(folder.glob("*.csv"))
    if not paths:
        raise SuiteError(f"There is no .csv in {folder}; compute_sanitizer.sh writes them, on a machine with a GPU")
    answers: Answers = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), 1):
                if row == COLUMNS:
                    continue
                try:
                    family, case, tool, status, errors, first = row
                    answers[family, case, tool] = Answer(int(status), int(errors), first)
                except ValueError as error:
                    raise SuiteError(f"{path}:{number}: expected {','.join(COLUMNS)}, found {row}; record it again") from error
    return answers


def of_case(answers: Answers, case: Case) -> dict[str, Answer]:
    """By tool."""
    return {tool: answer for (family, name, tool), answer in answers.items() if (family, name) == (case.family, case.name)}


def found(answers: Answers, case: Case) -> bool | None:
    """Whether the tool for this fault reported an error; for a clean case, whether any tool did.

    None: it was not recorded, or no tool came to an end. In a case that waits forever, no report before the limit is an answer.
    """
    hangs = case.expect == "sync_hang"
    tools = {tool: answer for tool, answer in of_case(answers, case).items() if hangs or answer.errors > 0 or not answer.cut_short}
    wanted = [tools[TOOLS[check]] for check in case.checks if TOOLS[check] in tools]
    if not case.faulty:
        wanted = [answer for tool, answer in tools.items() if tool != "plain"]
    return any(answer.errors > 0 for answer in wanted) if wanted else None


def waits(answers: Answers, case: Case) -> bool:
    """Whether the tool for this fault waited with the program until the limit and had reported nothing."""
    tools = of_case(answers, case)
    wanted = [tools[TOOLS[check]] for check in case.checks if TOOLS[check] in tools]
    return found(answers, case) is False and any(answer.cut_short for answer in wanted)


def wrong_on_hardware(answers: Answers, cases: Iterable[Case]) -> list[str]:
    """Clean cases that did not exit with 0 there: errors in the suite."""
    lines = []
    for case in cases:
        answer = answers.get((case.family, case.name, "plain"))
        if answer is not None and not case.faulty and answer.exit != 0:
            lines.append(f"{case.family} {case.name}: a clean case ended with {answer.exit} on hardware: {answer.first}")
    return lines
