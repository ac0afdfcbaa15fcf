"""Tests of the local executor: every job has a result or a reason, whatever its task does."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

from grader.course.executors.base import has_result
from grader.course.executors.local import LocalExecutor

ROOT = Path(__file__).resolve().parents[3]

# A task whose job says what it does: each line of `does` is for one try.
TASK = textwrap.dedent("""
    import json, os, signal, sys, time
    from pathlib import Path
    job = Path(sys.argv[1])
    tries = job / "tries"
    count = int(tries.read_text()) if tries.exists() else 0
    tries.write_text(str(count + 1))
    lines = (job / "does").read_text().split()
    does = lines[min(count, len(lines) - 1)]
    (job / "pid").write_text(str(os.getpid()))
    if does == "sleep": time.sleep(60)
    if does == "crash": os.kill(os.getpid(), signal.SIGSEGV)
    if does == "fail": sys.exit("no space left")
    if does == "half": (job / "result.json").write_text('{"format": "warpbook.jo'); sys.exit(0)
    if does == "nap": time.sleep(0.3)
    text = json.dumps({"format": "warpbook.job_result", "version": 1, "id": job.name})
    (job / "part").write_text(text)
    (job / "part").rename(job / "result.json")
""")


def task_command(job: Path) -> list[str]:
    return [sys.executable, "-c", TASK, str(job)]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class LocalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def job(self, name: str, does: str) -> Path:
        job = self.folder / name
        job.mkdir()
        (job / "does").write_text(does)
        return job

    def wait_for(self, what, seconds: float = 20):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def test_every_job_has_a_result_or_a_reason(self):
        jobs = [self.job(name, name) for name in ("well", "crash", "fail", "half")] + [self.job("later", "crash well")]
        done = []
        with LocalExecutor(2, task_command) as executor:
            executor.run(jobs, done.append)
            failures = {job.name: why for job, why in executor.failures.items()}
        self.assertEqual(sorted(job.name for job in done), ["later", "well"])
        self.assertEqual(sorted(failures), ["crash", "fail", "half"])
        self.assertIn("ended by SIGSEGV", failures["crash"])
        self.assertIn("status 1", failures["fail"])
        self.assertIn("no space left", failures["fail"])
        self.assertIn("failed 2 times", failures["half"])
        self.assertFalse(has_result(self.folder / "half"))

    def test_a_result_of_another_job_or_version_is_none(self):
        job = self.job("well", "well")
        for change in ({"id": "other"}, {"version": 2}, {"format": "x"}):
            (job / "result.json").write_text(json.dumps({"format": "warpbook.job_result", "version": 1, "id": "well"} | change))
            self.assertFalse(has_result(job), change)

    def test_finished_jobs_are_not_run_again(self):
        job = self.job("well", "well")
        for _ in range(2):
            done = []
            with LocalExecutor(1, task_command) as executor:
                executor.run([job], done.append)
            self.assertEqual(done, [job])
        self.assertEqual((job / "tries").read_text(), "1")

    def test_as_many_run_at_once_as_were_asked_for(self):
        jobs = [self.job(f"nap{i}", "nap") for i in range(6)]
        most = 0

        def count(_):
            nonlocal most
            most = max(most, len(executor._running))

        with LocalExecutor(3, task_command) as executor:
            executor.run(jobs, count)
        self.assertEqual(most, 2)  # When one of three has ended, two others run.
        self.assertTrue(all(has_result(job) for job in jobs))

    def test_a_task_that_hangs_is_ended(self):
        job = self.job("sleep", "sleep")
        with LocalExecutor(1, task_command, task_limit_s=0.5) as executor:
            executor.run([job], lambda _: self.fail("it has no result"))
        self.assertIn("ended by SIGKILL", executor.failures[job])

    def test_leaving_ends_tasks_and_keeps_results(self):
        jobs = [self.job("well", "well"), self.job("sleep", "sleep")]
        with self.assertRaises(KeyboardInterrupt), LocalExecutor(2, task_command) as executor:
            def interrupt(_):
                self.wait_for((jobs[1] / "pid").exists)
                raise KeyboardInterrupt
            executor.run(jobs, interrupt)
        self.assertTrue(has_result(jobs[0]))
        self.assertFalse(has_result(jobs[1]))
        self.assertFalse(is_alive(int((jobs[1] / "pid").read_text())))

    def test_tasks_end_with_a_grader_that_is_killed(self):
        job = self.job("sleep", "sleep")
        script = ("import sys; from pathlib import Path\n"
                  "from grader.course.executors.local import LocalExecutor\n"
                  "from grader.course.executors.local_test import task_command\n"
                  "LocalExecutor(1, task_command).run([Path(sys.argv[1])], print)\n")
        child = subprocess.Popen([sys.executable, "-c", script, str(job)], env={**os.environ, "PYTHONPATH": str(ROOT)})
        self.wait_for(lambda: (job / "pid").exists() and (job / "pid").read_text())
        pid = int((job / "pid").read_text())
        self.assertTrue(is_alive(pid))
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.wait_for(lambda: not is_alive(pid))


if __name__ == "__main__":
    unittest.main()
