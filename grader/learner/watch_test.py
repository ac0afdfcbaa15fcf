"""Tests of watch: it grades on save, however an editor writes, and Ctrl-C ends it."""

import os
import queue
import signal
import sys
import threading
import time
import unittest

from grader.learner.fixture import WorkbookTest, is_running
from grader.learner.watch_command import CtrlC, pause


class Freed:
    """Python drops what is raised while it frees this."""

    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)


class Interrupted(unittest.TestCase):
    def test_ctrl_c_counts_though_python_drops_its_exception(self):
        dropped = []
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        self.addCleanup(setattr, CtrlC, "pressed", False)
        sys.unraisablehook = dropped.append
        CtrlC.watch()
        pause(0)
        freed = Freed()
        del freed
        self.assertEqual([each.exc_type for each in dropped], [KeyboardInterrupt])
        with self.assertRaises(KeyboardInterrupt):
            pause(0)


class Watch(WorkbookTest):
    def begin(self, lab: str = "alpha"):
        self.process = self.start("watch", lab)
        self.lines: queue.Queue[str] = queue.Queue()
        self.thread = threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True)
        self.thread.start()
        self.addCleanup(self.thread.join)
        self.addCleanup(self.process.kill)

    def until(self, text: str, seconds: float = 120) -> str:
        """What it prints, up to a line with this text."""
        seen, end = "", time.monotonic() + seconds
        while text not in seen:
            try:
                seen += self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                self.fail(f"'{text}' did not come; seen: {seen}")
        return seen

    def quiet(self, seconds: float) -> None:
        time.sleep(seconds)
        self.assertTrue(self.lines.empty())

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(30), 0)
        self.thread.join()
        return "".join(self.lines.queue)

    def test_it_grades_at_once_and_on_every_save_however_it_is_written(self):
        path = self.answer("alpha", "fail pass todo")
        self.begin()
        self.assertIn("4 of 20 points", self.until("Waiting for the next save."))
        self.answer("alpha", "pass pass todo")  # In place.
        seen = self.until("Waiting for the next save.")
        self.assertIn("Now passed: the sum is right, always.", seen)
        self.assertIn("14 of 20 points", seen)
        new = path.with_suffix(".new")
        new.write_text("// pass fail pass\n")
        os.replace(new, path)  # By rename.
        seen = self.until("Waiting for the next save.")
        self.assertIn("Now passed: it is as fast as the reference.", seen)
        self.assertIn("No longer passed: no sector is wasted.", seen)
        backup = path.with_suffix(".cu~")
        os.replace(path, backup)  # A backup first, the new file a moment later.
        time.sleep(0.5)
        path.write_text("// pass pass pass\n")
        seen = self.until("Waiting for the next save.")
        self.assertNotIn("is gone", seen)
        self.assertIn("20 of 20 points", seen)
        self.assertIn("No longer watching alpha. Your best: 20 of 20 points.", self.stop())

    def test_what_is_saved_unchanged_is_not_graded_again(self):
        path = self.answer("alpha", "pass pass pass")
        self.begin()
        self.until("Waiting for the next save.")
        os.utime(path)
        path.write_text(path.read_text())
        self.quiet(1.5)
        self.stop()
        self.assertEqual(self.progress_of("alpha")["checks"], 1)

    def test_a_save_while_it_grades_starts_over(self):
        self.answer("alpha", "hang pass pass")
        self.begin()
        hangs = self.build / "results/alpha/hangs"
        while not hangs.exists() or not hangs.read_text():
            time.sleep(0.05)
        self.answer("alpha", "pass pass pass")
        seen = self.until("Waiting for the next save.")
        self.assertIn("Saved again: starting over.", seen)
        self.assertIn("20 of 20 points", seen)
        self.assertFalse(is_running(int(hangs.read_text())))
        self.stop()

    def test_errors_of_the_compiler_and_a_lost_file_do_not_end_it(self):
        path = self.answer("alpha", "pass", "syntax error")
        self.begin()
        self.assertIn("expected a ;", self.until("Waiting for the next save."))
        path.unlink()
        self.until("labs/first_steps/alpha/alpha.cu is gone; waiting for it to come back.")
        self.answer("alpha", "pass pass todo")
        self.assertIn("14 of 20 points", self.until("Waiting for the next save."))
        self.stop()

    def test_ctrl_c_while_it_grades_ends_everything(self):
        self.answer("alpha", "hang pass pass")
        self.begin()
        hangs = self.build / "results/alpha/hangs"
        while not hangs.exists() or not hangs.read_text():
            time.sleep(0.05)
        self.assertIn("No longer watching alpha.", self.stop())
        self.assertFalse(is_running(int(hangs.read_text())))


if __name__ == "__main__":
    unittest.main()
