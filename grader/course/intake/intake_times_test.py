"""Tests of times of submission: only what states one counts, and a download is never taken for a submission."""

import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from grader.course.intake.fixture import LABS, MOMENT, IntakeTest, answer, tar_of, zip_of
from grader.course.intake.roster import parse_roster
from grader.course.intake.times import Times, TimesError, load_times, parsed_time

UTC = ZoneInfo("UTC")
DUE = MOMENT - timedelta(days=10)
DOWNLOAD = MOMENT  # When the instructor pressed the button: ten days after the due date.
CANVAS = {
    "oneada_101_5001_coalescing.cu": answer("coalescing", 1),
    "twobo_LATE_102_5002_coalescing.cu": answer("coalescing", 2),
    "threecy_103_5003_coalescing.cu": answer("coalescing", 3),
}
MOODLE = {
    f"{who}_{number}_assignsubmission_file_/reduction.cu": answer("reduction", number)
    for who, number in (("Ada One", 501), ("Bo Two", 502))
}


class ListTest(IntakeTest):
    def times(
        self, name: str, text: str, *, option: str = "", titles: dict[str, str] = {}, zone: ZoneInfo = UTC
    ) -> Times:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return load_times([f"{option}{path}"], list(LABS), titles, zone)

    def found(self, intake) -> dict[str, tuple[str, str]]:
        return {
            one.student: (f"{one.submitted_at:%m-%d %H:%M:%S}" if one.submitted_at else "", one.time_source)
            for one in intake.submissions
        }


class Archives(ListTest):
    def test_the_time_of_a_download_is_nobody_s_time_of_submission(self):
        for members in (CANVAS, MOODLE, {f"s00{i}/coalescing.cu": answer("coalescing", i) for i in (1, 2)}):
            for name, data in (("class.zip", zip_of(members, DOWNLOAD)), ("class.tar.gz", tar_of(members, DOWNLOAD))):
                with self.subTest(next(iter(members)), name=name):
                    intake = self.take(
                        self.roster, source=self.put(name, data), due={"coalescing": DUE, "reduction": DUE}
                    )
                    self.assertEqual({one.submitted_at for one in intake.submissions}, {None})
                    told = [one for one in intake.findings if one.code == "no_time"]
                    self.assertEqual(len(told), 1, "it is said once")
                    self.assertIn(f"of {len(members)} files nothing states the time of submission", told[0].message)
                    self.assertIn("--times FILE.csv", told[0].message)

    def test_canvas_s_mark_says_who_is_late(self):
        intake = self.take(self.roster, source=self.put("class.zip", zip_of(CANVAS, DOWNLOAD)))
        self.assertEqual([one.marked_late for one in intake.submissions], [False, True, False])
        self.assert_found(intake, "late_mark", "counts as 1 day late", student="s002")
        self.assert_found(intake, "no_time", "but for 1 that Canvas marks LATE")

    def test_times_of_files_count_where_the_instructor_says_so_but_not_those_of_a_copy(self):
        due = {"coalescing": DUE}
        for i, hours in ((1, -30), (2, -20), (3, 30)):
            members = {"coalescing.cu": answer("coalescing", i)}
            self.put(f"s00{i}.tar.gz", tar_of(members))
            self.touch(f"s00{i}.tar.gz", DUE + timedelta(hours=hours))
        self.assertEqual({source for _, source in self.found(self.take(self.roster, due=due)).values()}, {"none"})
        intake = self.take(self.roster, due=due, times=Times(files=True))
        self.assertEqual({source for _, source in self.found(intake).values()}, {"mtime"})
        for i in (1, 2, 3):  # A copy: all within minutes, long after the due date.
            self.touch(f"s00{i}.tar.gz", DUE + timedelta(days=10, minutes=i))
        intake = self.take(self.roster, due=due, times=Times(files=True))
        self.assertEqual({source for _, source in self.found(intake).values()}, {"none"})
        self.assert_found(
            intake, "copied_times", "all files for coalescing", "long after the due date", severity="note"
        )
        for i in (1, 2, 3):  # The last minutes before the due date are crowded, and no copy.
            self.touch(f"s00{i}.tar.gz", DUE - timedelta(minutes=i))
        intake = self.take(self.roster, due=due, times=Times(files=True))
        self.assertEqual({source for _, source in self.found(intake).values()}, {"mtime"})

    def test_platforms_archives_have_no_times_even_so(self):
        intake = self.take(self.roster, source=self.put("class.zip", zip_of(CANVAS, DOWNLOAD)), times=Times(files=True))
        self.assertEqual({source for _, source in self.found(intake).values()}, {"none"})

    def test_a_note_beside_an_answer_is_nothing_to_decide_on(self):
        self.put("s001_coalescing.cu", answer("coalescing"))
        self.put("s001_notes.txt", "It was fun.")
        intake = self.take(self.roster)
        self.assert_taken(intake, ("s001", "coalescing", ""))
        self.assertEqual(intake.undecided, ())

    def test_gradescope_s_archive_without_its_metadata_states_no_time(self):
        members = {f"submission_50{i}/coalescing.cu": answer("coalescing", i) for i in (1, 2)}
        intake = self.take(source=self.put("export.zip", zip_of(members, DOWNLOAD)), times=Times(files=True))
        self.assertEqual({source for _, source in self.found(intake).values()}, {"none"})

    def test_attempts_in_folders_of_one_upload_are_one(self):
        inside = {f"attempt {i}/coalescing.cu": answer("coalescing", i) for i in (1, 2)}
        self.put("s001.zip", zip_of(inside))
        self.put("class/oneada_101_5001_work.zip", zip_of(inside))
        intake = self.take()
        self.assertEqual(intake.submissions, ())
        self.assertEqual({one.lab for one in intake.undecided}, {"coalescing"})

    def touch(self, name: str, moment: datetime) -> None:
        os.utime(self.source / name, (moment.timestamp(), moment.timestamp()))


class Lists(ListTest):
    def test_a_list_by_canvas_s_numbers_as_its_interface_gives_it(self):
        # s001's last attempt; s002 is late; of s003 nothing is known.
        value = [
            {"user_id": 101, "attempt": 2, "submitted_at": "2026-10-02T19:59:00Z", "late": False, "seconds_late": 0,
             "submission_history": [{"attempt": 1, "submitted_at": "2026-10-01T08:00:00Z"},
                                    {"attempt": 2, "submitted_at": "2026-10-02T19:59:00Z"}]},
            {"user_id": 102, "attempt": 1, "submitted_at": "2026-10-04T08:00:00Z", "late": True, "seconds_late": 4},
            {"user_id": 104, "attempt": None, "submitted_at": None, "late": False},
        ]  # fmt: skip
        times = self.times("coalescing.json", json.dumps(value))
        source = self.put("class.zip", zip_of(CANVAS, DOWNLOAD))
        intake = self.take(self.roster, source=source, times=times)
        self.assertEqual(
            self.found(intake),
            {"s001": ("10-02 19:59:00", "list"), "s002": ("10-04 08:00:00", "list"), "s003": ("", "none")},
        )
        self.assertEqual([one.marked_late for one in intake.submissions], [False, False, False])
        self.assert_found(intake, "no_time", "of 1 file nothing states")
        text = "user_id,attempt,submitted_at\n101,2,2026-10-02T19:59:00Z\n102,1,2026-10-04T08:00:00Z\n"
        self.assertEqual(
            self.found(self.take(self.roster, source=source, times=self.times("coalescing.csv", text))),
            self.found(intake),
        )

    WORKSHEET = (
        "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\r\n"
        'Participant 501,Ada One,s001@example.org,Submitted for grading - ,,100.00,Yes,"Friday, 2 October 2026, 11:59 PM",-,\r\n'
        "Participant 502,Bo Two,s002@example.org,Submitted for grading - 1 day late,,100.00,Yes,"
        '"Saturday, October 3, 2026, 9:30 PM",-,\r\n'
        "Participant 503,Cy Three,s003@example.org,No submission - ,,100.00,Yes,-,-,\r\n"
    )

    def test_moodle_s_grading_worksheet(self):
        source = self.put("class.zip", zip_of(MOODLE, DOWNLOAD))
        for name in ("Grades-GPU-Reduction-77.csv", "reduction.csv"):
            times = self.times(name, self.WORKSHEET, zone=ZoneInfo("Europe/Berlin"))
            for roster in (self.roster, None):
                intake = self.take(roster, source=source, times=times)
                self.assertEqual(
                    list(self.found(intake).values()), [("10-02 21:59:00", "list"), ("10-03 19:30:00", "list")]
                )
        times = self.times("sheet.csv", self.WORKSHEET.replace("reduction", ""), option="reduction=")
        self.assertEqual(len(self.found(self.take(self.roster, source=source, times=times))), 2)

    def test_a_list_of_one_s_own(self):
        for i in (1, 2):
            self.put(f"s00{i}/coalescing.cu", answer("coalescing", i))
            self.put(f"s00{i}/reduction.cu", answer("reduction", i))
        text = (
            "student;lab;submitted at\ns001;Lab 2 (48202);2026-10-02 20:00\ns002;coalescing;2026-10-03 20:00:01 +0200\n"
        )
        times = self.times("all.csv", text + "s002;Essay;2026-10-09\n", titles={"Lab 2 (48202)": "coalescing"})
        intake = self.take(self.roster, times=times)
        found = {(one.student, one.lab): one.submitted_at for one in intake.submissions}
        self.assertEqual(
            found,
            {
                ("s001", "coalescing"): datetime(2026, 10, 2, 20, tzinfo=timezone.utc),
                ("s002", "coalescing"): datetime(2026, 10, 3, 18, 0, 1, tzinfo=timezone.utc),
                ("s001", "reduction"): None,
                ("s002", "reduction"): None,
            },
        )

    def test_a_list_tells_attempts_apart(self):
        for i in (1, 2):
            self.put(f"s001_attempt{i}/coalescing.cu", answer("coalescing", i))
        text = "student,attempt,submitted_at\ns001,1,2026-10-02 20:00\ns001,2,2026-10-09 20:00\n"
        intake = self.take(self.roster, times=self.times("coalescing.csv", text))
        self.assertEqual([f"{one.submitted_at:%d}" for one in intake.submissions], ["02", "09"])

    def test_a_list_with_one_time_for_all_says_when_it_was_made(self):
        text = "student,submitted_at\n" + "".join(f"s00{i},2026-10-12T20:0{i}:00Z\n" for i in (1, 2, 3))
        source = self.put("class.zip", zip_of(CANVAS, DOWNLOAD))
        intake = self.take(
            self.roster, source=source, times=self.times("coalescing.csv", text), due={"coalescing": DUE}
        )
        self.assertEqual({one.submitted_at for one in intake.submissions}, {None})
        self.assert_found(intake, "copied_times", "all files for coalescing")

    def test_a_folder_of_lists(self):
        folder = self.folder / "times"
        folder.mkdir()
        (folder / "coalescing.csv").write_text("student,submitted_at\ns001,2026-10-02 20:00\n")
        (folder / "reduction.csv").write_text(self.WORKSHEET)
        times = load_times([str(folder)], list(LABS), {}, UTC)
        self.assertEqual(sorted({row.lab for row in times.rows}), ["coalescing", "reduction"])
        self.assertEqual(len(times.rows), 3)

    def test_namesakes_are_told_apart_by_the_platform_s_number(self):
        roster = parse_roster("id,name\na1,Ada One\na2,Ada  One\n", "r.csv")
        times = self.times("reduction.csv", self.WORKSHEET)
        self.assertEqual([row.at.day for row in times.of("a1", "501", "reduction", roster)], [2])
        self.assertEqual(times.of("a1", "", "reduction", roster), [])

    def test_mistakes_are_told_with_their_line_and_what_to_do(self):
        for name, text, message in (
            ("coalescing.csv", "", "coalescing.csv: is empty; its first line must name the columns"),
            (
                "coalescing.csv",
                "student,points\ns001,3\n",
                "coalescing.csv:1: no column holds times of submission; the columns are 'student', 'points'",
            ),
            (
                "coalescing.csv",
                "points,submitted_at\n3,2026-10-02\n",
                "coalescing.csv:1: no column says whose the times are",
            ),
            (
                "coalescing.csv",
                "student,submitted_at\ns001,4/5/2026\n",
                "coalescing.csv:2: '4/5/2026' is not a time that can be read",
            ),
            (
                "week2.csv",
                "student,submitted_at\ns001,2026-10-02\n",
                "week2.csv: tells no lab, .*--times LAB=week2.csv",
            ),
            ("week2.json", '[{"user_id": 1, "submitted_at": "2026-10-02"}]', "week2.json: tells no lab"),
            ("coalescing.json", "{", "coalescing.json: is not valid JSON"),
            ("coalescing.json", '[{"user_id": 1}]', "coalescing.json: entry 1 has no submitted_at"),
        ):
            with self.subTest(text), self.assertRaisesRegex(TimesError, message):
                self.times(name, text)
        with self.assertRaisesRegex(TimesError, "none.csv: cannot be read .No such file"):
            load_times([str(self.folder / "none.csv")], list(LABS), {}, UTC)


class Reading(unittest.TestCase):
    def test_times_as_platforms_and_people_write_them(self):
        berlin = ZoneInfo("Europe/Berlin")
        for text, utc in (
            ("2026-10-24T21:59:00Z", "2026-10-24 21:59:00"),
            ("2026-10-24 23:59", "2026-10-24 21:59:00"),
            ("2026-10-24 23:59:00 +0200", "2026-10-24 21:59:00"),
            ("2026-10-24 21:59:00 UTC", "2026-10-24 21:59:00"),
            ("Saturday, 24 October 2026, 11:59 PM", "2026-10-24 21:59:00"),
            ("Saturday, October 24, 2026, 11:59 PM", "2026-10-24 21:59:00"),
            ("Samstag, 24. Oktober 2026, 23:59", "2026-10-24 21:59:00"),
            ("24 October 2026, 12:05 AM", "2026-10-23 22:05:00"),
        ):
            self.assertEqual(f"{parsed_time(text, berlin):%Y-%m-%d %H:%M:%S}", utc, text)
        for text in ("", "4/5/2026", "yesterday", "32 October 2026, 11:59 PM", "24 Nonsense 2026, 11:59"):
            self.assertIsNone(parsed_time(text, berlin), text)


if __name__ == "__main__":
    unittest.main()
