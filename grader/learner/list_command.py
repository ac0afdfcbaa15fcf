"""`warpbook list`: all labs in order, and how far you are."""

from __future__ import annotations

import argparse

from grader.learner.labs import Lab
from grader.learner.progress import LabProgress, sha256_of
from grader.learner.session import begin
from grader.learner.text import duration, number, say, table, wrapped


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="warpbook list",
                                     description="List all labs in order: chapter, minutes, what to do first, state, points.",
                                     epilog="Points are your best ones. Exit status: 0, or 2 if the labs cannot be read.")
    _, session = begin(parser, arguments)
    progress = session.progress()
    numbers = {lab.name: lab.number for lab in session.labs}
    groups: dict[str, list[list[str]]] = {}
    for lab in session.labs:
        known = progress.of(lab.name)
        points = f"{number(known.best_points)} of {number(known.max_points or lab.points)}" if known.checks else "-"
        needs = ", ".join(str(numbers.get(need, need)) for need in lab.needs) or "-"
        groups.setdefault(lab.chapter.replace("_", " ").capitalize(), []).append(
            [str(lab.number), lab.name, "exercise" if lab.is_exercise else "lab", f"{lab.minutes} min", needs,
             state_of(lab, known), points])
    say(table(["", "name", "kind", "takes", "needs", "state", "points"], groups.items(), right=[0, 3]))
    done = [lab for lab in session.labs if progress.of(lab.name).complete]
    left = sum(lab.minutes for lab in session.labs if lab not in done)
    say()
    say(wrapped(f"'Needs' has the numbers of the labs to do first. {len(done)} of {len(session.labs)} labs complete"
                f"{f'; the others take about {duration(left)}' if left else ''}. `warpbook next` says what to do now."))
    return 0


def state_of(lab: Lab, known: LabProgress) -> str:
    """The state of a lab in a few words, without points."""
    if not known.checks and known.status != "build_failed":
        return "solved, to read" if lab.worked_example else "new"
    changed = ", changed" if known.sha256 and sha256_of(lab.source) != known.sha256 else ""
    if known.complete:
        return "complete" + changed
    return {"build_failed": "does not compile", "not_started": "not begun"}.get(known.status, "begun") + changed
