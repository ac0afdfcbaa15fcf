"""Tests of lines `because:` of hostile submissions: they are held against what was found, never against its words."""

import unittest

from grader.course.hostile import _holds, _others_words, _shown
from grader.course.testing.findings import finding_record

FOUND = finding_record("step_limit", "", sites=[("labs/a/b/b.cu", 9), ("labs/a/b/b.cu", 12)], headline="It never ends.",
                       evidence={"allowed": 3.0, "earlier_cases": 2.0})


class Because(unittest.TestCase):
    def test_a_line_names_the_kind_and_values(self) -> None:
        for line in ("step_limit", "step_limit line=9", "step_limit line=12 allowed=3 earlier_cases=2"):
            self.assertTrue(_holds(line, FOUND), line)
        for line in ("time_out", "step_limit line=10", "step_limit allowed=30", "step_limit unknown=3", "step_limit subject=c"):
            self.assertFalse(_holds(line, FOUND), line)

    def test_the_failure_of_a_build_is_named_in_the_same_way(self) -> None:
        failure = {"kind": "undefined", "subject": "add(float*, int)"}
        self.assertTrue(_holds('undefined subject="add(float*, int)"', failure))
        self.assertFalse(_holds("undefined subject=add", failure))

    def test_what_was_found_can_be_copied(self) -> None:
        self.assertEqual(_shown(FOUND), "step_limit line=9 line=12 allowed=3 earlier_cases=2")
        self.assertTrue(_holds(_shown(FOUND), FOUND))

    def test_words_of_the_grader_are_not_those_of_a_submission(self) -> None:
        thrown = finding_record("program_error", headline="The answer failed: no luck")
        printed = {**FOUND, "printed": [{"stream": "stderr", "text": "nothing was read"}]}
        words = _others_words({"tests": [{"finding": one} for one in (thrown, printed, None)]}, "a.cu(3): error")
        for text in ("no luck", "nothing was read", "a.cu(3): error"):
            self.assertIn(text, words)
        self.assertNotIn("never ends", words)


if __name__ == "__main__":
    unittest.main()
