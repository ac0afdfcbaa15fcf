"""Tests of hints: one at a time, and remembered."""

import json
import unittest

from grader.learner.fixture import WorkbookTest
from grader.learner.handout import hints_of
from grader.learner.labs import PROJECT, load_labs
from grader.learner.parts import first_part_left


class Hint(WorkbookTest):
    def test_one_at_a_time_until_all_are_seen(self):
        self.assertEqual(self.run_command("hint", "alpha"), 0)
        self.assertTrue(self.out.startswith("Hint 1 of 2. Part 1: which index?\n\nTake `a * b`"), self.out)
        self.assertIn("1 not seen yet.", self.out)
        self.run_command("hint", "alpha")
        self.assertTrue(self.out.startswith("Hint 2 of 2. Part 2: <the end>\n\nLook at it.\n"), self.out)
        self.run_command("hint", "alpha")
        self.assertTrue(self.out.startswith("You have seen all 2 hints of alpha."))
        self.run_command("hint", "beta")
        self.assertIn("Hint 1 of 2", self.out)

    def test_hints_begin_with_the_first_part_that_is_not_passed(self):
        parts = "// ---- Part 1: a ----\nint a();\n// ---- Part 2: b ----\nint b() {\n  not_started();\n}\n"
        self.answer("alpha", "pass todo todo", parts)
        self.run_command("check", "alpha")
        self.run_command("hint", "alpha")
        self.assertTrue(self.out.startswith("Hint 2 of 2. Part 2: <the end>"), self.out)
        self.run_command("hint", "alpha")
        self.assertTrue(self.out.startswith("You have seen all hints of alpha from part 2 on; 1 hint before it is for what"), self.out)
        self.run_command("hint", "alpha", "1")
        self.assertIn("Part 1", self.out)
        self.answer("beta", "todo pass pass", parts.replace("int a();", "int a() {\n  not_started();\n}"))
        self.run_command("check", "beta")
        self.run_command("hint", "beta")
        self.assertTrue(self.out.startswith("Hint 1 of 2. Part 1"), self.out)

    def test_the_part_of_a_wrong_result_is_that_of_its_function(self):
        (lab,) = [lab for lab in self.labs() if lab.name == "alpha"]
        self.answer("alpha", "pass fail pass", "// ---- Part 1: a ----\nint b(int);\nint a() { return b(1); }\n"
                                               "// ---- Part 2: b ----\nint b(int i) {\n  return i;\n}\n")
        self.run_command("check", "alpha")
        self.assertIsNone(first_part_left(lab))  # Not known without a finding.
        path = self.build / "results/alpha/student/counters.json"
        record = json.loads(path.read_text())
        record["finding"] = {"version": 1, "kind": "wrong_result", "topic": "", "subject": "", "headline": "", "why": "", "try": "",
                             "sites": [], "evidence": [], "limit": None, "case": {"values": {"function": "b"}}, "paragraphs": []}
        path.write_text(json.dumps(record))
        self.assertEqual(first_part_left(lab), 2)

    def test_one_by_number_is_remembered_as_seen(self):
        self.run_command("hint", "alpha", "2")
        self.assertIn("Part 2", self.out)
        self.run_command("hint", "alpha", "--list")
        self.assertEqual(self.out, "1. Part 1: which index?\n2. Part 2: <the end> (seen)\n")
        self.run_command("hint", "alpha")
        self.assertIn("Hint 1 of 2", self.out)
        self.assertIn("That is the last one", self.out)
        for number in ("0", "3", "-1"):
            self.assertEqual(self.run_command("hint", "alpha", "--", number), 2)
            self.assertIn(f"alpha has hints 1 to 2, and no hint {number}", self.error)

    def test_those_seen_can_be_read_again(self):
        self.run_command("hint", "alpha", "--seen")
        self.assertEqual(self.out, "You have seen no hint of alpha yet.\n")
        self.run_command("hint", "alpha")
        self.run_command("hint", "alpha", "--seen")
        self.assertIn("Hint 1 of 2", self.out)
        self.assertNotIn("Hint 2", self.out)

    def test_a_handout_without_hints_or_none_at_all(self):
        (self.project / "labs/first_steps/alpha/README.md").write_text("# Lab\n")
        self.assertEqual(self.run_command("hint", "alpha"), 0)
        self.assertEqual(self.out, "The handout of alpha has no hints.\n")
        (self.project / "labs/first_steps/alpha/README.md").unlink()
        self.assertEqual(self.run_command("hint", "alpha"), 2)
        self.assertIn("labs/first_steps/alpha/README.md: cannot be read", self.error)

    def test_every_handout_of_the_project_has_hints_with_different_titles(self):
        for lab in load_labs(self.build, PROJECT):
            if lab.is_exercise:
                continue
            hints = hints_of(lab)
            self.assertEqual(len(hints), lab.handout.read_text().count("<details>"), lab.name)
            self.assertGreaterEqual(len(hints), 2, lab.name)
            self.assertEqual(len({hint.title for hint in hints}), len(hints), lab.name)
            self.assertTrue(all(hint.text for hint in hints), lab.name)

    def test_the_hint_of_an_exercise_is_its_task(self):
        lab = self.project / "labs/first_steps/alpha"
        (lab / "lab.json").write_text('{"title": "Alpha", "order": 10}')
        (lab / "README.md").unlink()
        (lab / "alpha.h").write_text("// The contract.\n#pragma once\n\n/// @{\n\n/// Does *a*.\n/// @param n how often\n"
                                     "void a(int n);\nconst char* const kProgram = R\"(#pragma unroll\n// Loops.\n)\";\n#define A\n\n/// @}\n")
        self.assertEqual(self.run_command("hint", "alpha"), 0)
        self.assertEqual(self.out, "alpha is an exercise and has no hints. Its task, from labs/first_steps/alpha/alpha.h:\n\n"
                                   "Does *a*.\nn how often\nvoid a(int n);\n"
                                   "const char* const kProgram = R\"(#pragma unroll\n// Loops.\n)\";\n")
        self.assertEqual(self.run_command("list"), 0)
        self.assertRegex(self.out, r"alpha +exercise")


if __name__ == "__main__":
    unittest.main()
