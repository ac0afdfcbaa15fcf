"""The values that the book gives for rows of its language chapter, and its statements, as the machine answers them.

    values_test.py PROGRAM [WARPBOOK]

The program was made from values.cu or one beside it, whose comments say what is expected. Without WARPBOOK it runs on a
real GPU.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMAND: list[str] = []
ROW = r"(?:[LD]\d\d|B\.\d+)"
VIRTUAL_ONLY = ("hangs", "times")  #: A real GPU hangs, and takes other times.


def program() -> str:
    return (HERE / f"{Path(COMMAND[-1]).name}.cu").read_text(encoding="utf-8")


def lines_of(argument: str) -> list[str]:
    """What the program prints for a row, sorted; an assertion's line, if it is the right one, is one of L39."""
    ran = subprocess.run([*COMMAND, *argument.split()], capture_output=True, text=True, check=False, timeout=120)
    source = program().splitlines()

    def of_row(found: re.Match[str]) -> str:
        return f"L39: {found[2]}" if f"assert({found[3]})" in source[int(found[1]) - 1] else found[0]

    text = re.sub(r"(?m)^\S*values\.cu:(\d+): (.*Assertion `(.+)` failed\.)", of_row, ran.stdout + ran.stderr)
    return sorted(line for line in text.splitlines() if re.match(f"{ROW}: ", line))


class Values(unittest.TestCase):
    maxDiff = None

    def test_the_machine_answers_what_the_book_says(self) -> None:
        expected: dict[str, list[str]] = {}
        for argument, line in re.findall(r"(?m)^// answers ?(\w*):(?: (.+))?$", program()):
            expected.setdefault(argument, []).extend([line] if line else [])
        self.assertGreater(sum(map(len, expected.values())), 5)
        for argument, lines in expected.items():
            if argument.startswith(VIRTUAL_ONLY) and "run" not in COMMAND:
                continue
            with self.subTest(argument):
                self.assertEqual(lines_of(argument), sorted(lines))

    def findings(self, argument: str) -> list[str]:
        if "run" not in COMMAND:
            self.skipTest("checkers need the virtual GPU")
        at = COMMAND.index("run") + 1
        checked = [*COMMAND[:at], "--check", "memory,init,race,sync", *COMMAND[at:], *argument.split()]
        ran = subprocess.run(checked, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(ran.returncode, 0)
        return [line for line in ran.stderr.splitlines() if line.startswith("warpbook:")]

    def test_no_value_is_right_by_luck(self) -> None:
        self.assertEqual(self.findings(""), ["warpbook: no findings"])

    def test_checkers_find_what_the_book_forbids(self) -> None:
        for argument, what in re.findall(rf"(?m)^// finds (\w+): {ROW}: (.+)$", program()):
            with self.subTest(argument):
                self.assertTrue(any(what in line for line in self.findings(argument)), what)


if __name__ == "__main__":
    COMMAND = [*([sys.argv[2], "run", "--"] if len(sys.argv) > 2 else []), sys.argv[1]]
    del sys.argv[1:]
    unittest.main()
