"""Tests of ladders.py: a ladder is reused as long as its programs are the same."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.ladders import rungs_of

# Stands for a lab's test program: tells how often it was started.
PROGRAM = """#!/bin/sh
folder=$4
echo run >>"$(dirname "$0")/runs"
echo '{"rungs": [{"rung": "naive", "problem": "", "profile": "'"$folder"'/naive.json"}]}' >"$folder/ladder.json"
"""


class LaddersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        lab = self.folder / "labs" / "memory" / "transpose" / "lab.json"
        lab.parent.mkdir(parents=True)
        lab.write_text(json.dumps({"rungs": [{"source": "naive.cu"}]}), encoding="utf-8")
        for name in ("test", "device", "naive", "libcudart.so.13.0"):
            (self.folder / name).write_text(PROGRAM, encoding="utf-8")
            (self.folder / name).chmod(0o755)
        self.manifest: dict[str, Any] = {
            "lab": "transpose", "chapter": "memory", "project_root": str(self.folder), "build_folder": str(self.folder),
            "test_program": str(self.folder / "test"), "device_process": str(self.folder / "device"),
            "workers": {"naive.cu": str(self.folder / "naive")}, "build": {"libraries": [str(self.folder)]}}

    def runs(self) -> int:
        """How often the rungs were run, after another submission wanted them."""
        rungs = rungs_of(self.manifest, self.folder / "out")
        self.assertEqual([rung["rung"] for rung in rungs], ["naive"])
        self.assertRegex(rungs[0]["profile"], r"^\.\./\.\./ladders/transpose-[0-9a-f]+/naive\.json$")
        return len((self.folder / "runs").read_text(encoding="utf-8").splitlines())

    def test_rungs_are_run_once(self) -> None:
        self.assertEqual(self.runs(), 1)
        self.assertEqual(self.runs(), 1)

    def test_they_are_run_again_after_any_program_changed(self) -> None:
        self.runs()
        for number, name in enumerate(("test", "device", "naive", "libcudart.so.13.0"), 2):
            with open(self.folder / name, "a", encoding="utf-8") as file:
                file.write("# changed\n")
            self.assertEqual(self.runs(), number, name)

    def test_a_missing_program_is_named_with_the_command_that_builds_it(self) -> None:
        (self.folder / "device").unlink()
        with self.assertRaisesRegex(BatchError, r"device is missing.*--target warpbook_batch"):
            self.runs()


if __name__ == "__main__":
    unittest.main()
