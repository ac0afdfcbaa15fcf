"""A small class graded by the real command with real labs, killed and resumed: every grade as expected."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from markupsafe import escape

from grader.course.gradebook import Grade, Gradebook, Job, Run, Submitted, Test
from grader.course.sandbox import BUBBLEWRAP, NONE
from grader.course.testing.jobs import BUILD, PROJECT, bubblewrap_works
from grader.workbook.answers import Answer, wrong_answers
from grader.workbook.places import place_of

WRONG = ("adds_on_the_host", "drops_partial_block", "exits_early", "no_edge_guard", "off_by_one_index",
         "one_thread_per_block")


class RealClassTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"
        self.isolation = BUBBLEWRAP if bubblewrap_works() else NONE
        self.roster = ["s001", "s002", "s003", "s004", "s005"]

    def hand_in(self, student: str, lab: str, text: str, name: str = "") -> None:
        path = self.folder / "in" / student / (name or f"{lab}.cu")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def source(self, name: str) -> str:
        return (PROJECT / name).read_text(encoding="utf-8")

    def make_class(self) -> dict[str, Answer]:
        """@returns the wrong answer that each further student handed in"""
        solution = self.source("solutions/first_steps/vector_add/vector_add.cu")
        self.hand_in("s001", "vector_add", solution + "// of s001\n")
        self.hand_in("s001", "coalescing", self.source("solutions/memory/coalescing/coalescing.cu"))
        self.hand_in("s002", "vector_add", solution.replace(";", "", 1))
        self.hand_in("s002", "coalescing", self.source("labs/memory/coalescing/coalescing.cu"))
        self.hand_in("s003", "vector_add", solution + "// of s001\n", "Vector_Add (1).cu")
        self.hand_in("s004", "", "I forgot the file.\n", "readme.txt")
        wrong = {}
        for i, name in enumerate(WRONG, 6):
            student = f"s{i:03}"
            wrong[student] = next(answer for answer in wrong_answers(place_of("vector_add")) if answer.name == name)
            self.hand_in(student, "vector_add", wrong[student].text)
        self.roster += wrong
        (self.folder / "roster.csv").write_text("student\n" + "\n".join(self.roster) + "\n", encoding="utf-8")
        return wrong

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        given = ["--out", str(self.out), *arguments]
        if "--resume" not in arguments:
            given = [str(self.folder / "in"), "--roster", str(self.folder / "roster.csv"), "--isolation", self.isolation, *given]
        return subprocess.Popen([BUILD / "bin" / "warpbook", "grade", *given], cwd=self.folder, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def interrupt(self, process: subprocess.Popen[str], results: int, number: int) -> int:
        """Sends a signal as soon as there are so many results. @returns the exit status"""
        end = time.monotonic() + 400
        while len(list(self.out.glob("jobs/*/result.json"))) < results:
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        os.kill(process.pid, number)
        process.communicate(timeout=60)
        return process.returncode

    def test_a_class_is_killed_resumed_graded_and_exported(self):
        wrong = self.make_class()
        # 1. Killed, interrupted, and resumed to the end.
        self.assertEqual(self.interrupt(self.start(), 2, signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(self.interrupt(self.start("--resume"), 4, signal.SIGINT), 130)
        kept = {path: path.stat().st_mtime_ns for path in self.out.glob("jobs/*/result.json")}
        process = self.start("--resume")
        output, _ = process.communicate(timeout=500)
        self.assertEqual(process.returncode, 0, output)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)

        # 2. Every grade as expected.
        with Gradebook.open(self.out / "gradebook.sqlite") as book:
            grades = {(row.student, row.lab): row for row in book.read(Grade)}
            chosen, jobs = book.chosen(), {row.job: row for row in book.read(Job)}
            self.assertEqual(len(book.read(Run)), 1)
            self.assertEqual(len(grades), 2 * len(self.roster))
            self.assertEqual({row.isolation for row in jobs.values()}, {self.isolation})
            self.assertEqual(len(jobs), len(book.read(Submitted)) - 1)  # s001 and s003 share one.
            for student, answer in wrong.items():
                grade = grades[student, "vector_add"]
                failed = [test.name for test in book.read(Test, job=chosen[student, "vector_add"].job) if test.status == "failed"]
                self.assertIn(f"vector_add.{answer.key('rejected-by')}", failed, answer.name)
                self.assertEqual(grade.status, "failed", answer.name)
                self.assertLess(grade.points, grade.max_points, answer.name)
                self.assertTrue(grade.reason, answer.name)
        statuses = {key: (row.status, row.points == row.max_points) for key, row in grades.items() if key[0] < "s006"}
        self.assertEqual(statuses, {
            ("s001", "vector_add"): ("passed", True), ("s001", "coalescing"): ("passed", True),
            ("s002", "vector_add"): ("build_failed", False), ("s002", "coalescing"): ("not_started", False),
            ("s003", "vector_add"): ("passed", True), ("s003", "coalescing"): ("missing", False),
            ("s004", "vector_add"): ("not_graded", False), ("s004", "coalescing"): ("not_graded", False),
            ("s005", "vector_add"): ("missing", False), ("s005", "coalescing"): ("missing", False)})
        self.assertIn("error", grades["s002", "vector_add"].reason)

        # 3. Exported, without grading again.
        done = subprocess.run([BUILD / "bin" / "warpbook", "export", "all", "--out", self.out], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = list(csv.DictReader((self.out / "gradebook.csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual([row["student"] for row in table], self.roster)
        self.assertEqual((table[0]["percent"], table[4]["percent"]), ("100", "0"))
        results = json.loads((self.out / "results" / "s001" / "results.json").read_text(encoding="utf-8"))
        for lab in results["labs"]:
            self.assertEqual(lab["status"], "passed")
            self.assertTrue((self.out / "results" / "s001" / lab["profile"]).is_file())
            self.assertTrue(lab["ladder"])
            for rung in lab["ladder"]:
                self.assertTrue((self.out / "results" / "s001" / rung["profile"]).is_file())
        root = xml.parse(self.out / "export" / "junit" / "vector_add.xml").getroot()
        self.assertEqual(len(root.findall("testsuite")), len(self.roster))
        self.assertIn("s004", (self.out / "findings.csv").read_text(encoding="utf-8"))

        # 4. The page of the class names what the wrong answers do, by their code or by their tests.
        done = subprocess.run([sys.executable, "-m", "grader.report.class_report", self.out], cwd=PROJECT, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.out / "reports" / "index.html").read_text(encoding="utf-8")
        self.assertTrue((self.out / "reports" / "scatter_vector_add.svg").is_file())
        for answer in wrong.values():
            if not answer.name == "exits_early":  # A cheat is never named by its message.
                self.assertIn(str(escape(answer.said)), page)

        # 5. Again: nothing to run, nothing changed.
        process = self.start()
        output, _ = process.communicate(timeout=300)
        self.assertIn(f"{len(jobs)} different files to grade, {len(jobs)} of them graded before", output)
        self.assertNotIn("Grades changed", output)


if __name__ == "__main__":
    unittest.main()
