"""Makes what six students hand in to three labs, as Gradescope, Canvas and Moodle give it: FOLDER/<lab>.zip, and in TIMES
when it was handed in, as Canvas (<lab>.json) and Moodle (<lab>.csv) say it: their archives do not.

Part of docs/instructor.md's worked example: `python3 docs/examples/class/hand_in.py FOLDER TIMES`.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
import zipfile
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
from grader.workbook.answers import wrong_answers  # noqa: E402  (after the path to it)
from grader.workbook.places import place_of  # noqa: E402

VECTOR_ADD, COALESCING, REDUCTION = "vector_add", "coalescing", "reduction"
GRADESCOPE_EXPORT = "assignment_101_export"


def project_file(path: str) -> str:
    """A source of the project, and in it the sources that it includes: a submission is one file."""
    return flat((ROOT / path).read_text(encoding="utf-8"))


def flat(text: str) -> str:
    return re.sub(r'^#include "((?:grader/labs|solutions)/[^"]+)"$', lambda found: project_file(found[1]), text, flags=re.M)


def by(student: str, path: str) -> str:
    return f"// Handed in by {student}.\n{project_file(path)}"


def solution(student: str, lab: str) -> str:
    return by(student, f"solutions/{place_of(lab).path}/{lab}.cu")


def own(student: str, lab: str) -> str:
    """An answer by an author who did not see the project's solution."""
    return by(student, f"grader/course/similarity/testdata/{lab}/written_1.cu")


def wrong(student: str, lab: str, name: str) -> str:
    text = next(answer.text for answer in wrong_answers(place_of(lab)) if answer.name == name)
    return f"// Handed in by {student}.\n{flat(text)}"


class Download:
    """The archive that a platform offers for one assignment. Whatever is in it has the time of the download."""

    MADE = (2026, 11, 20, 8, 0, 0)

    def __init__(self, folder: Path, lab: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = zipfile.ZipFile(folder / f"{lab}.zip", "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, text: str) -> None:
        entry = zipfile.ZipInfo(name, self.MADE)
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._file.writestr(entry, text)

    def close(self) -> None:
        self._file.close()


def gradescope(folder: Path, times: Path) -> None:
    """vector_add: one right, a group that is a day late, one that tries to delete everything, one off by one."""
    download = Download(folder, VECTOR_ADD)
    handed_in = [
        (["s001"], "2026-10-15 10:12:00 +0200", solution("s001", VECTOR_ADD)),
        (["s002", "s003"], "2026-10-17 09:30:00 +0200", wrong("s002", VECTOR_ADD, "one_thread_per_block")),
        (["s004"], "2026-10-16 23:01:00 +0200", by("s004", "grader/course/testdata/hostile/deletes_everything.cu")),
        (["s005"], "2026-10-16 11:45:00 +0200", wrong("s005", VECTOR_ADD, "off_by_one_index")),
    ]
    metadata = ["---"]
    for number, (students, at, text) in enumerate(handed_in, 7001):
        metadata += [f"submission_{number}:", "  :submitters:"]
        for student in students:
            metadata += [f"  - :name: {student}", f"    :sid: {student}", f"    :email: {student}@example.org"]
        metadata += [f"  :created_at: {at}", "  :score: 0.0", "  :status: processed"]
        download.add(f"{GRADESCOPE_EXPORT}/submission_{number}/{VECTOR_ADD}.cu", text)
    download.add(f"{GRADESCOPE_EXPORT}/submission_metadata.yml", "\n".join(metadata) + "\n")
    download.close()


def canvas(folder: Path, times: Path) -> None:
    """coalescing: two attempts, a copy with other names in an extension, a strange file name, one that does not compile
    and is late, one that includes the solution, and somebody who is not of the course."""
    download = Download(folder, COALESCING)
    copied = re.sub(r"\b(tile|col|row|index|i)\b", r"my_\1", own("s002", COALESCING))
    broken = by("s004", "grader/course/similarity/testdata/coalescing/written_2.cu").replace(";", "", 1)
    stolen = '#include "coalescing.h"\n#include "../../solutions/memory/coalescing/coalescing.cu"\n'
    list_ = []
    for name, user, attempt, when, text in (
        ("onestudent_1001_9001_coalescing.cu", 1001, 1, "2026-10-20T10:00:00Z", wrong("s001", COALESCING, "tiled_unpadded")),
        ("onestudent_1001_9002_coalescing-1.cu", 1001, 2, "2026-10-24T21:58:00Z", own("s001", COALESCING)),
        ("twostudent_LATE_1002_9003_coalescing (1).cu", 1002, 1, "2026-10-30T11:00:00Z", copied),
        ("threestudent_1003_9004_my homework.cu", 1003, 1, "2026-10-24T10:00:00Z", wrong("s003", COALESCING, "naive_strided_store")),
        ("fourstudent_LATE_1004_9005_coalescing.cu", 1004, 1, "2026-10-26T11:00:00Z", broken),
        ("fivestudent_1005_9006_coalescing.cu", 1005, 1, "2026-10-22T10:00:00Z", stolen),
        ("ninestudent_1009_9007_coalescing.cu", 1009, 1, "2026-10-22T10:00:00Z", solution("s009", COALESCING)),
    ):
        download.add(name, text)
        list_.append({"user_id": user, "attempt": attempt, "submitted_at": when, "late": "_LATE_" in name})
    download.close()
    (times / f"{COALESCING}.json").write_text(json.dumps(list_, indent=1) + "\n", encoding="utf-8")


def moodle(folder: Path, times: Path) -> None:
    """reduction: one right, a skeleton, a slow one two days late, an archive that is none."""
    download = Download(folder, REDUCTION)
    with open(times / f"{REDUCTION}.csv", "w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["Identifier", "Full name", "Email address", "Status", "Last modified (submission)"])
        for name, number, path, when, text in (
            ("Student One", 501, "reduction.cu", "2026-11-06 17:00", own("s001", REDUCTION)),
            ("Student Two", 502, "reduction.cu", "2026-11-06 17:30", project_file("labs/threads/reduction/reduction.cu")),
            ("Student Three", 503, "Reduction (1).cu", "2026-11-08 17:00", wrong("s003", REDUCTION, "modulo_tree")),
            ("Student Four", 504, "lab3.zip", "2026-11-06 12:00", "The upload broke off here."),
        ):
            download.add(f"{name}_{number}_assignsubmission_file_/{path}", text)
            at = datetime.fromisoformat(when)
            sheet.writerow([f"Participant {number}", name, "", "Submitted for grading", f"{at:%A, %d %B %Y, %I:%M %p}"])
    download.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("times", type=Path, metavar="TIMES")
    options = parser.parse_args()
    options.times.mkdir(parents=True, exist_ok=True)
    for platform in (gradescope, canvas, moodle):
        platform(options.folder, options.times)
