"""Tests of making texts safe."""

import unittest

from grader.course.plain_text import plain_text


class PlainTextTest(unittest.TestCase):
    def test_text_in_any_language_stays(self):
        self.assertEqual(plain_text("a\n\té € 🙂"), "a\n\té € 🙂")

    def test_what_commands_a_terminal_or_turns_the_writing_is_replaced(self):
        self.assertEqual(plain_text("\x1b[31m\x07\r\0\x7f\x9b\u202ea\u2066"), "?[31m??????a?")

    def test_a_long_text_is_cut(self):
        self.assertEqual(plain_text("abcdef", 3), "abc...")
        self.assertEqual(plain_text("abc", 3), "abc")


if __name__ == "__main__":
    unittest.main()
