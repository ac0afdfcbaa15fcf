"""What to grade and by which rules: labs, policy, roster and submissions, checked against each other."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.course.assemble import needed
from grader.course.errors import BatchError
from grader.course.gradebook import Grade, Gradebook, Run
from grader.course.intake.decisions import load_decisions
from grader.course.intake.intake import take_in
from grader.course.intake.labs import load_labs as load_lab_files
from grader.course.intake.roster import load_roster
from grader.course.intake.submission import Intake, Submission
from grader.course.intake.times import load_times
from grader.course.labs import Lab, load_labs, select_labs
from grader.course.options import Options
from grader.course.policy.load import load_policy
from grader.course.policy.policy import Grace, Policy

FILES = "files"  # OUT/files: the copies that intake made.


@dataclass(frozen=True)
class Course:
    """`labs` are those that everybody gets a grade for: the ones asked for, or those that anybody handed in."""

    intake: Intake
    labs: Mapping[str, Lab]
    policy: Policy
    lab_order: tuple[str, ...]  # Of all labs that there are.
    rules: Mapping[str, str]  # By lab: a fingerprint of what the policy says about it.
    only_lab: str = ""  # The lab that all of the submissions are for, if that is one.
    platform_ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # By student: as the roster has them.

    def printed_notes(self) -> list[str]:
        """Notes on unknown times, if that matters: if some lab has a due date."""
        if not any(self.policy.lab(name).due for name in self.labs):
            return []
        return [f"Note: {found.message}" for found in self.intake.findings if found.code in ("no_time", "copied_times")]

    @property
    def submissions(self) -> list[Submission]:
        return [one for one in self.intake.submissions if one.lab in self.labs]

    def to_grade(self, student: str = "") -> list[Submission]:
        """The attempts that must be graded, of one student or of everybody."""
        return [one for one in needed(self.submissions, self.policy) if student in ("", one.student)]


def refuse_without_rules(options: Options, book: Gradebook) -> None:
    """A forgotten --roster or --policy in a later run must not change everybody's grades. @throws BatchError"""
    finished = [json.loads(run.options) for run in book.read(Run) if run.finished_at is not None]
    rules = (("roster", options.roster), ("policy", options.policy), ("times", options.times),
             ("decisions", options.decisions))
    for name, given in rules:
        if finished and not given and (last := finished[-1].get(name)):
            told = " ".join(last) if isinstance(last, list) else last
            raise BatchError(f"the gradebook in {options.out} was graded with --{name} {told}: without it grades would "
                             "change. Give it again, or choose another --out")


def read_course(options: Options, book: Gradebook) -> Course:
    """@throws BatchError, before anything is graded, for whatever is wrong with options, policy, roster, submissions"""
    labs = load_labs(options.build_folder)
    wanted = select_labs(labs, options.labs) if options.labs else labs
    roster = load_roster(options.roster) if options.roster else None
    ids = [one.student for one in roster.students] if roster else None
    tests = [name for lab in labs.values() for name in lab.test_names]
    policy = load_policy(options.policy, labs, ids, tests) if options.policy else Policy()
    (project,) = {lab.project_root for lab in labs.values()}
    titles = {called: name for name, lab in labs.items() for called in (lab.title, policy.lab(name).column) if called}
    times = load_times(options.times, list(wanted), titles, policy.time_zone)
    decisions = load_decisions(options.decisions, list(labs), roster) if options.decisions else {}
    due = {name: rules.due for name in wanted if (rules := policy.lab(name)).due is not None}
    if options.submissions is None:
        raise BatchError("no submissions were named")
    intake = take_in(options.submissions, options.out / FILES, load_lab_files(project), roster, policy.time_zone,
                     only=list(wanted), times=times, decisions=decisions, due=due)
    if options.only and options.only not in {one.student for one in intake.students}:
        raise BatchError(f"--only: '{options.only}' is neither on the roster nor among the submissions; "
                         "ids are as in gradebook.csv")
    found = {one.lab for one in intake.submissions} | {one.lab for one in intake.undecided if one.lab}
    graded = wanted if options.labs else {name: lab for name, lab in wanted.items() if name in found}
    if not graded:
        told = "".join(f"\n  {found.path}: {found.message}" for found in intake.all_findings()[:5])
        raise BatchError(f"{options.submissions}: no file of any lab was found there; "
                         f"labs are: {', '.join(labs)}{told}")
    only_lab = next(iter(graded)) if len(graded) == 1 and not options.labs else ""
    return Course(intake, graded, _with_grace_used(policy, graded, intake, book), tuple(labs),
                  {name: _rules(policy, name) for name in labs}, only_lab,
                  roster.platform_ids if roster else {})


def _with_grace_used(policy: Policy, labs: Mapping[str, Lab], intake: Intake, book: Gradebook) -> Policy:
    """Grace days that were used in labs that were graded before, and not now, stay used."""
    used: Counter[str] = Counter()
    for grade in book.read(Grade):
        if grade.lab not in labs:
            used[grade.student] += grade.grace_days_used
    left = {one.student: max(0, policy.grace.of(one.student) - used[one.student])
            for one in intake.students if used[one.student]}
    return replace(policy, grace=Grace(policy.grace.days, policy.grace.per_lab, {**policy.grace.students, **left}))


def facts(course: Course, options: Options, fingerprints: Mapping[str, str], book: Gradebook) -> dict[str, str]:
    """The contents of table `course` of the gradebook after this run; labs of earlier runs stay."""
    order = {name: i for i, name in enumerate(course.lab_order)}
    labs = {*json.loads(book.course("labs", "[]")), *course.labs}
    titles = json.loads(book.course("titles", "{}")) | {name: lab.title for name, lab in course.labs.items()}
    weights = {name: weight for name, weight in json.loads(book.course("weights", "{}")).items()
               if name not in course.labs}
    weights |= {name: weight for name in course.labs if (weight := course.policy.lab(name).weight) is not None}
    return {
        "title": course.policy.course,
        "labs": json.dumps(sorted(labs, key=lambda name: (order.get(name, len(order)), name))),
        "titles": json.dumps(titles, sort_keys=True),
        "weights": json.dumps(weights, sort_keys=True),
        "policy": options.policy.read_text(encoding="utf-8-sig") if options.policy else "",
        "isolation": options.isolation,
        "platform_ids": json.dumps(course.platform_ids, sort_keys=True),
        "rules": json.dumps(dict(course.rules), sort_keys=True),
        **{f"graded_by.{name}": course.rules[name] for name in course.labs if not options.only},
        **{f"fingerprint.{name}": value for name, value in fingerprints.items()},
    }


def _rules(policy: Policy, lab: str) -> str:
    """A fingerprint of a policy's rules for one lab: it changes with the rules."""
    extensions = [one for one in policy.extensions if one.lab in ("", lab)]
    said = replace(policy.lab(lab), column=""), policy.grace, extensions, policy.time_zone
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def graded_by_other_rules(book: Gradebook) -> list[str]:
    """Labs whose grades, or some of them, are older than the rules of the last run."""
    rules: dict[str, str] = json.loads(book.course("rules", "{}"))
    return [lab for lab in json.loads(book.course("labs", "[]")) if book.course(f"graded_by.{lab}") not in ("", rules[lab])]
