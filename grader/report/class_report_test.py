"""Tests of the class page: from made classes of every size, with the counts that the gradebook has."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from matplotlib.dates import date2num

from grader.course.errors import BatchError
from grader.course.finding import Finding
from grader.course.gradebook import FILE_NAME, Grade, Gradebook, Job, Similarity, Student, Submitted, Test
from grader.course.testing.findings import finding_record, made_finding
from grader.course.testing.sample_class import PROJECT, SampleClass, sample_labs
from grader.report import command
from grader.report.class_counters import COUNTERS, LabCounters, Measured, counters_of
from grader.report.class_data import load_class
from grader.report.class_figures import BINS, after_due, bands_of, submissions_figure, submissions_text, totals_of
from grader.report.class_graph import clusters_of, graph_figure
from grader.report.class_mistakes import BY_CODE, BY_FINDING, BY_SIGNS, KNOWN, Mistakes, WrongAnswer, known_mistakes
from grader.report.class_page import hardest_tests
from grader.report.class_report import class_report
from grader.report.class_scatter import gathered
from grader.report.well_formed import WellFormed


class WithFolder(unittest.TestCase):
    def setUp(self) -> None:
        self.out = Path(tempfile.mkdtemp(prefix="warpbook-class-"))
        self.addCleanup(shutil.rmtree, self.out)

    def add(self, *rows) -> None:
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            book.write(rows)

    def labs(self, *names: str) -> None:
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            book.set_course("labs", json.dumps(names))

    def page(self) -> tuple[str, WellFormed]:
        text = class_report(self.out).read_text(encoding="utf-8")
        parser = WellFormed()
        parser.feed(text)
        self.assertEqual(parser.open, [])
        self.assertEqual(len(parser.ids), len(set(parser.ids)), "two elements have one id")
        return text, parser


def failing(*tests: tuple[str, dict | None]) -> list[Test]:
    """Tests that failed, each with what it found."""
    return [
        Test("j", i, name, name.split(".")[1], "failed", 0, 10, "", False, json.dumps(found) if found else "")
        for i, (name, found) in enumerate(tests)
    ]


def known(lab: str, name: str, finding: Finding | None = None) -> tuple[Mistakes, WrongAnswer]:
    """A lab's mistakes and one of them, of which this finding is recorded."""
    mistakes = Mistakes(PROJECT, lab)
    mistakes.known = [replace(one, finding=finding if one.name == name else one.finding) for one in mistakes.known]
    return mistakes, next(one for one in mistakes.known if one.name == name)


OTHER = finding_record("requirement", "x.test.cpp:1", headline="Something else.")


class ClassPage(WithFolder):
    def test_a_class_has_every_figure_as_png_and_svg_in_words_and_beside_a_table(self):
        SampleClass(self.out, 30, ("vector_add", "coalescing", "reduction"), idle=("reduction",)).make()
        text, parser = self.page()
        names = {
            "points",
            "totals",
            "hardest",
            "submissions",
            "similarity",
            "tests_vector_add",
            "tests_coalescing",
            "scatter_vector_add",
            "scatter_coalescing",
        }
        folder = self.out / "reports"
        self.assertEqual({path.stem for path in folder.glob("*.png")}, names)
        self.assertEqual({path.stem for path in folder.glob("*.svg")}, names)
        self.assertEqual(len(parser.images), len(names))
        self.assertTrue(all(len(words) > 40 for words in parser.images), parser.images)
        self.assertGreater(text.count("<table>"), len(names))
        for reference in parser.references:  # Nothing is fetched, and no link leads nowhere.
            name, _, anchor = reference.partition("#")
            self.assertTrue((folder / name).is_file() if name else anchor in parser.ids, reference)
        self.assertNotIn("<script", text)
        self.assertIsNone(re.search(r"""(src|href|url)\s*[=(]\s*["']?https?:""", text))
        self.assertIn(
            "There is nothing to show yet", text[text.index('id="lab-reduction"') : text.index('id="similar"')]
        )
        self.assertEqual(text.count('class="scroll" role="region" tabindex="0"'), text.count('class="scroll"'))

    def test_the_same_gradebook_gives_the_same_bytes(self):
        SampleClass(self.out, 8, ("vector_add",)).make()
        self.page()
        before = {path.name: path.read_bytes() for path in (self.out / "reports").iterdir()}
        self.page()
        self.assertEqual({path.name: path.read_bytes() for path in (self.out / "reports").iterdir()}, before)

    def test_figures_of_what_is_there_no_more_go(self):
        SampleClass(self.out, 8, ("vector_add",)).make()
        self.page()
        drawn = {path.name for path in (self.out / "reports").glob("*.svg")}
        self.assertIn("similarity.svg", drawn)
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            book.delete(Similarity)
        self.page()
        self.assertEqual({path.name for path in (self.out / "reports").glob("*.svg")}, drawn - {"similarity.svg"})
        self.assertFalse((self.out / "reports" / "similarity.png").exists())

    def test_one_student_is_a_class(self):
        SampleClass(self.out, 1, ("vector_add", "coalescing"), seed=2).make()
        text, _ = self.page()
        self.assertIn("1 student, 2 labs", text)
        self.assertIn("s001", text)

    def test_nobody_and_nothing_is_a_page_too(self):
        self.labs()
        self.assertIn("No lab was graded", self.page()[0])
        self.labs("vector_add")
        self.assertIn("There is nothing to show yet", self.page()[0])

    def test_labs_that_nobody_handed_in_leave_no_figure_of_tests(self):
        SampleClass(self.out, 5, ("vector_add", "coalescing"), idle=("vector_add", "coalescing")).make()
        text, _ = self.page()
        self.assertEqual(text.count("There is nothing to show yet"), 2)
        self.assertIn("Nothing was handed in.", text)
        self.assertEqual({path.stem for path in (self.out / "reports").glob("*.png")}, {"points", "totals"})

    def test_without_times_nothing_is_drawn_over_time_and_it_is_said(self):
        SampleClass(self.out, 12, ("vector_add",), timeless=True).make()
        text, _ = self.page()
        with Gradebook.open(self.out / FILE_NAME) as book:
            attempts = len(book.read(Submitted))
        self.assertIn(f"Of {attempts} attempts the time is not known", text)
        drawn = {path.stem for path in (self.out / "reports").glob("*.png")}
        self.assertFalse(drawn & {"submissions", "scatter_vector_add"})

    def test_texts_of_strangers_are_shown_and_not_obeyed(self):
        self.labs("vector_add")
        self.add(
            Student("<b>s001", "$x$ <script>alert(1)</script>"),
            Student("s002"),
            Submitted("<b>s001", "vector_add", "0" * 64, "j", "no time at all", 1, "x", True),
            Job("j", "vector_add", "failed", "", 0, 20, None, "none"),
            Grade("<b>s001", "vector_add", 0, 20, 0, 0, 1, 0, "failed", "x"),
            Grade("s002", "vector_add", 0, 20, 0, 0, 1, 0, "missing", ""),
            Test(
                "j",
                0,
                "vector_add.correctness.<i>all</i> $is$ right",
                "correctness",
                "failed",
                0,
                20,
                "<img src=x> no",
                False,
                json.dumps(finding_record(headline="<img src=x> no")),
            ),
            Similarity("vector_add", "<b>s001", "s002", 0.9, 12, 1),
        )
        text, parser = self.page()
        for raw in ("<script>alert", "<img", "<b>s001", "<i>all"):
            self.assertNotIn(raw, text)
        for shown in ("<b>s001", "<i>all</i> $is$ right", "<img src=x> no"):
            self.assertIn(shown, parser.text)

    def test_students_are_linked_to_the_pages_that_there_are(self):
        SampleClass(self.out, 3, ("vector_add",)).make()
        for name in ("s001", "s003"):
            (self.out / "reports" / "students" / name).mkdir(parents=True)
            (self.out / "reports" / "students" / name / "index.html").write_text("<!DOCTYPE html>")
        _, parser = self.page()
        linked = {reference for reference in parser.references if reference.startswith("students/")}
        self.assertEqual(linked, {"students/s001/index.html", "students/s003/index.html"})

    def test_the_report_of_all_students_ends_with_the_class_and_links_every_one(self):
        SampleClass(self.out, 3, ("vector_add",), timeless=True).make()
        self.assertEqual(command.main(["--out", str(self.out), "--student", "s001", "--jobs", "1"]), 0)
        self.assertFalse((self.out / "reports" / "index.html").exists())
        self.assertEqual(command.main(["--out", str(self.out), "--jobs", "1"]), 0)
        page = (self.out / "reports" / "index.html").read_text(encoding="utf-8")
        for student in ("s001", "s002", "s003"):
            self.assertIn(f'<a href="students/{student}/index.html">{student}</a>', page)

    def test_a_folder_without_a_gradebook_is_refused_with_what_to_do(self):
        with self.assertRaisesRegex(BatchError, "there is no gradebook"):
            class_report(self.out / "nothing")
        done = subprocess.run(
            [sys.executable, "-m", "grader.report.class_report", self.out / "nothing"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("warpbook grade", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse((self.out / "nothing").exists())
        (self.out / FILE_NAME).write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)
        done = subprocess.run(
            [sys.executable, "-m", "grader.report.class_report", self.out],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("Traceback", done.stderr)


class ClassTexts(WithFolder):
    def test_text_and_pdf_say_what_the_page_says(self):
        SampleClass(self.out, 30, ("vector_add", "coalescing", "reduction"), idle=("reduction",)).make()
        page, parser = self.page()
        text = class_report(self.out, form="md").read_text(encoding="utf-8")
        folder = self.out / "reports"
        for heading in re.findall(r"<h2>(.*?)</h2>", page):
            self.assertIn(f"\n## {heading}\n", text)
        # Every cell and every figure is there, links and details or not.
        self.assertEqual(text.count("\n|--"), len(re.findall(r"<table\b", page)))
        self.assertEqual(len(re.findall(r"^\| ", text, re.M)), page.count("<tr>"))
        pictures = re.findall(r"\]\(([\w]+\.png)\)", text)
        self.assertEqual(len(pictures), len(parser.images))
        for name in pictures:
            self.assertTrue((folder / name).is_file(), name)
        for words in parser.images:
            self.assertIn(words, text)
        self.assertNotIn("</", text)
        row = next(line for line in text.splitlines() if line.startswith("| s030 "))
        self.assertEqual(row.count("|"), 7)
        pdf = class_report(self.out, form="pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(len(re.findall(rb"/Type /Page\b", pdf)), 4)
        self.assertNotIn(b"CreationDate", pdf)
        self.assertTrue((folder / "index.html").is_file())
        self.assertEqual(class_report(self.out, form="pdf").read_bytes(), pdf)

    def test_texts_of_strangers_break_no_table(self):
        self.labs("vector_add")
        self.add(
            Student("<b>s|1", "$x$ <script>\n| a"),
            Grade("<b>s|1", "vector_add", 0, 20, 0, 0, 1, 0, "missing", ""),
        )
        lines = class_report(self.out, form="md").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum(line.startswith("| \\<b>s\\|1 | $x$ \\<script> \\| a ") for line in lines), 1)
        self.assertTrue(class_report(self.out, form="pdf").is_file())

    def test_every_format_of_the_command_writes_the_class_too(self):
        SampleClass(self.out, 2, ("vector_add",), timeless=True).make()
        for form, name in (("md", "class.md"), ("pdf", "class.pdf")):
            self.assertEqual(command.main(["--out", str(self.out), "--jobs", "1", "--format", form]), 0)
            self.assertTrue((self.out / "reports" / name).is_file())


class ClassCounts(WithFolder):
    def small_class(self) -> None:
        """Four students: two right with one file, one wrong, one that does not build."""
        self.labs("vector_add")
        tests = ("vector_add.correctness.is right", "vector_add.time.is fast")
        for job, status, endings in (
            ("a", "passed", ("passed", "passed")),
            ("b", "failed", ("failed", "passed")),
            ("c", "build_failed", ("not_run", "not_run")),
        ):
            self.add(Job(job, "vector_add", status, "", 20, 20, 5.0 if job != "c" else None, "none"))
            self.add(
                *(
                    Test(job, i, name, name.split(".")[1], ending, 0, 10, "", False)
                    for i, (name, ending) in enumerate(zip(tests, endings))
                )
            )
        for i, (job, points) in enumerate((("a", 20), ("a", 20), ("b", 9), ("c", 0)), 1):
            status = {"a": "passed", "b": "failed", "c": "build_failed"}[job]
            self.add(
                Student(f"s00{i}"),
                Submitted(f"s00{i}", "vector_add", job, job, f"2026-10-0{i}T12:00:00+00:00", 1, "x", True),
                Grade(f"s00{i}", "vector_add", points, 20, 0, 0, 1, points, status, ""),
            )
        self.add(Student("s005"), Grade("s005", "vector_add", 0, 20, 0, 0, 1, 0, "missing", ""))

    def test_a_test_is_as_hard_as_the_share_of_the_answers_it_ran_in_that_failed(self):
        self.small_class()
        data = load_class(self.out)
        hard, easy = data.labs[0].tests()
        self.assertEqual(
            (hard.test.name, hard.passed, hard.failed, hard.not_run), ("vector_add.correctness.is right", 2, 1, 1)
        )
        self.assertAlmostEqual(hard.failed_share, 1 / 3)
        self.assertEqual((easy.passed, easy.failed, easy.not_run), (3, 0, 1))
        self.assertEqual([one.test.name for _, one in hardest_tests(data)], ["vector_add.correctness.is right"])
        text = self.page()[0]
        hardest = text[text.index('id="hardest"') : text.index('id="time"')]
        self.assertIn("1 / 3", hardest)
        self.assertIn("33 %", hardest)

    def test_students_are_counted_in_the_band_of_their_points(self):
        self.small_class()
        lab = load_class(self.out).labs[0]
        self.assertEqual(list(bands_of(lab).values()), [2, 0, 1, 1, 0, 1])
        self.assertEqual(lab.median_points, 14.5)
        self.assertEqual(totals_of([0, 9.99, 10, 55, 99.99, 100]), [2, 1, 0, 0, 0, 1, 0, 0, 0, 2])

    def test_due_dates_are_those_of_the_policy_and_attempts_are_counted_around_them(self):
        SampleClass(self.out, 20, ("vector_add", "coalescing")).make()
        data = load_class(self.out)
        due = {lab.name: lab.due for lab in sample_labs(("vector_add", "coalescing"))}
        self.assertEqual({lab.name: lab.due for lab in data.labs}, due)
        with Gradebook.open(self.out / FILE_NAME) as book:
            rows = book.read(Submitted, lab="vector_add")
        extended = data.labs[0].extended
        late = sum(row.moment > extended.get(row.student, due["vector_add"]) for row in rows)
        self.assertGreater(late, 0)
        text = self.page()[0]
        row = re.search(r'<tr><td>Vector addition</td><td class="n">\d+</td><td class="n">(\d+)</td>', text)
        self.assertEqual(int(row[1]), late)
        self.assertIsNone(submissions_figure(data.labs, [], data.zone))

    def test_extensions_are_drawn_and_told_and_make_nobody_late(self):
        self.small_class()
        policy = {
            "format": "warpbook.course",
            "version": 1,
            "labs": {"vector_add": {"due": "2026-10-02T00:00:00Z"}, "coalescing": {"due": "2026-10-02T00:00:00Z"}},
            "extensions": [
                {"student": "s002", "until": "2026-10-09T12:00:00Z"},
                {"student": "s003", "lab": "vector_add", "days": 7},
                {"student": "s004", "lab": "coalescing", "days": 7},
                {"student": "s666", "lab": "vector_add", "days": 70},
            ],
        }
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            book.set_course("policy", json.dumps(policy))
        data = load_class(self.out)
        lab = data.labs[0]
        days = {student: (until - lab.due).total_seconds() / 86400 for student, until in lab.extended.items()}
        self.assertEqual(days, {"s002": 7.5, "s003": 7.0})
        self.assertEqual(after_due(lab, data.submissions), 1)  # s004 alone: its extension is for another lab.
        marks = submissions_figure(data.labs, data.submissions, data.zone).axes[0].collections[0].get_offsets()
        self.assertEqual(len(marks), 2)
        for (place, _), until in zip(sorted(marks.tolist()), sorted(lab.extended.values())):
            self.assertAlmostEqual(place, date2num(until), delta=0.2)  # A bin is 4 hours wide.
        self.assertIn("2 extended, the last until 2026-10-09 12:00", submissions_text(data.labs, data.submissions, data.zone))
        self.assertIn('2, to <span class="when">2026-10-09 12:00</span>', self.page()[0])

    def test_many_extensions_are_as_many_marks_as_there_is_room_for(self):
        self.small_class()
        lab = load_class(self.out).labs[0]
        due = datetime(2026, 10, 2, tzinfo=timezone.utc)
        many = {f"s{i:03}": due + timedelta(hours=i + 1) for i in range(400)}
        figure = submissions_figure([replace(lab, due=due, extended=many)], load_class(self.out).submissions, ZoneInfo("UTC"))
        self.assertLessEqual(len(figure.axes[0].collections[0].get_offsets()), BINS)

    def test_profiles_that_are_not_there_or_damaged_are_left_out_and_counted(self):
        self.small_class()
        folder = self.out / "jobs" / "a"
        folder.mkdir(parents=True)
        (folder / "result.json").write_text('{"profile": "profile.json", "kernel": 0, "ladder": []}')
        metrics = {
            "smsp__inst_executed.sum": 7,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 4,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 2,
        }
        (folder / "profile.json").write_text(json.dumps({"kernels": [{"limiter": "dram", "metrics": metrics}] * 2}))
        (self.out / "jobs" / "b").mkdir()
        (self.out / "jobs" / "b" / "result.json").write_text('{"profile": "profile.json"}')
        (self.out / "jobs" / "b" / "profile.json").write_text('{"kernels": [')
        found = counters_of(self.out, load_class(self.out).labs[0].entries)
        self.assertEqual(
            [(one.time_us, one.limiter, one.answers, one.correct) for one in found.answers], [(5.0, "dram", 2, True)]
        )
        self.assertEqual(found.answers[0].counters, dict(zip(COUNTERS, (12.0, 0.0, 14.0))))
        self.assertEqual(found.without, 2)

    def test_the_counter_that_goes_along_with_time_is_shown(self):
        def program(time: float, *values: float) -> Measured:
            return Measured("", time, dict(zip(COUNTERS, values)), "dram", True, 3)

        found = LabCounters((program(8, 100, 64, 10), program(4, 100, 32, 11), program(2, 100, 16, 10)), (), 0)
        self.assertEqual(found.telling(), "wavefronts of shared memory")
        self.assertEqual(LabCounters(found.answers[:1], (), 0).telling(), "sectors of global memory")
        against = LabCounters((program(8, 10, 0, 3), program(4, 20, 0, 3)), (), 0)  # A counter that never changes tells less yet.
        self.assertEqual(against.telling(), "sectors of global memory")
        self.assertEqual(
            [
                count
                for _, count in gathered([*found.answers, program(8, 100, 64, 10)], "warp instructions", (0.1, 0.1))
            ],
            [6, 3, 3],
        )

    def test_clusters_hold_everybody_of_their_pairs(self):
        pairs = [
            Similarity("a", "s001", "s002", 0.7, 9, 1),
            Similarity("a", "s002", "s003", 0.9, 9, 1),
            Similarity("b", "s001", "s009", 0.8, 9, 1),
        ]
        first, second = clusters_of(pairs)
        self.assertEqual((first.students, first.pairs[0].score), (("s001", "s002", "s003"), 0.9))
        self.assertEqual(second.students, ("s001", "s009"))
        crowd = clusters_of([Similarity("a", f"s{i:03}", f"s{i + 1:03}", 0.6, 9, 1) for i in range(40)])
        places = crowd[0].places(0, 0)
        self.assertEqual(len(set(places.values())), 41)
        self.assertEqual(len(graph_figure(crowd, {}).axes[0].lines), 40)


class ClassMistakes(unittest.TestCase):
    def test_an_answer_with_other_names_resembles_the_wrong_answer_it_was_made_from(self):
        mistakes = Mistakes(PROJECT, "vector_add")
        wrong = next(one for one in mistakes.known if one.name == "rounds_to_half")
        renamed = re.sub(r"\bi\b", "position", re.sub(r"//.*", "", wrong.text))
        self.assertNotEqual(renamed, wrong.text)
        found = mistakes.of(failing((wrong.test, OTHER)), renamed)
        self.assertEqual((found.how, found.what), (BY_CODE, (wrong.mistake,)))

    def test_no_answer_is_taken_for_another_by_its_code(self):
        known_ones = named = 0
        contained: list[str] = []  # A cheat that holds all of another's code and work for show beside it.
        for lab in sample_labs():
            mistakes = Mistakes(PROJECT, lab.name)
            tests = failing(*((name, None) for name in lab.tests))
            known_ones += len(mistakes.known)
            for wrong in mistakes.known:
                found = mistakes.of(tests, wrong.text)
                if found.how == BY_CODE:
                    if wrong.is_cheat and wrong.name.endswith("for_show") and wrong.mistake not in found.what:
                        contained.append(wrong.name)
                        continue
                    self.assertIn(wrong.mistake, found.what, f"{lab.name}: {wrong.name}")
                    self.assertLessEqual(len(found.what), 2, f"{lab.name}: {wrong.name}")
                    named += len(found.what) == 1
            self.assertEqual(mistakes.of(tests, lab.solution).how, BY_FINDING, lab.name)
        self.assertGreater(named, known_ones / 3)
        self.assertLessEqual(len(contained), 3, contained)

    def test_signs_name_every_mistake_that_fits_but_never_a_cheat(self):
        found = made_finding("out_of_bounds", "past_allocation")
        mistakes, wrong = known("vector_add", "no_edge_guard", found)
        other = next(one for one in mistakes.known if one.test == wrong.test and one.name != wrong.name and not one.is_cheat)
        cheat = next(one for one in mistakes.known if one.is_cheat)
        mistakes.known = [
            replace(one, finding=found, test=wrong.test) if one in (wrong, other, cheat) else replace(one, finding=None)
            for one in mistakes.known
        ]
        seen = mistakes.of(failing((wrong.test, finding_record("out_of_bounds", "past_allocation"))), "")
        self.assertEqual((seen.how, seen.what), (BY_SIGNS, tuple(sorted([wrong.mistake, other.mistake]))))
        seen = mistakes.of(failing((wrong.test, finding_record("out_of_bounds", "freed_memory"))), "")
        self.assertEqual(seen.how, BY_FINDING)

    def test_numbers_that_depend_on_the_way_of_access_must_agree(self):
        topic = "shared_load_wavefronts_ratio"
        mistakes, wrong = known("coalescing", "tiled_unpadded",
                                made_finding("too_much", topic, evidence={"found": 31.9, "conflict_degree": 32}))
        for degree, how in ((32.0, BY_SIGNS), (2.0, BY_FINDING)):
            found = finding_record("too_much", topic, evidence={"found": 7.0, "conflict_degree": degree}, function="transpose")
            self.assertEqual(mistakes.of(failing((wrong.test, found)), "").how, how, degree)

    def test_what_follows_from_a_wrong_result_is_no_sign(self):
        mistakes, slow = known("vector_add", "one_block", made_finding("too_slow", "latency"))
        found = finding_record("too_slow", "latency", headline="Too slow: 9 us.")
        self.assertEqual(mistakes.of(failing((slow.test, found)), "").how, BY_FINDING)  # As a hundred others are.
        both = failing((slow.test, found), ("vector_add.correctness.an empty array is no error", OTHER))
        seen = mistakes.of(both, "")
        self.assertEqual((seen.how, seen.what), (BY_FINDING, ("Something else.",)))

    def test_signs_that_any_mistake_may_leave_name_none(self):
        """It is slow, or wrong, or was never written: that is no evidence of a kind of mistake."""
        for kind in ("too_slow", "never_written", "wrong_result", "ended_early", "not_right_yet"):
            mistakes, wrong = known("vector_add", "no_edge_guard", made_finding(kind))
            seen = mistakes.of(failing((wrong.test, finding_record(kind))), "")
            self.assertEqual(seen.how, BY_FINDING, kind)

    def test_the_same_kind_of_mistake_in_another_place_is_another_mistake(self):
        mistakes, wrong = known("coalescing", "barrier_in_branch", made_finding("divergent_barrier", "barrier"))
        kernel = ("__global__ void my_kernel(const float* in, float* out, int n) {\n  int i = threadIdx.x;\n"
                  "  if (i < n) __syncthreads();\n  out[i] = in[i];\n}\n")
        call = "my_kernel<<<1, 32>>>(in, out, rows)"
        there = kernel + f"void transpose(const float* in, float* out, int rows, int cols) {{ {call}; }}\n"
        elsewhere = (kernel + f"void copy_vectorised(const float* in, float* out, int rows) {{ {call}; }}\n"
                     "void transpose(const float* in, float* out, int rows, int cols) { }\n")
        found = finding_record("divergent_barrier", "barrier", sites=[("labs/memory/coalescing/coalescing.cu", 3)])
        seen = mistakes.of(failing((wrong.test, found)), there)
        self.assertEqual(seen.how, BY_SIGNS)
        self.assertIn(wrong.mistake, seen.what)
        self.assertNotIn(wrong.mistake, mistakes.of(failing((wrong.test, found)), elsewhere).what)

    def test_code_of_a_wrong_answer_in_another_function_is_no_evidence(self):
        mistakes, wrong = known("coalescing", "copies_four_floats_one_by_one")
        self.assertEqual(mistakes.of(failing((wrong.test, OTHER)), wrong.text).what, (wrong.mistake,))
        moved = wrong.text.replace("void copy_vectorised(", "void split_records(")
        moved += "void copy_vectorised(const float* in, float* out, int count) {}\n"
        self.assertEqual(mistakes.of(failing((wrong.test, OTHER)), moved).how, BY_FINDING)

    def test_half_of_its_code_is_evidence_only_with_what_its_test_finds(self):
        mistakes, wrong = known("cooperative_groups", "tiles_in_shared_memory", made_finding("too_much", "shared_requests"))
        lines = wrong.text.splitlines()
        partly = "\n".join(line for line in lines if "sums[threadIdx.x] = i < count" not in line)
        found = mistakes.of(failing((wrong.test, finding_record("too_much", "shared_requests"))), partly)
        self.assertEqual((found.how, found.what), (BY_CODE, (wrong.mistake,)))
        other = finding_record("too_much", "warp_instructions")
        self.assertEqual(mistakes.of(failing((wrong.test, other)), partly).how, BY_FINDING)

    def test_findings_of_one_kind_are_counted_together_whatever_their_words_and_numbers(self):
        mistakes = Mistakes(PROJECT, "vector_add")
        test = "vector_add.correctness.an empty array is no error"
        one, other, third = (
            mistakes.of(failing((test, finding_record("wrong_result", topic, headline=words))), "")
            for topic, words in (("scaled", "'out' is wrong in 12 of 1,024 elements."), ("scaled", "Reworded."), ("shifted", "Reworded."))
        )
        self.assertEqual(one, other)
        self.assertNotEqual(other, third)

    def test_an_answer_that_passes_and_a_lab_that_is_unknown_are_no_mistake(self):
        passed = Test("j", 0, "vector_add.time.x", "time", "passed", 1, 1, "", False)
        self.assertIsNone(Mistakes(PROJECT, "vector_add").of([passed], ""))
        self.assertEqual(known_mistakes(PROJECT, "no_lab"), [])
        slow = finding_record("too_slow", headline="Slow.")
        self.assertEqual(Mistakes(PROJECT, "no_lab").of(failing(("no_lab.time.x", slow)), "int i;").what, ("Slow.",))

    def test_what_is_recorded_is_of_wrong_answers_that_there_are(self):
        recorded = json.loads(KNOWN.read_text(encoding="utf-8"))["labs"]
        self.assertTrue(recorded)
        for lab, answers in recorded.items():
            self.assertLessEqual(set(answers), {one.name for one in known_mistakes(PROJECT, lab)}, lab)

    def test_requirements_that_are_recorded_have_names(self):
        """A plain assertion of a lab's test is known by its place, which moves when lines are added above it: use WB_FAIL."""
        for lab, answers in json.loads(KNOWN.read_text(encoding="utf-8"))["labs"].items():
            for name, found in answers.items():
                self.assertNotRegex(found["topic"], r"\.test\.cpp:", f"{lab}, {name}")


if __name__ == "__main__":
    unittest.main()
