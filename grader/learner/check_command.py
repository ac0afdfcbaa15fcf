"""`warpbook check LAB`: builds, grades and explains; the verdict is ctest's."""

from __future__ import annotations

import argparse

from grader.learner.explain import print_build_failure, print_reasons, print_tests, print_warnings, summary
from grader.learner.grading import Grading
from grader.learner.labs import Lab, find_lab
from grader.learner.ladder import place_on_ladder
from grader.learner.progress import LabProgress
from grader.learner.session import Session, begin, take_in
from grader.learner.text import counted, say, wrapped
from grader.learner.verdict import Verdict

SIGN_OF_LIFE_S = 15
STUCK = 3  # Checks without a gain after which a hint is offered.


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook check", description="Build your answer to a lab, grade it, and explain what to fix first.",
        epilog="The same verdict as `ctest -R '^LAB\\.'`. Exit status: 0 if every test passed, 1 if one did not or the "
               "answer does not compile, 2 if it could not be graded, 130 after Ctrl-C.")
    parser.add_argument("lab", nargs="?", help="name or number of the lab; in the lab's folder it can be left out")
    parser.add_argument("--all", action="store_true", help="explain every test that failed, not only the first")
    options, session = begin(parser, arguments)
    lab = find_lab(session.labs, options.lab)
    say(f"Checking {lab.name}: building {lab.shown(lab.source)} and running its tests.")
    with Grading(lab) as grading:
        while not grading.wait(SIGN_OF_LIFE_S):
            say(f"  {int(grading.seconds)} s, " + (f"{counted(done, 'test')} done." if (done := grading.tests_done())
                                                   else "still building."))
        verdict = grading.verdict()
    before = remember(session, verdict)
    if verdict.build_failure:
        print_build_failure(verdict)
    else:
        print_tests(verdict.tests)
        print_warnings(verdict)
        print_reasons(verdict, options.all)
    say()
    say(wrapped(summary(verdict, before)))
    for line in advice(session, lab, verdict):
        say(wrapped(line))
    if verdict.status == "passed":
        print_place(lab)  # Last, as it takes a while.
    return 0 if verdict.status == "passed" else 1


def print_place(lab: Lab) -> None:
    """The answer's place among the rungs."""
    if place := place_on_ladder(lab, lambda: say("\nThe rungs of the lab's ladder run once, to show your answer's place.")):
        say()
        say(wrapped(place))


def remember(session: Session, verdict: Verdict) -> LabProgress:
    """Records the verdict. @returns the progress before"""
    with session.store.update() as progress:
        known = progress.of(verdict.lab.name)
        before = LabProgress(**vars(known))
        take_in(known, verdict)
    return before


def still_waits(verdict: Verdict) -> list[str]:
    """Which lines still say that a function is not started: a call that was not deleted skips code that follows it."""
    lines = sorted({test.not_started_at for test in verdict.tests if test.not_started_at is not None})
    if not lines:
        return []
    named = f"Line {lines[0]} still calls" if len(lines) == 1 else f"Lines {', '.join(map(str, lines))} still call"
    return [f"{named} warpbook::not_started(): the code after it does not run. Delete such a line when its function is "
            "written."]


def advice(session: Session, lab: Lab, verdict: Verdict) -> list[str]:
    known = session.progress().of(lab.name)
    if verdict.build_failure:
        return ["Fix the first error first: later ones often follow from it."]
    if verdict.status == "passed":
        left = "" if verdict.points >= verdict.max_points else " There are points left: see the tests marked 'partly'."
        return [f"All tests passed.{left} Hand it in with `warpbook submit {lab.name}`; `warpbook next` says what comes "
                "after it."]
    waits = still_waits(verdict)
    if verdict.status == "not_started":
        page = "task" if lab.is_exercise else "handout"
        return [f"Begin with the {page}, {lab.shown(lab.handout)}, and the first TODO in {lab.shown(lab.source)}.", *waits]
    if not verdict.of("failed", "inconclusive"):
        return [f"What you have begun is right. Continue with the next TODO in {lab.shown(lab.source)}.", *waits]
    if known.checks_without_gain >= STUCK and not lab.is_exercise:
        return [f"{known.checks_without_gain} checks without a gain: `warpbook hint {lab.name}` gives one hint at a time.",
                *waits]
    return waits
