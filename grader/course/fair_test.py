"""Tests of `warpbook grade` on platforms' exports and people's mistakes: nobody is late because of a download, and nobody who
handed something in is reported as missing."""

import csv
import io
import json
import os
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

from grader.course.gradebook import FILE_NAME, Found, Grade, Gradebook
from grader.course.testing.fake_class import FakeClass
from grader.report.class_report import class_report
from grader.report.command import write_students

PASS, HALF = "tests: passed passed passed", "tests: passed failed passed"
DUE = {"alpha": {"due": "2026-10-02 18:00"}}
DOWNLOADED = (2026, 10, 12, 9, 30, 0)  # Ten days after the due date.
NOTHING = "Nothing was handed in."
CANVAS_ROSTER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab alpha (77)\n    Points Possible,,,,,100\n"
    '"One, Ada",101,a1,ada1,Monday,\n"Two, Bo",102,,bo2,Monday,\n"Three, Cy",103,,,Monday,\n'
    '"Student, Test",199,,3f9ab,Monday,\n'
)


class FairTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.school = FakeClass(Path(folder.name))
        self.school.make_labs()
        self.school.submissions.mkdir()

    def pack(self, name: str, members: dict[str, str | bytes]) -> None:
        """An archive as a platform makes it: every member has the time of the download."""
        with zipfile.ZipFile(self.school.submissions / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, contents in members.items():
                archive.writestr(zipfile.ZipInfo(member, DOWNLOADED), contents)

    def put(self, name: str, contents: str | bytes) -> None:
        path = self.school.submissions / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)

    def write(self, name: str, text: str) -> Path:
        path = self.school.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def grade(self, *arguments: object, status: int = 0) -> str:
        """With `--times files` only where it is asked for."""
        command = self.school.command("grade", self.school.submissions, "--out", self.school.out, *arguments)
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            timeout=120,
        )
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def book(self) -> Gradebook:
        book = Gradebook.open(self.school.out / FILE_NAME)
        self.addCleanup(book.close)
        return book

    def grades(self, lab: str = "alpha") -> dict[str, Grade]:
        return {row.student: row for row in self.book().read(Grade, lab=lab)}

    def table(self, name: str) -> list[dict[str, str]]:
        self.school.run("export", name.split(".")[0], "--out", self.school.out)
        return list(csv.DictReader(io.StringIO((self.school.out / "export" / name).read_text(encoding="utf-8"))))


class Times(FairTest):
    POLICY = {"labs": DUE, "defaults": {"late": {"percent_per_day": 20, "cutoff_days": 5}}}

    def test_a_download_ten_days_later_makes_nobody_late(self):
        self.pack(
            "alpha.zip",
            {f"{who}_10{i}_500{i}_alpha.cu": f"// {PASS} {i}\n" for i, who in ((1, "oneada"), (2, "twobo"))}
            | {"threecy_LATE_103_5003_alpha.cu": f"// {PASS} 3\n"},
        )
        output = self.grade(
            "--roster", self.write("roster.csv", CANVAS_ROSTER), "--policy", self.school.policy(**self.POLICY)
        )
        grades = self.grades()
        self.assertEqual(
            {one: (row.points, row.late_days) for one, row in grades.items()},
            {"a1": (100, 0), "bo2": (100, 0), "103": (80, 1)},
        )
        self.assertIn("marked late by the platform; by how much is not known", grades["103"].reason)
        self.assertEqual(output.count("nothing states the time of submission"), 1, output)
        self.assertIn(
            "Note: of 3 files nothing states the time of submission; nobody is called late for them, but for 1 that "
            "Canvas marks LATE",
            output,
        )
        # More time here than Canvas knows of: its mark says nothing then.
        more = {"extensions": [{"student": "103", "lab": "alpha", "days": 3}]}
        self.grade(
            "--roster", self.write("roster.csv", CANVAS_ROSTER), "--policy", self.school.policy(**self.POLICY, **more)
        )
        self.assertEqual(self.grades()["103"].points, 100)

    def test_moodle_s_worksheet_gives_the_times(self):
        self.pack(
            "alpha.zip",
            {
                f"{who}_{i}_assignsubmission_file_/alpha.cu": f"// {PASS} {i}\n"
                for i, who in ((501, "Ada One"), (502, "Bo Two"))
            },
        )
        sheet = self.write(
            "alpha.csv",
            "Identifier,Full name,Status,Last modified (submission)\n"
            'Participant 501,Ada One,Submitted for grading,"Friday, 2 October 2026, 5:59 PM"\n'
            'Participant 502,Bo Two,Submitted for grading,"Saturday, 3 October 2026, 6:01 PM"\n',
        )
        roster = self.write(
            "roster.csv",
            "First name,Last name,ID number,Email address\nAda,One,,ada@example.org\nBo,Two,7002,bo@example.org\n",
        )
        arguments = ("--roster", roster, "--policy", self.school.policy(**self.POLICY))
        self.assertIn("Note: of 2 files nothing states", self.grade(*arguments))
        self.assertEqual({row.points for row in self.grades().values()}, {100})
        self.assertNotIn("Note:", self.grade(*arguments, "--times", sheet))
        self.assertEqual(
            {one: (row.points, row.late_days) for one, row in self.grades().items()},
            {"ada@example.org": (100, 0), "7002": (60, 2)},
        )
        self.assertIn("was graded with --times", self.grade(*arguments, status=2))
        self.assertEqual(
            [(row["ID number"], row["Email address"]) for row in self.table("moodle.csv")],
            [("7002", "bo@example.org"), ("", "ada@example.org")],
        )

    def test_without_due_dates_nobody_is_bothered_with_times(self):
        self.put("s001/alpha.cu", f"// {PASS}\n")
        self.assertNotIn("Note:", self.grade())


class NeverNothing(FairTest):
    """Each way of handing in something that cannot be graded: a row with the reason, and no points anywhere."""

    def check(self, *students: str, reason: str, labs: tuple[str, ...] = ("alpha",)) -> None:
        for lab in labs:
            grades = self.grades(lab)
            for student in students:
                row = grades[student]
                self.assertEqual(row.status, "not_graded", row)
                self.assertRegex(row.reason, reason)
                self.assertIn("A person must look at it before it counts.", row.reason)
                results = json.loads(
                    (self.school.out / "results" / student / "results.json").read_text(encoding="utf-8")
                )
                self.assertIn(lab, results["not_graded"])
                self.assertEqual(results["missing"], [])
                self.assertEqual(results["reasons"][lab], row.reason)
        book = list(csv.DictReader((self.school.out / "gradebook.csv").read_text(encoding="utf-8").splitlines()))
        for row in book:
            if row["student"] in students:
                self.assertEqual([row[lab] for lab in labs], [""] * len(labs))
        column = {lab: f"Lab {lab}" for lab in labs}
        for row in self.table("canvas.csv")[1:]:
            self.assertEqual(row[column[labs[0]]] == "", row["SIS User ID"] in students, row)
        for row in self.table("moodle.csv"):
            self.assertEqual(row[column[labs[0]]] == "-", row["ID number"] in students, row)
        self.assertNotIn(NOTHING, (self.school.out / "export" / "moodle.csv").read_text(encoding="utf-8"))
        for name in ("gradescope_results", "autolab"):
            self.school.run("export", name, "--out", self.school.out)
        for student in students:
            self.assertEqual(list((self.school.out / "export").glob(f"*/{student}/*.json")), [])
        with Gradebook.open(self.school.out / FILE_NAME) as read:
            write_students(read, self.school.out)
        for student in students:
            page = (self.school.out / "reports" / "students" / student / "index.html").read_text(encoding="utf-8")
            self.assertIn("not graded yet", page)
            self.assertNotIn(NOTHING, page)
            self.assertNotIn("grader itself failed", page)
            self.assertNotIn(str(self.school.folder), page)
            code, shown = self.school.run("show", student, "--out", self.school.out, "--lab", labs[0])
            self.assertEqual(code, 0)
            self.assertRegex(shown, reason)
        shown = class_report(self.school.out).read_text(encoding="utf-8")
        self.assertEqual(shown.count("? no grade yet"), len(students))
        self.assertIn(
            f"{len(students)} submission{'s wait' if len(students) > 1 else ' waits'} for you to decide", shown
        )

    def graded(self, *students: str) -> str:
        """With s001, who hands in an answer."""
        self.put("s001/alpha.cu", f"// {PASS}\n")
        output = self.grade("--roster", self.school.roster("s001", *students))
        self.assertEqual(self.grades()["s001"].points, 100)
        self.assertIn("Wait for your decision", output)
        self.assertIn("--decisions FILE.csv", output)
        return output

    def test_a_file_that_is_too_large(self):
        self.put("s002/alpha.cu", "// " + "x" * 2**20)
        self.graded("s002")
        self.check("s002", reason=r"alpha\.cu has 1048579 bytes; at most 1048576 are read\.")

    def test_links_only(self):
        (self.school.submissions / "s002").mkdir()
        os.symlink("/etc/passwd", self.school.submissions / "s002" / "alpha.cu")
        self.graded("s002")
        self.check("s002", reason="links are not followed")

    def test_a_link_or_a_text_typed_into_canvas(self):
        self.put("alpha/s002_102_link.html", "<a href='https://example.org'>")
        self.put("alpha/s003_LATE_103_text.html", "see above")
        self.graded("s002", "s003")
        self.check("s002", "s003", reason="A link or a text was handed in, and no file")

    def test_a_bomb(self):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
            for i in range(3):
                archive.writestr(f"zeros{i}", bytes(100 * 2**20))
            archive.writestr("alpha.cu", f"// {PASS}\n")
        self.put("s002.zip", inner.getvalue())
        self.graded("s002")
        self.check("s002", reason=r"s002\.zip unpacks to more than 268435456 bytes")

    def test_an_archive_that_cannot_be_read(self):
        self.put("s002.zip", "The upload broke off here.")
        self.put("s003.rar", "Rar!")
        self.graded("s002", "s003")
        self.check("s002", "s003", reason=r"s00\d\.(zip is neither zip nor tar|rar is an archive of a kind)")

    def test_two_students_it_could_belong_to(self):
        roster = self.write("roster.csv", "id,name\ns001,Cy Three\ns002,Ada One\ns003,Ada One\n")
        self.put("alpha/Ada One_5_assignsubmission_file_/alpha.cu", f"// {HALF}\n")
        self.put("alpha/Cy Three_6_assignsubmission_file_/alpha.cu", f"// {PASS}\n")
        self.grade("--roster", roster)
        self.check("s002", "s003", reason="under a name that fits you and somebody else")
        for student in ("s002", "s003"):  # Nobody reads who the other one is.
            other = "s003" if student == "s002" else "s002"
            self.assertNotIn(
                other, (self.school.out / "results" / student / "results.json").read_text(encoding="utf-8")
            )
        # A person decides.
        decisions = self.write(
            "decisions.csv",
            "student,lab,decision\ns003,alpha,in/alpha/Ada One_5_assignsubmission_file_/alpha.cu\ns002,alpha,nothing\n",
        )
        self.grade("--roster", roster, "--decisions", decisions)
        self.assertEqual(
            {one: (row.status, row.points) for one, row in self.grades().items()},
            {"s001": ("passed", 100), "s002": ("missing", 0), "s003": ("failed", 70)},
        )

    def test_two_files_that_differ(self):
        for name, text in (("alpha.cu", PASS), ("alpha_final.cu", HALF)):
            self.put(f"s002/{name}", f"// {text}\n")
        self.graded("s002")
        self.check(
            "s002",
            reason=r"Two files were handed in that differ, and nothing says which is newer: alpha\.cu and alpha_final\.cu\.",
        )
        roster = self.school.roster("s001", "s002")
        decisions = self.write("decisions.csv", "student,lab,decision\ns002,alpha,in/s002/alpha_final.cu\n")
        output = self.grade("--roster", roster, "--decisions", decisions)
        self.assertIn("s002, alpha: 0 -> 70 points (not_graded -> failed)", output)
        self.assertEqual(self.grades()["s002"].points, 70)
        for text, message in (
            (
                "s002,alpha,in/s002/other.cu",
                "decisions.csv:2: 'in/s002/other.cu' is not a file of s002 for alpha; "
                "there are: in/s002/alpha.cu, in/s002/alpha_final.cu",
            ),
            ("s001,alpha,in/nowhere.cu", "is not a file of s001 for alpha; there are: in/s001/alpha.cu"),
            ("s009,alpha,nothing", "'s009' is not on the roster"),
            ("s002,gamma,nothing", "'gamma' is not a lab; there are: alpha, beta"),
            ("s002,alpha,", "decides nothing"),
        ):
            decisions = self.write("decisions.csv", f"student,lab,decision\n{text}\n")
            self.assertIn(message, self.grade("--roster", roster, "--decisions", decisions, status=2))

    def test_the_newer_of_two_files_where_times_are_known_and_the_page_says_why(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as made:
            for name, day, text in (("alpha.cu", 1, HALF), ("new/alpha.cu", 2, PASS)):
                made.writestr(zipfile.ZipInfo(name, (2026, 10, day, 12, 0, 0)), f"// {text}\n")
        self.put("s001.zip", archive.getvalue())
        self.grade()
        self.assertEqual(self.grades()["s001"].points, 100)
        with Gradebook.open(self.school.out / FILE_NAME) as read:
            write_students(read, self.school.out)
        page = (self.school.out / "reports" / "students" / "s001" / "index.html").read_text(encoding="utf-8")
        self.assertIn(
            "s001/new/alpha.cu was graded, and not s001/alpha.cu, because it is newer (2026-10-02 12:00:00, the other 2026-10-01",
            page,
        )

    def test_no_file_of_a_lab(self):
        self.put("s002/readme.txt", "I forgot the file.")
        self.put("s003/report.pdf", b"%PDF-1.7")
        self.graded("s002", "s003")
        self.check("s002", "s003", reason="What was handed in holds no file of a lab")

    def test_work_for_one_lab_is_none_for_another_but_what_came_for_it_counts(self):
        self.put("alpha/Ada_5_assignsubmission_file_/report.pdf", "x")
        self.put("beta/Ada_6_assignsubmission_file_/beta.cu", f"// {PASS}\n")
        self.put("alpha/Bo_7_assignsubmission_file_/alpha.cu", f"// {PASS}\n")
        self.grade()
        self.assertEqual((self.grades()["Ada"].status, self.grades()["Bo"].status), ("not_graded", "passed"))
        self.assertEqual((self.grades("beta")["Ada"].status, self.grades("beta")["Bo"].status), ("passed", "missing"))
        self.assertEqual(self.grades("beta")["Bo"].reason, NOTHING)

    def test_an_empty_folder_is_nothing(self):
        (self.school.submissions / "s002").mkdir()
        self.put("s001/alpha.cu", f"// {PASS}\n")
        self.grade("--roster", self.school.roster("s001", "s002"))
        self.assertEqual((self.grades()["s002"].status, self.grades()["s002"].reason), ("missing", NOTHING))


class Machine(FairTest):
    def test_a_student_reads_nothing_of_the_machine_when_the_grader_fails(self):
        self.put("s001/alpha.cu", "// grader_fails\n")
        output = self.grade(status=1)
        self.assertIn("no space left on device", output)  # The instructor reads why.
        self.assertIn("no space left on device", self.grades()["s001"].reason)
        with Gradebook.open(self.school.out / FILE_NAME) as read:
            write_students(read, self.school.out)
        results = (self.school.out / "results" / "s001" / "results.json").read_text(encoding="utf-8")
        page = (self.school.out / "reports" / "students" / "s001" / "index.html").read_text(encoding="utf-8")
        for text in (results, page):
            self.assertIn("Not graded yet: the grader failed on it, which says nothing about the answer.", text)
            self.assertNotIn("bwrap", text)
            self.assertNotIn("no space left", text)
            self.assertNotIn(str(self.school.folder), text)

    def test_a_copy_that_was_deleted_is_made_again(self):
        self.put("s001/alpha.cu", f"// {PASS}\n")
        self.grade()
        for path in [*self.school.out.glob("jobs/*/alpha.cu"), *self.school.out.glob("files/*")]:
            path.unlink()
        self.grade("--regrade")
        self.assertEqual(self.grades()["s001"].points, 100)


class Text(FairTest):
    def test_utf_16_is_read(self):
        for i, encoding in enumerate(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"), 1):
            self.put(f"s00{i}/alpha.cu", f"// {PASS} é\n".encode(encoding))
        self.grade()
        self.assertEqual({row.points for row in self.grades().values()}, {100})
        copies = {path.read_text(encoding="utf-8") for path in (self.school.out / "files").iterdir()}
        self.assertEqual(copies, {f"// {PASS} é\n"})
        told = {row.student: row.message for row in self.book().read(Found, code="converted")}
        self.assertEqual(sorted(told), ["s001", "s002", "s003"])
        self.assertIn("Save it as UTF-8", told["s001"])
        with Gradebook.open(self.school.out / FILE_NAME) as read:
            write_students(read, self.school.out)
        page = (self.school.out / "reports" / "students" / "s001" / "index.html").read_text(encoding="utf-8")
        self.assertIn("was saved as UTF-16", page)


class Rosters(FairTest):
    def test_canvas_s_own_ids_go_back_to_canvas(self):
        self.pack(
            "alpha.zip", {"oneada_101_5001_alpha.cu": f"// {PASS}\n", "threecy_103_5003_alpha.cu": f"// {HALF}\n"}
        )
        self.grade("--roster", self.write("roster.csv", CANVAS_ROSTER))
        self.assertEqual({one: row.points for one, row in self.grades().items()}, {"a1": 100, "103": 70, "bo2": 0})
        rows = {row["ID"]: row for row in self.table("canvas.csv")[1:]}
        self.assertEqual(
            {key: (row["SIS User ID"], row["SIS Login ID"], row["Lab alpha"]) for key, row in rows.items()},
            {"101": ("a1", "ada1", "100"), "102": ("", "bo2", "0"), "103": ("", "", "70")},
        )


if __name__ == "__main__":
    unittest.main()
