"""The instruction roofline: how fast each kernel ran, compared with what the device's issue slots and memories allow.

Warp instructions per second over warp instructions per byte moved (Ding and Williams, "An Instruction Roofline Model
for GPUs", 2019). Unlike the roofline of floating-point operations it also places kernels that only move data. Every
kernel has two points at one height: one for the traffic between L2 and memory, one for that between L1 and L2.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .device import Device
from .profiles import Kernel
from .results import Run
from .style import ANSWER, INK, MUTED, PAPER, legend_above, new_figure, number

SECTOR_BYTES = 32
LABEL_SHARE = 0.48  # of the width of the plot
LABEL_WIDTH = 24  # characters


@dataclass(frozen=True)
class Point:
    run: Run
    rate: float  # warp instructions per ns
    dram_bytes: float
    l2_bytes: float
    instructions: float
    time_us: float

    def intensity(self, traffic: float) -> float:
        return self.instructions / traffic

    @property
    def dram_share(self) -> float:
        """Bytes per microsecond from and to memory."""
        return self.dram_bytes / self.time_us


def _l2_bytes(kernel: Kernel) -> float:
    """Between L1 and L2. Older profiles, without metrics for this traffic, count each sector once in L2."""
    metric = kernel.metrics.get
    sectors = {op: metric(f"lts__t_sectors_op_{op}.sum", 0) for op in ("read", "write", "atom", "red")}
    if "l1tex__m_xbar2l1tex_read_bytes.sum" not in kernel.metrics:
        return sum(sectors.values()) * SECTOR_BYTES
    moved = metric("l1tex__m_xbar2l1tex_read_bytes.sum", 0) + metric("l1tex__m_l1tex2xbar_write_bytes.sum", 0)
    atomics = sum(metric(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum", 0) for op in ("atom", "red"))
    return moved + atomics * SECTOR_BYTES


def points_of(runs: list[tuple[Run, Kernel]]) -> list[Point]:
    """Kernels that executed something, took time and moved data."""
    points = []
    for run, kernel in runs:
        metric = kernel.metrics.get
        instructions = metric("smsp__inst_executed.sum", 0)
        dram = metric("dram__bytes_read.sum", 0) + metric("dram__bytes_write.sum", 0)
        l2 = _l2_bytes(kernel)
        time = run.time_us or kernel.time_us
        if instructions > 0 and time > 0 and (dram > 0 or l2 > 0):
            points.append(Point(run, instructions / time / 1e3, dram, l2, instructions, time))
    return points


def _groups(points: list[Point]) -> list[list[Point]]:
    """Points at the same place (a graded answer that is one of the rungs), to be labelled together."""
    groups: list[list[Point]] = []
    for point in sorted(points, key=lambda p: p.rate):
        last = groups[-1][0] if groups else None
        if last and point.rate < 1.03 * last.rate and point.dram_bytes == last.dram_bytes:
            groups[-1].append(point)
        else:
            groups.append([point])
    return groups


def _label_heights(rates: list[float], lines: list[int], gap: float, top: float) -> list[float]:
    """Heights for labels at ascending @p rates that keep @p gap decades, for each of their @p lines, from one another, and
    stay below @p top."""
    heights: list[float] = []
    for i, rate in enumerate(rates):
        least = heights[-1] + gap * (lines[i - 1] + lines[i]) / 2 if heights else -math.inf
        heights.append(max(math.log10(rate), least))
    most = math.log10(top) - gap * lines[-1] / 2
    for i in reversed(range(len(heights))):
        heights[i] = min(heights[i], most)
        most = heights[i] - gap * (lines[i] + lines[i - 1]) / 2
    return [10**height for height in heights]


def _label(group: list[Point]) -> str:
    return "\n= ".join("\n".join(textwrap.wrap(point.run.title, LABEL_WIDTH)) for point in reversed(group))


def _draw_point(axes: Axes, point: Point, colour: str) -> None:
    levels = [traffic for traffic in (point.dram_bytes, point.l2_bytes) if traffic > 0]
    axes.plot([point.intensity(traffic) for traffic in levels], [point.rate] * len(levels), color=colour, linewidth=0.8)
    if point.l2_bytes > 0:
        axes.plot(point.intensity(point.l2_bytes), point.rate, "o", markerfacecolor=PAPER, markeredgecolor=colour)
    if point.dram_bytes > 0:
        axes.plot(point.intensity(point.dram_bytes), point.rate, "o", color=colour, markersize=5)


def height_of(points: list[Point]) -> float:
    """Inches of the figure: its labels need room below the line of the issue slots."""
    lines = sum(_label(group).count("\n") + 1 for group in _groups(points))
    return max(3.7, 1.6 + 0.21 * lines)


def roofline_figure(points: list[Point], device: Device) -> Figure:
    figure, axes = new_figure(height_of(points))
    xs = [p.intensity(t) for p in points for t in (p.dram_bytes, p.l2_bytes) if t > 0]
    left = min(xs) / 4
    # The labels are to the right of the points and need the right part of the axis.
    right = max(left * (max(xs) / left) ** (1 / (1 - LABEL_SHARE)), device.issue_per_ns / device.dram_bytes_per_ns * 3)
    bottom = min(p.rate for p in points) / 6
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, device.issue_per_ns * 3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: number(value))

    for name, bandwidth, style in (("memory", device.dram_bytes_per_ns, "-"), ("L2", device.l2_bytes_per_ns, "--")):
        ridge = device.issue_per_ns / bandwidth
        axes.plot([left, ridge], [left * bandwidth, device.issue_per_ns], color=INK, linewidth=1.3, linestyle=style,
                  label=f"{name}: {number(bandwidth / 1e3)} TB/s")
    axes.axhline(device.issue_per_ns, color=INK, linewidth=1.3)
    axes.text(right, device.issue_per_ns * 1.12, f"issue slots: {number(device.issue_per_ns)} per ns", ha="right",
              va="bottom", color=MUTED, fontsize=8.5)

    groups = _groups(points)
    decades = math.log10(axes.get_ylim()[1] / bottom)
    labels = [_label(group) for group in groups]
    heights = _label_heights([group[0].rate for group in groups], [label.count("\n") + 1 for label in labels],
                             gap=0.053 * decades * 3.7 / height_of(points), top=0.9 * device.issue_per_ns)
    for group, name, height in zip(groups, labels, heights):
        colour = ANSWER if any(point.run.graded for point in group) else MUTED
        for point in group:
            _draw_point(axes, point, colour)
        own = max(group[0].intensity(traffic) for traffic in (group[0].dram_bytes, group[0].l2_bytes) if traffic > 0)
        # All labels are to the right of all points, connected by lines.
        axes.plot([own, max(xs) * 1.05], [group[0].rate, height], color=colour, linewidth=0.6, linestyle=":")
        axes.annotate(name, (max(xs), height), xytext=(7, 0), textcoords="offset points", va="center", color=colour,
                      fontsize=8.5, linespacing=1.1)
    axes.plot([], [], "o", color=INK, label="traffic to memory")
    axes.plot([], [], "o", markerfacecolor=PAPER, markeredgecolor=INK, label="traffic to L2")
    axes.grid(True, which="major", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("warp instructions per byte moved")
    axes.set_ylabel("warp instructions per ns")
    legend_above(axes, columns=2)
    return figure


def roofline_text(points: list[Point], device: Device) -> str:
    parts = []
    for point in points:
        share = point.dram_share / (device.dram_bytes_per_ns * 1e3)
        parts.append(f"{point.run.title}: {number(point.rate)} warp instructions per ns, {share:.0%} of the memory bandwidth")
    return "Roofline, logarithmic axes. " + "; ".join(parts) + "."
