"""A small class of real answers on a real Slurm that loses a node: all results are the same as on this machine alone."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from grader.course.executors.base import has_result
from grader.course.gradebook import Grade, Gradebook
from grader.course.testing.class_kill import contents as tables_of
from grader.course.testing.class_origins import origins_of
from grader.course.testing.jobs import BUILD, bubblewrap_works
from grader.course.testing.slurm_cluster import SlurmCluster, require_slurm

# Student: for each lab the project's answer that is handed in, and what its grade must be.
CLASS = {
    "s001": {"vector_add": ("solution/vector_add", "passed"), "coalescing": ("solution/coalescing", "passed")},
    "s002": {"vector_add": ("wrong/no_edge_guard", "failed"), "coalescing": ("wrong/missing_barrier", "failed")},
    "s003": {"vector_add": ("wrong/off_by_one_index", "failed"), "coalescing": ("skeleton/coalescing", "not_started")},
    # The solution of coalescing is a job that two students share.
    "s004": {"vector_add": ("hostile/kills_its_parent", "failed"), "coalescing": ("solution/coalescing", "passed")},
    "s005": {"vector_add": ("hostile/does_not_compile", "build_failed")},
}
LABS = ("vector_add", "coalescing")
UNPREDICTABLE = {"timing.json", "task.log", ".lock"}  # In a job's folder: how long it took, and a log of one executor.
SECRET = "0123456789abcdef" * 4 + "\n"


def setUpModule():
    require_slurm()


@unittest.skipUnless(bubblewrap_works(), "there can be no sandbox on this machine")
class SlurmClassTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        known = {(lab, origin.name): origin for lab in LABS for origin in origins_of(lab)}
        for student, answers in CLASS.items():
            for lab, (answer, _) in answers.items():
                path = self.folder / "in" / student / f"{lab}.cu"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(known[lab, answer].text(), encoding="utf-8")
                os.utime(path, (1_790_000_000, 1_790_000_000))
        (self.folder / "roster.csv").write_text("\n".join(["student", *CLASS, ""]), encoding="utf-8")

    def start(self, executor: str, environment: dict[str, str]) -> subprocess.Popen[str]:
        out = self.folder / executor
        out.mkdir()
        (out / "secret").write_text(SECRET, encoding="ascii")  # Seeds come from it.
        (self.folder / "tmp").mkdir(exist_ok=True)
        command = [BUILD / "bin" / "warpbook", "grade", self.folder / "in", "--roster", self.folder / "roster.csv",
                   "--out", out, "--executor", executor]
        environment = {**environment, "TMPDIR": str(self.folder / "tmp")}
        return subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def finish(self, process: subprocess.Popen[str]) -> str:
        output, _ = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 0, output)
        return output

    def wait_for(self, what, process: subprocess.Popen[str]):
        end = time.monotonic() + 200
        while not (found := what()):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.05)
        return found

    def elements(self, cluster: SlurmCluster, state: str) -> list[tuple[str, int, str]]:
        """(Slurm's id, index, node or reason) of the tasks in a state."""
        command = ["squeue", "--noheader", "--array", f"--states={state}", "--format=%i %K %R"]
        done = subprocess.run(command, env=cluster.environment, capture_output=True, text=True, check=True)
        words = (line.split(maxsplit=2) for line in done.stdout.splitlines())
        return [(name, int(index), where) for name, index, where in words]

    def lose_a_node(self, cluster: SlurmCluster, process: subprocess.Popen[str]) -> list[Path]:
        """Cuts node1 off while it builds a submission. @returns the jobs that were lost with it"""
        listed = self.folder / "slurm" / "slurm" / "0001" / "jobs.txt"

        def at_work() -> list[Path]:
            jobs = [Path(line) for line in listed.read_text(encoding="utf-8").splitlines()] if listed.exists() else []
            there = [jobs[index] for _, index, where in self.elements(cluster, "RUNNING") if where == "node1"]
            begun = [job for job in there if (job / ".lock").exists() and not (job / "build.log").exists()]
            return begun if any(map(has_result, jobs)) else []

        lost = self.wait_for(at_work, process)
        cluster.lose_node("node1")
        self.assertEqual([job for job in lost if has_result(job)], [])
        # Slurm puts back what was there, and lets it wait for two minutes: nobody here wants to.
        for name in self.wait_for(lambda: self.put_back(cluster), process):
            command = ["scontrol", "update", f"JobId={name}", "StartTime=now"]
            subprocess.run(command, env=cluster.environment, check=True)
        return lost

    def put_back(self, cluster: SlurmCluster) -> list[str]:
        return [name for name, _, why in self.elements(cluster, "PENDING") if "BeginTime" in why]

    def made(self, executor: str) -> dict[str, str]:
        """Hashes of all files below OUT that may not depend on the run, less OUT's path in them, by their names."""
        out = self.folder / executor
        paths = [path for path in sorted(out.rglob("*")) if path.is_file() and path.name not in UNPREDICTABLE]
        paths = [path for path in paths if path.relative_to(out).parts[0] != "slurm" and path.suffix != ".sqlite"]
        data = ((path, path.read_bytes().replace(str(out).encode(), b"OUT")) for path in paths)
        return {str(path.relative_to(out)): hashlib.sha256(contents).hexdigest() for path, contents in data}

    def test_a_node_is_lost_and_all_files_are_those_of_this_machine_alone(self):
        # 1. On two nodes, one of which is lost with what it was at.
        with SlurmCluster(nodes=2, tasks_per_node=1) as cluster:
            process = self.start("slurm", cluster.environment)
            try:
                lost = self.lose_a_node(cluster, process)
                output = self.finish(process)
            finally:
                process.kill()
        self.assertEqual(len(lost), 1)
        self.assertTrue(has_result(lost[0]), output)

        # 2. Every grade as expected.
        with Gradebook.open(self.folder / "slurm" / "gradebook.sqlite") as book:
            grades = {(row.student, row.lab): row.status for row in book.read(Grade)}
        self.assertEqual(grades, {(student, lab): answers.get(lab, ("", "missing"))[1]
                                  for student, answers in CLASS.items() for lab in LABS})

        # 3. The same on this machine alone: all tables but that of run times, and every file, byte for byte.
        self.finish(self.start("local", dict(os.environ)))
        books = [tables_of(self.folder / name / "gradebook.sqlite") for name in ("local", "slurm")]
        self.assertEqual(set(books[0]), set(books[1]))
        for table in books[0]:
            self.assertEqual(books[0][table], books[1][table], table)
        self.assertEqual(len(books[0]["job"]), 8)
        local, cluster_made = self.made("local"), self.made("slurm")
        every = sorted(local.keys() | cluster_made.keys())
        self.assertEqual([name for name in every if local.get(name) != cluster_made.get(name)], [])
        for name in ("gradebook.csv", "findings.csv", "similarity.json", "results/s001/results.json"):
            self.assertIn(name, local)
        self.assertEqual(sum(name.endswith("/result.json") and name.startswith("jobs/") for name in local), 8)


if __name__ == "__main__":
    unittest.main()
