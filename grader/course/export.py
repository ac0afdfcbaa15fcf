"""`warpbook export FORMAT --out OUT`: the gradebook in another format, without grading again."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.course.exporters import EXPORTERS, export
from grader.course.gradebook import FILE_NAME, Gradebook
from grader.course.gradescope.bundle import write_bundle

BUNDLE = "gradescope"


def main(arguments: list[str]) -> int:
    described = {name: what for name, (_, what) in EXPORTERS.items()}
    described[BUNDLE] = "export/gradescope_autograder.zip: an autograder for Gradescope; needs no gradebook"
    described["all"] = "all of them except the autograder"
    formats = "\n".join(f"  {name:20}{what}" for name, what in described.items())
    parser = argparse.ArgumentParser(
        prog="warpbook export", allow_abbrev=False, epilog=f"formats:\n{formats}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes a gradebook in another format, without grading again (docs/grading.md).")
    parser.add_argument("format", choices=[*described], metavar="FORMAT", help="one of those below")
    parser.add_argument("--out", type=Path, required=True, help="the folder that `warpbook grade` wrote")
    parser.add_argument("--labs", default="", metavar="A,B", help=f"{BUNDLE}: labs of the assignment (default: all)")
    parser.add_argument("--policy", type=Path, metavar="COURSE.JSON", help=f"{BUNDLE}: the rules to grade by")
    parser.add_argument("--roster", type=Path, metavar="ROSTER.CSV", help=f"{BUNDLE}: the class, for rules on students")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.format == BUNDLE:
        labs = [name.strip() for name in given.labs.split(",") if name.strip()]
        print(f"{BUNDLE}: {write_bundle(given.out, given.build_folder, labs, given.policy, given.roster)}")
        return 0
    for option in ("labs", "policy", "roster"):
        if getattr(given, option):
            parser.error(f"--{option} is only for the format {BUNDLE}; the gradebook holds the rest")
    with Gradebook.open(given.out / FILE_NAME) as book:
        names = [*EXPORTERS] if given.format == "all" else [given.format]
        for name, path in zip(names, export(names, book, given.out)):
            print(f"{name}: {path}")
    return 0
