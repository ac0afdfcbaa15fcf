"""Tests of the gradebook: rows come back as written, and unfinished changes are not stored."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from dataclasses import fields, replace
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.gradebook import Grade, Gradebook, History, Job, Run, Student, Submitted, Test
from grader.course.gradebook.rows import ROWS

ROOT = Path(__file__).resolve().parents[3]
JOB = Job("0123", "coalescing", "failed", "The output is wrong.", 40, 100, 12.5, "bubblewrap")
TEST = Test("0123", 0, "coalescing.correctness.every shape, even 1 x 1", "correctness", "failed", 0, 40, "no", True)
GRADE = Grade("s001", "coalescing", 40, 100, 1, 0, 0.9, 36, "failed", "Late by 1 day.")
SUBMITTED = Submitted("s001", "coalescing", "ab" * 32, "0123", "2026-01-02T03:04:05Z", 1, "all.zip/s001/coalescing.cu", True)


class GradebookTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "out" / "gradebook.sqlite"

    def create(self) -> Gradebook:
        book = Gradebook.create(self.path)
        self.addCleanup(book.close)
        return book

    def test_every_table_has_a_class_with_its_columns(self):
        book = self.create()
        tables = set(book._tables()) - {"course"}
        self.assertEqual(tables, {kind.TABLE for kind in ROWS})
        for kind in ROWS:
            columns = {name for name, _ in book._primary_key(kind.TABLE)}
            self.assertEqual(columns, {field.name for field in fields(kind)}, kind.TABLE)

    def test_rows_come_back_as_they_were_written(self):
        book = self.create()
        with book.transaction():
            book.write([Student("s002"), Student("s001", "S. One", "s001@example.org", "A"), JOB, TEST, GRADE, SUBMITTED])
            book.set_course("title", "CUDA")
        with Gradebook.open(self.path) as other:
            self.assertEqual([row.student for row in other.read(Student)], ["s001", "s002"])
            self.assertEqual(other.read(Job), [JOB])
            self.assertEqual(other.read(Test, job="0123"), [TEST])
            self.assertEqual(other.read(Test)[0].sentence, "every shape, even 1 x 1")
            self.assertEqual(other.read(Grade, lab="coalescing", student="s001"), [GRADE])
            self.assertEqual(other.read(Grade, lab="vector_add"), [])
            self.assertEqual(other.chosen()["s001", "coalescing"], replace(SUBMITTED, id=1))
            self.assertEqual(other.course("title"), "CUDA")
            self.assertEqual(other.course("none", "x"), "x")

    def test_a_row_takes_the_place_of_the_one_with_its_key(self):
        book = self.create()
        with book.transaction():
            book.write([JOB, TEST, GRADE])
            book.write([replace(GRADE, points=50), replace(JOB, status="passed")])
        self.assertEqual(book.read(Grade), [replace(GRADE, points=50)])
        self.assertEqual(book.read(Job)[0].status, "passed")
        self.assertEqual(book.read(Test), [TEST])  # Not lost with the job's older row.

    def test_a_failed_transaction_leaves_nothing(self):
        book = self.create()
        with self.assertRaises(RuntimeError), book.transaction():
            book.write([GRADE])
            raise RuntimeError("in the middle")
        with self.assertRaises(sqlite3.IntegrityError), book.transaction():
            book.write([GRADE, replace(GRADE, student="s002", status="splendid")])
        self.assertEqual(book.read(Grade), [])

    def test_a_full_disk_is_called_a_full_disk(self):
        book = self.create()
        with book.transaction():
            book.write([GRADE])
        book._connection.execute("PRAGMA cache_size = 1")  # So that it writes before the end, and not only then.
        book._connection.execute(f"PRAGMA max_page_count = {book._pragma('page_count')}")
        with self.assertRaisesRegex(BatchError, "disk is full"), book.transaction():
            book.write(replace(GRADE, student=f"s{i:04}") for i in range(5000))
        self.assertEqual(book.read(Grade), [GRADE])

    def test_a_killed_process_leaves_nothing_of_its_transaction(self):
        self.create()
        script = ("import sys; from pathlib import Path; from grader.course.gradebook import *\n"
                  f"book = Gradebook.create(Path({str(self.path)!r}))\n"
                  "with book.transaction():\n"
                  "  book.write([Run(1, 'now', None, '{}')])\n"
                  "book._connection.execute('PRAGMA cache_size = 1')\n"  # So that the file is changed before the end.
                  "with book.transaction():\n"
                  "  book.write(History(1, f's{i:05}', 'lab', 1, 'passed', '0123') for i in range(20000))\n"
                  "  print('written', flush=True); sys.stdin.read()\n")
        child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 env={**os.environ, "PYTHONPATH": str(ROOT)})
        self.assertEqual(child.stdout.readline(), b"written\n")
        child.send_signal(signal.SIGKILL)
        child.communicate()
        self.assertTrue(Path(f"{self.path}-journal").exists())
        book = Gradebook.open(self.path)
        self.addCleanup(book.close)
        self.assertEqual(len(book.read(Run)), 1)
        self.assertEqual(book.read(History), [])
        self.assertEqual(book._connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))

    def test_what_is_no_gradebook_is_refused(self):
        with self.assertRaisesRegex(BatchError, "there is no gradebook; `warpbook grade"):
            Gradebook.open(self.path)
        self.path.parent.mkdir()
        self.path.touch()
        with self.assertRaisesRegex(BatchError, "there is no gradebook; `warpbook grade"):
            Gradebook.open(self.path)
        self.create().close()
        self.assertEqual(self.create().read(Grade), [])
        self.path.unlink()
        self.path.write_bytes(b"not a database at all" * 100)
        for opener in (Gradebook.open, Gradebook.create):
            with self.assertRaisesRegex(BatchError, "is not a gradebook or is damaged"):
                opener(self.path)
        self.path.unlink()
        other = sqlite3.connect(self.path)
        other.execute("CREATE TABLE t (x)")
        other.close()
        for opener in (Gradebook.open, Gradebook.create):
            with self.assertRaisesRegex(BatchError, "is a database, but no gradebook"):
                opener(self.path)
        self.path.unlink()
        self.create()._connection.execute("PRAGMA user_version = 9")
        with self.assertRaisesRegex(BatchError, "version 9, but this warpbook reads version 2"):
            Gradebook.open(self.path)


if __name__ == "__main__":
    unittest.main()
