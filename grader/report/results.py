"""What was graded: labs, tests and ladders, from results.json (docs/formats.md)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.course.finding import Finding, finding_of

from .plot import Plot, plot_of
from .reader import Record, load_versioned

FORMAT = "warpbook.results"
VERSION = 2
MADE_BY = "grading writes it: cmake --workflow --preset demo"


@dataclass(frozen=True)
class Test:
    name: str
    kind: str
    status: str
    points: float
    max_points: float
    message: str
    finding: Finding | None = None

    @property
    def sentence(self) -> str:
        """`coalescing.counters.loads_are_coalesced` -> `loads are coalesced`."""
        return self.name.split(".", 2)[-1].replace("_", " ")


@dataclass(frozen=True)
class Measured:
    """A time measured on a real GPU."""

    us: float
    low_us: float
    high_us: float
    gb_per_s: float | None
    copy_share: float | None


@dataclass(frozen=True)
class Run:
    """One timed program: a rung of the ladder, or the graded answer."""

    rung: str
    title: str
    time_us: float | None
    measured_us: float | None
    profile: Path | None
    kernel: int
    graded: bool = False
    library: bool = False
    measured: Measured | None = None
    large: Measured | None = None
    source: str = ""  # of a rung, as in lab.json


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
    disorder: list[tuple[str, str]]  # rungs: the first is predicted to be faster, but the second is measured to be
    speedup_over_naive: float | None
    plots: tuple[Plot, ...] = ()  # of what the answer's own functions measured


@dataclass(frozen=True)
class Results:
    backend: str
    device: str  # what ran: a device description, or a GPU's name
    predicted_device: str  # a device description
    labs: list[Lab]


def _profile(record: Record) -> Path | None:
    name = record.optional_text("profile")
    return record.file.parent / name if name else None


def _test(record: Record) -> Test:
    return Test(
        name=record.text("name"),
        kind=record.text("kind"),
        status=record.one_of("status", ("passed", "failed", "inconclusive", "skipped", "not_run")),
        points=record.number("points"),
        max_points=record.number("max_points"),
        message=record.optional_text("message") or "",
        finding=finding_of(record.fields.get("finding")),
    )


def _measured(record: Record, key: str) -> Measured | None:
    if record.fields.get(key) is None:
        return None
    time = record.record(key)
    return Measured(
        us=time.number("us"),
        low_us=time.number("low_us"),
        high_us=time.number("high_us"),
        gb_per_s=time.optional_number("gb_per_s"),
        copy_share=time.optional_number("copy_share"),
    )


def _rung(record: Record) -> Run:
    return Run(
        rung=record.text("rung"),
        title=record.text("title"),
        time_us=record.optional_number("time_us"),
        measured_us=record.optional_number("measured_us"),
        profile=_profile(record),
        kernel=record.optional_count("kernel") or 0,
        library=record.flag("library"),
        measured=_measured(record, "measured"),
        large=_measured(record, "large"),
        source=record.optional_text("source") or "",
    )


def _lab(record: Record) -> Lab:
    answer = record.one_of("answer", ("solution", "student"))
    return Lab(
        name=record.text("lab"),
        title=record.text("title"),
        answer=answer,
        source=record.text("source"),
        status=record.one_of("status", ("passed", "failed", "inconclusive", "not_started", "build_failed")),
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
            measured=_measured(record, "measured"),
            large=_measured(record, "large"),
        ),
        disorder=[(pair.text("predicted_faster"), pair.text("measured_faster")) for pair in record.records("disorder", True)],
        speedup_over_naive=record.optional_number("speedup_over_naive"),
        plots=tuple(plot for each in record.records("plots", True) if (plot := plot_of(each)).curves),
    )


def load_job(path: Path) -> tuple[list[Run], Run]:
    """The rungs and the answer of a job that was graded in a batch (warpbook.job_result). @throws ReportError"""
    record = load_versioned(path, "warpbook.job_result", 1, "`warpbook grade` writes it")
    answer = Run(rung="answer", title="your answer", time_us=record.optional_number("time_us"), measured_us=None,
                 profile=_profile(record), kernel=record.optional_count("kernel") or 0, graded=True)
    return [_rung(rung) for rung in record.records("ladder")], answer


def load_results(path: Path) -> Results:
    """@throws ReportError naming the file, the field and what to do."""
    record = load_versioned(path, FORMAT, VERSION, MADE_BY)
    return Results(
        backend=record.one_of("backend", ("virtual", "gpu")),
        device=record.text("device"),
        predicted_device=record.text("predicted_device"),
        labs=[_lab(lab) for lab in record.records("labs")],
    )
