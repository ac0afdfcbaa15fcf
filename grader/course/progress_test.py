"""Tests of the progress display, on a clock of their own."""

import io
import unittest

from grader.course.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class ProgressTest(unittest.TestCase):
    def test_durations_are_in_words_of_their_size(self):
        for seconds, text in ((0, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (90, "2 min"), (3599, "60 min"),
                              (3600, "1 h 00 min"), (11100, "3 h 05 min")):
            self.assertEqual(duration(seconds), text)

    def test_a_terminal_gets_one_line_that_is_drawn_again(self):
        clock, stream = Clock(), Terminal()
        progress = Progress(4, stream, clock)
        for _ in range(2):
            clock.now += 10
            progress.step("s001")
        progress.close()
        drawn = stream.getvalue().split("\r")
        self.assertEqual(len(drawn), 4)
        self.assertIn("[........................] 0 of 4 graded ", drawn[1])
        self.assertIn("[############............] 2 of 4 graded, 20 s left  s001", drawn[3])
        self.assertEqual(stream.getvalue().count("\n"), 1)

    def test_a_log_gets_few_plain_lines_and_always_the_last(self):
        clock, stream = Clock(), io.StringIO()
        progress = Progress(100, stream, clock)
        for _ in range(100):
            clock.now += 1
            progress.step("s001")
        progress.close()
        lines = stream.getvalue().splitlines()
        self.assertEqual(lines[0], "0 of 100 graded")
        self.assertEqual(lines[1], "15 of 100 graded, 1 min left")
        self.assertEqual(lines[-1], "100 of 100 graded")
        self.assertEqual(len(lines), 8)
        self.assertNotIn("\r", stream.getvalue())

    def test_time_left_follows_the_pace_of_the_last_jobs(self):
        clock = Clock()
        progress = Progress(200, io.StringIO(), clock)
        self.assertIsNone(progress.left_s)
        for _ in range(50):
            clock.now += 1
            progress.step()
        self.assertAlmostEqual(progress.left_s, 150)
        for _ in range(50):
            clock.now += 3
            progress.step()
        self.assertGreater(progress.left_s, 290)
        self.assertLessEqual(progress.left_s, 300)

    def test_a_log_says_how_far_it_came_where_it_ends_early(self):
        stream = io.StringIO()
        progress = Progress(5, stream, Clock())
        progress.step()
        progress.close()
        self.assertEqual(stream.getvalue().splitlines()[1:], ["1 of 5 graded, 0 s left"])

    def test_nothing_to_do_shows_nothing(self):
        stream = Terminal()
        Progress(0, stream).close()
        self.assertEqual(stream.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
