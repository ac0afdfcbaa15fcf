"""Tests of one job from job.json to result.json, in the sandbox where there can be one."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from grader.course.build import BUILD_LIMITS, build
from grader.course.errors import BatchError
from grader.course.sandbox import BUBBLEWRAP, NONE, Ended, Sandbox, open_sandbox
from grader.course.task import Job
from grader.course.testing.jobs import BUILD, PROJECT, bubblewrap_works, make_job, run_task

SOLUTION = PROJECT / "solutions" / "first_steps" / "vector_add" / "vector_add.cu"


class TaskTest(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.out)
        self.isolation = BUBBLEWRAP if bubblewrap_works() else NONE

    def job(self, text: str, isolation: str | None = None, **limits) -> Path:
        return make_job(self.out, "vector_add", text, isolation or self.isolation, **limits)

    def graded(self, text: str, isolation: str | None = None, **limits) -> dict:
        folder = self.job(text, isolation, **limits)
        done = run_task(folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((folder / "result.json").read_text(encoding="utf-8"))

    def test_a_solution_passes_and_leaves_a_profile_a_ladder_and_a_time(self):
        result = self.graded(SOLUTION.read_text(encoding="utf-8"))
        self.assertEqual((result["status"], result["reason"]), ("passed", ""))
        self.assertEqual(result["points"], result["max_points"])
        self.assertGreater(result["time_us"], 0)
        folder = self.out / "jobs" / result["id"]
        profile = json.loads((folder / "profile.json").read_text(encoding="utf-8"))
        self.assertTrue(profile["kernels"])
        for rung in result["ladder"]:
            self.assertTrue((folder / rung["profile"]).is_file())

    def test_a_file_below_the_working_folder_can_be_seen_in_the_sandbox(self):
        sandbox = open_sandbox(BUILD, self.isolation).with_files({"/tmp/some/clone/file": str(SOLUTION)})
        if self.isolation == BUBBLEWRAP:
            ended = sandbox.run(["/usr/bin/head", "-c", "10", "/tmp/some/clone/file"], self.out)
            self.assertEqual((ended.error, ended.output), ("", SOLUTION.read_text(encoding="utf-8")[:10]))

    def test_the_same_job_gives_the_same_bytes(self):
        text = SOLUTION.read_text(encoding="utf-8").replace("blockIdx.x", "blockIdx.y")
        self.graded(text)
        folder = self.job(text)
        first = (folder / "result.json").read_bytes()
        shutil.rmtree(folder)
        self.graded(text)
        self.assertEqual(first, (folder / "result.json").read_bytes())
        self.assertIn(b'"failed"', first)

    def test_a_task_that_is_ended_takes_all_that_is_its_own_with_it(self):
        folder, place = self.job("#include \"vector_add.h\"\n" + "// long\n" * 9), self.out / "tmp"
        place.mkdir()
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TMPDIR": str(place)}
        task = subprocess.Popen([sys.executable, "-m", "grader.course.task", str(folder)], env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not list(place.glob("warpbook-job-*/build/*")) and task.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        task.terminate()
        self.assertEqual(task.wait(30), 143)
        self.assertEqual(list(place.iterdir()), [])
        self.assertFalse((folder / "result.json").exists())

    def test_a_result_that_is_there_is_kept(self):
        folder = self.job(SOLUTION.read_text(encoding="utf-8"))
        kept = {"format": "warpbook.job_result", "version": 1, "id": folder.name, "status": "kept"}
        (folder / "result.json").write_text(json.dumps(kept), encoding="utf-8")
        self.assertEqual(run_task(folder).returncode, 0)
        self.assertEqual(json.loads((folder / "result.json").read_text(encoding="utf-8"))["status"], "kept")

    def test_half_a_result_is_made_anew(self):
        folder = self.job("no C++")
        (folder / "result.json").write_text('{"format": "warpbook.job_res', encoding="utf-8")
        self.assertEqual(run_task(folder).returncode, 0)
        self.assertEqual(json.loads((folder / "result.json").read_text(encoding="utf-8"))["status"], "build_failed")

    def test_the_compilers_message_names_the_students_file_and_no_other_path(self):
        text = SOLUTION.read_text(encoding="utf-8").replace("WB_CHECK(cudaGetLastError());", "undeclared_thing();")
        result = self.graded(text)
        self.assertEqual(result["status"], "build_failed")
        self.assertRegex(result["reason"], r'^It does not compile: vector_add\.cu\(\d+\): error: identifier "undeclared_thing"')
        log = (self.out / "jobs" / result["id"] / "build.log").read_text(encoding="utf-8")
        self.assertNotRegex(log, r"/tmp|/warpbook|" + str(PROJECT))
        self.assertEqual(result["points"], 0)
        self.assertEqual({test["status"] for test in result["tests"]}, {"not_run"})

    def test_a_compiler_has_so_much_processor_time(self):
        forever = ("template <int Depth, long Path> constexpr long kTree = kTree<Depth - 1, 2 * Path> + kTree<Depth - 1, 2 * Path + 1>;"
                   "\ntemplate <long Path> constexpr long kTree<0, Path> = Path;\nstatic_assert(kTree<30, 1> != 0);\n")
        result = self.graded(f"{forever}{SOLUTION.read_text(encoding='utf-8')}", build_wall_s=1)
        self.assertEqual(result["build_failure"], {"kind": "timed_out", "subject": "compiler"})
        self.assertIn("within 1 s of processor time", result["reason"])

    def test_a_compiler_that_the_machine_was_too_busy_for_costs_no_points(self):
        sandbox, manifest = open_sandbox(BUILD, NONE), Job.read(self.job(SOLUTION.read_text(encoding="utf-8"))).manifest()
        for end in ("timed_out", "machine_busy"):
            ended = Ended(end, 0, "", "", BUILD_LIMITS.wall_s * 1e6, 0)
            folder = self.out / f"built_{end}"
            folder.mkdir()
            with self.subTest(end=end), mock.patch.object(Sandbox, "run", return_value=ended):
                if end == "machine_busy":
                    self.assertRaisesRegex(BatchError, "Grade again", build, manifest, SOLUTION, sandbox, folder)
                else:
                    self.assertEqual(build(manifest, SOLUTION, sandbox, folder).failure.kind, "timed_out")

    def test_a_skeleton_is_not_started(self):
        text = '#include "vector_add.h"\nvoid vector_add(const float*, const float*, float*, int) { warpbook::not_started(); }\n'
        self.assertEqual(self.graded(text)["status"], "not_started")

    def test_without_isolation_it_says_so_and_grades_the_same(self):
        text = SOLUTION.read_text(encoding="utf-8")
        plain, confined = self.graded(text, NONE), self.graded(text)
        self.assertEqual(plain["isolation"], NONE)
        for key in ("status", "points", "time_us"):
            self.assertEqual(plain[key], confined[key], key)

    def test_what_the_grader_cannot_do_is_no_result(self):
        folder = self.job("int x;")
        job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
        for change, words in (({"isolation": "chroot"}, "isolation is 'chroot'"), ({"lab": "no_lab"}, "no_lab"),
                              ({"version": 9}, "not warpbook.job 1"), ({"source": "../x.cu"}, "is not a plain file"),
                              ({"build_folder": "/nonexistent"}, "/nonexistent")):
            (folder / "job.json").write_text(json.dumps(job | change), encoding="utf-8")
            done = run_task(folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertFalse((folder / "result.json").exists())

    def test_a_short_secret_is_refused(self):
        (self.out / "secret").write_text("abc\n", encoding="ascii")
        done = run_task(self.job(SOLUTION.read_text(encoding="utf-8")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds 3 letters", done.stderr)

    def test_a_task_that_is_killed_leaves_no_process_and_no_result(self):
        spin = SOLUTION.read_text(encoding="utf-8").replace("WB_CHECK(cudaGetLastError());", "for (volatile int i = 0;;) i = i;")
        folder = self.job(spin)
        task = subprocess.Popen([sys.executable, "-m", "grader.course.task", str(folder)], cwd=PROJECT,
                                env={**os.environ, "PYTHONPATH": str(PROJECT)})
        descendants = set()
        for _ in range(600):
            descendants |= _started(task.pid)
            if any("vector_add_test" in _name(pid) and _under(pid) for pid in _under(task.pid)):
                time.sleep(1)
                descendants |= _started(task.pid)
                break
            time.sleep(0.1)
        else:
            self.fail("the answer was never started")
        task.kill()
        task.wait()
        for _ in range(100):
            if not [pid for pid, began in descendants if _began(pid) == began]:
                break
            time.sleep(0.1)
        self.assertEqual([_name(pid) for pid, began in descendants if _began(pid) == began], [])
        self.assertFalse((folder / "result.json").exists())


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _began(pid: int) -> str:
    """When a process began, in ticks, if it has not ended. Numbers of processes are given out again."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    except OSError:
        return ""
    return "" if state in "ZX" else fields[18]


def _started(pid: int) -> set[tuple[int, str]]:
    """The processes under one, with what tells them from later ones of the same number."""
    return {(one, began) for one in _under(pid) if (began := _began(one))}


def _under(pid: int) -> set[int]:
    found, queue = set(), [pid]
    while queue:
        try:
            for task in Path(f"/proc/{queue.pop()}/task").iterdir():
                more = [int(word) for word in (task / "children").read_text().split()]
                found |= set(more)
                queue += more
        except OSError:
            pass
    return found


if __name__ == "__main__":
    unittest.main()
