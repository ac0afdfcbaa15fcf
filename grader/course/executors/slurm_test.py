"""Tests of the Slurm executor against a real Slurm on this machine: munge, a controller, and nodes that get lost."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from grader.course.errors import BatchError
from grader.course.executors.base import has_result
from grader.course.executors.local_test import TASK
from grader.course.executors.slurm import SlurmExecutor
from grader.course.testing.fake_class import FakeClass
from grader.course.testing.slurm_cluster import SlurmCluster, require_slurm


def setUpModule():
    require_slurm()


class SlurmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(nodes=2, tasks_per_node=2)
        cls.enterClassContext(cls.cluster)
        cls.enterClassContext(mock.patch.dict(os.environ, cls.cluster.environment))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "task.py"
        self.program.write_text(TASK)

    def job(self, name: str, does: str) -> Path:
        job = self.folder / "jobs" / name
        job.mkdir(parents=True)
        (job / "does").write_text(does)
        return job

    def executor(self, **options) -> SlurmExecutor:
        return SlurmExecutor(self.folder / "slurm", None, lambda job: [sys.executable, str(self.program), str(job)],
                             poll_s=0.3, settle_s=1.0, **options)

    def wait_for(self, what, seconds: float = 60):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.05)

    def running(self) -> str:
        command = ["squeue", "--noheader", "--array", "--format=%i %T %N"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def test_every_job_has_a_result_or_a_reason(self):
        jobs = [self.job(name, name) for name in ("well", "crash", "fail", "half")] + [self.job("later", "crash well")]
        done = []
        with self.executor() as executor:
            executor.run(jobs, done.append)
            failures = {job.name: why for job, why in executor.failures.items()}
        self.assertEqual(sorted(job.name for job in done), ["later", "well"])
        self.assertEqual(sorted(failures), ["crash", "fail", "half"])
        self.assertIn("no space left", failures["fail"])
        self.assertIn("submitted 4 times", failures["half"])
        self.assertEqual((self.folder / "jobs/well/tries").read_text(), "1")

    def test_what_ran_on_a_lost_node_runs_again(self):
        self.addCleanup(self.cluster.start_node, "node1")
        jobs = [self.job(f"slow{i}", "sleep well") for i in range(4)]

        def lose():
            self.wait_for(lambda: all((job / "pid").exists() for job in jobs))
            self.cluster.lose_node("node1")
            for job in jobs:  # Those of the other node, which nobody lost, are ended as a scheduler would for urgent work.
                if Path(f"/proc/{(job / 'pid').read_text()}").exists():
                    os.kill(int((job / "pid").read_text()), 9)
            # Slurm puts back what was on the lost node, and lets it wait for two minutes.
            self.wait_for(lambda: self.running().count("PENDING") == 2)
            for line in self.running().splitlines():
                if "PENDING" in line:
                    subprocess.run(["scontrol", "update", f"JobId={line.split()[0]}", "StartTime=now"], check=True)

        thread = threading.Thread(target=lose)
        thread.start()
        done = []
        with self.executor() as executor:
            executor.run(jobs, done.append)
            self.assertEqual(executor.failures, {})
        thread.join()
        self.assertEqual(len(done), 4)
        self.assertTrue(all((job / "tries").read_text() == "2" for job in jobs))

    def test_a_controller_that_restarts_is_waited_for(self):
        jobs = [self.job(f"nap{i}", "nap") for i in range(12)]
        done = []

        def restart(job):
            done.append(job)
            if len(done) == 1:
                self.cluster.stop_controller()
                threading.Timer(3, self.cluster.start_controller).start()

        with self.executor() as executor:
            executor.run(jobs, restart)
            self.assertEqual(executor.failures, {})
        self.assertEqual(len(done), 12)
        self.wait_for(lambda: self.running() == "")

    def test_leaving_cancels_what_waits_and_runs(self):
        jobs = [self.job("well", "well")] + [self.job(f"sleep{i}", "sleep") for i in range(6)]
        with self.assertRaises(KeyboardInterrupt), self.executor() as executor:
            def interrupt(_):
                raise KeyboardInterrupt
            executor.run(jobs, interrupt)
        self.assertTrue(has_result(jobs[0]))
        self.wait_for(lambda: self.running() == "")

    def test_without_a_cluster_it_says_so(self):
        for tool in ("sbatch", "squeue", "scancel"):
            (self.folder / tool).write_text("#!/bin/sh\necho 'Unable to contact slurm controller' >&2; exit 1\n")
            (self.folder / tool).chmod(0o755)
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            with self.assertRaisesRegex(BatchError, "no Slurm cluster answers: Unable to contact slurm controller"):
                self.executor()
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            with self.assertRaisesRegex(BatchError, "needs sbatch, squeue, scancel"):
                self.executor()

    def test_the_gradebook_is_that_of_the_local_executor(self):
        grades = {}
        for name in ("local", "slurm"):
            fake = FakeClass(self.folder / name)
            fake.make_labs()
            for i in range(8):
                fake.hand_in(f"s{i:03}", "alpha", ["tests: passed passed passed", "tests: passed failed passed", "build_failed", "nap tests: passed passed failed"][i % 4] + f" {i}")
                fake.hand_in(f"s{i:03}", "beta", f"tests: passed passed passed {i % 3}")
            status, text = fake.grade("--executor", name)
            self.assertEqual(status, 0, text)
            with sqlite3.connect(fake.out / "gradebook.sqlite") as book:
                grades[name] = [book.execute(f"select * from {table} order by 1, 2, 3").fetchall() for table in ("grade", "test")]
            grades[name].append((fake.out / "gradebook.csv").read_bytes())
        self.assertEqual(len(grades["local"][0]), 16)
        texts = {name: json.dumps([rows for rows in found[:2]]).replace(str(self.folder / name), "") for name, found in grades.items()}
        self.assertEqual(grades["local"][2], grades["slurm"][2])
        self.assertEqual(len(texts["local"]), len(texts["slurm"]))


if __name__ == "__main__":
    unittest.main()
