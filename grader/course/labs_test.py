"""Tests of building the graders of labs."""

import io
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from grader.course import __main__ as command_line
from grader.course import jobs, labs
from grader.course.errors import BatchError
from grader.course.jobs import JobFolders, Settings
from grader.course.labs import build_programs

LABS = [SimpleNamespace(name="alpha", programs=[]), SimpleNamespace(name="beta", programs=[Path("/nowhere/beta_test")])]


class BuildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.enterContext(mock.patch.dict(os.environ, PATH=f"{folder.name}:{os.environ['PATH']}"))
        self.said: list[str] = []

    def cmake(self, script: str) -> None:
        """A build tool that does this."""
        (self.folder / "cmake").write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        (self.folder / "cmake").chmod(0o755)

    def build(self, quiet_s: float) -> None:
        with mock.patch.object(labs, "QUIET_S", quiet_s):
            build_programs(self.folder, LABS, self.said.append)

    def test_a_build_that_has_little_to_do_is_quiet(self):
        self.cmake(f'echo "$*" > {self.folder}/called')
        self.build(300)
        self.assertEqual(self.said, [])
        called = (self.folder / "called").read_text(encoding="utf-8")
        self.assertEqual(called, f"--build {self.folder} --target alpha_batch beta_batch\n")

    def test_one_that_takes_longer_is_told_of(self):
        self.cmake(f"while [ ! -e {self.folder}/told ]; do sleep 0.02; done")
        self.said = mock.Mock(append=lambda _: (self.folder / "told").touch())
        self.build(0.05)
        self.assertTrue((self.folder / "told").exists())

    def test_one_that_fails_says_what_it_said(self):
        self.cmake("echo 'ninja: no space left'; exit 1")
        with self.assertRaisesRegex(BatchError, "do not build:\nninja: no space left\nRepeat it with: cmake --build"):
            self.build(300)

    def test_only_who_has_the_secret_of_a_class_grades_there(self):
        settings = Settings(self.folder, "none")
        JobFolders(self.folder, settings)
        with mock.patch.object(jobs.os, "access", return_value=False):
            with self.assertRaisesRegex(BatchError, "secret belongs to another user.*choose another --out"):
                JobFolders(self.folder, settings)

    def test_a_folder_of_somebody_else_is_told_in_one_sentence(self):
        command = mock.Mock(side_effect=PermissionError(13, "Permission denied", "/srv/grades/export"))
        with mock.patch("sys.stderr", new_callable=io.StringIO) as said:
            with mock.patch.object(command_line.importlib, "import_module", return_value=mock.Mock(main=command)):
                self.assertEqual(command_line.main(["export"]), 2)
        self.assertIn("/srv/grades/export: Permission denied: it belongs to another user; ask them", said.getvalue())

    def test_in_somebody_else_s_installation_nothing_is_built(self):
        self.cmake(f"touch {self.folder}/called")
        with mock.patch.object(labs.os, "access", return_value=False):  # Root may write everywhere.
            build_programs(self.folder, LABS[:1], self.said.append)
            with self.assertRaisesRegex(
                BatchError,
                "belongs to .*, and the grader of beta is not built there: ask them to run, once, "
                "`cmake --build .* --target warpbook_batch`",
            ):
                self.build(300)
        self.assertFalse((self.folder / "called").exists())


if __name__ == "__main__":
    unittest.main()
