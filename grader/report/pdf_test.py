"""Tests of reports on paper: they say the same as the pages, fit on the sheet, and fetch nothing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Student
from grader.course.testing.sample_class import PROJECT
from grader.report.class_report import class_report
from grader.report.pdf import pdf_of
from grader.report.student_test import Students
from grader.report.well_formed import WellFormed

# A 1 x 1 picture.
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
                    "53de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")  # fmt: skip


def tool(*line: str, data: bytes) -> str:
    """Runs one of poppler's programs on a PDF."""
    done = subprocess.run([*line, "-", "-"], input=data, capture_output=True, check=True, timeout=120)
    return done.stdout.decode()


def text_of(pdf: bytes) -> str:
    return tool("pdftotext", "-raw", data=pdf)


def letters(text: str) -> str:
    """What does not depend on where a line was broken."""
    return re.sub(r"\s", "", text)


@unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (common/setup.sh --develop)")
class StudentPdf(Students):
    def pdf(self, student: str) -> bytes:
        return (self.folder(student) / "report.pdf").read_bytes()

    def test_a_students_pdf_says_what_the_page_says(self):
        self.fill(hidden=False)
        self.write()
        self.write("pdf")
        for student in ("s001", "s003", "s004"):
            said = letters(text_of(self.pdf(student)))
            page = self.read(student)
            body = page[page.index("<body>") : page.index("<footer>")]
            for piece in re.findall(r"<(?:h1|h2|h3|li|td|th|p)\b[^>]*>([^<]+)<", body):
                parser = WellFormed()
                parser.feed(piece)
                self.assertIn(letters(parser.text), said)
        text = text_of(self.pdf("s001"))
        self.assertIn("padded tile", text)  # In a figure: its text is text.
        self.assertRegex(text, r"page 1 of \d")

    def test_texts_of_strangers_are_shown_and_not_obeyed(self):
        self.fill()
        self.write("pdf")
        text = letters(text_of(self.pdf("s003")))
        self.assertIn("<script>alert(1)</script>", text)
        self.assertIn("//</pre><script>bad()</script>", text)

    def test_hidden_tests_are_hidden_on_paper_too(self):
        for kind in ("correctness", "time"):
            with self.subTest(kind):
                self.setUp()
                self.fill(kind=kind)
                self.write("pdf")
                one, two = (text_of(self.pdf(student)) for student in ("s001", "s002"))
                self.assertEqual(one.replace("s001", "s002"), two)
                self.assertNotIn("SECRET", one)

    def test_no_path_of_this_machine_and_no_link_to_other_files(self):
        self.fill(hidden=False)
        self.write("pdf")
        self.assertNotIn(b"/URI", self.pdf("s001"))
        self.assertNotIn(str(self.out).encode(), self.pdf("s001"))


class ClassPdf(unittest.TestCase):
    def setUp(self) -> None:
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out)

    @unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (common/setup.sh --develop)")
    def test_wide_tables_stand_within_the_sheet(self):
        labs = [f"lab_{i}" for i in range(12)]
        titles = {lab: f"A lab with a name {i}" for i, lab in enumerate(labs)}
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            book.set_course("labs", json.dumps(labs))
            book.set_course("titles", json.dumps(titles))
            book.write([Student("s" * 60, "a name of three words"), Student("s002", "N" * 80)])
            book.write([Grade(student, lab, 100, 100, 2, 0, 1, 100, "passed", "") for student in ("s" * 60, "s002") for lab in labs])
        pdf = class_report(self.out, form="pdf").read_bytes()
        words = tool("pdftotext", "-bbox", data=pdf)
        sheets = words.split("<page ")[1:]
        for sheet in sheets:
            width = float(re.match(r'width="([\d.]+)"', sheet)[1])
            places = [(float(left), float(right)) for left, right in re.findall(r'xMin="([\d.-]+)" .*?xMax="([\d.-]+)"', sheet)]
            self.assertGreaterEqual(min(left for left, _ in places), 30)
            self.assertLessEqual(max(right for _, right in places), width - 30)
        self.assertIn("Everybody", sheets[-1])
        self.assertEqual(words.count(">✓<"), 24 + 1)  # One in the list of symbols.


class Fetching(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "x.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">drawn</text></svg>')
        (self.folder / "y.png").write_bytes(PNG)

    def shows(self, url: str) -> bool:
        """Whether a picture that a page refers to is visible."""
        empty = len(pdf_of("<p>", self.folder))
        return len(pdf_of(f'<p><img src="{url}" alt="">', self.folder)) > empty + 300

    def test_figures_of_the_page_are_all_that_is_read(self):
        self.assertTrue(self.shows("figure:x"))
        for url in ((self.folder / "y.png").as_uri(), (self.folder / "x.svg").as_uri(), "figure:../x", "y.png", "figure:z",
                    "http://127.0.0.1:9/x.png"):  # fmt: skip
            self.assertFalse(self.shows(url), url)

    def test_the_bytes_are_the_same_in_other_processes_and_at_other_times(self):
        program = ("import sys; from pathlib import Path; from grader.report.pdf import pdf_of\n"
                   "sys.stdout.buffer.write(pdf_of('<h1>Aé ✓</h1><b>bold</b> <code>x</code><img src=figure:x>', Path(sys.argv[1])))")  # fmt: skip
        found = {
            subprocess.run([sys.executable, "-c", program, self.folder], cwd=PROJECT, check=True, capture_output=True,
                           env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}, timeout=300).stdout
            for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
        }  # fmt: skip
        self.assertEqual(len(found), 1)
        self.assertTrue(found.pop().startswith(b"%PDF"))
        self.assertNotIn("SOURCE_DATE_EPOCH", os.environ)


if __name__ == "__main__":
    unittest.main()
