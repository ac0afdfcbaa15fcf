"""For tests of intake: a small project with labs, and ways to pack what students hand in."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import tarfile
import tempfile
import unittest
import zipfile
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from grader.course.intake.intake import take_in
from grader.course.intake.labs import load_labs
from grader.course.intake.limits import Limits
from grader.course.intake.roster import Roster, parse_roster
from grader.course.intake.submission import Intake, Submission

MOMENT = datetime(2026, 10, 12, 20, 0, 0, tzinfo=timezone.utc)
ROSTER = "student id,name,email,section\n" + "".join(
    f"s{i:03},{first} {last},s{i:03}@example.org,{i % 2}\n"
    for i, (first, last) in enumerate([("Ada", "One"), ("Bo", "Two"), ("Cy", "Three"), ("Dé", "Größe")], 1)
)
LABS = {  # lab: functions of its contract
    "coalescing": ("copy_strided", "transpose"),
    "reduction": ("sum_in_place", "sum_groups"),
    "warp_divergence": ("mix", "sum_groups"),
    "openacc_comparison": ("merge_acc", "fade_acc"),
}


def answer(lab: str, mark: object = "") -> str:
    """An answer to a lab; other marks are other answers."""
    bodies = "".join(f"void {name}(const float* in, float* out, int n) {{\n  work(in, n);\n}}\n" for name in LABS[lab])
    return f'#include "{lab}.h"\n{bodies}// {mark}\n'


def make_project(root: Path) -> None:
    for lab, functions in LABS.items():
        suffix = ".cpp" if lab == "openacc_comparison" else ".cu"
        folder, solution = root / "labs" / "basics" / lab, root / "solutions" / "basics" / lab
        folder.mkdir(parents=True)
        solution.mkdir(parents=True)
        (folder / "lab.json").write_text(json.dumps({"openacc": suffix == ".cpp"}))
        declared = "".join(f"void {name}(const float* in, float* out, int n);\n" for name in functions)
        (folder / f"{lab}.h").write_text("// What to write: a function work(in, n);\n" + declared)
        (folder / (lab + suffix)).write_text(answer(lab, "TODO"))
        (solution / (lab + suffix)).write_text(answer(lab, "solution"))


def zip_of(members: Mapping[str, str | bytes], moment: datetime = MOMENT) -> bytes:
    """Times are written in UTC, as the tests take them."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in members.items():
            archive.writestr(zipfile.ZipInfo(name, moment.timetuple()[:6]), contents)
    return stream.getvalue()


def tar_of(members: Mapping[str, str | bytes], moment: datetime = MOMENT, packing: str = "gz") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, contents in members.items():
            data = contents.encode() if isinstance(contents, str) else contents
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), int(moment.timestamp())
            archive.addfile(info, io.BytesIO(data))
    data = stream.getvalue()
    return {"gz": lambda: gzip.compress(data, mtime=0), "bz2": lambda: bz2.compress(data), "": lambda: data}[packing]()


class IntakeTest(unittest.TestCase):
    """self.put() makes files below self.source, self.take() takes them in."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        make_project(Path(folder.name))
        cls.labs = load_labs(Path(folder.name))
        cls.roster = parse_roster(ROSTER, "roster.csv")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source, self.files = self.folder / "class", self.folder / "out" / "files"
        self.source.mkdir()

    def put(self, name: str, contents: str | bytes) -> Path:
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        return path

    def take(
        self, roster: Roster | None = None, limits: Limits = Limits(), source: Path | None = None, **options
    ) -> Intake:
        return take_in(source or self.source, self.files, self.labs, roster, limits=limits, **options)

    def contents(self, submission: Submission) -> str:
        return submission.path.read_text()

    def assert_taken(self, intake: Intake, *expected: tuple[str, str, object]) -> None:
        """(student, lab, mark of the answer) of all submissions, in their order."""
        wanted = [(student, lab, answer(lab, mark)) for student, lab, mark in expected]
        found = [(one.student, one.lab, self.contents(one)) for one in intake.submissions]
        self.assertEqual(found, wanted, [str(finding) for finding in intake.all_findings()])

    def assert_found(
        self, intake: Intake, code: str, *parts: str, student: str | None = None, severity: str = ""
    ) -> None:
        """One finding has this code and all @p parts in its path and message."""
        matching = [one for one in intake.all_findings() if one.code == code]
        for one in matching:
            text = f"{one.path}: {one.message}"
            if (
                all(part in text for part in parts)
                and student in (None, one.student)
                and severity in ("", one.severity)
            ):
                return
        self.fail(f"no finding {code} with {parts} for {student}; there are {intake.all_findings()}")

    def codes(self, intake: Intake) -> set[str]:
        return {finding.code for finding in intake.all_findings()}
