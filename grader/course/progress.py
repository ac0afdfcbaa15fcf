"""Progress of a long run: a bar with the time left on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import TextIO

BAR = 24
LINE_EVERY_S = 15.0
SMOOTHING = 0.1  # Weight of the latest job in the average, once there are several.


def duration(seconds: float) -> str:
    """A duration for people: `40 s`, `12 min`, `3 h 05 min`."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{(whole + 30) // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


class Progress:
    """Counts jobs. The time left comes from the pace at which jobs end, the last ones weighing most: labs differ."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._stream = stream
        self._clock = clock
        self._terminal = stream.isatty()
        self._done = 0
        self._latest = clock()
        self._printed, self._printed_done = float("-inf"), 0
        self._pace: float | None = None  # Seconds from the end of one job to the end of the next.
        if total:
            self._show("")

    def step(self, what: str = "") -> None:
        """One more job has ended. @param what shown beside the bar"""
        now = self._clock()
        self._done += 1
        weight = max(SMOOTHING, 1 / self._done)
        self._pace = (1 - weight) * (self._pace or 0.0) + weight * (now - self._latest)
        self._latest = now
        self._show(what)

    @property
    def left_s(self) -> float | None:
        """Seconds until everything is done, at the current pace; None until the first job has ended."""
        return None if self._pace is None else self._pace * (self._total - self._done)

    def _text(self) -> str:
        left = "" if self.left_s is None or self._done == self._total else f", {duration(self.left_s)} left"
        return f"{self._done} of {self._total} graded{left}"

    def _show(self, what: str) -> None:
        now = self._clock()
        if self._terminal:
            full = BAR * self._done // self._total
            line = f"[{'#' * full}{'.' * (BAR - full)}] {self._text()}{'  ' + what if what else ''}"
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r" + line[:width].ljust(width))
            self._stream.flush()
        elif self._done == self._total or now - self._printed >= LINE_EVERY_S:
            self._printed, self._printed_done = now, self._done
            self._stream.write(self._text() + "\n")
            self._stream.flush()

    def close(self) -> None:
        """Ends the bar's line, so that the next output begins on a new one; in a log, prints the progress."""
        if self._terminal and self._total:
            self._stream.write("\n")
        elif self._printed_done != self._done:
            self._stream.write(self._text() + "\n")
        self._stream.flush()
