"""Tests that the pages of a class fit on a phone: at 390 pixels, nothing is wider than the page."""

import html
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from grader.course.gradebook import FILE_NAME, Gradebook
from grader.course.testing.sample_class import SampleClass
from grader.report.class_report import class_report
from grader.report.command import write_students

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDTH = 390
# A window of a browser without a screen is 500 pixels wide at least, so the page is shown in a frame.
FRAME = """<body style="margin:0"><iframe src="page.html" style="border:0;width:{width}px;height:60000px" scrolling="no"></iframe>
<script>setTimeout(function () {{
  var page = document.querySelector("iframe").contentDocument, found = document.createElement("pre");
  found.id = "found";
  found.textContent = page.documentElement.clientWidth + " " + page.documentElement.scrollWidth;
  document.body.appendChild(found);
}}, 2000)</script>"""


@unittest.skipUnless(BROWSER, "no browser is installed")
class Phone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def widths(self, page: Path) -> tuple[int, int]:
        """Widths of the window and of its contents."""
        shutil.copyfile(page, self.folder / "page.html")
        (self.folder / "frame.html").write_text(FRAME.format(width=WIDTH), encoding="utf-8")
        line = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                f"--user-data-dir={self.folder / 'profile'}", "--virtual-time-budget=6000", "--dump-dom",
                (self.folder / "frame.html").as_uri()]  # fmt: skip
        done = subprocess.run(line, capture_output=True, text=True, errors="replace", timeout=300, check=False)
        found = re.search(r'<pre id="found">(\d+) (\d+)</pre>', done.stdout)
        if found is None:
            self.skipTest(f"the browser does not run here: {done.stderr[-200:]}")
        return int(found[1]), int(found[2])

    def test_nothing_sticks_out_whatever_people_and_files_are_called(self):
        out = SampleClass(self.folder / "out", 12, ["coalescing", "reduction"]).make()
        long = "x" * 100
        with sqlite3.connect(out / FILE_NAME) as book:
            book.execute("PRAGMA foreign_keys = OFF")
            for table in ("student", "submission", "grade", "finding"):
                book.execute(f"UPDATE {table} SET student = ? WHERE student = 's001'", (long,))
            book.execute("UPDATE student SET name = ? WHERE student = ?", ("N" * 200, long))
            book.execute("UPDATE course SET value = ? WHERE key = 'title'", ("Programming" * 12,))
            book.execute("UPDATE test SET message = ? WHERE status = 'failed'", ("W" * 300 + " is wrong.",))
            book.execute("UPDATE grade SET reason = ?", ("R" * 300,))
            for severity in ("error", "suspicion", "note"):
                book.execute("INSERT INTO finding VALUES (?, 'coalescing', ?, 'nothing_found', ?, ?)",
                             (long, severity, f"class.zip/{'p' * 250}", f"is {'z' * 250}"))  # fmt: skip
        self.assertEqual(self.widths(class_report(out)), (WIDTH, WIDTH))
        with Gradebook.open(out / FILE_NAME) as book:
            page, _ = write_students(book, out, student=long)
        self.assertIn("N" * 200, html.unescape(page.read_text(encoding="utf-8")))
        self.assertEqual(self.widths(page), (WIDTH, WIDTH))


if __name__ == "__main__":
    unittest.main()
