"""Compares the virtual GPU's CPU time, divided by PoCL's for the same kernel in the same run, with recorded ratios."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

# A kernel may take this many times its recorded ratio.
SLACK = 1.3
# On a processor without a record: this many times the highest ratio of the others with its instruction set.
# Processors differ: one and the same build has cost 1.4 times PoCL's time on one and 2.1 to 2.8 times on another.
SLACK_ELSEWHERE = 2.0
# This many measurements, alternating with PoCL; the least CPU time of each counts.
ROUNDS = 3
# A kernel that is too slow is measured this many more times before it fails: other load can only add time.
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
class Bound:
    """The ratios that a run is compared with, and how far it may exceed them."""

    ratios: Mapping[str, float]
    slack: float
    # A note about them; empty if they are this processor's own.
    note: str = ""


@dataclass(frozen=True)
class Verdict:
    kernel: str
    ratio: float
    recorded: float
    slack: float = SLACK

    @property
    def passed(self) -> bool:
        return self.ratio <= self.slack * self.recorded

    def __str__(self) -> str:
        if self.passed:
            return f"{self.kernel}: {self.ratio:.2f} times PoCL's CPU time (recorded: {self.recorded:.2f})"
        return (
            f"{self.kernel}: {self.ratio:.2f} times PoCL's CPU time, more than {self.slack} times the recorded {self.recorded:.2f}\n"
            "  Find what costs it: perf record -e cpu-clock on build/sim/bin/cuda_bench, before and after the change.\n"
            "  If the cost is meant, record it: cmake --build --preset bench-record, and say why in the commit."
        )


def check(bound: Bound, ours: Measure, native: Measure) -> list[Verdict]:
    verdicts = []
    for kernel, ratio in bound.ratios.items():
        best = Best()
        best.measure(kernel, ours, native, ROUNDS)
        if not Verdict(kernel, best.ratio, ratio, bound.slack).passed:
            best.measure(kernel, ours, native, MORE_ROUNDS * ROUNDS)
        verdicts.append(Verdict(kernel, best.ratio, ratio, bound.slack))
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


def processor(cpuinfo: str) -> str:
    """The processor that Linux describes in @p cpuinfo: the numbers that tell processors apart, not their trade names,
    which virtual machines shorten."""
    fields = fields_of(cpuinfo)
    if "vendor_id" in fields:
        return f"{fields['vendor_id']} family {fields.get('cpu family', '?')} model {fields.get('model', '?')}"
    if "CPU implementer" in fields:
        return f"implementer {fields['CPU implementer']} part {fields.get('CPU part', '?')}"
    return "unknown"


def fields_of(cpuinfo: str) -> dict[str, str]:
    """Of the first processor in it."""
    first = cpuinfo.strip().split("\n\n", 1)[0]
    pairs = (line.split(":", 1) for line in first.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


@dataclass(frozen=True)
class Host:
    """What ratios are recorded for."""

    instruction_set: str
    processor: str

    def __str__(self) -> str:
        return f"{self.instruction_set} on {self.processor}"


def here() -> Host:
    cpuinfo = Path("/proc/cpuinfo").read_text()
    flags = set(fields_of(cpuinfo).get("flags", "").split())
    return Host(instruction_set(flags, os.environ.get("WARPBOOK_ISA", "")), processor(cpuinfo))


# Ratios by instruction set, then by processor, then by kernel.
Record = dict[str, dict[str, dict[str, float]]]


def bound(record: Record, host: Host) -> Bound | None:
    """The ratios that @p host is compared with: its own, else the highest of other processors; None if there are none."""
    known = record.get(host.instruction_set, {})
    if host.processor in known:
        return Bound(known[host.processor], SLACK)
    if not known:
        return None
    kernels = sorted({kernel for ratios in known.values() for kernel in ratios})
    highest = {kernel: max(ratios[kernel] for ratios in known.values() if kernel in ratios) for kernel in kernels}
    return Bound(
        highest,
        SLACK_ELSEWHERE,
        f"no ratios are recorded for {host}: held against {SLACK_ELSEWHERE} times the highest of other processors, which "
        "finds only what became much slower; record this one's: cmake --build --preset bench-record",
    )


def load(path: Path) -> Record:
    record: Record = json.loads(path.read_text())
    return record


def save(path: Path, record: Record) -> None:
    path.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n")
