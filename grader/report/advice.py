"""What to try next: a few steps, the most useful first, from what a student may see."""

from __future__ import annotations

from grader.course.exporters.view import Entry
from grader.course.gradebook import Test

from .evidence import Evidence
from .explanation import advice, headline, lines_of
from .style import number
from .words import COMPONENTS

ORDER = {"correctness": 0, "counters": 1, "time": 2}
NEAR = 1.05  # Rungs that are less than this many times faster are not suggested.
NEAR_BANDWIDTH = 0.85
NOT_RIGHT_YET = "not_right_yet"  # A test that gives no verdict until the result is right.
WORTH_A_LOOK = 1.5  # Suggest lines that need this many times the ideal.


def next_steps(entry: Entry, evidence: Evidence | None) -> list[str]:
    """At most four sentences or short paragraphs, plain text."""
    lab, status = entry.lab, entry.shown_status
    if status == "missing":
        return [f"Begin with the handout: README.md in the folder of lab {lab}, or {lab}.h where there is none.",
                f"`warpbook check {lab}` grades your file as often as you like; `warpbook submit {lab}` packs it."]
    if status == "not_started":
        return [f"Read the handout, README.md in the folder of lab {lab} (or {lab}.h where there is none), and replace the first "
                "warpbook::not_started() by your answer.",
                f"`warpbook hint {lab}` shows one hint at a time."]
    if status == "build_failed":
        return ["Fix the first error that the compiler reports; later ones often follow from it.",
                f"`warpbook check {lab}` builds your file as grading does: hand in when that builds."]
    if entry.is_undecided:
        return [f"If you can still hand in: hand in one file named {lab}.cu, or the zip that "
                f"`warpbook submit {lab}` packs."]
    if status == "not_graded":
        return ["The grader itself failed on this file. Your instructor can grade it again."]
    steps = [_mend(test, lab) for test in _worth_mending(entry)[:2]]
    steps += _measured(entry, evidence)
    if entry.is_sealed:
        steps.append("Hidden tests count too: think of sizes 0 and 1, of sizes that are not a multiple of a block, of large ones.")
    elif any(test.points < test.max_points for test in entry.visible):
        steps.append(f"`warpbook check {lab}` repeats these tests on your machine; `warpbook hint {lab}` shows a hint.")
    return steps[:4]


def _worth_mending(entry: Entry) -> list[Test]:
    """Tests with points left, one for each advice: first wrong results, then slowness."""
    short = sorted((test for test in entry.visible if test.points < test.max_points and not _waits(test)),
                   key=lambda test: (ORDER.get(test.kind, 9), test.status == "passed", test.position))
    chosen: dict[str, Test] = {}
    for test in short:
        chosen.setdefault(advice(test) or f"{test.kind} {test.status}", test)
    return list(chosen.values())


def _waits(test: Test) -> bool:
    return test.finding is not None and test.finding.kind == NOT_RIGHT_YET


def _mend(test: Test, lab: str) -> str:
    said = headline(test) or "It did not pass."
    lines = lines_of(test, f"{lab}.cu") or lines_of(test, f"{lab}.cpp")
    where = f"Look at line {lines[0]}." if lines else ""
    what = advice(test)
    what = what[:1].upper() + what[1:]
    return " ".join(part for part in (f"{test.kind}, “{test.sentence}”: {said}", where, what) if part)


def _measured(entry: Entry, evidence: Evidence | None) -> list[str]:
    if evidence is None or evidence.time_us is None or not entry.is_correct:
        return []
    steps = []
    faster = [rung for rung in evidence.rungs if rung.time_us * NEAR < evidence.time_us]
    if faster:
        rung = max(faster, key=lambda one: one.time_us)
        steps.append(f"The next rung of the ladder is “{rung.title}”: {number(rung.time_us)} µs, "
                     f"{number(evidence.time_us / rung.time_us)} times as fast as your {number(evidence.time_us)} µs.")
    told = {line for test in entry.visible for line in lines_of(test, f"{entry.lab}.cu")}
    wastes = [waste for waste in evidence.wastes if waste.found >= WORTH_A_LOOK * waste.ideal and waste.line not in told]
    if faster and wastes:
        waste = wastes[0]
        steps.append(f"Look at line {waste.line}: each {waste.kind} needs {number(waste.found)} {waste.unit}, "
                     f"where {number(waste.ideal)} would be enough.")
    if not steps:
        limit = COMPONENTS.get(evidence.limiter, evidence.limiter)
        if evidence.bandwidth is not None and evidence.bandwidth >= NEAR_BANDWIDTH:
            steps.append(f"Your kernel uses {evidence.bandwidth:.0%} of the memory's bandwidth: it is about as fast as this "
                         "device allows.")
        elif limit:
            steps.append(f"No rung of the ladder is faster. To go further, look at what limits your kernel: {limit}.")
    return steps
