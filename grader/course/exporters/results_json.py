"""results.json of each student, in the format of docs/formats.md: what grading found, as far as students may see it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from grader.course.exporters.view import Classroom, Entry, file_name
from grader.course.files import json_text, write_file
from grader.course.gradebook import Test

FOLDER = "results"
UNGRADED = ("missing", "not_graded")  # Statuses with nothing to report on: such labs are only named.


def write(classroom: Classroom, out: Path) -> Path:
    folder = out / FOLDER
    kept = {file_name(student.student) for student in classroom.students}
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.is_dir() and not old.is_symlink() and old.name not in kept:
            shutil.rmtree(old)
    for student in classroom.students:
        path = folder / file_name(student.student) / "results.json"
        entries = classroom.of(student)
        labs = [_lab(entry, order, out, path.parent) for order, entry in enumerate(entries, 1)
                if entry.shown_status not in UNGRADED]
        ungraded = {status: [entry.lab for entry in entries if entry.shown_status == status] for status in UNGRADED}
        reasons = {entry.lab: entry.feedback for entry in entries if entry.shown_status in UNGRADED}
        write_file(path, json_text({
            "format": "warpbook.results", "version": 2,
            "backend": "virtual", "device": "h200", "predicted_device": "h200",
            "student": student.student, "name": student.name, "labs": labs, **ungraded, "reasons": reasons}), durable=False)
    return folder


def _lab(entry: Entry, order: int, out: Path, folder: Path) -> dict[str, Any]:
    """A lab record of warpbook.results, with `submission`, `grade` and `hidden_tests` added. While tests are hidden,
    points and status are those of the visible ones, and there is no grade."""
    result = _job_result(entry, out) if entry.shows_measurements else {}
    record: dict[str, Any] = {
        "lab": entry.lab, "title": entry.title, "order": order, "answer": "student",
        "source": _source(entry, _job_folder(entry, out), folder) if entry.shown_job else "",
        "status": entry.shown_status, "points": entry.shown_points, "max_points": entry.shown_max_points,
        "reason": entry.feedback, "tests": [_test(test) for test in entry.visible], "hidden_tests": len(entry.hidden),
        "ladder": [_rung(rung, entry, out, folder) for rung in result.get("ladder", [])],
        "time_us": result.get("time_us"), "measured_us": None, "measured": None,
        "large": None, "profile": None, "kernel": result.get("kernel"), "speedup_over_naive": None, "disorder": []}
    if result.get("profile"):
        record["profile"] = _relative(_job_folder(entry, out) / result["profile"], folder)
    if (submission := entry.shown_submission) is not None:
        record["submission"] = {"attempt": submission.attempt, "submitted_at": submission.submitted_at,
                                "sha256": submission.sha256, "origin": submission.origin}
    if not entry.is_sealed:
        grade = entry.grade
        record["grade"] = {
            "points": grade.points, "max_points": grade.max_points, "raw_points": grade.raw_points,
            "days_late": grade.late_days, "grace_days_used": grade.grace_days_used, "factor": grade.factor}
    return record


def _rung(rung: dict[str, Any], entry: Entry, out: Path, folder: Path) -> dict[str, Any]:
    """Profiles of rungs are paths from the job's folder."""
    if not rung.get("profile"):
        return rung
    return rung | {"profile": _relative(_job_folder(entry, out) / rung["profile"], folder)}


def _test(test: Test) -> dict[str, Any]:
    return {"name": test.name, "kind": test.kind, "status": test.status, "points": test.points,
            "max_points": test.max_points, "message": test.message,
            "finding": json.loads(test.finding_json) if test.finding_json else None}


def _job_result(entry: Entry, out: Path) -> dict[str, Any]:
    """Data that the gradebook does not have: the ladder and the profile. Nothing if the job's folder was removed."""
    if entry.shown_job is None:
        return {}
    try:
        found: dict[str, Any] = json.loads((_job_folder(entry, out) / "result.json").read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        return {}


def _job_folder(entry: Entry, out: Path) -> Path:
    """Of an entry with a job that is shown."""
    return out / "jobs" / (entry.shown_job.job if entry.shown_job else "")


def _source(entry: Entry, job: Path, folder: Path) -> str:
    suffix = ".cpp" if (job / f"{entry.lab}.cpp").exists() else ".cu"
    return _relative(job / (entry.lab + suffix), folder)


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder)
