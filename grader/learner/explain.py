"""A verdict in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from grader.course.finding import paragraphs_of
from grader.learner.labs import Lab
from grader.learner.progress import LabProgress
from grader.learner.text import BAD, DIM, GOOD, STRONG, counted, fitted, number, paint, printable, say, wrapped
from grader.learner.verdict import TestResult, Verdict

_MOST_WARNINGS = 2000  # Characters.
_COLOURS = {"passed": GOOD, "FAILED": BAD, "not begun": DIM, "not run": DIM}


def print_tests(tests: Iterable[TestResult]) -> None:
    for test in tests:
        points = f"{number(test.points)} of {number(test.max_points)}"
        start = f"  {test.mark:<9}  {points:<10}  "
        line = wrapped(f"{test.sentence} ({test.kind})", start, " " * len(start))
        say(line.replace(test.mark, paint(test.mark, _COLOURS.get(test.mark, STRONG)), 1))
        if test.mark == "passed" and test.kind != "correctness":
            for kept in test.kept:
                bound = "at most" if kept.at_most else "at least"
                say(paint(wrapped(f"{kept.words}: {number(kept.found)} ({bound} {number(kept.limit)})", " " * len(start),
                                  " " * (len(start) + 2)), DIM))


def print_reason(test: TestResult) -> None:
    say()
    say(paint(wrapped(f"Why '{test.sentence}' {_said(test)}:"), STRONG))
    said = paragraphs_of(test.finding, test.message)
    say(fitted(said) if said else "  The test gives no explanation.")


def _said(test: TestResult) -> str:
    if test.earned_a_part:
        return "does not earn all points"
    return {"failed": "failed", "inconclusive": "gave no verdict"}.get(test.status, "does not earn all points")


def print_reasons(verdict: Verdict, everything: bool) -> None:
    """The first thing to fix at length, or all of them."""
    reasons = [*verdict.of("failed"), *verdict.of("inconclusive")]
    reasons += [test for test in verdict.of("passed") if test.points < test.max_points and test.message.strip()]
    for test in reasons if everything else reasons[:1]:
        print_reason(test)
    if not everything and len(reasons) > 1:
        say()
        say(wrapped(f"{counted(len(reasons) - 1, 'more test')} to fix after this one; one mistake often fails several. "
                    f"`warpbook check {verdict.lab.name} --all` explains all of them."))


def print_warnings(verdict: Verdict) -> None:
    """The compiler's warnings often point to the cause of failed tests."""
    if verdict.warnings:
        say()
        say(paint("The compiler warns:", STRONG))
        say("\n".join(f"  {line}" if line else "" for line in _messages(verdict.warnings[:_MOST_WARNINGS], verdict.lab)))


def print_build_failure(verdict: Verdict) -> None:
    say()
    say("\n".join(_messages(verdict.build_failure, verdict.lab)))


def _messages(text: str, lab: Lab) -> list[str]:
    """Lines of a compiler's messages, with paths from the project's root. Each message once: nvcc compiles a file twice, for
    the device and for the host, and repeats what it says."""
    messages = re.split(r"\n[ \t]*\n+", text.replace(f"{lab.project}/", "").strip("\n"))
    once = dict.fromkeys(message.rstrip() for message in messages if message.strip())
    return list(map(printable, "\n\n".join(once).split("\n")))


def summary(verdict: Verdict, before: LabProgress) -> str:
    """Points and counts, and how they compare with the best so far."""
    lab = verdict.lab
    if verdict.build_failure:
        return f"{lab.name}: not graded, as it does not build."
    words = [(f"{len(verdict.of('passed'))} of {counted(len(verdict.tests), 'test')} passed")]
    partly = [test for test in verdict.of("failed") if test.earned_a_part]
    failed = len(verdict.of("failed")) - len(partly)
    for count, word in ((len(partly), "in part"), (failed, "failed"), (len(verdict.of("inconclusive")), "unclear"),
                        (len(verdict.of("not_started")), "not begun"), (len(verdict.of("skipped", "not_run")), "not run")):
        if count:
            words.append(f"{count} {word}")
    compared = ""
    if before.checks:
        if verdict.points > before.best_points:
            compared = f" Your best so far; it was {number(before.best_points)}."
        elif verdict.points < before.best_points:
            compared = f" Your best so far is {number(before.best_points)}."
    return (f"{lab.name}: {number(verdict.points)} of {number(verdict.max_points)} points. {', '.join(words)}.{compared}")


def changes(verdict: Verdict, before: LabProgress) -> list[str]:
    """What has changed since the last check."""
    if not before.tests:
        return []
    lines = []
    for old_is_pass, word in ((False, "Now passed"), (True, "No longer passed")):
        names = [test.sentence for test in verdict.tests if (test.status == "passed") is not old_is_pass
                 and test.name in before.tests and (before.tests[test.name] == "passed") is old_is_pass]
        if names:
            lines.append(f"{word}: {'; '.join(names)}.")
    return lines
