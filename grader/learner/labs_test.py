"""Tests of finding a lab, and of plain text."""

import os
import re
import unittest
from pathlib import Path
from unittest import mock

from grader.course.finding import Paragraph
from grader.learner.errors import LearnerError
from grader.learner.fixture import HANDOUT, WorkbookTest
from grader.learner.handout import hints_of
from grader.learner.labs import find_lab, load_labs
from grader.learner.text import colours, duration, fitted, plain, table


class FindLab(WorkbookTest):
    def test_labs_come_in_the_order_of_the_workbook(self):
        self.assertEqual([(lab.number, lab.name) for lab in self.labs()], [(1, "alpha"), (2, "beta"), (3, "gamma_rays")])

    def test_a_lab_is_known_by_name_number_and_path(self):
        for given in ("gamma_rays", "3", "Gamma-Rays", "gamma rays", "labs/gamma_rays", "labs/gamma_rays/",
                      "labs/gamma_rays/gamma_rays.cu", "gamma_rays.cu", "labs/gamma_rays/README.md"):
            self.assertEqual(find_lab(self.labs(), given).name, "gamma_rays", given)

    def test_wrong_names_get_suggestions(self):
        for given, meant in (("gama_rays", "Did you mean gamma_rays?"), ("gam", "Did you mean gamma_rays?"),
                             ("ALPH", "Did you mean alpha?"), ("rays", "Did you mean gamma_rays?"),
                             ("zzzz", "The labs are: alpha, beta, gamma_rays."), ("9", "The labs are"), ("", "The labs are")):
            with self.assertRaisesRegex(LearnerError, re.escape(f"there is no lab '{given}'. {meant}")):
                find_lab(self.labs(), given)

    def test_the_folder_says_which_lab(self):
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.project / "labs" / "first_steps" / "beta")
        self.assertEqual(find_lab(self.labs(), None).name, "beta")
        os.chdir(self.project)
        with self.assertRaisesRegex(LearnerError, "which lab.*alpha, beta, gamma_rays"):
            find_lab(self.labs(), None)

    def test_a_damaged_description_is_named(self):
        (self.project / "labs/first_steps/beta/lab.json").write_text('{"order": ')
        with self.assertRaisesRegex(LearnerError, "labs/first_steps/beta/lab.json: does not describe a lab.*git checkout"):
            load_labs(self.build, self.project)

    def test_the_commands_say_what_is_wrong_and_exit_with_2(self):
        for command in ("check", "watch", "hint", "submit"):
            self.assertEqual(self.run_command(command, "alpa"), 2, command)
            self.assertEqual((self.out, self.error),
                             ("", f"warpbook {command}: there is no lab 'alpa'. Did you mean alpha?\n"))
        self.assertEqual(self.run_command("list", "--nonsense"), 2)
        self.assertEqual(self.run_command("dance"), 2)
        self.assertIn("'dance' is not a learner's command; there are: list, next, check", self.error)


class Text(WorkbookTest):
    def test_markdown_becomes_plain_text(self):
        with mock.patch.dict(os.environ, COLUMNS="60"):
            text = plain(hints_of(self.labs()[0])[0].text)
        self.assertEqual(text, "Take `a * b`, not the other. This paragraph is long enough\nthat it has to be filled anew on "
                               "a narrow terminal.\n\n- one\n- two, which goes on\n\n    int i;   // as it stands")
        self.assertIn("<details>", HANDOUT)

    def test_long_lines_are_fitted_and_what_a_terminal_obeys_is_shown_as_a_question_mark(self):
        with mock.patch.dict(os.environ, COLUMNS="40"):
            prose = Paragraph(0, ("word " * 12).strip())
            self.assertEqual(fitted([prose]), "  " + ("word " * 7).strip() + "\n    " + ("word " * 5).strip())
            self.assertEqual(fitted([Paragraph(0, "a\x1b[2Jb\ttab")]), "  a?[2Jb  tab")
            code = Paragraph(6, "long = " * 9 + "1;", True)
            shown = fitted([prose, Paragraph(2, "at x.cu:3"), code, Paragraph(0, "Next.")])
            self.assertEqual(shown.split("\n")[-3:], ["    at x.cu:3", f"        {'long = ' * 9}1;", "  Next."])
            command = Paragraph(0, "Repeat: ctest --test-dir build/sim -R 'a very long name that must not be broken'", True)
            self.assertEqual(fitted([command]), f"  {command.text}")

    def test_a_table_too_wide_becomes_a_list(self):
        groups = [("Part", [["1", "alpha", "x" * 30, ""], ["2", "b", "y", "z"]])]
        with mock.patch.dict(os.environ, COLUMNS="40"):
            self.assertEqual(table(["", "lab", "state", "more"], groups),
                             f"Part\n1 alpha\n    state: {'x' * 30}\n2 b\n    state: y\n    more: z")
        with mock.patch.dict(os.environ, COLUMNS="80"):
            self.assertEqual(table(["", "lab", "state", "more"], groups).split("\n")[3], f"2  b      y{' ' * 29}  z")

    def test_colour_is_only_for_terminals_that_want_it(self):
        with mock.patch("sys.stdout.isatty", return_value=True, create=True):
            for environment, wanted in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
                                        ({"TERM": "dumb"}, False), ({}, False)):
                with mock.patch.dict(os.environ, environment, clear=True):
                    self.assertEqual(colours(), wanted, environment)
        self.assertFalse(colours())

    def test_durations_are_words(self):
        self.assertEqual([duration(m) for m in (0, 45, 60, 135)], ["0 min", "45 min", "1 h", "2 h 15 min"])


if __name__ == "__main__":
    unittest.main()
