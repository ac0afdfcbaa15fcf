"""Tests of recognising which lab a file is for, and of choosing between files for one lab."""

import io
import os
import shutil
import unittest
import zipfile
from datetime import timedelta
from pathlib import Path

from grader.course.intake.fixture import LABS, MOMENT, IntakeTest, answer, zip_of
from grader.course.intake.labs import lab_of_contents, load_labs
from grader.course.intake.names import lab_of_name
from grader.course.intake.times import Times
from grader.workbook.answers import wrong_answers
from grader.workbook.places import place_of

ROOT = Path(__file__).resolve().parents[3]


class NamesOfFiles(IntakeTest):
    def test_a_file_is_found_by_the_name_of_its_lab(self):
        for name in (
            "coalescing.cu",
            "coalescing (1).cu",
            "lab_coalescing_final.cu",
            "Coalescing.CU",
            "COALESCING.cu",
            "lab3-Coalescing-v2.cu",
            "coalescing - Copy.cu",
            "coalescing2.cu",
            "myCoalescing.cu",
            "coalescingfinal.cu",
            "coalescing.cu.txt",
            "coalescing.cpp",
            "coalescing.cu (1)",
            "deep/in/folders/coalescing.cu",
            "labs/memory/coalescing/coalescing.cu",
            "ｃoalescing.cu",
            "coalescing",
        ):
            with self.subTest(name):
                self.put(f"s001/{name}", answer("coalescing", name))
                self.assert_taken(self.take(), ("s001", "coalescing", name))
                shutil.rmtree(self.source / "s001")

    def test_names_of_several_words(self):
        for name in (
            "warp_divergence.cu",
            "warp-divergence.cu",
            "WarpDivergence.cu",
            "lab 4 warp divergence.cu",
            "warpdivergence1.cu",
        ):
            with self.subTest(name):
                self.put(f"s001/{name}", "// nothing that tells")
                self.assertEqual([one.lab for one in self.take().submissions], ["warp_divergence"])
                shutil.rmtree(self.source / "s001")

    def test_a_name_that_tells_two_labs_tells_none(self):
        self.assertIsNone(lab_of_name("coalescing_and_reduction", LABS))
        self.assertIsNone(lab_of_name("homework", LABS))
        self.assertIsNone(lab_of_name("", LABS))
        self.put("s001/coalescing_or_reduction.cu", answer("reduction", 1))
        self.assert_taken(self.take(), ("s001", "reduction", 1))

    def test_a_name_that_does_not_tell_leaves_it_to_the_functions(self):
        self.put("s001/main.cu", answer("coalescing", 1))
        self.put("s001/hw 2.txt", answer("reduction", 2))
        intake = self.take()
        self.assert_taken(intake, ("s001", "coalescing", 1), ("s001", "reduction", 2))
        self.assert_found(
            intake, "told_by_contents", "main.cu", "functions of coalescing", student="s001", severity="note"
        )
        self.assert_found(intake, "wrong_suffix", "hw 2.txt", "reduction.cu")

    def test_functions_in_comments_strings_and_calls_do_not_tell(self):
        text = '// void transpose(float* x) {\n/* void transpose() { } */ const char* a = "void transpose() {";\n'
        text += "void f() { transpose(1); }"
        self.assertIsNone(lab_of_contents(text, self.labs))
        self.assertIsNone(lab_of_contents("void sum_groups(int* x) { }", self.labs))  # in two labs
        self.assertEqual(lab_of_contents('#include "reduction.h"\nvoid sum_groups(int* x) { }', self.labs), "reduction")

    def test_a_file_called_like_one_lab_that_answers_another_goes_there(self):
        self.put("s001/coalescing.cu", answer("reduction", 1))
        intake = self.take()
        self.assert_taken(intake, ("s001", "reduction", 1))
        self.assert_found(intake, "misnamed", "called like coalescing", "functions of reduction", severity="suspicion")

    def test_a_folder_called_like_a_lab_tells_where_nothing_else_does(self):
        self.put("s001/Coalescing/answer.cu", "int x;")
        intake = self.take()
        self.assertEqual([one.lab for one in intake.submissions], ["coalescing"])
        self.assert_found(intake, "told_by_folder", "answer.cu", student="s001")

    def test_openacc_comparison_is_a_cpp_file(self):
        self.put("s001/openacc_comparison.cpp", answer("openacc_comparison", 1))
        self.put("s002/OpenACC Comparison.cu", answer("openacc_comparison", 2))
        intake = self.take()
        self.assert_taken(intake, ("s001", "openacc_comparison", 1), ("s002", "openacc_comparison", 2))
        self.assertEqual({one.path.suffix for one in intake.submissions}, {".cpp"})
        self.assert_found(intake, "wrong_suffix", student="s002")

    def test_files_beyond_the_answers_are_ignored_and_listed(self):
        self.put("s001/coalescing.cu", answer("coalescing"))
        for name in ("report.pdf", "Makefile", "a.out", "helper.cuh", "notes.md", "x/y.h", "z.png"):
            self.put(f"s001/{name}", "x")
        for name in (
            "warpbook_submission.json",
            ".DS_Store",
            "__MACOSX/._coalescing.cu",
            "._coalescing.cu",
            "coalescing.cu~",
            ".git/config",
        ):
            self.put(f"s001/{name}", "x")
        intake = self.take()
        self.assert_taken(intake, ("s001", "coalescing", ""))
        self.assert_found(intake, "extra_files", "7 files are ignored", "and 2 more", student="s001", severity="note")
        self.assertEqual(self.codes(intake), {"extra_files", "no_time"})
        self.assert_found(intake, "no_time", "of 1 file nothing states", "--times", student="", severity="note")

    def test_the_contract_is_no_surprise_unless_it_was_changed(self):
        self.put("s001/coalescing.cu", answer("coalescing"))
        self.put("s001/coalescing.h", self.labs["coalescing"].header.replace(b"\n", b"\r\n"))
        self.assertEqual(self.codes(self.take()), {"no_time"})
        self.put("s001/coalescing.h", "#define transpose not_this")
        self.assert_found(self.take(), "changed_contract", "coalescing.h", student="s001")


class ChoiceOfFiles(IntakeTest):
    def chosen(self, **files: str) -> str:
        """Contents of what is taken for coalescing; names have '__' for '/' and '.cu' added."""
        shutil.rmtree(self.source / "s001", ignore_errors=True)
        for name, contents in files.items():
            self.put(f"s001/{name.replace('__', '/')}.cu", contents)
        self.intake = self.take()
        self.assertEqual([(one.student, one.lab) for one in self.intake.submissions], [("s001", "coalescing")])
        return self.contents(self.intake.submissions[0])

    def test_of_two_files_that_differ_a_name_does_not_say_which_is_meant(self):
        for names in (("coalescing", "coalescing_final"), ("main", "Coalescing_old"), ("coalescing", "coalescing (1)")):
            shutil.rmtree(self.source / "s001", ignore_errors=True)
            for name in names:
                self.put(f"s001/{name}.cu", answer("coalescing", name))
            intake = self.take()
            self.assertEqual(intake.submissions, ())
            for name in names:
                self.assert_found(intake, "two_files", f"{name}.cu", "--decisions", student="s001", severity="error")
            (waiting,) = intake.undecided
            self.assertEqual((waiting.student, waiting.lab), ("s001", "coalescing"))
            self.assertIn(
                f"nothing says which is newer: {' and '.join(sorted(f'{name}.cu' for name in names))}.", waiting.reason
            )

    def test_the_suffix_of_the_lab_tells_the_answer_from_notes(self):
        self.put("s001/coalescing.cu", answer("coalescing", 1))
        self.put("s001/coalescing.txt", answer("coalescing", 2))
        intake = self.take()
        self.assert_taken(intake, ("s001", "coalescing", 1))
        self.assert_found(intake, "two_candidates", "coalescing.txt", "its suffix is the lab's", severity="suspicion")
        self.assert_found(
            intake, "chosen_file", "coalescing.cu", "not coalescing.txt, because its suffix", severity="note"
        )

    def test_the_same_file_under_two_names_is_a_note(self):
        one = answer("coalescing", 1)
        self.assertEqual(self.chosen(coalescing=one, copy__mine=one), one)
        self.assert_found(self.intake, "identical_copy", "mine.cu", "same file as", "coalescing.cu", severity="note")
        self.assertNotIn("two_candidates", self.codes(self.intake))

    def test_work_wins_over_the_skeleton_and_over_an_empty_file(self):
        skeleton, work = answer("coalescing", "TODO"), answer("coalescing", 1)
        self.assertEqual(self.chosen(coalescing=skeleton, main=work), work)
        self.assert_found(
            self.intake, "unworked_file", "coalescing.cu: is an unchanged file of the project", severity="note"
        )
        self.assertEqual(self.chosen(coalescing="", main=work), work)
        self.assert_found(self.intake, "unworked_file", "coalescing.cu: is empty", "main.cu is taken", severity="note")
        self.assertEqual(self.chosen(coalescing=skeleton), skeleton)
        self.assert_found(self.intake, "unchanged_skeleton", student="s001")

    def test_a_reference_handed_in_is_a_suspicion(self):
        self.assertEqual(self.chosen(coalescing=answer("coalescing", "solution")), answer("coalescing", "solution"))
        self.assert_found(self.intake, "reference_file", "solutions/basics/coalescing/coalescing.cu", severity="suspicion")

    def test_a_copy_of_the_whole_project_means_the_file_in_labs(self):
        work = answer("coalescing", 1)
        self.assertEqual(
            self.chosen(
                warpbook__labs__coalescing__coalescing=work,
                warpbook__solutions__coalescing__coalescing=answer("coalescing", "solution"),
                warpbook__grader__labs__coalescing__worker="void run_case() {}",
                warpbook__grader__wrong__coalescing__naive=answer("coalescing", "naive"),
            ),
            work,
        )
        self.assertEqual(self.codes(self.intake), {"no_time"})

    def test_the_newer_one_is_taken_where_times_are_known(self):
        self.put("s002/coalescing.cu", answer("coalescing", 0))
        self.put("s001/a/coalescing.cu", answer("coalescing", "old"))
        self.put("s001/b/coalescing.cu", answer("coalescing", "new"))
        os.utime(self.source / "s001/a/coalescing.cu", (1e9, 1e9))
        self.assertEqual([one.student for one in self.take().submissions], ["s002"])  # Copying changes such times.
        intake = self.take(times=Times(files=True))
        self.assert_taken(intake, ("s001", "coalescing", "new"), ("s002", "coalescing", 0))
        self.assert_found(intake, "two_candidates", "a/coalescing.cu", "it is newer (", "the other 2001-09-09")
        self.assert_found(intake, "chosen_file", "b/coalescing.cu", "not a/coalescing.cu, because it is newer")

    def test_times_in_the_student_s_own_archive_say_which_of_its_files_is_newer(self):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, days in (("coalescing.cu", 2), ("v2/coalescing.cu", 1)):
                info = zipfile.ZipInfo(name, (MOMENT - timedelta(days=days)).timetuple()[:6])
                archive.writestr(info, answer("coalescing", days))
        self.put("s001.zip", stream.getvalue())
        intake = self.take()
        self.assert_taken(intake, ("s001", "coalescing", 1))
        self.assertIsNone(intake.submissions[0].submitted_at)  # Nobody is late, or early, by what they packed.
        self.put("s001.zip", zip_of({f"coalescing ({i}).cu": answer("coalescing", i) for i in (2, 10, 9)}))
        self.assertEqual([one.lab for one in self.take().undecided], ["coalescing"])

    def test_names_that_differ_in_case_only(self):
        self.put(
            "s001.zip", zip_of({"Coalescing.CU": answer("coalescing", 1), "coalescing.cu": answer("coalescing", 2)})
        )
        intake = self.take()
        self.assertEqual([(one.student, one.lab) for one in intake.undecided], [("s001", "coalescing")])
        self.assert_found(intake, "case_clash", "Coalescing.CU / coalescing.cu", student="s001")


class RealLabs(unittest.TestCase):
    def test_every_answer_of_the_project_tells_its_lab_by_its_contents(self):
        labs = load_labs(ROOT)
        self.assertEqual(labs["openacc_comparison"].file, "openacc_comparison.cpp")
        for lab in labs:
            for source in (place_of(lab).student, place_of(lab).solution):
                self.assertEqual(lab_of_contents(source.read_text(), labs), lab, source)
            wrong = wrong_answers(place_of(lab))
            self.assertTrue(wrong, lab)
            for answer_ in wrong:  # Some define nothing themselves.
                self.assertIn(lab_of_contents(answer_.text, labs), (lab, None), answer_.name)


if __name__ == "__main__":
    unittest.main()
