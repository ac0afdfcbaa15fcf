"""Tests that every text in a page stays plain text, wherever it comes from."""

import json
import re
import sqlite3
import unittest
from pathlib import Path

from jinja2 import UndefinedError

from grader.course.gradebook import FILE_NAME, Found
from grader.report import command, page
from grader.report.class_report import class_report
from grader.report.student_test import LAB, Students
from grader.report.well_formed import WellFormed

HOSTILE = "<img src=x onerror=alert(1)>\"'{{ 7 * 7 }}</td></pre>&amp;"
TEMPLATES = sorted(Path(page.__file__).with_name("templates").glob("*.html"))


class Templates(unittest.TestCase):
    def test_texts_are_escaped_and_no_template_says_otherwise(self):
        self.assertGreater(len(TEMPLATES), 3)
        shown = page._PAGES.from_string("<p title=\"{{ text }}\">{{ text }}</p>").render(text=HOSTILE)
        self.assertEqual(shown.count("<"), 2)
        self.assertEqual(shown.count('"'), 2)
        self.assertEqual(shown.count("&lt;img"), 2)
        for template in TEMPLATES:
            self.assertIsNone(re.search(r"\|\s*safe|autoescape|Markup", template.read_text(encoding="utf-8")), template.name)

    def test_a_name_that_is_not_given_is_an_error(self):
        with self.assertRaises(UndefinedError):
            page._PAGES.from_string("{{ nothing }}").render()


class Watched(WellFormed):
    """Collects tags and attributes that the project's pages never have."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []

    def handle_starttag(self, tag, attributes):
        super().handle_starttag(tag, attributes)
        source = dict(attributes).get("src", "")
        self.strange += [name for name, _ in attributes if name.startswith("on")]
        if tag == "script" or tag == "img" and not source.startswith("figure:"):
            self.strange.append(tag)


class HostileTexts(Students):
    """Everything that people or programs write: names, titles, messages, files, compilers, profiles."""

    def setUp(self) -> None:
        super().setUp()
        self.fill(hidden=False)
        with self.book.transaction():
            self.book.set_course("title", HOSTILE)
            self.book.set_course("titles", json.dumps({LAB: HOSTILE}))
            self.book.write([Found(student, lab, "note", "extra_files", HOSTILE, HOSTILE) for student in ("s001", "s003") for lab in ("", LAB)])
        with sqlite3.connect(self.out / FILE_NAME) as book:
            book.execute("UPDATE student SET name = ?", (HOSTILE,))
            book.execute("UPDATE grade SET reason = ?", (HOSTILE,))
            book.execute("UPDATE submission SET origin = ?", (HOSTILE,))
            book.execute("UPDATE test SET message = ?, name = ? || '.' || kind || '.' || position || ?", (HOSTILE, LAB, HOSTILE))
        job = self.out / "jobs" / "j1"
        (job / "coalescing.cu").write_text(f"// {HOSTILE}\n" + (job / "coalescing.cu").read_text())
        (self.out / "jobs" / "j3" / "build.log").write_text(f"coalescing.cu(1): error: {HOSTILE}\n")
        result = json.loads((job / "result.json").read_text())
        for rung in result["ladder"]:
            rung["title"] = HOSTILE
        (job / "result.json").write_text(json.dumps(result))
        profile = json.loads((job / "profile.json").read_text())
        for kernel in profile["kernels"]:
            kernel |= {"name": HOSTILE, "limiter": HOSTILE, "model": {**kernel["model"], HOSTILE: 9.0}}
        (job / "profile.json").write_text(json.dumps(profile))

    def check(self, text: str, least: int) -> None:
        parser = Watched()
        parser.feed(text)
        self.assertEqual(parser.open, [])
        self.assertEqual(parser.strange, [])
        self.assertGreaterEqual(parser.text.count(HOSTILE), least)

    def test_a_students_page_shows_them_as_they_are(self):
        self.write()
        self.check(self.read("s001"), 15)
        self.check(self.read("s003"), 8)

    def test_the_class_page_shows_them_as_they_are(self):
        self.check(class_report(self.out).read_text(encoding="utf-8"), 15)

    def test_paper_shows_them_as_they_are(self):
        shown = []
        real, command.pdf_of = command.pdf_of, lambda text, folder: shown.append(text) or b""
        self.addCleanup(setattr, command, "pdf_of", real)
        self.write("pdf", student="s003")
        self.check(shown[0], 8)


if __name__ == "__main__":
    unittest.main()
