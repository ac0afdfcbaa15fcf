"""Rewords every sentence of recorded verdicts, and compares every report with the one before.

testdata/verdicts.json holds what tests found in solutions and wrong answers (record_verdicts.py wrote it). In the reworded
ones each letter of a sentence is another one and each mark another mark, while digits and lengths stay: reports may differ
in nothing else. One that reads anything out of a sentence does.
"""

import codecs
import copy
import hashlib
import io
import json
import re
import shutil
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from grader.course.exporters import EXPORTERS, export
from grader.course.files import json_text
from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Job, Student, Submitted, Test
from grader.course.task import _reason
from grader.learner.explain import print_reasons, print_tests, summary
from grader.learner.labs import Lab
from grader.learner.progress import LabProgress
from grader.learner.verdict import Verdict, read_records, verdict_of_run
from grader.report import advice, command, student_page

VERDICTS = Path(__file__).parent / "testdata" / "verdicts.json"
SENTENCES = ("headline", "why", "try", "limit_reason", "saw")
LISTS = ("before", "examples", "facts", "more")
MARKS = str.maketrans(".,:;()", "!^~+{}")  # An apostrophe is written with digits in HTML.
SAME_MARKS = str.maketrans(".,:;()!^~+{}", "............")
STATUSES = re.compile("✓ passed|✗ failed|✗ does not build|· not run|○ not started|\\? inconclusive|FAILED|partly|passed")


def reword(text: str) -> str:
    """As long, with the same digits, and no word or mark in common. A point between digits belongs to the number."""
    marked = re.sub(r"(?<!\d)[.,:;()]|[.,:;()](?!\d)", lambda found: found[0].translate(MARKS), text)
    return codecs.encode(marked, "rot13")


def reworded(verdicts: list[dict]) -> list[dict]:
    """Code, commands and file contents are not reworded: they are not sentences."""
    verdicts = copy.deepcopy(verdicts)
    for test in (test for verdict in verdicts for test in verdict["tests"]):
        if (finding := test["finding"]) is None:
            continue
        finding.update({key: reword(finding[key]) for key in SENTENCES})
        finding.update({key: [reword(text) for text in finding[key]] for key in LISTS})
        finding["case"]["text"] = reword(finding["case"]["text"])
        for site in finding["sites"]:
            site.update(label=reword(site["label"]), notes=[reword(text) for text in site["notes"]])
        for one in finding["paragraphs"]:
            one["text"] = one["text"] if one["code"] else reword(one["text"])
        test["message"] = "".join(f"  {' ' * one['indent']}{one['text']}\n" for one in finding["paragraphs"])
    return verdicts


def shape_of(text: str) -> str:
    """What rewording must not change: everything except letters and marks."""
    return re.sub(r"[A-Za-z]", "x", text).translate(SAME_MARKS)


def numbers_in(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


class Reworded(unittest.TestCase):
    def setUp(self) -> None:
        self.verdicts = json.loads(VERDICTS.read_text(encoding="utf-8"))["verdicts"]
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-reworded-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def graded(self, verdicts: list[dict]) -> Path:
        """The folder that grading writes if these answers were handed in, one by each student."""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        labs = sorted({verdict["lab"] for verdict in verdicts})
        with Gradebook.create(out / FILE_NAME) as book, book.transaction():
            for key, value in (("labs", labs), ("titles", {lab: lab for lab in labs})):
                book.set_course(key, json.dumps(value))
            book.set_course("title", "GPUs")
            for i, verdict in enumerate(verdicts):
                book.write(self.rows(out, f"s{i:03}", f"{i:032x}", verdict))
        return out

    def rows(self, out: Path, student: str, job: str, verdict: dict) -> list:
        lab, tests, source = verdict["lab"], verdict["tests"], verdict["source"].encode()
        status = "passed" if all(test["status"] == "passed" for test in tests) else "failed"
        points, most = (sum(test[key] for test in tests) for key in ("points", "max_points"))
        reason = _reason({"status": status, "tests": [{**test, "name": f"{lab}.{test['kind']}.{test['sentence']}"} for test in tests]})
        folder = out / "jobs" / job
        folder.mkdir(parents=True)
        (folder / f"{lab}.cu").write_bytes(source)
        (folder / "job.json").write_text(json_text({"format": "warpbook.job", "version": 1, "source": f"{lab}.cu"}))
        (folder / "result.json").write_text(json_text({
            "format": "warpbook.job_result", "version": 1, "ladder": [], "time_us": 5.0, "kernel": None, "profile": None}))
        return [
            Student(student), Job(job, lab, status, reason, points, most, 5.0, "none"),
            Submitted(student, lab, hashlib.sha256(source).hexdigest(), job, "2026-10-01T12:00:00Z", 1, f"{student}/{lab}.cu", True),
            Grade(student, lab, points, most, 0, 0, 1, points, status, reason),
            *(Test(job, i, f"{lab}.{test['kind']}.{test['sentence']}", test["kind"], test["status"], test["points"],
                   test["max_points"], test["message"], False, json.dumps(test["finding"]) if test["finding"] else "")
              for i, test in enumerate(tests))]

    def checked(self, verdicts: list[dict]) -> str:
        """The output of `warpbook check --all` for each."""
        out = io.StringIO()
        for verdict in verdicts:
            results = Path(tempfile.mkdtemp(dir=self.folder))
            (results / "student").mkdir()
            for i, test in enumerate(verdict["tests"]):
                record = {**test, "format": "warpbook.test", "version": 1, "not_started": False, "run": "one"}
                (results / "student" / f"{i}.json").write_text(json.dumps(record), encoding="utf-8")
            listed = [{"kind": test["kind"], "sentence": test["sentence"], "points": test["max_points"]} for test in verdict["tests"]]
            lab = mock.Mock(spec=Lab, manifest={"results_folder": str(results), "tests": listed})
            lab.name = verdict["lab"]
            self.assertEqual(len(read_records(lab)), len(listed))
            found: Verdict = verdict_of_run(lab, "one", {})
            with redirect_stdout(out):
                print_tests(found.tests)
                print_reasons(found, True)
                print(summary(found, LabProgress()))
        return out.getvalue()

    def reports(self, verdicts: list[dict]) -> dict[str, str]:
        """Every report by its name."""
        out = self.graded(verdicts)
        with redirect_stdout(io.StringIO()):
            for form in ("html", "md"):
                self.assertEqual(command.main(["--out", str(out), "--jobs", "1", "--format", form]), 0)
            with Gradebook.open(out / FILE_NAME) as book:
                list(export([*EXPORTERS], book, out))
        kinds = {".html", ".md", ".csv", ".json", ".xml", ".txt"}
        found = {str(path.relative_to(out)): path.read_text(encoding="utf-8") for path in sorted(out.rglob("*"))
                 if path.suffix in kinds and "jobs" not in path.relative_to(out).parts}
        return {**found, "check": self.checked(verdicts)}

    def differing(self, one: dict[str, str], other: dict[str, str]) -> list[str]:
        self.assertEqual(sorted(one), sorted(other))
        return [name for name in one if shape_of(one[name]) != shape_of(other[name])
                or STATUSES.findall(one[name]) != STATUSES.findall(other[name])]

    def test_other_words_change_no_number_no_status_and_no_order(self):
        as_they_are, in_other_words = self.reports(self.verdicts), self.reports(reworded(self.verdicts))
        self.assertEqual(self.differing(as_they_are, in_other_words), [])
        kinds = {test["finding"]["kind"] for verdict in self.verdicts for test in verdict["tests"] if test["finding"]}
        self.assertGreaterEqual(len(kinds), 19)
        pages = [name for name in as_they_are if name.startswith("reports/students/") and name.endswith(".html")]
        self.assertEqual(len(pages), len(self.verdicts))
        self.assertGreater(len([name for name in as_they_are if as_they_are[name] != in_other_words[name]]), len(pages))
        self.assertGreater(len(numbers_in("".join(as_they_are.values()))), 1000)

    def test_a_report_that_reads_a_sentence_is_found_out(self):
        def lines_in_words(test, name):
            return [int(line) for line in re.findall(rf"{re.escape(name)}:(\d+)", test.message)]

        def guess_in_words(test):
            return test.finding.why if " wrong in " in test.message else ""

        few = self.verdicts[:5]
        self.assertEqual(self.differing(self.reports(few), self.reports(reworded(few))), [])
        for module, name, reader in ((advice, "lines_of", lines_in_words), (student_page, "lines_of", lines_in_words),
                                     (advice, "advice", guess_in_words)):
            with self.subTest(f"{module.__name__}.{name}"), mock.patch.object(module, name, reader):
                self.assertTrue(self.differing(self.reports(few), self.reports(reworded(few))))


if __name__ == "__main__":
    unittest.main()
