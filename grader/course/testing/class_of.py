"""A class made by a script, with all grades known in advance, to test `warpbook grade`.

    python3 -m grader.course.testing.class_of make FOLDER --students 200 --seed 1
    build/sim/bin/warpbook grade FOLDER/submissions --out FOLDER/out --roster FOLDER/roster.csv \\
        --policy FOLDER/course.json --times files --times FOLDER/times
    python3 -m grader.course.testing.class_of check FOLDER/out FOLDER/expected.csv
    python3 -m grader.course.testing.class_of kill FOLDER --rounds 20
    python3 -m grader.course.testing.class_of measure        after a lab changed: what its answers are worth
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.labs import load_labs
from grader.course.testing.class_check import check
from grader.course.testing.class_folder import write_class
from grader.course.testing.class_kill import kill_and_resume
from grader.course.testing.class_origins import measure
from grader.course.testing.class_plan import LABS, make_plan
from grader.course.testing.jobs import BUILD


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="class_of", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser(
        "make", help="writes submissions/, times/, roster.csv, course.json, expected.csv and copies.csv"
    )
    made.add_argument("folder", type=Path, help="new, or made by this before")
    made.add_argument("--students", type=int, default=200)
    made.add_argument("--seed", type=int, default=1)
    checked = commands.add_parser("check", help="compares a gradebook with what is expected; exit status 1: it differs")
    checked.add_argument("out", type=Path)
    checked.add_argument("expected", type=Path, help="expected.csv; copies.csv and the canary lie beside it")
    killed = commands.add_parser("kill", help="kills and resumes the grading of a class that was graded before")
    killed.add_argument("folder", type=Path, help="of a class; FOLDER/out is the gradebook to compare with")
    killed.add_argument("--rounds", type=int, default=20)
    killed.add_argument("--seed", type=int, default=1)
    for command in (made, commands.add_parser("measure", help="writes testdata/class/points.json anew")):
        command.add_argument("--labs", default=",".join(LABS))
    given = parser.parse_args(arguments)
    try:
        if given.command == "check":
            problems = check(given.out, given.expected)
        elif given.command == "kill":
            problems = kill_and_resume(given.folder, given.rounds, given.seed)
        else:
            labs = load_labs(BUILD)
            chosen = [name for name in given.labs.split(",") if name]
            if given.command == "measure":
                print("\n".join(measure([labs[name] for name in chosen])) or "nothing changed")
            else:
                write_class(given.folder.absolute(), make_plan(given.students, given.seed, chosen), chosen)
            return 0
    except BatchError as error:
        print(f"class_of: {error}", file=sys.stderr)
        return 2
    print("\n".join(problems) or "Everything is as expected.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
