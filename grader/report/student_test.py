"""Tests of the reports of students: what they say, what they must not reveal, and that bad data affects only its own part."""

import contextlib
import io
import json
import os
import re
import shutil
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from grader.course.gradebook import Found, Grade, Gradebook, Job, Similarity, Student, Submitted, Test
from grader.report import command, source, text
from grader.course.testing.findings import finding_record, message_of
from grader.report.evidence import STORE
from grader.report.explanation import advice, headline, lines_of, paragraphs
from grader.report.figure_store import FigureStore
from grader.report.profiles import Line, load_profile, merged_lines
from grader.report.source import MAX_LINES
from grader.report.well_formed import WellFormed

SAMPLES = Path(__file__).resolve().parent / "testdata"
LAB = "coalescing"
SECRET = "SECRET-SENTENCE"
FINDING = finding_record(
    "too_much", "shared_wavefronts", headline="Too many wavefronts: 32; at most 1 is allowed.",
    why="Shared memory has 32 banks of 4 bytes. Lanes that want different words of one bank are served one after the other.",
    advice="Make the lanes of a warp fall into different banks: pad each row of the tile by one of the elements that a lane reads.",
    sites=[("labs/memory/coalescing/coalescing.cu", 14), ("common/cuda/lab.h", 3), ("labs/memory/coalescing/coalescing.cu", 3),
           ("labs/memory/coalescing/coalescing.cu", 14), ("my_coalescing.cu", 9)])
MESSAGE = message_of(FINDING)


def tests_of(job: str, hidden_status: str, hidden_kind: str = "correctness", hidden: bool = True) -> list[Test]:
    earned = 20 if hidden_status == "passed" else 0
    return [Test(job, 0, f"{LAB}.correctness.every shape is right", "correctness", "passed", 40, 40, "", False),
            Test(job, 1, f"{LAB}.counters.no bank conflicts", "counters", "failed", 0, 30, MESSAGE, False, json.dumps(FINDING)),
            Test(job, 2, f"{LAB}.time.is nearly as fast", "time", "passed", 4, 10, "Half way.", False),
            Test(job, 3, f"{LAB}.{hidden_kind}.{SECRET}", hidden_kind, hidden_status, earned, 20,
                 "" if earned else "SECRET-MESSAGE", hidden)]


class Students(unittest.TestCase):
    """s001 and s002 differ in a hidden test alone; s003's does not compile; s004 handed in nothing; s005 has s001's file."""

    def setUp(self) -> None:
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out)
        self.book = Gradebook.create(self.out / "gradebook.sqlite")
        self.addCleanup(self.book.close)

    def fill(self, hidden: bool = True, kind: str = "correctness") -> None:
        """The hidden test is of a kind; `hidden` False: it was released."""
        reason = f"2 of 4 tests fail; the first, {kind}.{SECRET}: SECRET-MESSAGE."
        with self.book.transaction():
            for key, value in (("labs", f'["{LAB}"]'), ("titles", f'{{"{LAB}": "Coalescing"}}'), ("title", "GPUs")):
                self.book.set_course(key, value)
            self.book.write([Student("s001"), Student("s002"), Student("s003", "<script>alert(1)</script>"), Student("s004"),
                             Student("s005")])
            self.book.write([Job("j1", LAB, "failed", reason, 44, 100, 74.9, "bubblewrap"),
                             Job("j2", LAB, "failed", reason, 64, 100, 74.9, "bubblewrap"),
                             Job("j3", LAB, "build_failed", "Line 3.", 0, 100, None, "bubblewrap")])
            self.book.write([*tests_of("j1", "failed", kind, hidden), *tests_of("j2", "passed", kind, hidden)])
            self.book.write([Test("j3", 0, f"{LAB}.time.is nearly as fast", "time", "not_run", 0, 100, "coalescing.cu:1 says so", False)])
            for student, job in (("s001", "j1"), ("s002", "j2"), ("s003", "j3"), ("s005", "j1")):
                self.book.write([Submitted(student, LAB, "ab" * 32, job, "2026-10-01T12:00:00Z", 1, "x/coalescing.cu", True)])
            self.book.write([Grade("s001", LAB, 44, 100, 2, 0, 0.8, 35.2, "failed", reason),
                             Grade("s002", LAB, 64, 100, 2, 1, 0.9, 57.6, "failed", "2 of 4 tests fail."),
                             Grade("s003", LAB, 0, 100, 0, 0, 1, 0, "build_failed", "It does not compile: line 3."),
                             Grade("s004", LAB, 0, 100, 0, 0, 1, 0, "missing", "Nothing was handed in."),
                             Grade("s005", LAB, 44, 100, 0, 0, 1, 44, "failed", reason)])
            self.book.write([Found("s005", LAB, "suspicion", "reference_file", "x", "SUSPICION"),
                             Found("s005", LAB, "note", "exit", "x", "INSTRUCTORS-NOTE"),
                             Found("s005", LAB, "note", "wrong_suffix", "x", "is called .cuh, and was taken all the same"),
                             Similarity(LAB, "s002", "s005", 0.97, 50, 1)])
        for job in ("j1", "j2"):
            self.job(job)
        folder = self.out / "jobs" / "j3"
        folder.mkdir(parents=True)
        (folder / "coalescing.cu").write_text("int x\n// </pre><script>bad()</script>\n")
        (folder / "build.log").write_text('coalescing.cu(1): error: expected a ";" </pre><script>\n')

    def job(self, name: str) -> None:
        folder = self.out / "jobs" / name
        folder.mkdir(parents=True)
        shutil.copy(SAMPLES / "labs" / "memory" / LAB / "coalescing.cu", folder)
        shutil.copy(SAMPLES / "profile.json", folder / "rungs.json")
        profile = json.loads((SAMPLES / "profile.json").read_text())
        profile["kernels"] = profile["kernels"][1:2]
        (folder / "profile.json").write_text(json.dumps(profile))
        ladder = [{"rung": rung, "title": title, "time_us": time, "measured_us": None, "measured": None, "large": None,
                   "profile": "rungs.json", "kernel": kernel, "library": False, "source": "", "problem": ""}
                  for kernel, (rung, title, time) in enumerate((("naive", "naive", 171.3), ("tiled", "tiled", 74.9), ("padded", "padded tile", 43.2)))]
        (folder / "result.json").write_text(json.dumps({
            "format": "warpbook.job_result", "version": 1, "lab": LAB, "ladder": ladder, "time_us": 74.9, "kernel": 0,
            "profile": "profile.json"}))

    def write(self, form: str = "html", student: str = "", labs: str = "") -> list[str]:
        _, problems = command.write_students(self.book, self.out, form, student, labs)
        return problems

    def folder(self, student: str) -> Path:
        return self.out / "reports" / "students" / student

    def read(self, student: str, form: str = "html") -> str:
        return (self.folder(student) / command.PAGE[form]).read_text(encoding="utf-8")

    def text(self, student: str) -> str:
        parser = WellFormed()
        parser.feed(self.read(student))
        return parser.text

    def run_command(self, *arguments: str) -> tuple[int, str]:
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            status = command.main(["--out", str(self.out), "--jobs", "1", *arguments])
        return status, errors.getvalue()


class PageTest(Students):
    def test_pages_are_well_formed_and_fetch_nothing(self):
        self.fill(hidden=False)
        self.assertEqual(self.write(), [])
        for student in ("s001", "s002", "s003", "s004", "s005"):
            page = self.read(student)
            parser = WellFormed()
            parser.feed(page)
            self.assertEqual(parser.open, [])
            self.assertEqual(len(parser.ids), len(set(parser.ids)), "two elements share an id")
            self.assertNotIn("<script", page)
            self.assertEqual(re.findall(r"(?:src|href|url)=?[\"'(]https?:", page), [])
            for reference in parser.references:
                self.assertRegex(reference, r"^(#|[\w]+\.(png|svg)$)")
                if reference.startswith("#"):
                    self.assertIn(reference[1:], parser.ids)
                else:
                    self.assertTrue((self.folder(student) / reference).is_file(), reference)

    def test_figures_lie_beside_the_page_and_are_told_in_words(self):
        self.fill()
        self.write()
        for name in ("ladder", "sectors", "wavefronts", "roofline"):
            self.assertEqual((self.folder("s001") / f"{LAB}_{name}.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertIn("<svg", (self.folder("s001") / f"{LAB}_{name}.svg").read_text())
        parser = WellFormed()
        parser.feed(self.read("s001"))
        self.assertEqual(len(parser.images), 4)
        self.assertIn("your answer: 74.9 µs", parser.images[0])
        self.assertNotIn("naive", parser.images[1])  # Lines are those of the student's own file.

    def test_says_what_failed_why_and_what_to_try(self):
        self.fill(hidden=False)
        self.write()
        page, text = self.read("s005"), self.text("s005")
        self.assertIn("Too many wavefronts: 32; at most 1 is allowed. Look at line 14. Make the lanes of a warp fall into "
                      "different banks: pad each row of the tile by one of the elements that a lane reads.", text)
        self.assertIn("The next rung of the ladder is", self.text("s002"))
        for kind, passed, points in (("correctness", "1 of 2", "40 / 60"), ("counters", "0 of 1", "0 / 30"), ("time", "1 of 1", "4 / 10")):
            self.assertIn(f'<th scope="row">{kind}</th><td class="n">{passed}</td><td class="n">{points}</td>', page)
        # The line that the test names has a note that leads to the test.
        after = page.split('<td class="n code quiet">14</td>')[1].split("</tr>")[1]
        self.assertIn(f'<a href="#{LAB}-test-2">counters: no bank conflicts</a>', after)
        self.assertIn("load 32 wavefronts (1)", page)

    def test_lateness_is_told_with_its_cost(self):
        self.fill(hidden=False)
        self.write()
        self.assertIn("Handed in 2 days late. 80 % of the points count. The tests give 44; 35.2 of 100 count.", self.text("s001"))
        self.assertIn("Handed in 2 days late. 1 day of grace was used. 90 % of the points count.", self.text("s002"))
        self.assertNotIn("Handed in", self.text("s005"))

    def test_times_are_those_of_the_courses_clocks(self):
        self.fill()
        course = {"format": "warpbook.course", "version": 1, "time_zone": "Europe/Berlin", "labs": {LAB: {"due": "2026-09-30"}},
                  "extensions": [{"student": "s002", "days": 1}]}
        with self.book.transaction():
            self.book.set_course("policy", json.dumps(course))
        for form in ("html", "md"):
            self.write(form)
            self.assertIn("2026-10-01 14:00:00, due 2026-09-30 23:59:59 (Europe/Berlin)", self.read("s001", form))
            self.assertIn("2026-10-01 14:00:00, due 2026-10-01 23:59:59 (Europe/Berlin)", self.read("s002", form))

    def test_what_was_never_run_is_told_too(self):
        self.fill()
        self.write()
        self.assertIn('coalescing.cu(1): error: expected a ";"', self.text("s003"))
        self.assertIn("✗ does not build", self.text("s003"))
        after = self.read("s003").split('<td class="n code quiet">1</td>')[1].split("</tr>")[1]
        self.assertIn('error: expected a &#34;;&#34; &lt;/pre&gt;&lt;script&gt;', after)  # Below the line.
        self.write("md")
        self.assertIn('int x\n     ^ error: expected a ";"', self.read("s003", "md"))
        self.assertIn("○ not handed in", self.text("s004"))
        self.assertIn("Begin with the handout", self.text("s004"))

    def test_a_source_that_is_too_long_is_cut_with_a_word(self):
        self.fill()
        source = self.out / "jobs" / "j1" / "coalescing.cu"
        text = source.read_text()
        source.write_text(text + "// filler\n" * (MAX_LINES - len(text.splitlines())))
        self.write()
        self.assertIn(f'<td class="n code quiet">{MAX_LINES}</td>', self.read("s001"))
        self.assertNotIn("are shown", self.text("s001"))
        source.write_text(text + "// filler\n" * MAX_LINES)
        shutil.rmtree(self.out / "reports")
        for form in ("html", "md"):
            self.write(form)
            shown = f"The file has {len(text.splitlines()) + MAX_LINES:,} lines; only the first {MAX_LINES:,} are shown."
            self.assertIn(shown, self.read("s001", form))
        self.assertNotIn(f">{MAX_LINES + 1}</td>", self.read("s001"))

    def test_only_findings_that_help_are_told_and_nothing_of_other_students(self):
        self.fill()
        for form in ("html", "md"):
            self.write(form)
            page = self.read("s005", form)
            self.assertIn("is called .cuh, and was taken all the same", page)
            for word in ("SUSPICION", "INSTRUCTORS-NOTE", "s002", "0.97", "imilar"):
                self.assertNotIn(word, page)


class HiddenTestsTest(Students):
    def assert_alike(self, form: str) -> None:
        self.assertIn("s001", self.read("s001", form))
        self.assertEqual(self.read("s001", form).replace("s001", "s002"), self.read("s002", form))

    def read_the_same(self, kind: str) -> None:
        self.fill(kind=kind)
        for form in ("html", "md"):
            self.write(form)
            self.assert_alike(form)
            for student in ("s001", "s002"):
                for word in (SECRET, "SECRET-MESSAGE", "of grace", "% of the points count"):
                    self.assertNotIn(word, self.read(student, form))
        self.assertIn("44 / 80 so far", self.read("s001"))
        self.assertIn("1 more test counts", self.read("s001"))

    def test_who_passed_and_who_failed_a_hidden_test_of_correctness_read_the_same(self):
        self.read_the_same("correctness")

    def test_who_passed_and_who_failed_a_hidden_test_of_time_read_the_same(self):
        self.read_the_same("time")

    def test_hidden_tests_of_time_hide_what_was_measured(self):
        self.fill(kind="time")
        self.write()
        self.assertEqual([path.name for path in self.folder("s001").iterdir()], ["index.html"])
        self.assertNotIn("<svg", self.read("s001"))
        self.assertNotIn("Instructions</th>", self.read("s001"))

    def test_figures_go_when_they_are_to_be_hidden(self):
        self.fill(kind="time", hidden=False)
        self.write()
        self.assertTrue(list(self.folder("s001").glob("*.png")))
        with self.book.transaction():
            self.book.write(tests_of("j1", "failed", "time", hidden=True))
        self.write()
        self.assertFalse([path for path in self.folder("s001").iterdir() if path.suffix in (".png", ".svg")])

    def test_released_tests_are_told(self):
        self.fill(hidden=False)
        self.write()
        self.assertIn("SECRET-MESSAGE", self.text("s001"))
        self.assertNotIn("so far", self.text("s001"))


class FilesTest(Students):
    def test_every_format_has_the_same_bytes_twice(self):
        self.fill()
        before = {}
        for _ in range(2):
            for form in ("html", "md", "pdf"):
                self.write(form)
            now = {path.relative_to(self.out): path.read_bytes() for path in self.folder("").rglob("*.*") if path.is_file()}
            self.assertEqual(now, before or now)
            before = now
            shutil.rmtree(self.out / "reports")
        self.assertEqual({path.name for path in before if path.parent.name == "s004"}, {"index.html", "report.md", "report.pdf"})
        pdf = before[Path("reports/students/s001/report.pdf")]
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(len(re.findall(rb"/Type /Page\b", pdf)), 2)
        self.assertNotIn(b"CreationDate", pdf)

    def test_a_job_is_drawn_once_whoever_handed_it_in(self):
        self.fill()
        self.write()
        name = f"{LAB}_ladder.png"
        drawn = self.out / "reports" / command.KEPT / "j1" / name
        self.assertTrue(os.path.samefile(self.folder("s001") / name, self.folder("s005") / name))
        before = drawn.stat().st_mtime_ns
        self.write()
        self.assertEqual(drawn.stat().st_mtime_ns, before)
        drawn.unlink()  # What is missing is drawn again, and so is what has changed.
        self.write()
        self.assertTrue(drawn.is_file())
        before = drawn.stat().st_mtime_ns
        result = self.out / "jobs" / "j1" / "result.json"
        result.write_text(result.read_text().replace("padded tile", "another title"))
        self.write()
        self.assertNotEqual(drawn.stat().st_mtime_ns, before)
        self.assertIn("another title", self.read("s005"))

    def test_an_answer_without_kernels_is_no_damage(self):
        self.fill()
        path = self.out / "jobs" / "j1" / "profile.json"
        profile = json.loads(path.read_text())
        path.write_text(json.dumps(profile | {"kernels": [], "timeline": []}))
        status, errors = self.run_command()
        self.assertEqual((status, errors), (0, ""))

    def test_answers_that_measure_alike_share_their_figures(self):
        self.fill()
        other = self.out / "jobs" / "j2"  # The same but for a comment: another file, the same measurements.
        (other / "coalescing.cu").write_text((other / "coalescing.cu").read_text() + "// mine\n")
        self.write()
        store = self.out / "reports" / command.KEPT / STORE
        self.assertEqual(len(list(store.iterdir())), 8)
        for name in ("ladder", "sectors", "wavefronts", "roofline"):
            for kind in ("png", "svg"):
                one, two = (self.folder(student) / f"{LAB}_{name}.{kind}" for student in ("s001", "s002"))
                self.assertTrue(os.path.samefile(one, two), f"{name}.{kind}")
        result = other / "result.json"
        result.write_text(result.read_text().replace('"time_us": 74.9, "kernel"', '"time_us": 80.9, "kernel"'))
        self.write()
        shared = {name: os.path.samefile(self.folder("s001") / f"{LAB}_{name}.svg", self.folder("s002") / f"{LAB}_{name}.svg")
                  for name in ("ladder", "sectors", "wavefronts", "roofline")}
        self.assertEqual(shared, {"ladder": False, "sectors": True, "wavefronts": True, "roofline": False})
        shutil.rmtree(self.out / "reports" / command.KEPT / "j2")
        (self.folder("s002") / f"{LAB}_ladder.svg").unlink()
        (self.folder("s002") / f"{LAB}_ladder.png").unlink()
        before = len(list(store.iterdir()))
        FigureStore(store).forget()  # Figures that nobody uses any more.
        self.assertLess(len(list(store.iterdir())), before)

    def test_a_damaged_profile_costs_its_figures_only(self):
        self.fill()
        (self.out / "jobs" / "j1" / "profile.json").write_text('{"format": "warpbook.profile"')
        status, errors = self.run_command()
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"no figures of job j1: j1/profile\.json:1:\d+: not valid JSON")
        self.assertIn("There are no figures", self.text("s001"))
        self.assertNotIn(str(self.out), self.read("s001"))
        self.assertIn("<svg", self.read("s002"))

    def test_one_student_is_written_and_others_stay(self):
        self.fill()
        self.write()
        before = self.read("s002")
        (self.folder("s002") / "index.html").write_text("kept")
        self.write(student="s001")
        self.assertEqual(self.read("s002"), "kept")
        self.write()
        self.assertEqual(self.read("s002"), before)

    def test_reports_of_people_who_left_go_and_no_id_leads_out_of_the_folder(self):
        self.fill()
        self.write()
        with self.book.transaction():
            self.book.delete(Student, student="s004")
            self.book.write([Student("../../s666")])
        self.write()
        self.assertFalse(self.folder("s004").exists())
        self.assertEqual(len(list(self.folder("").iterdir())), 5)
        self.assertEqual(list(self.out.glob("s666*")), [])

    def test_wrong_arguments_are_told_with_what_there_is(self):
        self.fill()
        for arguments, message in ((("--student", "s999"), "'s999' is not in the gradebook"),
                                   (("--labs", "sums"), "'sums' was not graded; there are: coalescing")):
            status, errors = self.run_command(*arguments)
            self.assertEqual(status, 2)
            self.assertIn(message, errors)
        self.assertFalse((self.out / "reports").exists())
        status = command.main(["--out", str(self.out / "nothing")])
        self.assertEqual(status, 2)


class SourceTest(unittest.TestCase):
    def test_lines_are_those_that_compilers_count(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.cu"
            for data, lines in ((b"a\r\nb\n", ["a", "b"]), (b"a\x0cb\xe2\x80\xa8c\n\nd", ["a?b\u2028c", "", "d"]), (b"", []),
                                (b"\x1b[2J \xe2\x80\xae\0\n", ["?[2J ??"])):
                path.write_bytes(data)
                self.assertEqual(lines, source.lines_of(path))


class TextTest(unittest.TestCase):
    """An answer's output is plain text in Markdown, too: no tags, no pictures from elsewhere, no table cells."""

    def test_texts_of_strangers_stay_text(self):
        for said, shown in ((r"a<b>", r"a\<b>"), (r"\<script>", r"\\\<script>"), ("![x](http://e/x.png)", r"![x]\(http://e/x.png)"),
                            ("a\n# b", "a # b"), ("out[3] (4)", "out[3] (4)")):
            self.assertEqual(shown, text._line(said))
        row = text._table([["a", "b"], ["x|y", "x\\|y"]], frozenset()).splitlines()[-1]
        self.assertEqual([r"x\|y", r"x\\\|y"], [cell.strip() for cell in row[2:-2].split(" | ")])


class ExplanationTest(unittest.TestCase):
    def test_a_test_is_told_from_its_finding(self):
        test = tests_of("j", "passed")[1]
        self.assertEqual([one.text for one in paragraphs(test)], [one["text"] for one in FINDING["paragraphs"]])
        self.assertEqual(headline(test), "Too many wavefronts: 32; at most 1 is allowed.")
        self.assertTrue(advice(test).endswith("by one of the elements that a lane reads."))
        self.assertEqual(lines_of(test, "coalescing.cu"), [14, 3])

    def test_a_wrong_result_is_told_with_what_it_looks_like(self):
        looks = "2 elements are NaN: something was read that nobody had written yet."
        test = replace(tests_of("j", "passed")[1], finding_json=json.dumps(finding_record("wrong_result", why=looks)))
        self.assertEqual(advice(test), looks)

    def test_a_message_without_a_finding_is_shown_and_not_read(self):
        test = replace(tests_of("j", "passed")[1], finding_json="")
        self.assertEqual(len(paragraphs(test)), len(FINDING["paragraphs"]))
        self.assertEqual((headline(test), advice(test), lines_of(test, "coalescing.cu")), ("", "", []))

    def test_lines_of_several_kernels_are_added_up(self):
        kernel = load_profile(SAMPLES / "profile.json")[1]
        once, twice = merged_lines([kernel]), merged_lines([kernel, replace(kernel)])
        self.assertEqual([line.line for line in once], sorted(line.line for line in kernel.lines))
        for one, two in zip(once, twice):
            self.assertIsInstance(one, Line)
            self.assertEqual(two.inst_executed, 2 * one.inst_executed)
            self.assertEqual([access.sectors for access in two.accesses], [2 * access.sectors for access in one.accesses])


if __name__ == "__main__":
    unittest.main()
