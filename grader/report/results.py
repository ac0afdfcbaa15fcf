"""What was graded: labs, tests and ladders, from results.json (docs/formats.md)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .reader import Record, load_versioned

FORMAT = "warpbook.results"
VERSION = 1
MADE_BY = "grading writes it: cmake --workflow --preset demo"


@dataclass(frozen=True)
class Test:
    name: str
    kind: str
    status: str
    points: float
    max_points: float
    message: str

    @property
    def sentence(self) -> str:
        """`coalescing.counters.loads_are_coalesced` -> `loads are coalesced`."""
        return self.name.split(".", 2)[-1].replace("_", " ")


@dataclass(frozen=True)
class Run:
    """One timed kernel: a rung of the ladder, or the graded answer."""

    rung: str
    title: str
    time_us: float | None
    measured_us: float | None
    profile: Path | None
    kernel: int
    graded: bool = False


@dataclass(frozen=True)
class Lab:
    name: str
    title: str
    answer: str
    source: str
    status: str
    points: float
    max_points: float
    tests: list[Test]
    ladder: list[Run]
    graded: Run
    speedup_over_naive: float | None


@dataclass(frozen=True)
class Results:
    backend: str
    device: str
    labs: list[Lab]


def _profile(record: Record) -> Path | None:
    name = record.optional_text("profile")
    return record.file.parent / name if name else None


def _test(record: Record) -> Test:
    return Test(
        name=record.text("name"),
        kind=record.text("kind"),
        status=record.one_of("status", ("passed", "failed", "skipped", "not_run")),
        points=record.number("points"),
        max_points=record.number("max_points"),
        message=record.optional_text("message") or "",
    )


def _rung(record: Record) -> Run:
    return Run(
        rung=record.text("rung"),
        title=record.text("title"),
        time_us=record.optional_number("time_us"),
        measured_us=record.optional_number("measured_us"),
        profile=_profile(record),
        kernel=record.optional_count("kernel") or 0,
    )


def _lab(record: Record) -> Lab:
    answer = record.one_of("answer", ("solution", "student"))
    return Lab(
        name=record.text("lab"),
        title=record.text("title"),
        answer=answer,
        source=record.text("source"),
        status=record.one_of("status", ("passed", "failed", "not_started", "build_failed")),
        points=record.number("points"),
        max_points=record.number("max_points"),
        tests=[_test(test) for test in record.records("tests")],
        ladder=[_rung(rung) for rung in record.records("ladder")],
        graded=Run(
            rung="answer",
            title="the solution" if answer == "solution" else "your answer",
            time_us=record.optional_number("time_us"),
            measured_us=record.optional_number("measured_us"),
            profile=_profile(record),
            kernel=record.optional_count("kernel") or 0,
            graded=True,
        ),
        speedup_over_naive=record.optional_number("speedup_over_naive"),
    )


def load_results(path: Path) -> Results:
    """@throws ReportError naming the file, the field and what to do."""
    record = load_versioned(path, FORMAT, VERSION, MADE_BY)
    return Results(
        backend=record.one_of("backend", ("virtual", "gpu")),
        device=record.text("device"),
        labs=[_lab(lab) for lab in record.records("labs")],
    )
