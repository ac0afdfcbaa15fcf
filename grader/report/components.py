"""The time that a kernel would need for each resource alone: a table, the kernels side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .profiles import Kernel
from .results import Run
from .style import number
from .words import COMPONENTS

LEAST_US = 0.005  # A resource that takes less in every kernel has no row.


@dataclass(frozen=True)
class Cell:
    time: str
    limits: bool  # It is the kernel's slowest resource.


@dataclass(frozen=True)
class ComponentRow:
    name: str  # of a component of the time model
    cells: list[Cell]


@dataclass(frozen=True)
class ComponentTable:
    kernels: list[str]
    times: list[str]
    rows: list[ComponentRow]


def component_table(kernels: Sequence[tuple[Run, Kernel]]) -> ComponentTable:
    """Known components in their order, then those that only the profiles name."""
    known = [*COMPONENTS, *sorted({name for _, kernel in kernels for name in kernel.model} - set(COMPONENTS))]
    return ComponentTable(
        [run.title for run, _ in kernels],
        [number(kernel.time_us) for _, kernel in kernels],
        [ComponentRow(name, [Cell(number(round(kernel.model.get(name, 0), 2)), name == kernel.limiter) for _, kernel in kernels])
         for name in known if any(kernel.model.get(name, 0) >= LEAST_US for _, kernel in kernels)],
    )
