"""`warpbook course COURSE.JSON`: checks the rules of a course before anybody hands in, and shows their effect."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path

from grader.course.assemble import worth_of
from grader.course.exporters.tables import printable
from grader.course.intake.roster import load_roster
from grader.course.labs import Lab, load_labs, select_labs
from grader.course.policy.late import due_of
from grader.course.policy.load import load_policy
from grader.course.policy.points import number
from grader.course.policy.policy import LabPolicy, Policy


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook course", allow_abbrev=False,
        description="Check a course.json, and the roster with it, and show the effect of the rules (docs/course.md).",
        epilog="Exit status: 0, or 2 with every mistake, its line and what is allowed.")
    parser.add_argument("policy", nargs="?", type=Path, metavar="COURSE.JSON", help="the rules")
    parser.add_argument("--roster", type=Path, metavar="ROSTER.CSV", help="the class")
    parser.add_argument("--tests", metavar="LAB", help="list the tests of this lab, as patterns for hidden tests need them")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.policy is None and given.roster is None and given.tests is None:
        parser.error("give COURSE.JSON, --roster or --tests LAB")
    labs = load_labs(given.build_folder)
    roster = load_roster(given.roster) if given.roster else None
    ids = [one.student for one in roster.students] if roster else None
    tests = [name for lab in labs.values() for name in lab.test_names]
    policy = load_policy(given.policy, labs, ids, tests) if given.policy else Policy()
    lines: list[str] = []
    if given.policy:
        lines += _rules(policy, labs)
    if ids is not None:
        lines.append(f"{len(ids)} {'student' if len(ids) == 1 else 'students'} on the roster, from {ids[0]} to {ids[-1]}.")
    if given.tests is not None:
        (lab,) = select_labs(labs, [given.tests], "--tests").values()
        lines += _tests(lab, policy.lab(lab.name))
    for line in lines:
        print(printable(line))
    return 0


def _rules(policy: Policy, labs: dict[str, Lab]) -> Iterator[str]:
    yield f"{policy.course or 'A course without a name'}, times in {policy.time_zone.key}"
    named = [labs[name] for name in labs if name in policy.labs]
    if not named:
        yield "It names no lab: all labs follow the defaults."
    for lab in named:
        rules = policy.lab(lab.name)
        yield f"{lab.name}: {number(worth_of(lab, rules))} points, {_due(rules.due, policy)}; {'; '.join(_more(lab, rules))}"
    if policy.grace.days or policy.grace.students:
        most = f", at most {policy.grace.per_lab} for one lab" if policy.grace.per_lab is not None else ""
        others = "".join(f"; {student} has {days}" for student, days in policy.grace.students.items())
        yield f"Grace days: {policy.grace.days} for each student{most}{others}"
    for one in policy.extensions:
        for name in [one.lab] if one.lab else [lab.name for lab in named if policy.lab(lab.name).due]:
            due = due_of(name, one.student, policy)
            yield f"More time: {one.student}, {name}, {_due(due, policy)}{f' ({one.reason})' if one.reason else ''}"


def _due(due: datetime | None, policy: Policy) -> str:
    return "never late" if due is None else f"due {due.astimezone(policy.time_zone):%a %Y-%m-%d %H:%M:%S}"


def _more(lab: Lab, rules: LabPolicy) -> Iterator[str]:
    if rules.weight is not None:
        yield f"weighs {number(rules.weight)} in the total"
    if rules.due is not None:
        end = f", nothing after {rules.late.cutoff_days} days" if rules.late.cutoff_days is not None else ""
        yield f"{number(rules.late.percent_per_day)} % less for each day late{end}"
    if rules.kinds:
        yield "shares " + ", ".join(f"{kind} {number(share)}" for kind, share in rules.kinds.items())
    hidden = [name for name in lab.test_names if any(fnmatchcase(name, pattern) for pattern in rules.hidden.tests)]
    if hidden:
        now = "shown from now on" if rules.hidden.released else "hidden"
        yield f"{len(hidden)} of {len(lab.test_names)} tests {now}"
    if rules.curve.kind != "none":
        yield f"curve {rules.curve.kind}" + (f" {number(rules.curve.points)}" if rules.curve.kind == "add" else "")
    yield f"the {rules.submission} attempt counts"


def _tests(lab: Lab, rules: LabPolicy) -> Iterator[str]:
    yield f"{lab.name}: {len(lab.test_names)} tests, {number(lab.max_points)} points by themselves"
    for name, test in zip(lab.test_names, lab.manifest["tests"]):
        hidden = "  (hidden)" if any(fnmatchcase(name, pattern) for pattern in rules.hidden.tests) else ""
        yield f"  {number(float(test['points'])).rjust(3)}  {name}{hidden}"
