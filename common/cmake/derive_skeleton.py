#!/usr/bin/env python3
"""Derives the skeleton that a student gets from a tagged solution, or checks that it was derived.

A region runs from `// BEGIN SOLUTION` to `// END SOLUTION`. Of its lines, the skeleton keeps each `// TODO(student):`
comment with the comment lines right below it, and what follows `// SKELETON: ` on a line of its own, which may end with
such a comment. Everything else in the region, and the markers, are cut. Lines outside regions are kept as they are.

usage: derive_skeleton.py [--check] [--worked-example] SOLUTION SKELETON
"""

import argparse
import difflib
import sys
from pathlib import Path

BEGIN, END, TODO, SKELETON = "// BEGIN SOLUTION", "// END SOLUTION", "// TODO(student):", "// SKELETON: "


class DeriveError(Exception):
    """The tags of a solution are inconsistent; the message says where and what to do."""


def derive(text: str, name: str) -> str:
    """The skeleton of the solution `text`. `name` is for messages."""
    kept: list[str] = []
    begin = 0  # Line of the open region's BEGIN, 0 outside.
    regions = 0
    in_todo = told = False
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped == BEGIN:
            if begin:
                raise DeriveError(f"{name}:{number}: a region begins inside the one of line {begin}; end that one first")
            begin, in_todo, told = number, False, False
            regions += 1
        elif stripped == END:
            if not begin:
                raise DeriveError(f"{name}:{number}: a region ends that was not begun; write '{BEGIN}' before it")
            if not told:
                raise DeriveError(f"{name}:{begin}: the region tells the student nothing; write '{TODO} ...' in it")
            begin = 0
        elif not begin:
            if BEGIN in line or END in line or SKELETON in line or TODO in line:
                raise DeriveError(f"{name}:{number}: a tag must stand alone on its line, inside a region: {stripped}")
            kept.append(line)
        elif stripped.startswith(SKELETON):
            kept.append(line[: len(line) - len(line.lstrip())] + stripped[len(SKELETON) :])
            in_todo = False
            told = told or TODO in stripped
        elif stripped.startswith(TODO):
            kept.append(line)
            in_todo = told = True
        elif any(tag.strip() in stripped for tag in (BEGIN[3:], END[3:], TODO[3:], SKELETON[3:])):
            raise DeriveError(f"{name}:{number}: a tag must begin its line: {stripped}")
        elif in_todo and stripped.startswith("//"):
            kept.append(line)
        else:
            in_todo = False
    if begin:
        raise DeriveError(f"{name}:{begin}: the region never ends; write '{END}' after it")
    if not regions:
        raise DeriveError(f"{name}: no region, so the skeleton would be the solution; write '{BEGIN}' and '{END}'")
    return "\n".join(kept) + "\n"


def worked_example(text: str, name: str) -> str:
    """A solved lab hands out its solution unchanged, so it must not contain tags."""
    if BEGIN in text or END in text:
        raise DeriveError(f"{name}: a worked example (lab.json) is handed out solved: remove its regions")
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solution", type=Path)
    parser.add_argument("skeleton", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the skeleton differs")
    parser.add_argument("--worked-example", action="store_true", help="the skeleton is the solution")
    arguments = parser.parse_args()
    try:
        make = worked_example if arguments.worked_example else derive
        wanted = make(arguments.solution.read_text(encoding="utf-8"), str(arguments.solution))
    except (DeriveError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if not arguments.check:
        arguments.skeleton.parent.mkdir(parents=True, exist_ok=True)
        arguments.skeleton.write_text(wanted, encoding="utf-8")
        return 0
    found = arguments.skeleton.read_text(encoding="utf-8") if arguments.skeleton.is_file() else ""
    if found == wanted:
        print(f"{arguments.skeleton} is derived from {arguments.solution}.")
        return 0
    sys.stdout.writelines(
        difflib.unified_diff(found.splitlines(True), wanted.splitlines(True), str(arguments.skeleton), "derived")
    )
    flag = " --worked-example" if arguments.worked_example else ""
    print(
        f"{arguments.skeleton} is not derived from {arguments.solution}. Derive it again:\n"
        f"  common/cmake/derive_skeleton.py{flag} {arguments.solution} {arguments.skeleton}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
