"""Tests of derive_skeleton.py."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from derive_skeleton import DeriveError, derive, worked_example

SCRIPT = Path(__file__).with_name("derive_skeleton.py")

SOLUTION = """\
// Copies.
#include "copy.h"

void copy() {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel,
  // then delete the next line.
  // SKELETON: warpbook::not_started();
  // A comment of the solution.
  launch<<<1, 1>>>();
  // END SOLUTION
}
"""
SKELETON = """\
// Copies.
#include "copy.h"

void copy() {
  // TODO(student): launch your kernel,
  // then delete the next line.
  warpbook::not_started();
}
"""


class Derive(unittest.TestCase):
    def test_regions_are_cut_and_todos_kept(self):
        self.assertEqual(derive(SOLUTION, "copy.cu"), SKELETON)

    def test_a_line_of_the_skeleton_may_end_with_what_is_to_do(self):
        told = "  // BEGIN SOLUTION\n  // SKELETON: f();  // TODO(student): a line here.\n  // Not this.\n  return;\n  // END SOLUTION\n"
        self.assertEqual(derive(told, "x.cu"), "  f();  // TODO(student): a line here.\n")

    def test_mistakes_in_tags_are_errors_with_their_line(self):
        for text, message in (
            ("int x;\n", "no region"),
            ("// BEGIN SOLUTION\n// TODO(student): x\n", ":1: the region never ends"),
            ("// END SOLUTION\n", ":1: a region ends that was not begun"),
            ("// BEGIN SOLUTION\n// TODO(student): x\n// BEGIN SOLUTION\n", ":3: a region begins inside"),
            ("// BEGIN SOLUTION\nint x;\n// END SOLUTION\n", ":1: the region tells the student nothing"),
            ("int x; // BEGIN SOLUTION\n", ":1: a tag must stand alone"),
            ("// TODO(student): outside\n", ":1: a tag must stand alone"),
        ):
            with self.subTest(text=text), self.assertRaises(DeriveError) as caught:
                derive(text, "copy.cu")
            self.assertIn(message, str(caught.exception))

    def test_a_tag_that_slipped_into_the_comment_above_is_an_error(self):
        slipped = SOLUTION.replace("next line.\n  // SKELETON", "next line. SKELETON")
        with self.assertRaisesRegex(DeriveError, r"x\.cu:7: a tag must begin its line"):
            derive(slipped, "x.cu")

    def test_a_worked_example_is_its_solution(self):
        self.assertEqual(worked_example("int x;\n", "x.cu"), "int x;\n")
        with self.assertRaises(DeriveError):
            worked_example(SOLUTION, "x.cu")


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.solution = Path(self.folder.name) / "solution.cu"
        self.skeleton = Path(self.folder.name) / "labs" / "skeleton.cu"
        self.solution.write_text(SOLUTION, encoding="utf-8")

    def run_script(self, *arguments):
        command = [sys.executable, SCRIPT, *arguments, self.solution, self.skeleton]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_it_writes_and_then_agrees(self):
        self.assertEqual(self.run_script("--check").returncode, 1)
        self.assertEqual(self.run_script().returncode, 0)
        self.assertEqual(self.skeleton.read_text(encoding="utf-8"), SKELETON)
        self.assertEqual(self.run_script("--check").returncode, 0)

    def test_a_changed_skeleton_is_shown_with_the_command_that_repairs_it(self):
        self.run_script()
        self.skeleton.write_text(SKELETON + "int more;\n", encoding="utf-8")
        result = self.run_script("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("-int more;", result.stdout)
        self.assertIn("derive_skeleton.py", result.stdout)

    def test_a_solution_without_tags_is_an_error(self):
        self.solution.write_text("int x;\n", encoding="utf-8")
        result = self.run_script()
        self.assertEqual(result.returncode, 2)
        self.assertIn("no region", result.stderr)
        self.assertFalse(self.skeleton.exists())


if __name__ == "__main__":
    unittest.main()
