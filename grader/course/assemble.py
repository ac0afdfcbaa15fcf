"""From results of jobs to the rows of the gradebook: attempts become grades by the policy."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from grader.course.gradebook import Found, Grade, Job, Row, Student, Submitted, Test
from grader.course.intake.submission import Intake, Submission
from grader.course.labs import Lab
from grader.course.machine_free import without_machine
from grader.course.policy.grades import Attempt, best_of, grades_of
from grader.course.policy.grades import Grade as PolicyGrade
from grader.course.policy.points import Points, is_hidden, points_of, rounded
from grader.course.policy.policy import LATEST, LabPolicy, Policy
from grader.course.sandbox import NONE

Key = tuple[str, str]  # lab, sha256: what a job is for


@dataclass(frozen=True)
class Graded:
    """The outcome of the jobs. `results` holds warpbook.job_result records by job, `failures` why a job has none."""

    jobs: Mapping[Key, str]
    results: Mapping[str, Mapping[str, Any]]
    failures: Mapping[str, str] = field(default_factory=dict)

    def of(self, submission: Submission) -> Mapping[str, Any] | None:
        return self.results.get(self.jobs.get((submission.lab, submission.sha256), ""))


def worth_of(lab: Lab, rules: LabPolicy) -> float:
    """What a lab is worth under the policy."""
    return rounded(float(rules.points)) if rules.points is not None else lab.max_points


def needed(submissions: Iterable[Submission], policy: Policy) -> list[Submission]:
    """The submissions that must be graded to know which counts: all attempts if the best one counts, else the latest
    one in time."""
    by_student: dict[str, dict[str, list[Submission]]] = defaultdict(lambda: defaultdict(list))
    wanted = []
    for submission in submissions:
        if policy.lab(submission.lab).submission == LATEST:
            by_student[submission.student][submission.lab].append(submission)
        else:
            wanted.append(submission)
    for student, labs in by_student.items():
        attempts = {lab: [Attempt(one.attempt, one.submitted_at, Points(1, 1, {}), "", one.marked_late) for one in several]
                    for lab, several in labs.items()}
        for lab, grade in grades_of(student, attempts, dict.fromkeys(labs, 1.0), policy, {}).items():
            wanted += [one for one in labs[lab] if grade.chosen is not None and one.attempt == grade.chosen.attempt]
    return sorted(wanted, key=lambda one: (one.student, one.lab, one.attempt))


def assemble(intake: Intake, labs: Mapping[str, Lab], policy: Policy, graded: Graded,
             students: Collection[str] | None = None, isolation: str = "bubblewrap", only_lab: str = "") -> list[Row]:
    """All rows that follow from intake, jobs and policy, in an order that depends on nothing else.

    @param labs      labs that everybody gets a grade for
    @param students  only their rows; None: everybody's. The others still count for the best of the class.
    @param isolation for jobs that the grader failed on
    @param only_lab  the lab of findings that name none, if all submissions are for one lab
    """
    attempts = _attempts(intake.submissions, labs, policy, graded)
    best = {lab: best_of([attempt for mine in attempts.values() for attempt in mine.get(lab, [])]) for lab in labs}
    worth = {name: worth_of(lab, policy.lab(name)) for name, lab in labs.items()}
    shown = [student for student in intake.students if students is None or student.student in students]
    rows: list[Row] = [Student(one.student, one.name, one.email, one.section) for one in shown]
    used: set[str] = set()
    handed_in: dict[str, list[Submission]] = defaultdict(list)
    for one in intake.submissions:
        if one.lab in labs:
            handed_in[one.student].append(one)
    for student in shown:
        grades = grades_of(student.student, attempts.get(student.student, {}), worth, policy, best)
        for submission in handed_in[student.student]:
            job = graded.jobs.get((submission.lab, submission.sha256), "")
            used.add(job)
            chosen = grades[submission.lab].chosen
            rows.append(Submitted(submission.student, submission.lab, submission.sha256, job,
                                  _utc(submission.submitted_at), submission.attempt, submission.origin,
                                  chosen is not None and chosen.attempt == submission.attempt))
            rows += _findings(submission, graded)
        rows += [_grade_row(student.student, lab, grade, attempts.get(student.student, {}).get(lab, []), graded,
                            intake.waiting(student.student, lab))
                 for lab, grade in grades.items()]
    listed = {student.student for student in shown}
    rows += [Found(found.student, found.lab or only_lab, found.severity, found.code, found.path, found.message)
             for found in intake.all_findings() if students is None or found.student in listed]
    if isolation == NONE and students is None:
        rows.append(Found("", "", "suspicion", "not_isolated", "", "Submissions were graded without a sandbox, as "
                          "--isolation none asked for: each could read and change what the grader's account can."))
    lab_of = {job: lab for (lab, _), job in graded.jobs.items()}
    for job in sorted(used - {""}):
        lab = lab_of[job]
        rows += _job_rows(job, labs[lab], policy.lab(lab), graded, isolation)
    return rows


def _attempts(submissions: Iterable[Submission], labs: Mapping[str, Lab], policy: Policy,
              graded: Graded) -> dict[str, dict[str, list[Attempt]]]:
    """The attempts that have a job, by student and lab. One that the grader failed on counts as no points yet."""
    attempts: dict[str, dict[str, list[Attempt]]] = defaultdict(lambda: defaultdict(list))
    for one in submissions:
        job = graded.jobs.get((one.lab, one.sha256))
        if one.lab not in labs or job is None:
            continue
        rules = policy.lab(one.lab)
        result = graded.results.get(job)
        points = points_of(result, rules) if result is not None else Points(0.0, worth_of(labs[one.lab], rules), {})
        attempts[one.student][one.lab].append(Attempt(one.attempt, one.submitted_at, points, job, one.marked_late))
    return attempts


def _grade_row(student: str, lab: str, grade: PolicyGrade, attempts: Iterable[Attempt], graded: Graded,
               waiting: str) -> Grade:
    """@param waiting if something was handed in, but no file was taken: why"""
    late = grade.lateness
    status, reasons = ("not_graded", [waiting]) if waiting else ("missing", ["Nothing was handed in."])
    if grade.chosen is not None:
        result = graded.results.get(grade.chosen.key)
        if result is None:
            why = graded.failures.get(grade.chosen.key, "it was not run")
            status, reasons = "not_graded", [_sentence(f"Not graded: {without_machine(why)}")]
        else:
            status, reasons = result["status"], [_sentence(result["reason"]), _sentence(late.sentence)]
            reasons += [f"Attempt {one.attempt} could not be graded."
                        for one in attempts if one.key not in graded.results]
    return Grade(student, lab, grade.raw_points, grade.max_points, late.days, late.grace_days, late.factor,
                 grade.points, status, " ".join(reason for reason in reasons if reason))


def _job_rows(job: str, lab: Lab, rules: LabPolicy, graded: Graded, isolation: str) -> list[Row]:
    result = graded.results.get(job)
    if result is None:
        why = _sentence(without_machine(graded.failures.get(job, "it was not run")))
        return [Job(job, lab.name, "not_graded", why, 0.0, worth_of(lab, rules), None, isolation)]
    points = points_of(result, rules)
    shares = _shares(result["tests"], points)
    rows: list[Row] = [Job(job, lab.name, result["status"], result["reason"], points.points, points.max_points,
                           result["time_us"], result["isolation"])]
    for position, test in enumerate(result["tests"]):
        hidden = is_hidden(test["name"], rules) and not rules.hidden.released
        earned, most = (round(test[key] * shares[test["kind"]], 4) for key in ("points", "max_points"))
        rows.append(Test(job, position, test["name"], test["kind"], test["status"], earned, most, test["message"],
                         hidden, _json(test.get("finding"))))
    return rows


def _json(finding: Mapping[str, Any] | None) -> str:
    return json.dumps(finding, sort_keys=True) if finding else ""


def _shares(tests: Iterable[Mapping[str, Any]], points: Points) -> dict[str, float]:
    """What one of the lab's own points is worth under the policy, by kind of test."""
    most: dict[str, float] = defaultdict(float)
    for test in tests:
        most[test["kind"]] += test["max_points"]
    return {kind: points.by_kind.get(kind, (0.0, 0.0))[1] / whole if whole else 0.0 for kind, whole in most.items()}


def _findings(submission: Submission, graded: Graded) -> list[Row]:
    """What grading noticed: unusual words in the text, and tests that left processes behind."""
    result = graded.of(submission) or {}
    here = submission.student, submission.lab
    rows: list[Row] = [
        Found(*here, note["severity"], note["code"], submission.origin, f"Line {note['line']}: {note['message']}")
        for note in result.get("notes", [])
    ]
    if left := [str(item) for item in result.get("left_behind", [])]:
        more = f" and {len(left) - 3} more" if len(left) > 3 else ""
        rows.append(Found(*here, "suspicion", "left_behind", submission.origin,
                          f"Processes were left running, and ended, in {', '.join(left[:3])}{more}."))
    return rows


def _utc(moment: datetime | None) -> str | None:
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _sentence(text: str) -> str:
    text = text.strip().rstrip(":;, ")
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".") if text else ""
