"""Tests of the sandbox itself: what is inside, what comes out, and the message if there can be none."""

import os
import shutil
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from grader.course import sandbox as module
from grader.course.errors import BatchError
from grader.course.sandbox import BUBBLEWRAP, NONE, Limits, Sandbox, Tools, open_sandbox
from grader.course.testing.jobs import BUILD, bubblewrap_works


class Refusals(unittest.TestCase):
    def test_an_unknown_isolation_is_named(self):
        with self.assertRaisesRegex(BatchError, "isolation is 'docker'; it is one of: bubblewrap, none"):
            open_sandbox(BUILD, "docker")

    def test_a_build_folder_without_the_tools_says_how_to_build_them(self):
        with self.assertRaisesRegex(BatchError, "limited_run is missing.*--target warpbook_batch"):
            open_sandbox(Path("/nonexistent"), NONE)

    def test_without_bubblewrap_it_refuses_and_says_what_else_there_is(self):
        with mock.patch.object(module.shutil, "which", return_value=None):
            with self.assertRaisesRegex(BatchError, "needs /usr/bin/bwrap.*--isolation none.*gradebook records"):
                open_sandbox(BUILD, BUBBLEWRAP)

    def test_where_bubblewrap_cannot_make_name_spaces_it_refuses_with_its_words(self):
        said = module.Ended("exited", 1, "", "bwrap: No permissions to create new namespace", 0, 0)
        with mock.patch.object(Sandbox, "run", return_value=said):
            with self.assertRaisesRegex(BatchError, "No permissions to create new namespace.*--isolation none"):
                open_sandbox(BUILD, BUBBLEWRAP)

    @unittest.skipUnless(bubblewrap_works(), "there can be no sandbox on this machine")
    def test_a_relative_build_folder_will_do(self):
        open_sandbox(Path(os.path.relpath(BUILD)), BUBBLEWRAP)

    def test_without_isolation_nothing_is_put_before_the_program(self):
        self.assertEqual(open_sandbox(BUILD, NONE).command(), [])


@unittest.skipUnless(bubblewrap_works(), "there can be no sandbox on this machine")
class Inside(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.sandbox = Sandbox(Tools.of(BUILD), BUBBLEWRAP, "job", {}, Limits(wall_s=20))

    def shell(self, script: str, sandbox: Sandbox | None = None, **more) -> module.Ended:
        return (sandbox or self.sandbox).run(["/bin/sh", "-c", script], self.folder, **more)

    def test_only_the_system_and_the_given_files_are_there(self):
        (self.folder / "given").write_text("hello\n", encoding="ascii")
        (self.folder / "given").chmod(0o644)
        given = self.sandbox.with_files({"/deep/below/given": str(self.folder / "given")})
        ended = self.shell("ls /; cat /deep/below/given", given)
        self.assertTrue(ended.well, ended.error)
        self.assertIn("hello", ended.output)
        names = set(ended.output.split())
        self.assertEqual(names & {"home", "root", "var", "work", "opt", "srv", "mnt", "run", "boot"}, set())

    def test_nothing_but_its_own_folders_can_be_written(self):
        script = "for f in / /usr /dev /etc /proc/sys/kernel; do touch $f/x 2>/dev/null && echo wrote $f; done; touch /tmp/x"
        ended = self.shell(script + "; for f in core_pattern hostname; do (: > /proc/sys/kernel/$f) 2>/dev/null && echo wrote $f; done; true")
        self.assertEqual((ended.output, ended.well), ("", True), ended.error)

    def test_it_is_no_privileged_user_and_alone(self):
        ended = self.shell("id -u; grep -E '^(CapEff|CapPrm|NoNewPrivs|Seccomp):' /proc/self/status; ls -d /proc/[0-9]* | wc -l")
        user, *lines, processes = ended.output.split("\n")[:-1]
        self.assertNotEqual(user, "0")
        self.assertEqual([line.split() for line in lines], [["CapPrm:", "0" * 16], ["CapEff:", "0" * 16],
                                                            ["NoNewPrivs:", "1"], ["Seccomp:", "2"]])
        self.assertLessEqual(int(processes), 4)

    def test_files_in_memory_are_limited(self):
        small = replace(self.sandbox, limits=Limits(folder_bytes=1 << 20))
        ended = self.shell("head -c 2000000 /dev/zero > /tmp/x; wc -c < /tmp/x", small)
        self.assertIn("No space left", ended.error)
        self.assertEqual(int(ended.output), 1 << 20)

    def test_what_a_program_makes_comes_back_by_its_contents(self):
        made = self.folder / "made"
        self.assertTrue(self.shell("printf made > /tmp/out", returned="/tmp/out", return_to=made).well)
        self.assertEqual(made.read_text(encoding="ascii"), "made")
        for script in ("ln -s /etc/ld.so.cache /tmp/out", "mkdir /tmp/out", "mkfifo /tmp/out", "true"):
            made.unlink(missing_ok=True)
            self.assertFalse(self.shell(script, returned="/tmp/out", return_to=made).well, script)
            self.assertFalse(made.exists())

    def test_a_program_that_fails_returns_nothing(self):
        made = self.folder / "made"
        self.assertEqual(self.shell("printf x > /tmp/out; exit 3", returned="/tmp/out", return_to=made).code, 3)
        self.assertFalse(made.exists())

    def test_how_it_ended_is_told(self):
        self.assertEqual((self.shell("kill -SEGV $$").end, self.shell("kill -SEGV $$").code), ("signalled", 11))
        self.assertEqual(self.shell("sleep 100 & exit 0").left_behind, 1)
        self.assertEqual(self.shell("sleep 100", replace(self.sandbox, limits=Limits(wall_s=0.5))).end, "timed_out")
        self.assertEqual(self.sandbox.run(["/nonexistent"], self.folder).code, 127)

    def test_each_job_is_another_user(self):
        users = {self.shell("id -u", replace(self.sandbox, job=job)).output for job in ("a", "b")}
        self.assertEqual(len(users), 2 if os.geteuid() == 0 else 1)


if __name__ == "__main__":
    unittest.main()
