"""Tests of submit: `warpbook grade` reads what it packs."""

import hashlib
import json
import os
import struct
import unittest
import zipfile
from datetime import datetime, timezone

from grader.course.intake.intake import take_in
from grader.course.intake.labs import load_labs as load_batch_labs
from grader.learner.fixture import WorkbookTest
from grader.learner.labs import PROJECT, Lab, load_labs
from grader.learner.submit_command import MANIFEST, pack, warnings
from grader.learner.progress import LabProgress
from grader.workbook.places import places

SAVED = datetime(2026, 3, 4, 5, 6, 8, tzinfo=timezone.utc)


class Submit(WorkbookTest):
    def setUp(self):
        super().setUp()
        self.zip = self.project / "out.zip"

    def submit(self, *more: str) -> int:
        return self.run_command("submit", "alpha", "--output", str(self.zip), *more)

    def test_the_zip_holds_the_file_and_a_manifest(self):
        path = self.answer("alpha", "pass pass pass")
        os.utime(path, (SAVED.timestamp(),) * 2)
        self.run_command("check", "alpha")
        self.assertEqual(self.submit("--student", "s001"), 0)
        with zipfile.ZipFile(self.zip) as archive:
            self.assertEqual(archive.namelist(), ["alpha.cu", MANIFEST])
            self.assertEqual(archive.getinfo("alpha.cu").extra, struct.pack("<HHBi", 0x5455, 5, 1, int(SAVED.timestamp())))
            self.assertEqual(archive.read("alpha.cu"), path.read_bytes())
            manifest = json.loads(archive.read(MANIFEST))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.assertEqual(manifest, {"format": "warpbook.submission", "version": 1, "lab": "alpha", "file": "alpha.cu",
                                    "sha256": digest, "bytes": path.stat().st_size, "student": "s001"})
        self.assertNotIn("Warning", self.out)
        self.assertIn("This version was checked: 20 of 20 points here.", self.out)
        self.assertEqual([one["sha256"] for one in self.progress_of("alpha")["submitted"]], [digest])

    def test_the_same_answer_gives_the_same_bytes(self):
        path = self.answer("alpha", "pass")
        os.utime(path, (SAVED.timestamp(),) * 2)
        lab = self.labs()[0]
        self.assertEqual(pack(lab, path.read_bytes()), pack(lab, path.read_bytes()))

    def test_the_instructors_side_takes_in_every_lab_and_finds_nothing_unexpected(self):
        labs = load_labs(self.build, PROJECT)
        answers = {lab.name: self.solution_of(lab) for lab in labs}
        handed_in = self.project / "class" / "s001"
        handed_in.mkdir(parents=True)
        for lab in labs:
            (handed_in / f"{lab.name}.zip").write_bytes(pack(lab, answers[lab.name]))
        intake = take_in(self.project / "class", self.project / "files", load_batch_labs(PROJECT))
        self.assertEqual({(one.student, one.lab): one.path.read_bytes() for one in intake.submissions},
                         {("s001", lab): contents for lab, contents in answers.items()})
        self.assertEqual(len(intake.submissions), len(places()))
        self.assertEqual({found.code for found in intake.all_findings()} - {"no_time"}, set())

    def solution_of(self, lab: Lab) -> bytes:
        """Not byte for byte: that would be a finding."""
        return lab.place.solution.read_bytes() + b"// Mine.\n"

    def test_what_could_surprise_is_warned_of(self):
        lab = self.labs()[0]
        header = self.project / "labs/first_steps/alpha/mine.h"
        header.write_text("// mine\n")
        text = b'#include "alpha.h"\n#include "mine.h"\n#include <cstdio>\n'
        good = LabProgress(best_points=20, max_points=20, points=20, status="passed", sha256="x", checks=1)
        found = warnings(lab, text, "x", good)
        self.assertEqual(len(found), 1)
        self.assertIn('it includes "mine.h", which is not packed', found[0])
        for known, warning in ((LabProgress(), "have not checked"), (LabProgress(checks=1, sha256="y", points=14, max_points=20),
                                "has changed since you checked it, when it had 14 of 20 points"),
                               (LabProgress(checks=1, sha256="x", status="build_failed"), "does not compile"),
                               (LabProgress(checks=1, sha256="x", status="not_started"), "no part of it is begun"),
                               (LabProgress(checks=1, sha256="x", points=3, best_points=9), "earned 9 points, this one 3")):
            self.assertIn(warning, warnings(lab, b"", "x", known)[0])

    def test_no_other_file_is_overwritten_and_an_older_submission_is(self):
        self.answer("alpha", "pass")
        self.zip.write_text("my thesis")
        self.assertEqual(self.submit(), 2)
        self.assertIn("exists and is not an earlier submission", self.error)
        self.assertEqual(self.zip.read_text(), "my thesis")
        self.zip.unlink()
        self.assertEqual(self.submit(), 0)
        self.assertEqual(self.submit(), 0)
        self.assertEqual([path.name for path in self.project.glob("out.zip*")], ["out.zip"])

    def test_what_cannot_be_packed_is_told(self):
        path = self.answer("alpha", "pass", " " * 2**20)
        self.assertEqual(self.submit(), 2)
        self.assertIn("at most 1048576 are accepted", self.error)
        path.unlink()
        self.assertEqual(self.submit(), 2)
        self.assertIn("labs/first_steps/alpha/alpha.cu: cannot be read", self.error)
        self.answer("alpha", "pass")
        self.assertEqual(self.run_command("submit", "alpha", "--output", str(self.project / "none" / "x.zip")), 2)
        self.assertIn("cannot be written", self.error)
        self.assertEqual(self.run_command("submit", "alpha", "--output", str(self.project)), 0)
        self.assertTrue(zipfile.is_zipfile(self.project / "alpha.zip"))


if __name__ == "__main__":
    unittest.main()
