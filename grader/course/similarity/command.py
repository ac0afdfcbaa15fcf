"""`warpbook similarity --out OUT`: what a person should look at, and the places side by side."""

from __future__ import annotations

import argparse
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.similarity.compare import LabComparison, compare, excerpts_to_json
from grader.course.similarity.pairs import LEAST_SCORE, Pair
from grader.workbook.places import place_of

NOTHING_SAID = "A high score says that two texts are alike, not why. Read the places before you ask anybody anything."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook similarity", description="Compare the submissions in a gradebook, and list those that are alike.",
        epilog=f"{NOTHING_SAID} No points change. Exit status: 0, or 2 if something could not be read.")
    parser.add_argument("--build-folder", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help="the folder that `warpbook grade` wrote")
    parser.add_argument("folder", nargs="?", type=Path, help=argparse.SUPPRESS)  # OUT as a positional argument.
    parser.add_argument("--lab", help="only this lab")
    parser.add_argument("--pair", nargs=2, metavar="STUDENT", help="show the places of these two, side by side")
    options = parser.parse_args(arguments)
    if (options.out is None) == (options.folder is None):
        parser.error("--out OUT is needed, once: the folder that `warpbook grade` wrote")
    options.out = options.out or options.folder
    if not (options.out / "gradebook.sqlite").is_file():
        raise BatchError(f"{options.out}: holds no gradebook; `warpbook grade SUBMISSIONS --out {options.out}` makes it")
    found = compare(options.out)
    if options.lab is not None:
        if options.lab not in [lab.lab for lab in found]:
            raise BatchError(f"nobody handed in the lab '{options.lab}'; there are: {', '.join(lab.lab for lab in found)}")
        found = [lab for lab in found if lab.lab == options.lab]
    for line in _places(found, *options.pair) if options.pair else _summary(found, options.out):
        print(line)
    return 0


def _summary(found: list[LabComparison], out: Path) -> Iterator[str]:
    listed = 0
    first = ""
    for lab in found:
        if not lab.pairs and not lab.like_solution:
            continue
        groups: dict[int, list[str]] = {}
        for student, number in sorted(lab.clusters.items()):
            groups.setdefault(number, []).append(student)
        yield f"{lab.lab}: {len(lab.answers)} answers"
        for number, students in sorted(groups.items()):
            yield f"  Cluster {number}: {', '.join(students)}"
            for pair in [pair for pair in lab.pairs if lab.clusters[pair.a] == number]:
                listed += 1
                first = first or f"--lab {lab.lab} --pair {shlex.quote(pair.a)} {shlex.quote(pair.b)}"
                yield f"    {pair.a} and {pair.b}: score {pair.score:.2f}, {pair.shared} fingerprints shared"
        for student, share in lab.like_solution.items():
            yield f"  {student} has {share * 100:.0f} % of the project's own solution, solutions/{place_of(lab.lab).path}"
    answers = sum(len(lab.answers) for lab in found)
    if not listed and not any(lab.like_solution for lab in found):
        yield f"Nothing to look at: of {answers} answers, no two are alike (score {LEAST_SCORE} or more)."
    else:
        yield f"\n{NOTHING_SAID}"
    if listed:
        yield f"Side by side: warpbook similarity --out {shlex.quote(str(out))} {first}"


def _places(found: list[LabComparison], a: str, b: str) -> Iterator[str]:
    a, b = sorted((a, b))
    for student in (a, b):
        if not any(student in lab.answers for lab in found):
            raise BatchError(f"'{student}' handed in none of these labs: {', '.join(lab.lab for lab in found)}")
    for lab in found:
        if a not in lab.answers or b not in lab.answers:
            continue
        pair = next((pair for pair in lab.pairs if (pair.a, pair.b) == (a, b)), None)
        verdict = f"score {pair.score:.2f}" if pair else f"not listed: score under {LEAST_SCORE}, or too little to say"
        yield f"{lab.lab}: {a} and {b}, {verdict}"
        excerpts = excerpts_to_json(lab, pair or Pair(a, b, 0, 0, 0))
        width = max(30, (shutil.get_terminal_size().columns - 3) // 2)
        for excerpt in excerpts:
            yield ""
            yield (f"{a}, lines {excerpt['a_first']} to {excerpt['a_last']}".ljust(width) + " | "
                   + f"{b}, lines {excerpt['b_first']} to {excerpt['b_last']}")
            left, right = excerpt["a_text"], excerpt["b_text"]
            for i in range(max(len(left), len(right))):
                one = left[i] if i < len(left) else ""
                two = right[i] if i < len(right) else ""
                yield f"{_printable(one)[:width].ljust(width)} | {_printable(two)[:width]}".rstrip()
        yield "" if excerpts else "No common place of their own."


def _printable(line: str) -> str:
    """A submitted file can contain anything, even commands for a terminal."""
    return "".join(c if c.isprintable() else "?" for c in line.expandtabs(4))
