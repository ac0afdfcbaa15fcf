"""`warpbook export FORMAT --out OUT`: the gradebook in another format, without grading again."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.batch.exporters import EXPORTERS, export
from grader.batch.gradebook import FILE_NAME, Gradebook


def main(arguments: list[str]) -> int:
    formats = "\n".join(f"  {name:20}{what}" for name, (_, what) in EXPORTERS.items())
    parser = argparse.ArgumentParser(prog="warpbook export", allow_abbrev=False, epilog=f"formats:\n{formats}\n",
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description="Writes a gradebook in another format, without grading again.")
    parser.add_argument("format", choices=[*EXPORTERS, "all"], metavar="FORMAT", help="one of those below, or 'all'")
    parser.add_argument("--out", type=Path, required=True, help="the folder that `warpbook grade` wrote")
    parser.add_argument("--build-folder", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    with Gradebook.open(given.out / FILE_NAME) as book:
        for name in EXPORTERS if given.format == "all" else [given.format]:
            print(f"{name}: {export(name, book, given.out)}")
    return 0
