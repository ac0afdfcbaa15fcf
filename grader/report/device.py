"""The ceilings of a device, from its description in common/simulator/model/devices."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .reader import Record, load_versioned

FORMAT = "warpbook.device"
VERSION = 1
DEVICES = Path(__file__).resolve().parents[2] / "common" / "simulator" / "model" / "devices"
MADE_BY = "device descriptions belong to warpbook's sources (common/simulator/model/devices)"


@dataclass(frozen=True)
class Device:
    name: str
    display_name: str
    issue_per_ns: float  # warp instructions that all schedulers issue
    dram_bytes_per_ns: float
    l2_bytes_per_ns: float


def _constant(path: Path, record: Record, key: str) -> float:
    """A constant of a device, stored with its unit and source: {"value": 4, "unit": ..., "source": ...}.

    A constant that a description lacks is taken from the device that it names as model_otherwise.
    """
    model = record.record("model")
    if key not in model.fields and "model_otherwise" in record.fields:
        other = path.with_name(record.text("model_otherwise") + ".json")
        model = load_versioned(other, FORMAT, VERSION, MADE_BY).record("model")
    return model.record(key).number("value")


def load_device(path: Path) -> Device:
    """@throws ReportError naming the file and the key"""
    record = load_versioned(path, FORMAT, VERSION, MADE_BY)
    attributes = record.record("attributes")
    clock_ghz = attributes.number("clock_rate") / 1e6
    return Device(
        name=path.stem,
        display_name=record.text("display_name"),
        issue_per_ns=attributes.number("multiprocessor_count") * _constant(path, record, "issue_per_cycle") * clock_ghz,
        dram_bytes_per_ns=_constant(path, record, "dram_bytes_per_us") / 1e3,
        l2_bytes_per_ns=_constant(path, record, "l2_read_bytes_per_us") / 1e3,
    )
