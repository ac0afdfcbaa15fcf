"""What the answers of a lab did, to compare them: time, counters and the limiter, from the profiles of their jobs."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course.exporters.view import Entry

_MEMORY = "l1tex__t_sectors_pipe_lsu_mem_{}_op_{}.sum"
_SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
# The counters to compare: the metrics that are added up, over all kernels of the benchmark.
COUNTERS = {
    "sectors of global memory": [_MEMORY.format("global", op) for op in ("ld", "st", "atom", "red")],
    "wavefronts of shared memory": [_SHARED.format(op) for op in ("ld", "st", "atom")]
    + ["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"],
    "warp instructions": ["smsp__inst_executed.sum"],
}


@dataclass(frozen=True)
class Measured:
    """One program on the benchmark. `limiter`: of its slowest kernel, '' if it has none. `correct`: every test of
    correctness passed. `answers`: so many students handed it in; 0 for a rung."""

    title: str
    time_us: float
    counters: dict[str, float]
    limiter: str
    correct: bool = True
    answers: int = 0


@dataclass(frozen=True)
class LabCounters:
    """`without`: answers that were graded and have no time or no profile."""

    answers: tuple[Measured, ...]
    rungs: tuple[Measured, ...]
    without: int

    def telling(self) -> str:
        """The counter that correlates best with time, by the logarithms over rungs and answers. One that
        is the same everywhere is not considered."""
        programs = [*self.rungs, *self.answers]
        times = [math.log(one.time_us) for one in programs]

        def along(name: str) -> float:
            values = [math.log(max(one.counters[name], 1)) for one in programs]
            if len({round(value, 9) for value in values}) < 2 or len({round(time, 9) for time in times}) < 2:
                return -2.0
            return round(statistics.correlation(times, values), 3)

        return max(COUNTERS, key=along)  # The first of equals.


def counters_of(out: Path, entries: Sequence[Entry]) -> LabCounters:
    """Entries of one lab. Profiles that cannot be read are left out and counted."""
    jobs = {entry.job.job: entry.job for entry in entries if entry.job is not None}
    holders: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.job is not None:
            holders.setdefault(entry.job.job, []).append(entry)
    answers: list[Measured] = []
    rungs: tuple[Measured, ...] = ()
    without = 0
    for job, shared in sorted(holders.items()):
        folder = out / "jobs" / job
        result = _read(folder / "result.json")
        rungs = rungs or _rungs(folder, result)
        time = jobs[job].time_us
        found = _profile(folder / str(result.get("profile")), result.get("kernel"))
        if found is None or not time:
            without += len(shared)
            continue
        answers.append(Measured("", time, *found, _is_correct(shared[0]), len(shared)))
    return LabCounters(tuple(answers), rungs, without)


def _is_correct(entry: Entry) -> bool:
    return all(test.status == "passed" for test in entry.tests if test.kind == "correctness")


def _rungs(folder: Path, result: dict[str, Any]) -> tuple[Measured, ...]:
    rungs = []
    for rung in result.get("ladder") or ():
        if rung.get("time_us") and rung.get("profile") and not rung.get("library"):
            found = _profile(folder / rung["profile"], rung.get("kernel"))
            if found is not None:
                rungs.append(Measured(rung["title"], rung["time_us"], *found))
    return tuple(rungs)


def _profile(path: Path, slowest: int | None) -> tuple[dict[str, float], str] | None:
    kernels = _read(path).get("kernels")
    if not isinstance(kernels, list) or not kernels:
        return None
    sums = {
        name: float(sum(kernel.get("metrics", {}).get(metric, 0) for kernel in kernels for metric in metrics))
        for name, metrics in COUNTERS.items()
    }
    kernel = kernels[slowest] if isinstance(slowest, int) and 0 <= slowest < len(kernels) else kernels[0]
    return sums, kernel.get("limiter", "")


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
