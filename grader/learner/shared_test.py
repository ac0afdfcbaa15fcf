"""Tests of working in another user's installation: one sentence says what to do."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from grader.learner import grading
from grader.learner.errors import LearnerError


class Shared(unittest.TestCase):
    def test_a_check_that_cannot_build_there_says_where_it_can(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("builtins.open", side_effect=PermissionError):
            with self.assertRaisesRegex(LearnerError, "belongs to another user.*a clone of your own"):
                grading._alone(Path(folder))


if __name__ == "__main__":
    unittest.main()
