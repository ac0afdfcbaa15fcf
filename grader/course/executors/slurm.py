"""Runs tasks as job arrays of Slurm, on as many machines as the cluster gives.

OUT and the clone of warpbook with its build folder are in a folder that all nodes share, under the same path. Each task is
one element of an array. The results of tasks are read from the files that they write, never from Slurm's states:
Slurm is only asked which tasks to wait for. A task that was lost with its node, ended or cancelled is
submitted again. sbatch reads its own variables, so SBATCH_PARTITION, SBATCH_ACCOUNT, ... choose where tasks run.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course import interrupt
from grader.course.errors import BatchError
from grader.course.executors.base import Executor, has_result, task_command
from grader.course.files import write_file

ROOT = Path(__file__).resolve().parents[3]
TRIES = 4  # Nodes are lost more often than graders fail.
TASK_MINUTES = 60  # A task keeps the submission's limits itself; one that takes longer than this hangs.
MOST_ELEMENTS = 1000  # Of one array: one less than Slurm's default for MaxArraySize.
POLL_S = 2.0
SETTLE_S = 20.0  # A result may become visible this much later than Slurm says that its task has ended (attribute caches of NFS).
SILENCE_S = 1800.0  # squeue may fail for this long, while its controller restarts for example.
WAITING_STATES = {"PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SUSPENDED",
                  "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED", "SPECIAL_EXIT"}

SCRIPT = """\
#!/bin/sh
# One task of warpbook: the line of jobs.txt that the array's index names.
job=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {jobs})
PYTHONPATH={root} PYTHONSAFEPATH=1 exec {command} "$job"
"""


@dataclass
class _Element:
    """A job in an array."""

    job: Path
    array: str  # Slurm's id of the array.
    index: int
    tries: int
    ended_at: float | None = None  # When Slurm first said that it has ended, by time.monotonic().


class SlurmExecutor(Executor):
    """Tasks as elements of job arrays."""

    def __init__(self, folder: Path, at_once: int | None = None, command: Callable[[Path], list[str]] = task_command,
                 poll_s: float = POLL_S, settle_s: float = SETTLE_S, silence_s: float = SILENCE_S) -> None:
        """
        :param folder: in the shared folder, for the arrays' scripts and logs
        :param at_once: most tasks of an array that run at the same time; None: as Slurm sees fit
        :raises BatchError: if there is no sbatch here, or no cluster answers
        """
        super().__init__()
        self._folder = folder.resolve()
        self._at_once = at_once
        self._command = command
        self._poll_s, self._settle_s, self._silence_s = poll_s, settle_s, silence_s
        self._elements: list[_Element] = []
        self._answered_at = time.monotonic()
        missing = [tool for tool in ("sbatch", "squeue", "scancel") if shutil.which(tool) is None]
        if missing:
            raise BatchError(f"--executor slurm needs {', '.join(missing)}, not found on PATH. Grade on a machine that submits "
                             "to the cluster (Debian: slurm-client), or with --executor local")
        tried = _ask(["squeue", "--noheader", "--format=%i"])
        if tried.returncode != 0:
            raise BatchError(f"no Slurm cluster answers: {_last_line(tried)}. See `sinfo`; or grade with --executor local")

    def run(self, jobs: Sequence[Path], on_done: Callable[[Path], None]) -> None:
        waiting = [(job.resolve(), 1) for job in jobs]
        given = {job.resolve(): job for job in jobs}
        while waiting or self._elements:
            interrupt.check()
            if waiting:
                self._submit(waiting)
            time.sleep(self._poll_s)
            waiting = []
            for element in self._over():
                if has_result(element.job):
                    on_done(given[element.job])
                elif element.tries < TRIES:
                    waiting.append((element.job, element.tries + 1))
                else:
                    self.failures[given[element.job]] = self._failure(element)

    def _submit(self, waiting: Sequence[tuple[Path, int]]) -> None:
        for start in range(0, len(waiting), MOST_ELEMENTS):
            part = waiting[start:start + MOST_ELEMENTS]
            folder = self._new_folder()
            jobs = folder / "jobs.txt"
            write_file(jobs, "".join(f"{job}\n" for job, _ in part))
            # The job's folder is the last word of the command; the script takes it from the list.
            command = shlex.join(self._command(Path("JOB"))[:-1])
            write_file(folder / "task.sh", SCRIPT.format(jobs=shlex.quote(str(jobs)), root=shlex.quote(str(ROOT)), command=command))
            at_once = f"%{self._at_once}" if self._at_once else ""
            with interrupt.held():  # An array whose id is lost could not be cancelled.
                done = _ask(["sbatch", "--parsable", "--requeue", "--job-name=warpbook", f"--array=0-{len(part) - 1}{at_once}",
                             f"--time={TASK_MINUTES}", "--open-mode=append", f"--output={folder}/%a.log", "--chdir=/",
                             str(folder / "task.sh")])
                if done.returncode != 0:
                    raise BatchError(f"sbatch refused {len(part)} tasks: {_last_line(done)}. Finished jobs are kept: when this is "
                                     "fixed, continue with --resume")
                array = done.stdout.strip().split(";")[0]
                self._elements += [_Element(job, array, index, tries) for index, (job, tries) in enumerate(part)]
            write_file(folder / "array", f"{array}\n")

    def _new_folder(self) -> Path:
        """OUT/slurm/<number>: each run, this one or an earlier one, has its own."""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = max((int(path.name) for path in self._folder.iterdir() if path.name.isdigit()), default=0) + 1
        folder = self._folder / f"{number:04}"
        folder.mkdir()
        return folder

    def _over(self) -> list[_Element]:
        """Removes and returns the elements that have a result or will have none."""
        states = self._states()
        now = time.monotonic()
        over: list[_Element] = []
        open_: list[_Element] = []
        for element in self._elements:
            if states is not None and states.get((element.array, element.index)) not in WAITING_STATES:
                element.ended_at = element.ended_at or now  # It has ended, or Slurm has forgotten it.
            else:
                element.ended_at = None  # It waits or runs, perhaps again.
            lost = element.ended_at is not None and now - element.ended_at >= self._settle_s
            (over if lost or has_result(element.job) else open_).append(element)
        self._elements = open_
        return over

    def _states(self) -> dict[tuple[str, int], str] | None:
        """Slurm's state of each element; None if it does not answer."""
        arrays = sorted({element.array for element in self._elements})
        done = _ask(["squeue", "--noheader", "--array", "--states=all", f"--jobs={','.join(arrays)}", "--format=%F %K %T"])
        # Once Slurm has forgotten a whole array, squeue calls its id invalid. Then each array is queried separately.
        if done.returncode != 0 and len(arrays) > 1:
            ask = ["squeue", "--noheader", "--array", "--states=all", "--format=%F %K %T"]
            answers = [_ask([*ask, f"--jobs={array}"]) for array in arrays]
        else:
            answers = [done]
        lines: list[str] = []
        for answer in answers:
            if answer.returncode == 0:
                lines += answer.stdout.splitlines()
            elif "Invalid job id" not in answer.stderr:
                self._tell_silence(answer)
                return None
        self._answered_at = time.monotonic()
        words = (line.split() for line in lines)
        return {(word[0], int(word[1])): word[2] for word in words if len(word) == 3 and word[1].isdigit()}

    def _tell_silence(self, answer: subprocess.CompletedProcess[str]) -> None:
        silent = time.monotonic() - self._answered_at
        if silent > self._silence_s:
            raise BatchError(f"Slurm has not answered for {silent / 60:.0f} minutes: {_last_line(answer)}. Finished jobs are kept: "
                             "when it works again, continue with --resume")

    def _failure(self, element: _Element) -> str:
        log = Path("?")
        for folder in sorted(self._folder.iterdir()):
            if (folder / "array").is_file() and (folder / "array").read_text(encoding="ascii").strip() == element.array:
                log = folder / f"{element.index}.log"
        try:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            lines = []
        last = f": {lines[-1][:300]}" if lines else ""
        return f"the task was submitted {element.tries} times and left no result{last} ({log}; Slurm's job {element.array}_{element.index})"

    def close(self) -> None:
        with interrupt.held():
            arrays = sorted({element.array for element in self._elements})
            if arrays:
                done = _ask(["scancel", *arrays])
                if done.returncode != 0:
                    print(f"warpbook: scancel {' '.join(arrays)} failed: {_last_line(done)}; cancel them by hand", file=sys.stderr)
            self._elements = []


def _ask(command: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """One of Slurm's commands. One that hangs counts as one that fails."""
    words = list(command)
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", f"{words[0]} did not end within 120 s")


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"{done.args[0]} ended with status {done.returncode}"


def make(out: Path, at_once: int | None) -> SlurmExecutor:
    """For --executor slurm."""
    return SlurmExecutor(out / "slurm", at_once)
