"""Where tasks run: on this machine (local.py) or on several (slurm.py). All communicate through files in the job's folder."""

from __future__ import annotations

import importlib
from pathlib import Path

from grader.course.executors.base import Executor

# Name for --executor: module and a function of it, (OUT, tasks at once or None) -> Executor. One line each.
EXECUTORS = {
    "local": ("grader.course.executors.local", "make"),
    "slurm": ("grader.course.executors.slurm", "make"),
}


def make_executor(name: str, out: Path, at_once: int | None) -> Executor:
    """@param at_once most tasks at the same time; None: as the executor sees fit. @throws BatchError if it cannot run"""
    module, function = EXECUTORS[name]
    executor: Executor = getattr(importlib.import_module(module), function)(out, at_once)
    return executor
