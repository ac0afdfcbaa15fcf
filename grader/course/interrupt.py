"""Ctrl-C and requests to end, handled so that none is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_requested = False


def install() -> None:
    """From now on each of SIGNALS raises KeyboardInterrupt."""
    for number in SIGNALS:
        signal.signal(number, _handle)


def _handle(_number: int, _frame: object) -> None:
    global _requested
    _requested = True
    raise KeyboardInterrupt


def check() -> None:
    """Raises KeyboardInterrupt if an interrupt is pending. Python drops exceptions in callbacks and finalizers; a loop that
    runs long therefore calls this."""
    if _requested:
        raise KeyboardInterrupt


@contextmanager
def held() -> Iterator[None]:
    """Interrupts wait until the end of the block: between fork and exec they would hit an incomplete process."""
    old = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def become_default() -> None:
    """In a child that was forked inside held(): interrupts end it."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
