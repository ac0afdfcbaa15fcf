"""Publishes an edition, moves it elsewhere, and works there as a student does; then searches it, also for planted secrets.

published_test.py BUILD_FOLDER SOURCE_FOLDER NVCC
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from grader.course.labs import Lab, load_labs, select_labs
from grader.edition.home import Edition
from grader.edition.search import leaks
from grader.edition.secrets import Secrets, secrets_of
from grader.workbook.answers import wrong_answers
from grader.workbook.edition import HOME, TOOLKIT
from grader.workbook.mutants import plain
from grader.workbook.places import place_of

BUILD, SOURCE, NVCC = map(Path, sys.argv[1:4])
WORKED, LAB, EXERCISE = "vector_add", "coalescing", "thread_indices"
LABS = (WORKED, EXERCISE, LAB)  # In their order.
HIDDEN = "counters.the transpose has no bank conflicts in its tile"


def run(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """With nothing in the environment that says where the project is."""
    return subprocess.run(words, cwd=folder, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "COLUMNS": "200"},
                          capture_output=True, text=True, timeout=900, check=False)


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory(prefix="warpbook-test-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.place = Path(cls.temporary.name).resolve()
        first = cls.place / "first"
        policy = cls.place / "course.json"
        policy.write_text(json.dumps({"format": "warpbook.course", "version": 1, "course": "A course", "time_zone": "UTC",
                                      "labs": {LAB: {"hidden": {"tests": [f"{LAB}.{HIDDEN}"]}}}}), encoding="utf-8")
        done = run(BUILD / "bin" / "warpbook", "publish", first, "--labs", ",".join(LABS), "--policy", policy, "--this-processor",
                   folder=cls.place)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.folder = cls.place / "my labs"  # The space, too, must do no harm.
        cls.published = first.rename(cls.place / "published")  # As it was made: searched, not used.
        shutil.copytree(cls.published, cls.folder, symlinks=True)
        (cls.folder / HOME / TOOLKIT).symlink_to(NVCC.resolve().parents[1])  # As setup.sh does.
        cls.labs: dict[str, Lab] = select_labs(load_labs(BUILD), list(LABS))
        cls.secrets: Secrets = secrets_of(SOURCE, list(cls.labs.values()), {LAB: frozenset([HIDDEN])})
        cls.device_code = {path.read_bytes() for lab in cls.labs.values() for path in Edition.worker_files(lab)}

    def warpbook(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return run(self.folder / "warpbook", *words, folder=self.folder)

    def answer(self, lab: str, text: str) -> None:
        """Saves an answer, until the end of the test."""
        path = place_of(lab, self.folder).student
        skeleton = path.read_text(encoding="utf-8")
        self.addCleanup(path.write_text, skeleton, encoding="utf-8")
        path.write_text(text, encoding="utf-8")

    def solution(self, lab: str) -> str:
        return plain(place_of(lab, SOURCE).solution.read_text(encoding="utf-8"))

    # ---- What a student does

    def test_a_skeleton_is_not_started(self) -> None:
        done = self.warpbook("check", EXERCISE)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertIn("0 of 14 points. 0 of 4 tests passed, 4 not begun.", done.stdout)

    def test_a_solution_has_full_points_here_and_from_the_instructor(self) -> None:
        self.answer(EXERCISE, self.solution(EXERCISE))
        students = self.place / "in" / "s001"
        students.mkdir(parents=True)
        for lab, points in ((WORKED, 20), (EXERCISE, 14)):
            done = self.warpbook("check", lab)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(f"{lab}: {points} of {points} points.", done.stdout)
            packed = self.warpbook("submit", lab, "--student", "s001", "--output", students)
            self.assertEqual((packed.returncode, packed.stderr), (0, ""))
            self.assertIn(f"{points} of {points} points here", packed.stdout)
        (self.place / "roster.csv").write_text("student\ns001\n", encoding="utf-8")
        graded = run(BUILD / "bin" / "warpbook", "grade", self.place / "in", "--out", self.place / "grades", "--roster",
                     self.place / "roster.csv", "--isolation", "none", folder=self.place)
        self.assertEqual(graded.returncode, 0, graded.stdout + graded.stderr)
        (row,) = csv.DictReader((self.place / "grades" / "gradebook.csv").read_text(encoding="utf-8").splitlines())
        self.assertEqual((float(row[WORKED]), float(row[EXERCISE])), (20, 14), row)

    def test_a_hidden_test_is_not_there_and_its_points_are_not_asked_for(self) -> None:
        self.answer(LAB, self.solution(LAB))
        done = self.warpbook("check", LAB)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn(f"{LAB}: 93 of 93 points. 18 of 18 tests passed.", done.stdout)
        program = self.folder / HOME / "labs" / LAB / f"{LAB}_test"
        self.assertEqual(run(program, "--expect", "listed", folder=self.folder).stdout, "18 tests, 93 points.\n")
        self.assertIn("no test is called", run(program, "--test", HIDDEN, folder=self.folder).stderr)

    def test_a_wrong_answer_is_rejected_with_its_line_and_a_command_that_repeats_it(self) -> None:
        wrong = next(answer for answer in wrong_answers(place_of(EXERCISE, SOURCE)) if answer.name == "no_guard")
        self.answer(EXERCISE, wrong.text)
        done = self.warpbook("check", EXERCISE, "--all")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"labs/first_steps/{EXERCISE}/{EXERCISE}.cu:", done.stdout)
        (record,) = (json.loads(path.read_text(encoding="utf-8"))
                     for path in (self.folder / HOME / "results" / EXERCISE / "student").glob("*.json")
                     if wrong.key("rejected-by").split(".")[1] in path.read_text(encoding="utf-8"))
        command = record["finding"]["command"]
        repeated = run("sh", "-c", command, folder=self.folder)
        self.assertEqual((repeated.returncode, repeated.stderr), (1, ""))
        self.assertIn("failed, 0 of", repeated.stdout)

    def test_a_slow_answer_is_compared_with_the_recorded_reference(self) -> None:
        slow = next(answer for answer in wrong_answers(place_of(WORKED, SOURCE)) if answer.name == "one_block")
        self.answer(WORKED, slow.text)
        done = self.warpbook("check", WORKED, "--all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Too slow", done.stdout)
        figures = json.loads((self.folder / HOME / "references" / f"{WORKED}.json").read_text(encoding="utf-8"))
        (draws,) = figures["times"].values()
        self.assertIn(f"{draws[0][0]:.3g} us", done.stdout)

    def test_what_does_not_compile_is_told_as_the_compiler_does(self) -> None:
        self.answer(EXERCISE, "int x = ;\n")
        done = self.warpbook("check", EXERCISE)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn(f"{EXERCISE}.cu(1): error: expected an expression", done.stdout)

    def test_lists_say_what_the_edition_has(self) -> None:
        table = self.warpbook("list").stdout
        for lab in LABS:
            self.assertIn(f" {lab} ", table)
        self.assertNotIn("reduction", table)
        self.assertIn("Hint 1 of", self.warpbook("hint", LAB).stdout)
        self.assertRegex(self.warpbook("next").stdout, r"Do: warpbook|All 3 labs are complete")

    def test_the_report_has_the_rungs_and_the_answer(self) -> None:
        done = self.warpbook("report", "--output", "report")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        results = json.loads((self.folder / "report" / "results.json").read_text(encoding="utf-8"))
        lab = next(lab for lab in results["labs"] if lab["lab"] == WORKED)
        self.assertEqual(lab["points"], 20)
        self.assertTrue(all(step["time_us"] > 0 for step in lab["ladder"]))
        self.assertIn("one block walks through the arrays", (self.folder / "report" / "index.html").read_text(encoding="utf-8"))

    def test_a_program_of_ones_own_is_checked_and_debugged(self) -> None:
        work = self.folder / "own"
        work.mkdir()
        self.addCleanup(shutil.rmtree, work)
        (work / "own.cu").write_text(
            "#include <cstdio>\n__global__ void fill(int* out) {\n  const int i = threadIdx.x;\n  out[i] = 7 * i;\n}\n"
            "int main() {\n  int* out;\n  cudaMalloc(&out, 60);\n  fill<<<1, 16>>>(out);\n"
            "  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));\n}\n", encoding="utf-8")
        compiled = run(self.folder / HOME / TOOLKIT / "bin" / "nvcc", "-G", "-arch=sm_90", "-cudart", "shared", "-o", "own", "own.cu",
                       folder=work)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        checked = run(self.folder / "warpbook", "run", "--check", "memory", "--", "./own", folder=work)
        self.assertIn("own.cu:4", checked.stdout + checked.stderr)
        commands = [word for text in ("break 4 if i == 5", "run", "info locals", "delete", "continue", "print i", "reverse-step", "reverse-step",
                                      "info line") for word in ("-ex", text)]
        debugged = run(self.folder / "warpbook", "debug", "--batch", *commands, "--", "./own", folder=work)
        self.assertEqual((debugged.returncode, debugged.stderr), (0, ""), debugged.stdout)
        for text in ("hit Breakpoint 1, fill<<<(1,1,1),(16,1,1)>>> (out=0x", "i = 5", "Warp Illegal Address", "$1 = 15",
                     "3\t  const int i"):
            self.assertIn(text, debugged.stdout)

    # ---- What cannot be done there

    def test_without_a_compiler_it_says_what_to_run(self) -> None:
        link = self.folder / HOME / TOOLKIT
        target = os.readlink(link)
        link.unlink()
        self.addCleanup(link.symlink_to, target)
        done = self.warpbook("check", WORKED)
        self.assertEqual(done.returncode, 2)
        self.assertIn("setup.sh", done.stderr)

    def test_an_edition_grades_no_class_and_makes_no_edition(self) -> None:
        for words in (("grade", "in", "--out", "out"), ("publish", "out", "--labs", WORKED)):
            done = self.warpbook(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is a student edition", done.stderr)

    def test_links_lead_somewhere(self) -> None:
        pages = [self.folder / "README.md", *(self.folder / "labs").rglob("*.md"), *(self.folder / "docs").glob("*.md")]
        self.assertGreater(len(pages), 4)
        for page in pages:
            text = page.read_text(encoding="utf-8")
            self.assertNotIn("ctest ", text, page)
            self.assertNotIn("cmake ", text, page)
            for part in text.split("](")[1:]:
                target = part.split(")")[0].split("#")[0]
                self.assertTrue(not target or target.startswith("http") or (page.parent / target).exists(), f"{page}: {target}")

    # ---- What must not be there

    def test_nothing_of_answers_is_published(self) -> None:
        self.assertGreater(len(self.secrets.whose), 300)
        self.assertEqual(leaks(self.published, self.secrets, self.device_code), [])

    def test_the_search_finds_what_is_planted(self) -> None:
        solution = BUILD / "labs" / EXERCISE / f"{EXERCISE}_solution"
        answer = BUILD / "grader" / "labs" / f"{EXERCISE}_solution" / f"{EXERCISE}.cu.o"
        planted = self.place / "planted"
        planted.mkdir()
        self.addCleanup(shutil.rmtree, planted)
        subprocess.run(["strip", "-o", planted / "stripped", solution], check=True)
        (planted / "text").write_text(place_of(EXERCISE, SOURCE).solution.read_text(encoding="utf-8"), encoding="utf-8")
        (planted / "manifest.json").write_text('{"answers": "dilutes_strided_stores"}', encoding="utf-8")
        (planted / "transposes_by_copies.txt").write_text("", encoding="utf-8")
        (planted / "tests").write_bytes(b"\0" + HIDDEN.split(".")[1].encode() + b"\0")
        shutil.copyfile(answer, planted / "object.o")
        found = leaks(planted, self.secrets, {*self.device_code, answer.read_bytes()})
        told = {name: [leak for leak in found if leak.startswith(f"{name}: ")] for name in
                ("stripped", "text", "manifest.json", "transposes_by_copies.txt", "tests", "object.o")}
        for name, sentences in told.items():
            self.assertTrue(sentences, f"{name}: not found")
        self.assertIn("device code", told["stripped"][0])
        self.assertIn("the hidden test", told["tests"][0])
        self.assertIn("is named after", told["transposes_by_copies.txt"][0])
        # PTX is compressed, and is decompressed for the search.
        self.assertTrue(any("(decompressed)" in leak for leak in told["object.o"]), told["object.o"])
        self.assertEqual(leaks(answer.parent, Secrets(), ())[0],
                         f"{answer.name}: contains device code, which only the labs' own object files may")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
