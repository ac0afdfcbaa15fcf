"""Tests of programs.py: a lab without a plan says why, and does not keep the others from being planned."""

import tempfile
import unittest
from pathlib import Path

from grader.workbook.programs import main


class Programs(unittest.TestCase):
    def test_each_lab_is_planned_or_has_a_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(main(folder, "first_steps/no_such_lab", "first_steps/thread_indices"), 0)
            self.assertIn("no_such_lab", Path(folder, "no_such_lab", "problem.txt").read_text(encoding="utf-8"))
            planned = Path(folder, "thread_indices")
            self.assertFalse((planned / "problem.txt").exists())
            self.assertIn("set(answers thread_indices_answers_1", (planned / "plan.cmake").read_text(encoding="utf-8"))
            skeleton = (planned / "skeleton" / "thread_indices.cu").read_text(encoding="utf-8")
            self.assertIn("// TODO(student):", skeleton)
            self.assertNotIn("// BEGIN SOLUTION", skeleton)

    def test_a_problem_that_was_solved_is_forgotten_and_what_did_not_change_is_not_written_again(self):
        with tempfile.TemporaryDirectory() as folder:
            planned = Path(folder, "vector_add")
            planned.mkdir()
            (planned / "problem.txt").write_text("There was one.\n", encoding="utf-8")
            main(folder, "first_steps/vector_add")
            self.assertFalse((planned / "problem.txt").exists())
            made = [path for path in planned.rglob("*") if path.is_file()]
            times = [path.stat().st_mtime_ns for path in made]
            main(folder, "first_steps/vector_add")
            self.assertEqual([path.stat().st_mtime_ns for path in made], times)


if __name__ == "__main__":
    unittest.main()
