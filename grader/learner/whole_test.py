"""The whole way through `warpbook`: a check of a real lab says what ctest says."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from grader.learner.labs import PROJECT
from grader.workbook.places import places

BUILD = Path(os.environ.get("WARPBOOK_BUILD_FOLDER", PROJECT / "build" / "sim"))
LAB = "vector_add"


class Whole(unittest.TestCase):
    def warpbook(self, *arguments: str) -> subprocess.CompletedProcess:
        # Progress goes to a folder of its own: tests must not change a learner's progress.
        return subprocess.run([BUILD / "bin" / "warpbook", *arguments], capture_output=True, text=True, cwd=self.folder)

    def setUp(self):
        if not (BUILD / "bin" / "warpbook").exists():
            self.skipTest("warpbook is not built")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("labs", "solutions"):
            (self.folder / name).symlink_to(PROJECT / name)

    def test_check_says_what_ctest_says(self):
        checked = self.warpbook("check", LAB, "--project", str(self.folder))
        marks = re.findall(r"^  (passed|partly|FAILED|unclear|not begun|skipped|not run) +\S+ of \S+ +(.*) \((\w+)\)$",
                           checked.stdout, re.M)
        records = [json.loads(path.read_text()) for path in (BUILD / "results" / LAB / "student").glob("*.json")]
        manifest = json.loads((BUILD / "manifests" / f"{LAB}.json").read_text())
        self.assertEqual([(sentence, kind) for _, sentence, kind in marks],
                         [(test["sentence"], test["kind"]) for test in manifest["tests"]], checked)
        for mark, sentence, kind in marks:
            record, = [one for one in records if (one["sentence"], one["kind"]) == (sentence, kind)]
            passed = record["status"] == "passed"
            self.assertEqual(mark in ("passed", "partly"), passed, (mark, record))
        listed = {(test["sentence"], test["kind"]) for test in manifest["tests"]}
        points = sum(one["points"] for one in records if (one["sentence"], one["kind"]) in listed)
        self.assertIn(f"{LAB}: {points:.4g} of ", checked.stdout)
        ended = subprocess.run(["ctest", "--test-dir", BUILD, "-R", rf"^{LAB}\."], capture_output=True).returncode
        self.assertEqual(checked.returncode == 0, ended == 0, checked.stdout)
        self.assertIn(LAB, json.loads((self.folder / ".warpbook" / "progress.json").read_text())["labs"])

    def test_every_command_has_help_and_an_exit_status(self):
        for command in ("list", "next", "check", "watch", "hint", "submit"):
            self.assertEqual(self.warpbook(command, "--help").returncode, 0, command)
            self.assertIn(f"usage: warpbook {command}", self.warpbook(command, "--help").stdout)
            self.assertEqual(self.warpbook(command, "--no-such-option").returncode, 2, command)
        self.assertEqual(self.warpbook("check", "vectoradd").returncode, 2)
        self.assertIn("Did you mean coalescing", self.warpbook("check", "coalescin").stderr)

    def test_output_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([BUILD / "bin" / "warpbook", "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "warpbook list: the output: No space left on device; fix that and try again\n")

    def test_list_names_all_labs_of_the_project(self):
        listed = self.warpbook("list", "--project", str(self.folder)).stdout
        for lab in places():
            self.assertRegex(listed, rf"\b{lab}\b")
        self.assertIsNotNone(shutil.which("ctest"))


if __name__ == "__main__":
    unittest.main()
