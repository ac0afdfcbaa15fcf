"""Rewords every sentence of recorded verdicts, and compares every view with what it was.

testdata/verdicts.json holds what tests found in answers, every kind of finding among them (record_verdicts.py wrote it). (That
lines `because:` of wrong answers do not depend on words, judge/because.test.cpp shows with the same verdicts.) In the reworded ones each letter of a sentence is another one and each mark another mark, while digits and lengths stay: views
may differ in nothing else. One that reads anything out of a sentence does.
"""

import codecs
import copy
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import unittest
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from unittest import mock

from grader.course import changes, show, summary, task
from grader.course.exporters import EXPORTERS, export, gradebook_csv, gradescope_results, junit, moodle_csv, results_json
from grader.course.files import json_text
from grader.course.finding import Paragraph
from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Job, Student, Submitted, Test
from grader.learner import check_command, explain, hint_command, verdict
from grader.learner.__main__ import main as learner
from grader.learner.labs import load_labs
from grader.learner.progress import LabProgress, Store
from grader.learner.session import Session
from grader.learner.verdict import verdict_of_run
from grader.report import advice, command, results, student_page, style
from grader.report.class_data import LabView
from grader.report.class_mistakes import Mistake, Mistakes
from grader.report.class_report import class_report
from grader.report.cli import write_report
from grader.report.record_verdicts import TWICE, VERDICTS, kinds_in, known_kinds
from grader.workbook.places import place_of

SENTENCES = ("headline", "why", "try", "limit_reason", "saw")
LISTS = ("before", "examples", "facts", "more")
MARKS = str.maketrans(".,:;()", "!^~+{}")  # An apostrophe is written with digits in HTML.
SAME_MARKS = str.maketrans(".,:;()!^~+{}", "............")
STATUSES = re.compile("✓ passed|✗ failed|✗ does not build|· not run|○ not started|\\? inconclusive|FAILED|partly|passed")
SHOWN = {".html", ".md", ".csv", ".json", ".xml", ".txt", ".svg"}


def reword(text: str) -> str:
    """As long, with the same digits, and no word or mark in common. A point between digits belongs to the number."""
    marked = re.sub(r"(?<!\d)[.,:;()]|[.,:;()](?!\d)", lambda found: found[0].translate(MARKS), text)
    return codecs.encode(marked, "rot13")


def reworded(verdicts: list[dict]) -> list[dict]:
    """Code, commands and file contents are not reworded: they are not sentences."""
    verdicts = copy.deepcopy(verdicts)
    for test in (test for verdict in verdicts for test in verdict["tests"]):
        for kept in test["kept"]:
            kept["words"] = reword(kept["words"])
        if (finding := test["finding"]) is None:
            continue
        reword_finding(finding)
        test["message"] = "".join(f"  {' ' * one['indent']}{one['text']}\n" for one in finding["paragraphs"])
    return verdicts


def reword_finding(finding: dict) -> None:
    finding.update({key: reword(finding[key]) for key in SENTENCES})
    finding.update({key: [reword(text) for text in finding[key]] for key in LISTS})
    finding["case"]["text"] = reword(finding["case"]["text"])
    for site in finding["sites"]:
        site.update(label=reword(site["label"]), notes=[reword(text) for text in site["notes"]])
    for one in finding["paragraphs"]:
        one["text"] = one["text"] if one["code"] else reword(one["text"])
    for other in finding.get("also", []):
        reword_finding(other)


def shape_of(text: str) -> str:
    """What rewording must not change: everything except letters and marks."""
    return re.sub(r"[A-Za-z]", "x", text).translate(SAME_MARKS)


def numbers_in(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


class NoPixels:
    """Takes the place of the canvas that writes PNG."""

    def __init__(self, figure: object) -> None:
        pass

    def print_png(self, path: Path) -> None:
        path.write_bytes(b"")


class Views(unittest.TestCase):
    """Every view of verdicts, by its name, as text."""

    def setUp(self) -> None:
        recorded = json.loads(VERDICTS.read_text(encoding="utf-8"))
        self.verdicts, self.ladders = recorded["verdicts"], recorded["ladders"]
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-reworded-"))
        self.addCleanup(shutil.rmtree, self.folder)
        # Figures are compared as SVG; as PNG each would take as long again.
        pixels = mock.patch.object(style, "FigureCanvasAgg", NoPixels)
        pixels.start()
        self.addCleanup(pixels.stop)

    def graded(self, verdicts: list[dict]) -> tuple[Path, list]:
        """The folder that grading leaves where these answers were handed in, one by each student, and the gradebook's rows."""
        out, rows = Path(tempfile.mkdtemp(dir=self.folder)), []
        labs = sorted({verdict["lab"] for verdict in verdicts})
        with Gradebook.create(out / FILE_NAME) as book, book.transaction():
            for key, value in (("labs", labs), ("titles", {lab: lab for lab in labs})):
                book.set_course(key, json.dumps(value))
            book.set_course("title", "GPUs")
            for i, verdict in enumerate(verdicts):
                rows += self.rows(out, f"s{i:03}", f"{i:032x}", verdict)
            book.write(rows)
        return out, rows

    def rows(self, out: Path, student: str, job: str, verdict: dict) -> list:
        lab, tests, source, status = verdict["lab"], verdict["tests"], verdict["source"].encode(), verdict["status"]
        points, most = (sum(test[key] for test in tests) for key in ("points", "max_points"))
        reason = task._reason({"status": status, "tests": [{**test, "name": f"{lab}.{test['kind']}.{test['sentence']}"} for test in tests]})
        folder = out / "jobs" / job
        folder.mkdir(parents=True)
        (folder / f"{lab}.cu").write_bytes(source)
        (folder / "job.json").write_text(json_text({"format": "warpbook.job", "version": 1, "source": f"{lab}.cu"}))
        if verdict["profile"]:
            (folder / "profile.json").write_text(json.dumps(verdict["profile"]))
        (folder / "result.json").write_text(json_text({
            "format": "warpbook.job_result", "version": 1, "ladder": self.ladders.get(lab, []), "time_us": verdict["time_us"],
            "kernel": verdict["kernel"], "profile": "profile.json" if verdict["profile"] else None}))
        return [
            Student(student), Job(job, lab, status, reason, points, most, verdict["time_us"], "none"),
            Submitted(student, lab, hashlib.sha256(source).hexdigest(), job, "2026-10-01T12:00:00Z", 1, f"{student}/{lab}.cu", True),
            Grade(student, lab, points, most, 0, 0, 1, points, status, reason),
            *(Test(job, i, f"{lab}.{test['kind']}.{test['sentence']}", test["kind"], test["status"], test["points"],
                   test["max_points"], test["message"], False, json.dumps(test["finding"]) if test["finding"] else "")
              for i, test in enumerate(tests))]

    def files_in(self, folder: Path) -> dict[str, str]:
        return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*"))
                if path.suffix in SHOWN and "jobs" not in path.relative_to(folder).parts and ".figures" not in path.parts}

    def students(self, verdicts: list[dict]) -> dict[str, str]:
        """`warpbook report`: each student's page, with its figures."""
        out, _ = self.graded(verdicts)
        with Gradebook.open(out / FILE_NAME) as book:
            for form in ("html", "md"):
                self.assertEqual(command.write_students(book, out, form)[1], [])
        return self.files_in(out)

    def classes(self, verdicts: list[dict]) -> dict[str, str]:
        """`warpbook report`: the class's page, with its figures."""
        out, _ = self.graded(verdicts)
        for form in ("html", "md"):
            class_report(out, form=form)
        return self.files_in(out)

    def exports(self, verdicts: list[dict]) -> dict[str, str]:
        """`warpbook export`: gradebook, platforms, JUnit XML, results.json."""
        out, _ = self.graded(verdicts)
        with Gradebook.open(out / FILE_NAME) as book:
            list(export([*EXPORTERS], book, out))
        return self.files_in(out)

    def results_pages(self, verdicts: list[dict]) -> dict[str, str]:
        """The page of results.json, as `cmake --build --preset report` makes it."""
        out, _ = self.graded(verdicts)
        with Gradebook.open(out / FILE_NAME) as book:
            list(export(["results"], book, out))
        for path in sorted((out / "results").glob("*/results.json")):
            write_report(path, path.parent / "page")
        return {name: text for name, text in self.files_in(out).items() if "/page/" in name}

    def instructor(self, verdicts: list[dict]) -> dict[str, str]:
        """`warpbook show`, what `warpbook grade` prints at its end, and why grades changed."""
        out, rows = self.graded(verdicts)
        shown = {}
        for i, verdict in enumerate(verdicts):
            for more in ([], ["--lab", verdict["lab"]]):
                text = io.StringIO()
                with redirect_stdout(text):
                    self.assertEqual(show.main([f"s{i:03}", "--out", str(out), "--build-folder", str(out), *more]), 0)
                shown[f"show s{i:03} {' '.join(more)}"] = text.getvalue().replace(str(out), "OUT")
        before = [replace(row, status="not_run", points=0) if isinstance(row, (Job, Grade, Test)) else row for row in rows]
        changed = changes.changes(1, changes.State.of(before), changes.State.of(rows))
        self.assertTrue(changed)
        return {**shown, "summary": "\n".join(summary.summary(rows, changed)), "why": "\n".join(one.why for one in changed)}

    def workbook(self, verdict: dict) -> tuple[Path, Path]:
        """A project with one lab and the records of a run, named `one`, of its tests. @returns its root and its build folder"""
        project, lab = Path(tempfile.mkdtemp(dir=self.folder)), verdict["lab"]
        build, chapter = project / "build" / "sim", "basics" if lab == TWICE else place_of(lab).chapter
        home = project / "labs" / chapter / lab
        if lab == TWICE:
            home.mkdir(parents=True)
            (home / "lab.json").write_text(json.dumps({"title": "Twice", "order": 1, "points": 1}))
            (home / f"{lab}.h").write_text("/// Doubles.\nvoid twice();\n")
        else:
            shutil.copytree(place_of(lab).folder, home)
        name, results = f"labs/{chapter}/{lab}/{lab}.cu", build / "results" / lab
        for folder in (build / "manifests", results / "student"):
            folder.mkdir(parents=True)
        (project / name).write_text(verdict["source"], encoding="utf-8")
        (build / "program").write_text("")
        listed = [{"kind": test["kind"], "sentence": test["sentence"], "points": test["max_points"]} for test in verdict["tests"]]
        (build / "manifests" / f"{lab}.json").write_text(json.dumps(
            {"lab": lab, "results_folder": str(results), "workers": {name: str(build / "program")}, "tests": listed,
             "test_program": str(build / "program")}))
        for i, test in enumerate(verdict["tests"]):
            record = {**test, "format": "warpbook.test", "version": 1, "run": "one"}
            (results / "student" / f"{i}.json").write_text(json.dumps(record), encoding="utf-8")
        together = {key: sum(test[key] for test in verdict["tests"]) for key in ("points", "max_points")}
        (results / "student.json").write_text(json.dumps(
            {**together, "format": "warpbook.verdict", "version": 1, "run": "one", "status": verdict["status"]}))
        return project, build

    def learner(self, verdicts: list[dict]) -> dict[str, str]:
        """What `warpbook check --all`, `watch`, `next`, `list` and `hint` say of each."""
        said = {}
        for i, given in enumerate(verdicts):
            project, build = self.workbook(given)
            (lab,) = load_labs(build, project)
            found, text = verdict_of_run(lab, "one", {}), io.StringIO()
            with redirect_stdout(text), mock.patch.dict(os.environ, COLUMNS="100"):
                explain.print_tests(found.tests)
                explain.print_reasons(found, True)
                print(explain.summary(found, LabProgress()))
                session = Session([lab], Store(project))
                print(check_command.advice(session, lab, found))
                print(explain.changes(found, LabProgress(tests={test.name: "skipped" for test in found.tests})))
                for words in (["next"], ["list"], ["hint", lab.name], ["hint", lab.name, "--list"]):
                    self.assertEqual(learner([*words, "--project", str(project), "--build-folder", str(build)]), 0)
            said[f"{i}: {given['lab']}, {given['answer']}"] = text.getvalue()
        return said

    def both(self, view: str, verdicts: list[dict]) -> tuple[dict[str, str], dict[str, str]]:
        """A view as it is, and in other words."""
        return getattr(self, view)(verdicts), getattr(self, view)(reworded(verdicts))


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """What differs by more than words."""
    return [name for name in sorted({*one, *other}) if name not in one or name not in other
            or shape_of(one[name]) != shape_of(other[name]) or STATUSES.findall(one[name]) != STATUSES.findall(other[name])]


class Reworded(Views):
    def test_every_kind_of_finding_is_reworded(self):
        self.assertEqual(sorted(kinds_in(self.verdicts)), sorted(known_kinds()))
        headlines = {test["finding"]["headline"] for verdict in self.verdicts for test in verdict["tests"] if test["finding"]}
        self.assertFalse(headlines & set(map(reword, headlines)))

    def compare(self, view: str) -> dict[str, str]:
        one, other = self.both(view, self.verdicts)
        self.assertEqual(differing(one, other), [])
        self.assertNotEqual(one, other)
        self.assertGreater(len(numbers_in("".join(one.values()))), 1000)
        return one

    def test_the_learners_commands_differ_in_words_alone(self):
        self.assertEqual(len(self.compare("learner")), len(self.verdicts))

    def test_students_pages_differ_in_words_alone(self):
        found = self.compare("students")
        self.assertEqual(len([name for name in found if name.endswith(".html")]), len(self.verdicts))
        self.assertGreater(len([name for name in found if name.endswith(".svg")]), 5)

    def test_the_classs_page_differs_in_words_alone(self):
        self.assertGreater(len([name for name in self.compare("classes") if name.endswith(".svg")]), 10)

    def test_exports_differ_in_words_alone(self):
        self.assertEqual({Path(name).suffix for name in self.compare("exports")}, {".csv", ".json", ".xml"})

    def test_pages_of_results_differ_in_words_alone(self):
        self.compare("results_pages")

    def test_what_an_instructor_is_told_differs_in_words_alone(self):
        self.compare("instructor")


def read(text: str) -> str:
    """What somebody would read out of our sentences who parsed them."""
    return str(re.findall(r"wrong in (\d+)|(\d+) byte|(\d+) us|at most (\d+)|:(\d+)", text))


class ReadsSentences(Views):
    """A view that reads a number, a line or a status out of a sentence is found out, whichever it is."""

    def setUp(self) -> None:
        super().setUp()
        wanted = ("no_edge_guard", "rounds_to_half", "tiled_unpadded", "last_slice_too_long")
        self.few = [{**one, "profile": None} for one in self.verdicts if one["answer"] in wanted]  # Without figures of counts.
        self.assertEqual(len(self.few), len(wanted))

    def found_out(self, view: str, place: object, name: str, reader: object) -> None:
        with self.subTest(f"{view}: {name}"), mock.patch.object(place, name, reader):
            self.assertTrue(differing(*self.both(view, self.few)))

    def test_nothing_is_found_where_nobody_reads_a_sentence(self):
        for view in ("learner", "students", "classes", "exports", "results_pages", "instructor"):
            self.assertEqual(differing(*self.both(view, self.few)), [])

    def test_in_the_learners_commands(self):
        result = verdict._result

        def status_in_words(record):
            return replace(result(record), status="failed" if read(record["message"]) != "[]" else "passed")

        self.found_out("learner", explain, "_said", lambda test: read(test.message))
        self.found_out("learner", verdict, "_result", status_in_words)
        self.found_out("learner", verdict.TestResult, "not_started_at", property(lambda test: len(read(test.message))))
        self.found_out("learner", hint_command, "first_part_left", lambda lab: len(
            "".join(read(record.result.message).replace("[]", "") for record in verdict.read_records(lab))) and 2)

    def test_in_students_pages(self):
        def lines_in_words(test, name):
            return [int(line) for line in re.findall(rf"{re.escape(name)}:(\d+)", test.message)]

        self.found_out("students", advice, "lines_of", lines_in_words)
        self.found_out("students", student_page, "lines_of", lines_in_words)
        self.found_out("students", advice, "advice", lambda test: test.finding.why if " wrong in " in test.message else "")
        self.found_out("students", advice, "headline", lambda test: read(test.message))

    def test_in_the_classs_page(self):
        shares = LabView.tests

        def shares_in_words(lab):
            said = [test.name for entry in lab.graded for test in entry.tests if read(test.message) != "[]"]
            return [replace(share, failed=said.count(share.test.name)) for share in shares(lab)]

        def mistake_in_words(_self, tests, _source):
            return Mistake((read("".join(test.message for test in tests)),), "by words", tests[0].name, ())

        self.found_out("classes", LabView, "tests", shares_in_words)
        self.found_out("classes", Mistakes, "of", mistake_in_words)

    def test_in_exports(self):
        self.found_out("exports", task, "_reason", lambda record: read("".join(test["message"] for test in record["tests"])))
        self.found_out("exports", gradebook_csv, "plain", read)
        self.found_out("exports", moodle_csv, "plain", read)
        self.found_out("exports", junit, "clean", read)
        for place in (gradescope_results, results_json):
            written = place._test
            self.found_out("exports", place, "_test", lambda *given, written=written: {**written(*given), "score": read(given[-1].message)})

    def test_in_pages_of_results(self):
        self.found_out("results_pages", results.Test, "sentence", property(lambda test: read(test.message)))

    def test_in_what_an_instructor_is_told(self):
        self.found_out("instructor", show, "paragraphs_of", lambda _, message: (Paragraph(0, read(message)),))
        self.found_out("instructor", summary, "_lab", lambda grades: read("".join(grade.reason for grade in grades)))
        self.found_out("instructor", changes, "_why", lambda _, new, *states: [read(new.reason)])


if __name__ == "__main__":
    unittest.main()
