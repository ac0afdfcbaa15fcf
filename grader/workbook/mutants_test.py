"""Tests of mutants.py: reading a file of mutants, and applying them to a solution."""

import tempfile
import unittest
from pathlib import Path

from grader.workbook.mutants import Mutant, MutantError, apply, read_mutants

SOLUTION = "int f() {\n  a();\n  b();\n}\nint g() {\n  a();\n}\n"


def mutants(text: str) -> list[Mutant]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutants.diff"
        path.write_text(text, encoding="utf-8")
        return list(read_mutants(path))


def mutated(hunks: str) -> str:
    [mutant] = mutants(f"=== m\nA mistake.\nrejected-by: correctness.x\n{hunks}")
    return apply(mutant, SOLUTION, "x.cu")


class Mutants(unittest.TestCase):
    def test_what_it_says_comes_before_keys_and_these_before_hunks(self):
        one, other = mutants("# Two.\n=== one\nFirst\n- second.\nbecause: it\nbecause: is\n-  b();\n\n=== other\nfrom: x.cu\n")
        self.assertEqual((one.name, one.said, one.keys), ("one", "First - second.", {"because": ["it", "is"]}))
        self.assertEqual([hunk.old for hunk in one.hunks], [["  b();", ""]])
        self.assertEqual((other.name, other.hunks), ("other", []))

    def test_the_first_hunk_needs_no_line_of_its_own(self):
        self.assertEqual(mutated("-  b();\n+  c();\n"), mutated("@@\n-  b();\n+  c();\n"))
        self.assertEqual(mutated("+  c();\n   b();\n"), SOLUTION.replace("  b();", "  c();\n  b();"))

    def test_a_further_hunk_and_one_that_stands_twice_do(self):
        self.assertEqual(mutated("-  b();\n@@ g()\n-  a();\n+  c();\n"), "int f() {\n  a();\n}\nint g() {\n  c();\n}\n")
        with self.assertRaisesRegex(MutantError, r"mutants\.diff:4: m: these lines occur 2 times in x\.cu"):
            mutated("-  a();\n")
        with self.assertRaisesRegex(MutantError, r":5: a line of a hunk begins with a space, - or \+, not with 'x'"):
            mutated("-  b();\nx\n")

    def test_a_change_within_a_line_is_a_hunk_of_one_line(self):
        self.assertEqual(mutated("~ b( => c(1, \n"), SOLUTION.replace("b()", "c(1, )"))
        self.assertEqual(mutated("~ b(); =>\n"), SOLUTION.replace("b();", ""))
        self.assertEqual(mutated("~ int g => int h\n~ b => c\n-  c();\n"), SOLUTION.replace("  b();\n", "").replace("g", "h"))
        self.assertEqual(mutated("@@ g()\n~ a => c\n"), "int f() {\n  a();\n  b();\n}\nint g() {\n  c();\n}\n")
        with self.assertRaisesRegex(MutantError, r"mutants\.diff:4: m: 'a\(' occurs 2 times in x\.cu\. Add to it"):
            mutated("~ a( => c(\n")
        with self.assertRaisesRegex(MutantError, r"mutants\.diff:4: m: 'd' does not occur in x\.cu\."):
            mutated("~ d => c\n")

    def test_a_mutant_that_names_no_test_is_rejected_by_the_one_before_it(self):
        found = mutants("=== a\nbecause: x\n=== b\nrejected-by: one\n=== c\nbecause: x\n=== d\nrejected-by: two\n=== e\nfrom: x\n")
        self.assertEqual([mutant.key("rejected-by") for mutant in found], ["", "one", "one", "two", "two"])


if __name__ == "__main__":
    unittest.main()
