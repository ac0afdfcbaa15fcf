"""What a kernel did: counters, predicted time and its parts, by source line, from a profile (docs/formats.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from .reader import Record, ReportError, load_versioned

FORMAT = "warpbook.profile"
VERSION = 1
MADE_BY = "grading writes it next to results.json: cmake --workflow --preset demo"


@dataclass(frozen=True)
class Access:
    """One kind of memory access on one source line."""

    file: str
    line: int
    op: str
    space: str
    requests: int
    sectors: int
    sectors_ideal: int
    wavefronts: int
    wavefronts_ideal: int
    stride: float | None

    @property
    def kind(self) -> str:
        words = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldgsts": "asynchronous copy"}
        return (words | {"tex": "texture read", "bulk_ld": "bulk copy", "bulk_st": "bulk copy"}).get(self.op, self.op)


@dataclass(frozen=True)
class Line:
    file: str
    line: int
    inst_executed: int
    thread_inst_executed_true: int
    accesses: list[Access]


@dataclass(frozen=True)
class Kernel:
    name: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    registers: int
    shared_bytes: int
    time_us: float
    limiter: str
    model: dict[str, float]
    metrics: dict[str, float]
    lines: list[Line]

    def accesses(self, space: str) -> list[Access]:
        return [access for line in self.lines for access in line.accesses if access.space == space and access.requests]


def merged_lines(kernels: list[Kernel]) -> list[Line]:
    """The counts of several kernels added up by source line, in the order of files and lines."""
    lines: dict[tuple[str, int], list[Line]] = {}
    for kernel in kernels:
        for line in kernel.lines:
            lines.setdefault((line.file, line.line), []).append(line)
    return [
        Line(file, at, sum(line.inst_executed for line in same), sum(line.thread_inst_executed_true for line in same),
             _merged_accesses([access for line in same for access in line.accesses]))
        for (file, at), same in sorted(lines.items())
    ]


def _merged_accesses(accesses: list[Access]) -> list[Access]:
    groups: dict[tuple[str, str], list[Access]] = {}
    for access in accesses:
        groups.setdefault((access.op, access.space), []).append(access)
    counts = ("requests", "sectors", "sectors_ideal", "wavefronts", "wavefronts_ideal")
    return [
        replace(same[0], stride=same[0].stride if len({one.stride for one in same}) == 1 else None,
                **{name: sum(getattr(one, name) for one in same) for name in counts})
        for same in groups.values()
    ]


@dataclass(frozen=True)
class Activity:
    """An activity of one of the GPU's engines for a stream."""

    engine: str
    stream: int
    name: str
    start_us: float
    end_us: float


def _access(record: Record, file: str, line: int) -> Access:
    return Access(
        file=file,
        line=line,
        op=record.text("op"),
        space=record.text("space"),
        requests=record.count("requests"),
        sectors=record.count("sectors"),
        sectors_ideal=record.count("sectors_ideal"),
        wavefronts=record.count("wavefronts"),
        wavefronts_ideal=record.count("wavefronts_ideal"),
        stride=record.optional_number("stride"),
    )


def _line(record: Record) -> Line:
    file, line = record.text("file"), record.count("line")
    return Line(
        file=file,
        line=line,
        inst_executed=record.count("inst_executed"),
        thread_inst_executed_true=record.count("thread_inst_executed_true"),
        accesses=[_access(access, file, line) for access in record.records("accesses")],
    )


def _extent(record: Record, key: str) -> tuple[int, ...]:
    values = record.fields.get(key)
    if not isinstance(values, list) or len(values) != 3 or not all(isinstance(v, int) for v in values):
        raise ReportError(f"{record.file}: {record.place}.{key} must be [x, y, z] (docs/formats.md)")
    return tuple(values)


def _kernel(record: Record) -> Kernel:
    return Kernel(
        name=record.text("name"),
        grid=_extent(record, "grid"),
        block=_extent(record, "block"),
        registers=record.count("registers"),
        shared_bytes=record.count("shared_bytes"),
        time_us=record.number("time_us"),
        limiter=record.text("limiter"),
        model=record.numbers("model"),
        metrics=record.numbers("metrics"),
        lines=[_line(line) for line in record.records("lines")],
    )


@lru_cache(maxsize=16)  # The rungs of a lab, which its answers share, and some answers.
def _load(path: Path, _changed_ns: int, _size: int) -> tuple[list[Kernel], list[Activity]]:
    record = load_versioned(path, FORMAT, VERSION, MADE_BY)
    timeline = [
        Activity(
            engine=activity.text("engine"),
            stream=activity.count("stream"),
            name=activity.text("name"),
            start_us=activity.number("start_us"),
            end_us=activity.number("end_us"),
        )
        for activity in record.records("timeline", True)
    ]
    return [_kernel(kernel) for kernel in record.records("kernels")], timeline


def _read(path: Path) -> tuple[list[Kernel], list[Activity]]:
    """A file is read again only if it changed."""
    try:
        found = path.stat()
    except OSError:
        return _load(path, 0, 0)  # It raises the error.
    return _load(path.resolve(), found.st_mtime_ns, found.st_size)


def load_profile(path: Path) -> list[Kernel]:
    """The kernels of a profile in launch order. @throws ReportError"""
    return _read(path)[0]


def load_timeline(path: Path) -> list[Activity]:
    """What the engines did, in the order of the profile. @throws ReportError"""
    return _read(path)[1]


def load_kernel(path: Path, index: int) -> Kernel:
    """@throws ReportError, also if the profile has no kernel @p index"""
    kernels = load_profile(path)
    if index >= len(kernels):
        raise ReportError(f"{path}: kernel {index} is asked for, but the profile has {len(kernels)}; {MADE_BY}")
    return kernels[index]
