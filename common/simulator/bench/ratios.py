"""Holds the virtual GPU's cost, in CPU times of PoCL for the same kernel in the same run, against recorded ratios."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

# A kernel may cost so many times its recorded ratio.
SLACK = 1.3
# Measured in turns with PoCL so many times; the least CPU time of each counts.
ROUNDS = 3
# A kernel that costs too much is measured so many times more before it fails: a noisy machine only ever adds time.
MORE_ROUNDS = 2

# CPU seconds of one launch of a kernel.
Measure = Callable[[str], float]


@dataclass
class Best:
    """The least CPU time of either engine so far."""

    ours: float = float("inf")
    native: float = float("inf")

    @property
    def ratio(self) -> float:
        return self.ours / self.native

    def measure(self, kernel: str, ours: Measure, native: Measure, rounds: int) -> None:
        for _ in range(rounds):
            self.ours = min(self.ours, ours(kernel))
            self.native = min(self.native, native(kernel))


@dataclass(frozen=True)
class Verdict:
    kernel: str
    ratio: float
    recorded: float

    @property
    def passed(self) -> bool:
        return self.ratio <= SLACK * self.recorded

    def __str__(self) -> str:
        if self.passed:
            return f"{self.kernel}: {self.ratio:.2f} times PoCL's CPU time (recorded: {self.recorded:.2f})"
        return (
            f"{self.kernel}: {self.ratio:.2f} times PoCL's CPU time, more than {SLACK} times the recorded {self.recorded:.2f}\n"
            "  Find what costs it: perf record -e cpu-clock on build/sim/bin/cuda_bench, before and after the change.\n"
            "  If the cost is meant, record it: cmake --build --preset bench-record, and say why in the commit."
        )


def check(recorded: Mapping[str, float], ours: Measure, native: Measure) -> list[Verdict]:
    verdicts = []
    for kernel, ratio in recorded.items():
        best = Best()
        best.measure(kernel, ours, native, ROUNDS)
        if not Verdict(kernel, best.ratio, ratio).passed:
            best.measure(kernel, ours, native, MORE_ROUNDS * ROUNDS)
        verdicts.append(Verdict(kernel, best.ratio, ratio))
    return verdicts


def measured(kernels: list[str], ours: Measure, native: Measure) -> dict[str, float]:
    """Ratios to record."""
    ratios = {}
    for kernel in kernels:
        best = Best()
        best.measure(kernel, ours, native, MORE_ROUNDS * ROUNDS)
        ratios[kernel] = round(best.ratio, 2)
    return ratios


def instruction_set(flags: set[str], wanted: str = "") -> str:
    """What the virtual GPU uses on a processor with these flags (machine/instruction_set.cpp)."""
    sets = ["baseline", "avx2", "avx512"]
    best = 0
    if {"avx2", "fma", "bmi1", "bmi2", "popcnt"} <= flags:
        best = 2 if {"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"} <= flags else 1
    return sets[min(best, sets.index(wanted))] if wanted else sets[best]


def instruction_set_here() -> str:
    text = Path("/proc/cpuinfo").read_text()
    lines = [line for line in text.splitlines() if line.startswith("flags")]
    flags = set(lines[0].split(":", 1)[1].split()) if lines else set()
    return instruction_set(flags, os.environ.get("WARPBOOK_ISA", ""))


def load(path: Path) -> dict[str, dict[str, float]]:
    """By instruction set, then by kernel."""
    ratios: dict[str, dict[str, float]] = json.loads(path.read_text())
    return ratios


def save(path: Path, ratios: dict[str, dict[str, float]]) -> None:
    path.write_text(json.dumps(ratios, indent=2, sort_keys=True) + "\n")
