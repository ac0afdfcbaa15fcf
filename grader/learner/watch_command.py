"""`warpbook watch LAB`: grades whenever you save, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Callable

from grader.learner.check_command import advice, remember
from grader.learner.errors import LearnerError
from grader.learner.explain import changes, print_build_failure, print_reasons, summary
from grader.learner.grading import Grading
from grader.learner.labs import Lab, find_lab
from grader.learner.progress import sha256_of
from grader.learner.session import Session, begin
from grader.learner.text import number, say, wrapped
from grader.learner.verdict import Verdict

POLL_S = 0.2
SETTLED_S = 0.3  # An editor may write a file in several steps.
GONE_S = 3.0     # Longer than an editor takes between removing the old file and renaming the new one.


class CtrlC:
    """A Ctrl-C that cannot get lost: Python drops an exception that a signal raises while it frees an object."""

    pressed = False

    @classmethod
    def watch(cls) -> None:
        cls.pressed = False
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, cls._press)

    @classmethod
    def _press(cls, *_: object) -> None:
        cls.pressed = True
        raise KeyboardInterrupt

    @classmethod
    def check(cls) -> None:
        """@throws KeyboardInterrupt if it was pressed"""
        if cls.pressed:
            raise KeyboardInterrupt


def pause(seconds: float) -> None:
    """@throws KeyboardInterrupt at Ctrl-C, also if that came before"""
    CtrlC.check()
    time.sleep(seconds)


class Watched:
    """The contents of a file over time. It is checked several times a second, by name: that also works on network
    file systems, and when an editor replaces the file by a new one."""

    def __init__(self, lab: Lab, clock: Callable[[], float] = time.monotonic,
                 sleep: Callable[[float], None] = pause) -> None:
        self._lab, self._clock, self._sleep = lab, clock, sleep
        self._signature: object = None
        self._contents = ""

    def contents(self) -> str:
        """SHA-256 of its current contents; empty while it does not exist. Reads the file only if it seems to have changed."""
        try:
            status = self._lab.source.stat()
            signature = (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)
        except OSError:
            self._signature, self._contents = None, ""
            return ""
        if signature != self._signature:
            self._signature, self._contents = signature, sha256_of(self._lab.source)
        return self._contents

    def settled(self) -> str:
        """The contents once they have not changed for a moment; empty if the file does not come back."""
        now, since, begun = self.contents(), self._clock(), self._clock()
        while self._clock() - since < SETTLED_S or (not now and self._clock() - begun < GONE_S):
            self._sleep(POLL_S / 4)
            if (new := self.contents()) != now:
                now, since = new, self._clock()
        return now

    def wait_for_other(self, than: str) -> str:
        """Blocks until the contents are stable and differ from these."""
        missed = False
        while True:
            if self.contents() != than:
                now = self.settled()
                if now and now != than:
                    return now
                if not now and not missed:
                    missed = True
                    say(f"{self._lab.shown(self._lab.source)} is gone; waiting for it to come back.")
            self._sleep(POLL_S)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook watch", description="Grade a lab now, and again whenever you save its file. Ctrl-C ends it.",
        epilog="Saving again while it grades starts over. Exit status: 0 after Ctrl-C, 2 if it could not be graded.")
    parser.add_argument("lab", nargs="?", help="name or number of the lab; in the lab's folder it can be left out")
    options, session = begin(parser, arguments)
    lab = find_lab(session.labs, options.lab)
    say(f"Watching {lab.shown(lab.source)}. Save it to grade it; Ctrl-C ends this.")
    watched = Watched(lab)
    CtrlC.watch()
    try:
        graded = watched.settled()
        if not graded:
            graded = watched.wait_for_other("")
        while True:
            graded = _grade_until_settled(session, lab, watched, graded)
            graded = watched.wait_for_other(graded)
    except KeyboardInterrupt:
        best = session.store.read().of(lab.name)
        reached = f" Your best: {number(best.best_points)} of {number(best.max_points)} points." if best.checks else ""
        say(f"\nNo longer watching {lab.name}.{reached}")
        return 0


def _grade_until_settled(session: Session, lab: Lab, watched: Watched, contents: str) -> str:
    """Grades; begins again if the file is saved meanwhile. @returns the contents that were graded"""
    while True:
        say(f"\n{time.strftime('%H:%M:%S')}  Grading {lab.name} ...")
        try:
            with Grading(lab) as grading:
                while not grading.wait(POLL_S):
                    CtrlC.check()
                    if watched.contents() not in (contents, ""):
                        break
                else:
                    if watched.contents() in (contents, ""):
                        _tell(session, lab, grading.verdict())
                        return contents
        except LearnerError as error:  # The file is missing at the moment, or the build folder is broken: keep watching.
            say(wrapped(f"Not graded: {error}"))
            return contents
        contents = watched.settled() or contents
        say("Saved again: starting over.")


def _tell(session: Session, lab: Lab, verdict: Verdict) -> None:
    before = remember(session, verdict)
    if verdict.build_failure:
        print_build_failure(verdict)
    else:
        for line in changes(verdict, before):
            say(wrapped(line))
        print_reasons(verdict, everything=False)
    say()
    say(wrapped(summary(verdict, before)))
    for line in advice(session, lab, verdict):
        say(wrapped(line))
    say("Waiting for the next save.")
