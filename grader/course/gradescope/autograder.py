"""Started by run_autograder at Gradescope: grades one submission as `warpbook grade` would and writes results.json.

Each submission has a container of its own there. It is graded in bubblewrap if the container allows that; if it does
not, only the container confines it, which the output and `extra_data` tell the instructor.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.course import grade
from grader.course.errors import BatchError
from grader.course.exporters.gradescope_results import gradescope_record
from grader.course.exporters.view import Classroom, Entry
from grader.course.files import json_text, write_file
from grader.course.gradebook import FILE_NAME, Gradebook
from grader.course.gradescope.bundle import POLICY, ROSTER, read_settings
from grader.course.intake.times import FILES
from grader.course.labs import ROOT, load_labs
from grader.course.sandbox import BUBBLEWRAP, NONE, open_sandbox

BUILD = ROOT / "build" / "sim"
KEPT = "kept"  # Beside setup.sh: the ladders and the secret, made when the image is built.
NOBODY = "student"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="autograder", description="Grades one submission at Gradescope.")
    parser.add_argument("source", type=Path, help="where the autograder was unpacked: /autograder/source")
    parser.add_argument("platform", type=Path, nargs="?", help="the folder of submission/ and results/: /autograder")
    parser.add_argument("--try", action="store_true", dest="try_it", help="grade the reference solutions instead")
    given = parser.parse_args(arguments)
    if given.platform is None and not given.try_it:
        parser.error("the platform's folder is missing")
    try:
        return try_image(given.source) if given.try_it else grade_submission(given.source, given.platform)
    except BatchError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2


def grade_submission(source: Path, platform: Path) -> int:
    """Without a results.json, Gradescope tells the instructor that the autograder failed: so it writes none if it fails.

    A submission that cannot be graded gets a result without points: the student reads the reason at once, and can hand in
    again.
    """
    student, when = _who_and_when(platform)
    with tempfile.TemporaryDirectory(prefix="autograder-") as place:
        entries = _grade(source, platform / "submission", student, when, Path(place))
        failed = [entry for entry in entries if entry.grader_failed]
        if failed:
            print(f"autograder: {failed[0].lab}: {failed[0].grade.reason}", file=sys.stderr)
            return 1
        write_file(platform / "results" / "results.json", json_text(merged(entries)))
    return 0


def try_image(source: Path) -> int:
    """Grades the reference solutions of the assignment, and stores what is the same for all submissions."""
    labs = load_labs(BUILD)
    with tempfile.TemporaryDirectory(prefix="autograder-") as place:
        submission = Path(place) / "submission"
        submission.mkdir()
        for name in read_settings(source):
            solution = labs[name].project_root / "solutions" / labs[name].path / labs[name].file_name
            shutil.copyfile(solution, submission / labs[name].file_name)
        entries = _grade(source, submission, NOBODY, None, Path(place))
        for entry in entries:
            if entry.grade.raw_points < entry.grade.max_points:
                raise BatchError(f"the reference solution of {entry.lab} got {entry.grade.raw_points:g} of "
                                 f"{entry.grade.max_points:g} points here: {entry.grade.reason}")
        kept = source / KEPT
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        shutil.copytree(Path(place) / "out" / "ladders", kept / "ladders")
        shutil.copyfile(Path(place) / "out" / "secret", kept / "secret")
    print(f"autograder: the reference solutions of {len(entries)} labs have full points")
    return 0


def _grade(source: Path, submission: Path, student: str, when: datetime | None, place: Path) -> list[Entry]:
    """The entries of one student for the labs of the assignment, in their order."""
    handed_in = place / "in" / student.replace("/", "_")
    shutil.copytree(submission, handed_in, symlinks=True)
    if when is not None:
        for path in handed_in.rglob("*"):
            if not path.is_symlink():
                os.utime(path, (when.timestamp(), when.timestamp()))
    out = place / "out"
    if (source / KEPT).is_dir():
        shutil.copytree(source / KEPT, out)
    arguments = [str(place / "in"), "--out", str(out), "--labs", ",".join(read_settings(source)),
                 "--build-folder", str(BUILD), "--isolation", _isolation()]
    for option, name in (("--policy", POLICY), ("--roster", ROSTER)):
        if (source / name).is_file() and student != NOBODY:
            arguments += [option, str(source / name)]
    if when is not None:
        arguments += ["--times", FILES]
    status = grade.main(arguments)
    if status not in (grade.GRADED, grade.GRADER_FAILED):
        raise BatchError(f"grading ended with status {status}")
    with Gradebook.open(out / FILE_NAME) as book:
        classroom = Classroom.read(book)
    submitted = {entry.student.student for entry in classroom if entry.submission is not None or entry.is_undecided}
    if len(submitted) > 1:
        raise BatchError(f"the submission is of several people: {', '.join(sorted(submitted))}")
    who = submitted or {student}
    entries = [entry for entry in classroom if entry.student.student in who]
    if not entries:
        raise BatchError(f"'{student}' is not on the roster of this autograder; export it with a newer roster")
    return entries


def _isolation() -> str:
    try:
        open_sandbox(BUILD, BUBBLEWRAP)
        return BUBBLEWRAP
    except BatchError as error:
        print(f"autograder: no sandbox inside this container ({error}): only the container confines the submission")
        return NONE


def _who_and_when(platform: Path) -> tuple[str, datetime | None]:
    """The e-mail address of the student, and the time of submission, if the platform gives them."""
    try:
        metadata = json.loads((platform / "submission_metadata.json").read_text(encoding="utf-8"))
        return metadata["users"][0]["email"], datetime.fromisoformat(metadata["created_at"])
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return "somebody", None


def merged(entries: list[Entry]) -> dict[str, Any]:
    """One results.json for all labs of the assignment."""
    records = [gradescope_record(entry) for entry in entries]
    if len(records) == 1:
        return records[0] | {"extra_data": records[0]["extra_data"] | {"isolation": _isolation_of(entries[0])}}
    tests, board = [], []
    for entry, record in zip(entries, records):
        tests += [test | {"name": f"{entry.title}: {test['name']}", "number": f"{entry.lab}.{test['number']}"}
                  for test in record["tests"]]
        board += [row | {"name": f"{entry.lab}: {row['name']}"} for row in record["leaderboard"]]
    return {"score": round(sum(record["score"] for record in records), 2),
            "output": "\n".join(f"{entry.title}: {record['output']}" for entry, record in zip(entries, records)),
            "output_format": "text", "stdout_visibility": "hidden", "tests": tests, "leaderboard": board,
            "extra_data": {entry.lab: record["extra_data"] | {"isolation": _isolation_of(entry)}
                           for entry, record in zip(entries, records)}}


def _isolation_of(entry: Entry) -> str:
    return entry.job.isolation if entry.job else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
