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


def _constant(record: Record, key: str) -> float:
    """A constant stands with its unit and source: {"value": 4, "unit": ..., "source": ...}."""
    return record.record(key).number("value")


def load_device(path: Path) -> Device:
    """@throws ReportError naming the file and the key"""
    record = load_versioned(path, FORMAT, VERSION, MADE_BY)
    attributes, model = record.record("attributes"), record.record("model")
    clock_ghz = attributes.number("clock_rate") / 1e6
    return Device(
        name=path.stem,
        display_name=record.text("display_name"),
        issue_per_ns=attributes.number("multiprocessor_count") * _constant(model, "issue_per_cycle") * clock_ghz,
        dram_bytes_per_ns=_constant(model, "dram_bytes_per_us") / 1e3,
        l2_bytes_per_ns=_constant(model, "l2_read_bytes_per_us") / 1e3,
    )
