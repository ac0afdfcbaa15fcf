"""Words and numbers for all reports: names of statuses, components of the time model and units."""

from __future__ import annotations

from grader.course.policy.points import number as points

from .style import number

STATUS = {
    "passed": "✓ passed",
    "failed": "✗ failed",
    "inconclusive": "? inconclusive",
    "skipped": "– skipped",
    "not_run": "· not run",
    "not_started": "○ not started",
    "build_failed": "✗ does not build",
    "missing": "○ not handed in",
    "not_graded": "? not graded yet",
}

PARTLY = "partly"  # Shown instead of "failed" if most of the points were earned.


def shown_as(status: str, earned: float, most: float) -> str:
    """A status for readers: an answer that earned most of the points has not failed, whatever a test says."""
    return PARTLY if status == "failed" and 2 * earned >= most > 0 else status


def status_words(status: str, earned: float, most: float) -> str:
    """"✗ failed"; "◐ 93 of 100" where most of the points were earned."""
    if shown_as(status, earned, most) == PARTLY:
        return f"◐ {points(earned)} of {points(most)}"
    return STATUS[status]


GLOSSARY = (
    ("Request", "One load or store of one warp: up to 32 threads at once."),
    ("Sector", "32 bytes of global memory, the unit in which it is moved. A full warp that reads 4-byte words next to "
     "one another needs 4 sectors; words that are far apart need up to 32."),
    ("Wavefront", "One pass through shared memory. Different words that threads want from one bank need one pass "
     "each; threads that want the same word share it."),
    ("Predicted time", "What the virtual GPU's model of the device gives for the counted work. It ranks answers; it is "
     "not a measurement."),
    ("Roofline", "A kernel is below two lines: the sloping one is the bandwidth of a memory, the level one the rate at "
     "which instructions can be issued. A kernel close to its line cannot get faster without moving fewer bytes, or "
     "executing fewer instructions."),
)

# The components of the time model (common/simulator/model), in the words of a reader.
COMPONENTS = {
    "issue": "issuing instructions",
    "alu": "integer and logic",
    "fma": "multiply-add",
    "fp16": "half precision",
    "fp64": "double precision",
    "xu": "special functions",
    "tensor": "tensor cores",
    "lsu": "load/store unit, shared memory",
    "l1": "filling L1",
    "l2": "traffic to L2",
    "dram": "traffic to memory",
    "atomics": "atomics",
    "blocks": "starting blocks",
    "latency": "waiting",
    "launch": "launching",
    "page_faults": "page faults of managed memory",
    "remote": "memory of the host, over the bus",
    "grid_sync": "barriers of the whole grid",
    "waits": "blocks that wait for each other",
    "constant": "constant memory",
    "barrier": "barriers",
    "texture": "texture units",
    "cluster": "shared memory of other blocks",
    "heap": "malloc and free in kernels",
    "peer": "memory of another device",
}

COUNTED = ("warp instructions, threads active in them (of 32), and what each memory request needed, with the best possible "
           "in brackets if that is less")


def optional(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{number(value)} {unit}".strip()


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def count_of(count: int, word: str) -> str:
    """`1 student`, `2 students`."""
    return f"{count} {word}" + ("" if count == 1 else "s")
