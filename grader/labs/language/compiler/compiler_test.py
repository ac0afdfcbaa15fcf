"""What nvcc says of programs, and makes of them, where the subject is the compiler: rows of the book's language chapter.

    compiler_test.py NVCC

Comments in the programs beside this file say what is expected, each with the row that it covers (docs/book_rows.md).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
NVCC = "nvcc"


def compiled(program: str, *options: str, architecture: str = "sm_90") -> tuple[bool, str, str]:
    """Whether nvcc could compile it, what it said, and what it made."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        ran = subprocess.run([NVCC, f"-arch={architecture}", "-std=c++17", *options, "-o", made, HERE / program],
                             capture_output=True, text=True, check=False)
        return ran.returncode == 0, ran.stderr, made.read_text(encoding="utf-8", errors="replace") if made.is_file() else ""


def expected_of(program: str) -> dict[int, str]:
    """By line: the text that is expected of it, which the comment in the line above says."""
    lines = (HERE / program).read_text(encoding="utf-8").splitlines()
    found = {number + 1: re.fullmatch(r"\s*// says: [\w.]+: (.+)", line) for number, line in enumerate(lines, 1)}
    return {number: match.group(1) for number, match in found.items() if match}


class Compiler(unittest.TestCase):
    def require_said(self, program: str, *passes: str, fails: bool) -> None:
        """@param passes options that have nvcc compile the code for the device (-ptx), and for the host first (-c)"""
        ran = [compiled(program, option) for option in passes]
        messages = "".join(text for _, text, _ in ran)
        said = re.findall(rf"{re.escape(program)}[(:](\d+)[):\d]*: (?:error|warning)([^\n]*)", messages)
        expected = expected_of(program)
        self.assertTrue(expected)
        for line, text in expected.items():
            near = [message for where, message in said if line <= int(where) <= line + 1]
            self.assertTrue(any(text in message for message in near), f"{program}:{line}: not '{text}', but {near}\n{messages}")
        others = [(where, message) for where, message in said if not {int(where), int(where) - 1} & expected.keys()]
        self.assertEqual(others, [], f"{program}: nobody expects this")
        self.assertEqual([not compiles for compiles, _, _ in ran], [fails] * len(ran), messages)

    def test_errors(self) -> None:
        self.require_said("errors.cu", "-ptx", fails=True)

    def test_calls(self) -> None:
        self.require_said("calls.cu", "-c", "-ptx", fails=True)

    def test_warnings(self) -> None:
        self.require_said("warnings.cu", "-c", fails=False)

    def test_fragments(self) -> None:
        """Code for two architectures has one name for a function of a fragment: nvcc and linker notice nothing (B.24)."""
        found = [compiled("fragments.cu", "-rdc=true", "-ptx", architecture=name) for name in ("sm_80", "sm_90")]
        names = [re.findall(r"\.func (\w+)", ptx) for _, _, ptx in found]
        self.assertEqual([(compiles, said) for compiles, said, _ in found], [(True, "")] * 2)
        self.assertEqual(len(names[0]), 1)
        self.assertEqual(*names)

    def test_assembler(self) -> None:
        said = re.findall(r"// says: [\w.]+: (.+)", (HERE / "assembler.cu").read_text(encoding="utf-8"))
        self.assertGreater(len(said), 2)
        for choice, text in enumerate(said, 1):
            compiles, messages, _ = compiled("assembler.cu", "-cubin", f"-DCHOICE={choice}")
            self.assertFalse(compiles)
            self.assertTrue(any("ptxas" in line and text in line for line in messages.splitlines()), messages)

    def test_instructions(self) -> None:
        compiles, messages, ptx = compiled("instructions.cu", "-ptx")
        self.assertTrue(compiles, messages)
        source = (HERE / "instructions.cu").read_text(encoding="utf-8")
        kernels = re.findall(r'((?:// ptx: .*\n)+)extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)', source)
        self.assertGreater(len(kernels), 5)
        for comments, kernel in kernels:
            body = re.search(rf"\.entry {kernel}\(.*?^}}", ptx, re.S | re.M)
            self.assertIsNotNone(body, f"{kernel} is not in the PTX")
            assert body is not None
            for count, what in re.findall(r"(\d+) ([^,\n]+)", re.sub(r"// ptx: [\w.]+:", "", comments)):
                found = len(re.findall(rf"(?<![\w.]){re.escape(what)}(?![\w.])", body.group()))
                self.assertEqual(found, int(count), f"{kernel}: '{what}' in\n{body.group()}")


if __name__ == "__main__":
    NVCC = sys.argv.pop(1)
    unittest.main()
