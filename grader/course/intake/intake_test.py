"""Tests of intake: whatever the platform, packing and names, each file goes to the right student and attempt."""

import os
import random
import shutil
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from grader.course.intake.fixture import LABS, MOMENT, IntakeTest, answer, tar_of, zip_of
from grader.course.intake.intake import IntakeError
from grader.course.intake.names import shown
from grader.course.intake.roster import parse_roster
from grader.course.intake.times import Times


class Platforms(IntakeTest):
    def test_canvas(self):
        lecture = zip_of(
            {
                "oneada_101_5001_coalescing.cu": answer("coalescing", "first"),
                "oneada_101_5009_coalescing-1.cu": answer("coalescing", "second"),
                "twobo_LATE_102_5002_work.zip": zip_of({"x/coalescing.cu": answer("coalescing", "b")}),
                "threecy_103_5003_coalescing-2.cu": answer("coalescing", "c"),
                "groede_104_5004_coalescing.cu": answer("coalescing", "nobody"),
                "großedé_105_5005_coalescing.cu": answer("coalescing", "d"),
            }
        )
        intake = self.take(self.roster, source=self.put("submissions.zip", lecture))
        self.assert_taken(
            intake,
            ("s001", "coalescing", "first"),
            ("s001", "coalescing", "second"),
            ("s002", "coalescing", "b"),
            ("s003", "coalescing", "c"),
            ("s004", "coalescing", "d"),
        )
        self.assertEqual([one.attempt for one in intake.submissions], [1, 2, 1, 3, 1])
        self.assertEqual(
            [(one.student, one.submitted_at, one.time_source) for one in intake.unlisted],
            [("groede", None, "none")],
        )
        self.assert_found(intake, "not_on_roster", "'groede'", severity="error")
        self.assert_found(intake, "late_mark", student="s002")
        self.assertEqual(intake.missing, ())

    def test_archives_of_several_assignments_lie_side_by_side(self):
        for number, lab in enumerate(("coalescing", "reduction", "warp_divergence")):
            names = {
                f"{who}_{id_}_5{id_}{number}_{lab}.cu": answer(lab, who)
                for who, id_ in (("oneada", 101), ("twobo", 102))
            }
            self.put(
                f"submissions{f' ({number})' if number else ''}.zip", zip_of(names | {"../x": ""} if number else names)
            )
        labs = ("coalescing", "reduction", "warp_divergence")
        self.assert_taken(
            self.take(self.roster), *((f"s00{i}", lab, who) for i, who in ((1, "oneada"), (2, "twobo")) for lab in labs)
        )
        intake = self.take()
        self.assert_taken(intake, *((who, lab, who) for who in ("oneada", "twobo") for lab in labs))
        self.assert_found(intake, "unsafe_path", "submissions (1).zip", student="")

    def test_without_a_roster_too_a_folder_with_a_file_called_like_canvas_s_is_one_students(self):
        self.put("s001/oneada_101_5001_coalescing.cu", answer("coalescing", 1))
        self.put("s002.zip", zip_of({"twobo_102_5002_coalescing.cu": answer("coalescing", 2)}))
        self.assert_taken(self.take(), ("s001", "coalescing", 1), ("s002", "coalescing", 2))

    def test_files_of_one_canvas_submission_are_one_attempt(self):
        self.put("oneada_101_5001_coalescing.cu", answer("coalescing", 1))
        self.put("oneada_101_5001_coalescing (1).cu", answer("coalescing", 2))
        self.put("oneada_101_5002_report.pdf", "x")  # Canvas numbers files, not submissions.
        intake = self.take(self.roster)
        self.assertEqual([(one.student, one.lab) for one in intake.undecided], [("s001", "coalescing")])
        self.assertNotIn("nothing_found", self.codes(intake))
        self.put("oneada_101_5001_coalescing (1).cu", "")
        self.assert_taken(self.take(self.roster), ("s001", "coalescing", 1))

    def test_canvas_numbers_tell_people_of_one_name_apart(self):
        for number in (7, 8):
            self.put(f"samename_{number}_50{number}_coalescing.cu", answer("coalescing", number))
        intake = self.take()
        self.assert_taken(intake, ("samename", "coalescing", 7), ("samename_8", "coalescing", 8))
        self.assert_found(intake, "same_name", student="samename_8")
        roster = parse_roster('SIS User ID,ID,Student\na1,7,"Name, Same"\na2,8,"Name, Same"\n', "r.csv")
        for name in ("namesame_7_507_coalescing.cu", "namesame_8_508_coalescing.cu"):
            shutil.copy(self.source / f"samename_{name[9]}_50{name[9]}_coalescing.cu", self.source / name)
        self.assert_taken(self.take(roster), ("a1", "coalescing", 7), ("a2", "coalescing", 8))

    def test_a_name_and_a_number_of_two_people_are_a_suspicion(self):
        roster = parse_roster("sis id,id,name\na1,7,Ada One\na2,8,Bo Two\n", "r.csv")
        self.put("oneada_8_501_coalescing.cu", answer("coalescing"))
        intake = self.take(roster)
        self.assertEqual(intake.submissions, ())
        self.assertEqual(
            [(one.student, one.lab) for one in intake.undecided], [("a1", "coalescing"), ("a2", "coalescing")]
        )
        self.assert_found(intake, "two_identities", "number 8 is that of a2", student="a1", severity="suspicion")
        canvas = parse_roster('Student,ID,SIS User ID\n"One, Ada",7,a1\n"Two, Bo",8,a2\n', "r.csv")
        intake = self.take(canvas)  # It has Canvas's own number of everybody, and a name is what somebody chose.
        self.assert_taken(intake, ("a2", "coalescing", ""))
        self.assert_found(intake, "two_identities", "the number was used", student="a2", severity="suspicion")

    def test_a_number_without_a_name_is_a_suspicion(self):
        roster = parse_roster("sis id,id,name\na1,7,Ada One\n", "r.csv")
        self.put("adelaone_7_501_coalescing.cu", answer("coalescing"))
        intake = self.take(roster)
        self.assert_taken(intake, ("a1", "coalescing", ""))
        self.assert_found(intake, "told_by_number", "'adelaone'", "number 7", student="a1", severity="suspicion")

    def test_nobody_hands_in_for_somebody_else_by_the_name_of_a_file(self):
        names = ("twobo_102_5002_coalescing.cu", "Bo Two_12_assignsubmission_file_coalescing.cu", "s002_coalescing.cu")
        for name in names:
            self.put(f"oneada_101_5001_{name}", answer("coalescing", 1))
            self.put(f"Cy Three_9_assignsubmission_file_{name}", answer("coalescing", 3))
            self.put(f"s004/{name}", answer("coalescing", 4))
            self.put("s004/x.zip", zip_of({f"s002/{name}": answer("coalescing", 4), name: answer("coalescing", 4)}))
            with self.subTest(name):
                self.assert_taken(self.take(self.roster), *((f"s00{i}", "coalescing", i) for i in (1, 3, 4)))
            shutil.rmtree(self.source)

    def test_moodle(self):
        self.put("Ada One_12345_assignsubmission_file_/sub/coalescing.cu", answer("coalescing", 1))
        self.put("Bo Two_12346_assignsubmission_file_coalescing.cu", answer("coalescing", 2))
        self.put("Bo Two_12346_assignsubmission_onlinetext_/onlinetext.html", "<p>")
        self.put(
            "Dé Größe_12347_assignsubmission_file_/coalescing.zip", zip_of({"coalescing.cu": answer("coalescing", 4)})
        )
        self.assert_taken(self.take(self.roster), *((f"s00{i}", "coalescing", i) for i in (1, 2, 4)))
        self.assertEqual(self.take(self.roster).missing, ("s003",))
        self.put("again/Ada One_12345_assignsubmission_file_/coalescing.cu", answer("coalescing", "again"))
        intake = self.take(self.roster)  # Another assignment, though the number is the same: which one was last?
        self.assertEqual([(one.student, one.lab) for one in intake.undecided], [("s001", "coalescing")])
        shutil.rmtree(self.source / "again")
        self.assertEqual([one.student for one in self.take().submissions], ["Ada One", "Bo Two", "Dé Größe"])

    METADATA = """---
submission_501:
  :submitters:
  - :name: Ada One
    :sid: s001
    :email: s001@example.org
  - :name: Bo Two
    :sid: ''
    :email: S002@example.org
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-10-10 21:45:03.123456000 Z
    zone: !ruby/object:ActiveSupport::TimeZone
      name: Etc/UTC
    time: 2026-10-10 21:45:03.123456000 Z
  :score: 0.0
  :active: true
submission_502:
  :submitters:
  - :name: Nobody Atall
    :sid: '999'
    :email:
  :created_at: 2026-10-11 10:00:00 +02:00
"""

    def test_gradescope(self):
        members = {
            f"assignment_1_export/{name}": contents
            for name, contents in {
                "submission_metadata.yml": self.METADATA,
                "submission_501/coalescing.cu": answer("coalescing", "pair"),
                "submission_502/coalescing.cu": answer("coalescing", "nobody"),
                "submission_503/coalescing.cu": answer("coalescing", "unknown"),
            }.items()
        }
        intake = self.take(self.roster, source=self.put("export.zip", zip_of(members)))
        self.assert_taken(intake, ("s001", "coalescing", "pair"), ("s002", "coalescing", "pair"))
        moment = datetime(2026, 10, 10, 21, 45, 3, 123456, timezone.utc)
        self.assertEqual(
            [(one.submitted_at, one.time_source) for one in intake.submissions], [(moment, "platform")] * 2
        )
        self.assertEqual([one.student for one in intake.unlisted], ["Nobody Atall", "submission_503"])
        self.assertEqual(intake.unlisted[0].submitted_at, datetime(2026, 10, 11, 8, tzinfo=timezone.utc))
        self.assertEqual(intake.missing, ("s003", "s004"))
        everybody = [one.student for one in self.take(source=self.source / "export.zip").submissions]
        self.assertEqual(everybody, ["999", "S002@example.org", "s001", "submission_503"])

    def test_gradescope_metadata_that_make_no_sense_are_a_finding(self):
        odd = "submission_501:\n  :submitters: 3\n  :created_at: never\n"
        for text in ("a: [", "- 1", "", "[" * 100_000, "!!python/object:os.x {}", "\0", odd):
            self.put("submission_metadata.yml", text)
            self.put("submission_501/coalescing.cu", answer("coalescing"))
            with self.subTest(text[:30]):
                intake = self.take()
                self.assertEqual([one.student for one in intake.submissions], ["submission_501"])
                self.assertEqual("broken_metadata" in self.codes(intake), text != odd)

    def test_a_folder_or_archive_for_each_lab(self):
        self.put(
            "coalescing.zip",
            zip_of({"oneada_101_1_main.cu": "int x;", "twobo_102_2_coalescing.cu": answer("coalescing", 2)}),
        )
        self.put("Reduction/Ada One_9_assignsubmission_file_/reduction.cu", answer("reduction", 3))
        intake = self.take(self.roster)
        self.assertEqual(
            [(one.student, one.lab) for one in intake.submissions],
            [("s001", "coalescing"), ("s001", "reduction"), ("s002", "coalescing")],
        )
        self.assert_found(intake, "told_by_folder", "main.cu", student="s001")

    def test_plain_folders_archives_and_files(self):
        self.put("s001/coalescing.cu", answer("coalescing", 1))
        self.put("s002.tar.gz", tar_of({"coalescing.cu": answer("coalescing", 2)}))
        self.put("s003_coalescing.cu", answer("coalescing", 3))
        self.put("coalescing-s004.cu", answer("coalescing", 4))
        expected = [(f"s00{i}", "coalescing", i) for i in (1, 2, 3, 4)]
        self.assert_taken(self.take(self.roster), *expected)
        self.assert_taken(self.take(), *expected)

    def test_an_archive_of_archives_with_a_folder_around(self):
        inner = {f"week 3/s00{i}.zip": zip_of({"hw/coalescing.cu": answer("coalescing", i)}) for i in (1, 2)}
        inner["week 3/s003.tar.gz"] = tar_of({"coalescing.cu": answer("coalescing", 3)})
        expected = [(f"s00{i}", "coalescing", i) for i in (1, 2, 3)]
        for name, data in (
            ("all.zip", zip_of(inner)),
            ("all.tar.gz", tar_of(inner)),
            ("all.tar.bz2", tar_of(inner, packing="bz2")),
        ):
            with self.subTest(name):
                path = self.put(name, data)
                self.assert_taken(self.take(self.roster, source=path), *expected)
                self.assert_taken(self.take(source=path), *expected)
                self.assert_taken(self.take(), *expected)  # the folder that holds the archive
                path.unlink()

    def test_sections_with_a_roster(self):
        for i in (1, 2, 3):
            self.put(f"section {i % 2}/s00{i}/coalescing.cu", answer("coalescing", i))
        self.assert_taken(self.take(self.roster), *((f"s00{i}", "coalescing", i) for i in (1, 2, 3)))

    def test_a_single_student(self):
        self.put("s001/coalescing/coalescing.cu", answer("coalescing", 1))
        self.put("s001/reduction/reduction.cu", answer("reduction", 2))
        self.assert_taken(self.take(), ("s001", "coalescing", 1), ("s001", "reduction", 2))
        self.assert_taken(self.take(source=self.source / "s001"), ("s001", "coalescing", 1), ("s001", "reduction", 2))


class Students(IntakeTest):
    def test_those_without_a_submission_are_listed(self):
        self.put("s002/coalescing.cu", answer("coalescing"))
        self.put("s003/readme.md", "sorry")
        intake = self.take(self.roster)
        self.assertEqual(intake.missing, ("s001", "s003", "s004"))
        self.assert_found(intake, "nothing_found", "s003", student="s003", severity="error")
        self.assertEqual([one.student for one in intake.students], ["s001", "s002", "s003", "s004"])

    def test_nobody_on_the_roster_is_listed_and_counts_for_nobody(self):
        self.put("s001/coalescing.cu", answer("coalescing", 1))
        self.put("x999/coalescing.cu", answer("coalescing", 2))
        intake = self.take(self.roster)
        self.assert_taken(intake, ("s001", "coalescing", 1))
        self.assertEqual(
            [(one.student, self.contents(one)) for one in intake.unlisted], [("x999", answer("coalescing", 2))]
        )
        self.assert_found(intake, "not_on_roster", "x999")

    def test_a_name_of_two_people_is_nobodys(self):
        roster = parse_roster("id,name\na1,Ada One\na2,Ada One\n", "r.csv")
        self.put("Ada One_5_assignsubmission_file_/coalescing.cu", answer("coalescing"))
        intake = self.take(roster)
        self.assertEqual((intake.submissions, intake.missing), ((), ("a1", "a2")))
        self.assert_found(intake, "ambiguous_student", "a1 or a2", severity="error")

    def test_folders_with_more_than_the_id_in_their_name(self):
        for i, name in enumerate(("s001 - lab", "S002_final", "(s003)", "Größe, Dé"), 1):
            self.put(f"{name}/coalescing.cu", answer("coalescing", i))
        self.assert_taken(self.take(self.roster), *((f"s00{i}", "coalescing", i) for i in (1, 2, 3, 4)))

    def test_a_number_in_a_name_is_not_taken_for_a_short_id(self):
        roster = parse_roster("id,name\n1,Ada One\n2,Bo Two\n", "r.csv")
        self.put("lab 2/readme.txt", "x")
        self.put("1/coalescing.cu", answer("coalescing"))
        self.assertEqual(self.take(roster).missing, ("2",))

    def test_a_source_without_any_submission_is_an_error(self):
        with self.assertRaisesRegex(IntakeError, "holds no submissions"):
            self.take()
        with self.assertRaisesRegex(IntakeError, "No such file"):
            self.take(source=self.folder / "nowhere")
        for name, contents in (("x.txt", "x"), ("x.zip", "PK\x03\x04broken"), ("x.rar", "Rar!")):
            with self.assertRaises(IntakeError):
                self.take(source=self.put(name, contents))

    def test_labs_that_were_not_asked_for_are_passed_over(self):
        self.put("s001/coalescing.cu", answer("coalescing", 1))
        self.put("s001/reduction.cu", answer("reduction", 2))
        self.assert_taken(self.take(only=["reduction"]), ("s001", "reduction", 2))
        self.assertEqual(len(list(self.files.iterdir())), 1)


class AttemptsAndTimes(IntakeTest):
    def test_attempts_are_numbered_by_folder_name_or_time(self):
        self.put("s001/attempt 2/coalescing.cu", answer("coalescing", "b"))
        self.put("s001/attempt 10/coalescing.cu", answer("coalescing", "c"))
        self.put("s001/attempt 1/coalescing.cu", answer("coalescing", "a"))
        for mark, age in (("d", 300), ("f", 100), ("e", 200)):
            os.utime(
                self.put(f"s002_{mark}.zip", zip_of({"coalescing.cu": answer("coalescing", mark)})),
                (2e9 - age, 2e9 - age),
            )
        self.put("s003_attempt2.zip", zip_of({"coalescing.cu": answer("coalescing", "h")}))
        os.utime(self.source / "s003_attempt2.zip", (1e9, 1e9))
        self.put("s003.zip", zip_of({"coalescing.cu": answer("coalescing", "g")}))
        intake = self.take(self.roster, times=Times(files=True))
        self.assertEqual(
            [(one.student, one.attempt, self.contents(one).split()[-1]) for one in intake.submissions],
            [
                ("s001", 1, "a"),
                ("s001", 2, "b"),
                ("s001", 10, "c"),
                ("s002", 1, "d"),
                ("s002", 2, "e"),
                ("s002", 3, "f"),
                ("s003", 1, "g"),
                ("s003", 2, "h"),
            ],
        )
        intake = self.take(self.roster)  # Without times, nothing says which of three files of s002 was the last.
        self.assertEqual([one.student for one in intake.undecided], ["s002"])
        self.assertEqual([one.student for one in intake.submissions], ["s001"] * 3 + ["s003"] * 2)

    def test_a_time_is_that_of_what_the_platform_wrote_not_of_what_the_student_packed(self):
        student = zip_of({"coalescing.cu": answer("coalescing")}, MOMENT - timedelta(days=99))
        self.put("class.zip", zip_of({"s001.zip": student, "s002/coalescing.cu": answer("coalescing")}))
        for one in self.take(source=self.source / "class.zip", times=Times(files=True)).submissions:
            self.assertEqual((one.submitted_at, one.time_source), (MOMENT, "archive"))
        for one in self.take(source=self.source / "class.zip").submissions:
            self.assertEqual((one.submitted_at, one.time_source), (None, "none"))
        (self.source / "class.zip").unlink()
        os.utime(self.put("s001.zip", student), (1.7e9, 1.7e9))
        self.put("s002/coalescing.cu", answer("coalescing"))
        os.utime(self.source / "s002/coalescing.cu", (1.7e9, 1.7e9))
        for one in self.take(times=Times(files=True)).submissions:
            self.assertEqual((one.submitted_at.timestamp(), one.time_source), (1.7e9, "mtime"))

    def test_times_in_a_zip_are_in_the_zone_of_the_course(self):
        from zoneinfo import ZoneInfo

        path = self.put("class.zip", zip_of({"s001/coalescing.cu": answer("coalescing"), "s002/x": ""}))
        intake = self.take(source=path, zone=ZoneInfo("Europe/Berlin"), times=Times(files=True))
        self.assertEqual(intake.submissions[0].submitted_at, MOMENT - timedelta(hours=2))

    def test_a_time_that_nobody_wrote_is_unknown(self):
        members = {"s001/coalescing.cu": answer("coalescing"), "s002/coalescing.cu": answer("coalescing")}
        for data in (
            zip_of(members, datetime(1980, 1, 1)),
            tar_of(members, datetime(1970, 1, 1, tzinfo=timezone.utc), ""),
        ):
            path = self.put("class.zip" if data[:2] == b"PK" else "class.tar", data)
            intake = self.take(source=path, times=Times(files=True))
            for one in intake.submissions:
                self.assertEqual((one.submitted_at, one.time_source), (None, "none"))
            self.assert_found(intake, "no_time", "of 2 files nothing states", student="", severity="note")
            path.unlink()
        for seconds in (0, -5, 10**13):
            path = self.put("s001/coalescing.cu", answer("coalescing"))
            os.utime(path, (0, seconds))
            intake = self.take(times=Times(files=True))
            self.assertEqual([one.time_source for one in intake.submissions], ["none"], seconds)


class Whole(IntakeTest):
    def test_the_same_input_gives_the_same_records_in_whatever_order_it_was_written(self):
        names = [f"s00{i}/{lab}.cu" for i in (1, 2, 3) for lab in LABS] + ["s002/Coalescing.cu", "s004.zip"]
        seen = set()
        for seed in range(4):
            shutil.rmtree(self.source)
            for name in random.Random(seed).sample(names, len(names)):
                lab = Path(name).stem.lower()
                data = zip_of({"mix.cu": answer("warp_divergence")}) if name.endswith("zip") else answer(lab, name)
                os.utime(self.put(name, data), (1.7e9, 1.7e9))
            seen.add(repr(self.take(self.roster)))
        self.assertEqual(len(seen), 1)

    def test_only_files_that_count_are_kept_and_a_damaged_copy_is_written_again(self):
        self.put("s001/coalescing.cu", answer("coalescing", 1))
        self.put("s001/coalescing_old.cu", answer("coalescing", 2))
        self.put("s002/coalescing.cu", answer("coalescing", 1))
        first = self.take().submissions
        self.assertEqual([path.name for path in self.files.iterdir()], [first[0].sha256 + ".cu"])
        first[0].path.write_text("something else")
        (self.files / "kept.cu").write_text("of somebody else")
        self.assertEqual(self.take().submissions, first)
        self.assertEqual(self.contents(first[0]), answer("coalescing", 1))
        self.assertTrue((self.files / "kept.cu").exists())

    def test_the_folder_of_results_may_lie_among_the_submissions(self):
        self.put("s001/coalescing.cu", answer("coalescing"))
        self.put("grades/jobs/1/coalescing.cu", answer("coalescing", "a copy"))
        self.files = self.source / "grades" / "files"
        for _ in range(2):
            self.assert_taken(self.take(), ("s001", "coalescing", ""))

    def test_whatever_the_packing_the_same_answers_come_out(self):
        random_ = random.Random(7)
        variants = (
            "{lab}.cu",
            "{lab} ({n}).cu",
            "lab_{lab}_final.cu",
            "{upper}.CU",
            "src/{lab}.cu",
            "main{n}.cu",
            "a/b/c/my-{lab}.cu",
        )
        for round_ in range(40):
            shutil.rmtree(self.source)
            expected, class_members = [], {}
            for student in ("s001", "s002", "s003"):
                members = {}
                for lab in random_.sample(["coalescing", "reduction", "warp_divergence"], random_.randint(1, 3)):
                    name = random_.choice(variants).format(lab=lab, upper=lab.upper(), n=len(members))
                    mark = f"{round_} {student} {lab}"
                    members[name] = answer(lab, mark)
                    expected.append((student, lab, mark))
                if random_.random() < 0.5:
                    members["notes.md"] = "text"
                for _ in range(random_.randint(0, 2)):
                    members = {random_.choice(["work.zip", "final.zip"]): zip_of(members)}
                match random_.randrange(3):
                    case 0:
                        class_members.update({f"{student}/{name}": data for name, data in members.items()})
                    case 1:
                        class_members[f"{student}.zip"] = zip_of(members)
                    case 2:
                        class_members[f"{student}.tar.gz"] = tar_of(members)
            pack = random_.choice([None, zip_of, tar_of])
            if pack is None:
                for name, data in class_members.items():
                    self.put(name, data)
                source = self.source
            else:
                source = self.put("all.zip" if pack is zip_of else "all.tgz", pack(class_members))
            with self.subTest(round=round_, names=list(class_members)):
                self.assert_taken(self.take(self.roster, source=source), *sorted(expected))
                self.assert_taken(self.take(source=source), *sorted(expected))

    def test_whatever_files_are_called_each_is_taken_or_told_of(self):
        random_ = random.Random(8)
        pieces = [
            "coalescing",
            "Reduction",
            "s001",
            "s002",
            "_",
            " ",
            "-",
            ".",
            "..",
            "(1)",
            "1",
            "LATE",
            "_12_34_",
            "é",
            "\u202e",
            "'",
            "\n",
        ]
        pieces += [
            "copy",
            "assignsubmission_file_",
            "submission_7",
            "attempt 2",
            "lab",
            "final",
            "~",
            "%",
            "\\",
            "ß",
            "*",
            "$(x)",
            "-1",
        ]
        suffixes = [".cu", ".CU", ".cpp", ".txt", "", ".md", ".h", ".cuh", ".cu.txt", ".zip.cu"]
        for round_ in range(150):
            shutil.rmtree(self.source)
            names = set()
            for number in range(random_.randint(1, 5)):
                parts = [
                    "".join(random_.choices(pieces, k=random_.randint(1, 4))) for _ in range(random_.randint(1, 3))
                ]
                name = "/".join(part.strip(".~") or "x" for part in parts) + random_.choice(suffixes)
                text = random_.choice([answer("coalescing", number), answer("reduction", number), "text", ""])
                try:
                    self.put(name, text)
                    names.add(name)
                except OSError:  # A folder of that name is there.
                    continue
            for roster in (None, self.roster):
                intake = self.take(roster)
                origins = {one.origin for one in (*intake.submissions, *intake.unlisted)}
                told = "\n".join(f"{one.path} {one.message}" for one in intake.all_findings())
                for name in names:
                    path = "class/" + shown(name)
                    last = shown(name.split("/")[-1])
                    self.assertTrue(path in origins or path in told or last[:80] in told, (round_, name, told))


if __name__ == "__main__":
    unittest.main()
