"""Runs the commands of docs/instructor.md, one after the other, and compares what they print with the page.

A block of `sh` runs in an empty folder, as a reader would type it; the block of `text` after it is what it prints. A line
`...` there stands for any lines. Blocks under `<!-- not run -->` are left out. `guide_test.py BUILD --write` writes what
the commands print into the page, where it differs.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "instructor.md"
EXAMPLE = ROOT / "docs" / "examples" / "class"
BLOCK = re.compile(r"(?P<mark><!-- not run -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
SKIPPED = 77
LONGEST_S = 1500
# What differs from run to run or between machines, and what the page has in its place.
VARIES = (
    (re.compile(r"^\d+ of \d+ graded.*\n", re.M), ""),
    (re.compile(r"^Building the grader.*\n", re.M), ""),
    (re.compile(r"jobs/[0-9a-f]{32}"), "jobs/JOB"),
    (re.compile(r"WARPBOOK_SEED=\d+"), "WARPBOOK_SEED=SEED"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?=: [\d.]+ -> )"), "TODAY"),
)


def matches(wanted: list[str], found: list[str]) -> bool:
    """Whether the lines are those of the page, of which `...` stands for any number."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in wanted)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


class Guide:
    def __init__(self, build: Path, folder: Path) -> None:
        self.page = PAGE.read_text(encoding="utf-8")
        self._folder = folder
        self._environment = {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}", "WARPBOOK": str(ROOT),
                             "COLUMNS": "100"}
        self.problems: list[str] = []
        self.commands = 0
        self.compared = 0

    def run(self) -> None:
        """Every block in its order; `page` holds afterwards what was printed."""
        written, last, printed = [], 0, None
        for block in BLOCK.finditer(self.page):
            kind, text = block["kind"], block["text"]
            if block["mark"]:
                printed = None
            elif kind == "sh":
                printed = self._execute(text)
            elif kind == "text" and printed is not None:
                self._compare(text, printed)
                if not matches(text.splitlines(), printed.splitlines()):
                    written += [self.page[last:block.start("text")], printed]
                    last = block.end("text")
                printed = None
            elif kind in ("json", "csv"):
                name = {"json": "course.json", "csv": "roster.csv"}[kind]
                if text != (EXAMPLE / name).read_text(encoding="utf-8"):
                    self.problems.append(f"the page shows another {name} than docs/examples/class has")
                self.compared += 1
        self.page = "".join([*written, self.page[last:]])

    def _execute(self, commands: str) -> str:
        self.commands += 1
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", commands], cwd=self._folder, env=self._environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST_S, check=False)
        if done.returncode != 0:
            self.problems.append(f"exit status {done.returncode}:\n{commands}{done.stdout}")
        printed = done.stdout
        for pattern, instead in VARIES:
            printed = pattern.sub(instead, printed)
        return printed

    def _compare(self, wanted: str, found: str) -> None:
        self.compared += 1
        if not matches(wanted.splitlines(), found.splitlines()):
            self.problems.append("\n".join(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "the page",
                                                                "what was printed", lineterm="")))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("--write", action="store_true", help="write what the commands print into the page")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("WARPBOOK_BUILD_FOLDER", str(options.build.absolute()))
    from grader.course.testing.jobs import bubblewrap_works
    if not bubblewrap_works():  # The class has a submission that deletes all it can: never without a sandbox.
        print("skipped: bubblewrap does not work here")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="warpbook-guide-") as folder:
        guide = Guide(options.build.absolute(), Path(folder))
        guide.run()
    print(f"{guide.commands} blocks of commands run, {guide.compared} blocks compared, {len(guide.problems)} problems")
    for problem in guide.problems:
        print(problem)
    if guide.problems and not options.write:
        print("If the page is old, not the program: python3 docs/guide_test.py BUILD --write, and read what changed")
    if options.write:
        PAGE.write_text(guide.page, encoding="utf-8")
    return 1 if guide.problems or guide.commands < 8 or guide.compared < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
