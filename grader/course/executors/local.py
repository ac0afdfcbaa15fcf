"""Runs tasks on this machine, several at once."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course import interrupt
from grader.course.executors.base import Executor, has_result, task_command

ROOT = Path(__file__).resolve().parents[3]
TRIES = 2  # A grader that failed once, for lack of memory for example, may succeed the second time.
TASK_LIMIT_S = 3600.0  # A task enforces the submission's limits itself; one that takes longer than this hangs.
END_S = 10.0  # The time for a task to end its sandbox after SIGTERM.
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)  # Loaded here: between fork and exec it is not safe.


def _die_with(parent: int) -> None:
    """Makes tasks end with a grader that is killed; otherwise one could run beside the task that --resume starts for its job."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)
    interrupt.become_default()


@dataclass
class _Task:
    job: Path
    process: subprocess.Popen[bytes]
    pidfd: int
    tries: int
    ends_at: float


class LocalExecutor(Executor):
    """Tasks as child processes, each in a session of its own: Ctrl-C reaches this process alone."""

    def __init__(self, at_once: int | None = None, command: Callable[[Path], list[str]] = task_command,
                 task_limit_s: float = TASK_LIMIT_S) -> None:
        """@param at_once tasks that run at the same time, by default one for each core that this process may use"""
        super().__init__()
        self._at_once = at_once or len(os.sched_getaffinity(0))
        self._command = command
        self._task_limit_s = task_limit_s
        self._running: dict[int, _Task] = {}
        self._selector = selectors.DefaultSelector()

    def run(self, jobs: Sequence[Path], on_done: Callable[[Path], None]) -> None:
        waiting = deque((job, 1) for job in jobs)
        while waiting or self._running:
            interrupt.check()
            while waiting and len(self._running) < self._at_once:
                job, tries = waiting.popleft()
                if has_result(job):
                    on_done(job)
                else:
                    self._start(job, tries)
            for task in self._wait():
                if has_result(task.job):
                    on_done(task.job)
                elif task.tries < TRIES:
                    waiting.append((task.job, task.tries + 1))
                else:
                    self.failures[task.job] = _failure(task)

    def _start(self, job: Path, tries: int) -> None:
        parent = os.getpid()
        with open(job / "task.log", "wb") as log, interrupt.held():
            process = subprocess.Popen(
                self._command(job), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True, preexec_fn=lambda: _die_with(parent),
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"})
            task = _Task(job, process, os.pidfd_open(process.pid), tries, time.monotonic() + self._task_limit_s)
            self._running[process.pid] = task
            self._selector.register(task.pidfd, selectors.EVENT_READ, task)

    def _wait(self) -> list[_Task]:
        """Waits until a task has ended and returns those that have."""
        while self._running:
            next_limit = min(task.ends_at for task in self._running.values())
            events = self._selector.select(max(0.0, next_limit - time.monotonic()))
            if ended := [key.data for key, _ in events]:
                for task in ended:
                    self._forget(task)
                return ended
            for task in self._running.values():
                if time.monotonic() >= task.ends_at:
                    _signal(task, signal.SIGKILL)
                    task.ends_at += END_S
        return []

    def _forget(self, task: _Task) -> None:
        task.process.wait()
        self._selector.unregister(task.pidfd)
        os.close(task.pidfd)
        del self._running[task.process.pid]

    def close(self) -> None:
        with interrupt.held():  # Somebody who presses Ctrl-C twice must not leave tasks behind.
            self._end_tasks()
        self._selector.close()

    def _end_tasks(self) -> None:
        for task in self._running.values():
            _signal(task, signal.SIGTERM)
        deadline = time.monotonic() + END_S
        for task in list(self._running.values()):
            try:
                task.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(task, signal.SIGKILL)
            self._forget(task)


def _signal(task: _Task, number: int) -> None:
    """Sends a signal to a task that has not been waited for, and to its process group."""
    try:
        os.killpg(task.process.pid, number)
    except ProcessLookupError:
        pass


def _failure(task: _Task) -> str:
    code = task.process.returncode
    end = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
    try:
        log = (task.job / "task.log").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        log = ""
    last = f": {log.splitlines()[-1][:300]}" if log else ""
    return f"the grader failed {task.tries} times; the last task {end} and left no result{last} ({task.job}/task.log)"


def make(_out: Path, at_once: int | None) -> LocalExecutor:
    """For --executor local."""
    return LocalExecutor(at_once)
