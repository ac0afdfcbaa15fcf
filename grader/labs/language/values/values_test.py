"""The values that the book gives for rows of its language chapter, as the machine answers them.

    values_test.py PROGRAM [WARPBOOK]

The program was made from values.cu, whose comments say what is expected. Without WARPBOOK it runs on a real GPU.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMAND: list[str] = []


def lines_of(argument: str) -> list[str]:
    """What the program prints for a row, sorted; an assertion's line is one of L39, without its place."""
    ran = subprocess.run([*COMMAND, *argument.split()], capture_output=True, text=True, check=False, timeout=120)
    text = re.sub(r"(?m)^\S*values\.cu:\d+: ", "L39: ", ran.stdout + ran.stderr)
    return sorted(line for line in text.splitlines() if re.match(r"L\d\d: ", line))


class Values(unittest.TestCase):
    maxDiff = None

    def test_the_machine_answers_what_the_book_says(self) -> None:
        expected: dict[str, list[str]] = {}
        for argument, line in re.findall(r"(?m)^// answers ?(\w*): (.+)$", (HERE / "values.cu").read_text(encoding="utf-8")):
            expected.setdefault(argument, []).append(line)
        self.assertGreater(sum(map(len, expected.values())), 30)
        for argument, lines in expected.items():
            if argument.startswith("hangs") and "run" not in COMMAND:
                continue  # For ever, on a real GPU.
            with self.subTest(argument):
                self.assertEqual(lines_of(argument), sorted(lines))

    def test_no_value_is_right_by_luck(self) -> None:
        if "run" not in COMMAND:
            self.skipTest("checkers need the virtual GPU")
        at = COMMAND.index("run") + 1
        checked = [*COMMAND[:at], "--check", "memory,init,race,sync", *COMMAND[at:]]
        ran = subprocess.run(checked, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(ran.returncode, 0)
        self.assertEqual([line for line in ran.stderr.splitlines() if line.startswith("warpbook:")], ["warpbook: no findings"])

    def test_what_nobody_waits_for_is_not_printed(self) -> None:
        self.assertEqual(lines_of("lost"), [])


if __name__ == "__main__":
    COMMAND = [*([sys.argv[2], "run", "--"] if len(sys.argv) > 2 else []), sys.argv[1]]
    del sys.argv[1:]
    unittest.main()
