"""Data for the figures and the source of one job: made once, stored, and shared by all who handed that file in."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from .access import SECTORS, WAVEFRONTS, rows_of
from .components import Cell, ComponentRow, ComponentTable, component_table
from .device import DEVICES, load_device
from .figure_store import FigureStore, own_code
from .figures import kernel_of, lab_pictures
from .page import Picture
from .profiles import load_profile, merged_lines
from .results import load_job
from .roofline import points_of
from .source import SourceRow, file_rows

DEVICE = "h200"  # The device that batch grading simulates.
RECORD = "evidence.json"
STORE = "drawn"  # Not the name of a job: ids are hexadecimal digits.


@dataclass(frozen=True)
class Waste:
    """A line whose requests need more than they must; the most wasteful lines come first."""

    line: int
    kind: str  # load, store, ...
    unit: str  # sectors, wavefronts
    found: float
    ideal: float


@dataclass(frozen=True)
class Rung:
    title: str
    time_us: float


@dataclass(frozen=True)
class Evidence:
    """`folder` holds the figures. `bandwidth` is the share of the memory's bandwidth that the slowest kernel uses."""

    folder: Path
    pictures: list[Picture]
    components: ComponentTable | None
    source: list[SourceRow]
    wastes: list[Waste]
    rungs: list[Rung]
    time_us: float | None
    limiter: str
    bandwidth: float | None

    def files(self) -> Iterator[Path]:
        for picture in self.pictures:
            yield self.folder / f"{picture.name}.png"
            yield self.folder / f"{picture.name}.svg"


def source_of(job: Path, lab: str) -> Path:
    """The file that was graded."""
    return next((path for path in (job / f"{lab}.cu", job / f"{lab}.cpp") if path.exists()), job / f"{lab}.cu")


def evidence_of(job: Path, lab: str, kept: Path) -> Evidence:
    """The stored data of a job in @p kept, made again if the job or this program changed. @throws ReportError, OSError"""
    folder = kept / job.name
    key = _key(job)
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if record.pop("key") == key:
            return _from_record(record, folder)
    except (OSError, ValueError, KeyError, TypeError):
        pass  # Missing, or cut short.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    evidence = _make(job, lab, folder, FigureStore(kept / STORE))
    record = {name: value for name, value in asdict(evidence).items() if name != "folder"}
    (folder / RECORD).write_text(json.dumps({"key": key, **record}), encoding="utf-8")  # Last, after the figures.
    return evidence


def _from_record(record: dict[str, Any], folder: Path) -> Evidence:
    evidence = Evidence(
        folder=folder,
        pictures=[Picture(**one) for one in record.pop("pictures")],
        components=_components(record.pop("components")),
        source=[SourceRow(**one) for one in record.pop("source")],
        wastes=[Waste(**one) for one in record.pop("wastes")],
        rungs=[Rung(**one) for one in record.pop("rungs")],
        **record,
    )
    if not all(path.is_file() for path in evidence.files()):
        raise ValueError
    return evidence


def _components(record: dict[str, Any] | None) -> ComponentTable | None:
    if record is None:
        return None
    rows = [ComponentRow(row["name"], [Cell(**cell) for cell in row["cells"]]) for row in record["rows"]]
    return ComponentTable(record["kernels"], record["times"], rows)


def _key(job: Path) -> str:
    digest = hashlib.sha256(own_code())
    for name in ("result.json", "profile.json"):
        path = job / name
        digest.update(path.read_bytes() if path.is_file() else b"-")
    return digest.hexdigest()


def _make(job: Path, lab: str, folder: Path, store: FigureStore) -> Evidence:
    device = load_device(DEVICES / f"{DEVICE}.json")
    ladder, answer = load_job(job / "result.json")
    source = source_of(job, lab)
    mine = kernel_of(answer)
    lines = merged_lines(load_profile(answer.profile)) if answer.profile else []
    lines = [line for line in lines if Path(line.file).name == source.name]
    by_line = [(answer, replace(mine, lines=lines))] if mine else []
    runs = [*ladder, answer] if answer.time_us is not None else []
    kernels = [(run, kernel) for run in runs if not run.library and (kernel := kernel_of(run))]
    pictures = lab_pictures(lab, runs, kernels, by_line, device, folder, store)
    points = [point for point in points_of(kernels) if point.run is answer]
    wastes = [
        Waste(row.access.line, row.access.kind, cost.unit, row.found, row.ideal)
        for cost in (SECTORS, WAVEFRONTS) for row in rows_of(cost, by_line) if row.wasteful
    ]
    return Evidence(
        folder=folder,
        pictures=pictures,
        components=component_table(kernels) if mine and kernels else None,
        source=file_rows(source, lines),
        wastes=sorted(wastes, key=lambda waste: -waste.found / max(waste.ideal, 1)),
        rungs=[Rung(run.title, run.time_us) for run in ladder if run.time_us is not None and not run.library],
        time_us=answer.time_us,
        limiter=mine.limiter if mine else "",
        bandwidth=points[0].dram_share / (device.dram_bytes_per_ns * 1e3) if points else None,
    )
