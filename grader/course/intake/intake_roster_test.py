"""Tests of the roster: columns are matched leniently, and every mistake is reported with its line."""

import tempfile
import unittest
from pathlib import Path

from grader.course.intake.roster import RosterError, load_roster, name_keys, parse_roster
from grader.course.intake.submission import Student


def students(text: str) -> list[Student]:
    return list(parse_roster(text, "roster.csv").students)


class Columns(unittest.TestCase):
    EXPECTED = [Student("s001", "Ada One", "a@example.org", "A"), Student("s002", "Bo Two", "", "")]

    def test_headings_of_many_kinds(self):
        for text in (
            "student id,name,email,section\ns001,Ada One,a@example.org,A\ns002,Bo Two,,\n",
            "Section;E-Mail;Full Name;Student-ID\nA;a@example.org;Ada One;s001\n;;Bo Two;s002\n",
            "SID\tFirst Name\tLast Name\tEmail Address\tGroup\ns001\tAda\tOne\ta@example.org\tA\ns002\tBo\tTwo\t\t\n",
            "Student,ID,SIS User ID,SIS Login ID,Section,email\nAda One,7,s001,x1,A,a@example.org\n"
            "    Points Possible,,,,,\nBo Two,8,s002,x2,,\n",
            "Vorname,Nachname,Matrikelnummer,Mail,Tutorial\r\nAda,One,s001,a@example.org,A\r\n\r\nBo,Two,s002,,\r\n",
            '"username","name","email","class"\n"s001","Ada   One","a@example.org","A"\n"s002","Bo Two","",""\n',
        ):
            self.assertEqual(students(text), self.EXPECTED, text)

    def test_the_id_is_the_best_column_that_there_is(self):
        self.assertEqual(students("name,id\nAda,7\n")[0].student, "7")
        self.assertEqual(students("name,id,netid\nAda,7,ada7\n")[0].student, "ada7")
        self.assertEqual(students("student\ns001\n"), [Student("s001")])
        self.assertEqual(students("name,email\nAda,a@example.org\n")[0].student, "a@example.org")

    def test_names_that_people_chose_are_plain_text(self):
        text = 'id,name,email,section\ns001,"A\x1b[2J\u202e\nB","a\x07@example.org",\x9bS\n' + f"s002,{'x' * 300},,\n"
        self.assertEqual(students(text)[0], Student("s001", "A?[2J? B", "a?@example.org", "?S"))
        self.assertEqual(len(students(text)[1].name), 203)

    def test_files_as_programs_write_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "roster.csv"
            text = "id,name\ns001,Dé Größe\n"
            for encoding in ("utf-8", "utf-8-sig", "utf-16"):
                path.write_bytes(text.encode(encoding))
                self.assertEqual(load_roster(path).students, (Student("s001", "Dé Größe"),), encoding)
            path.write_bytes(text.encode("latin-1"))
            with self.assertRaisesRegex(RosterError, r"roster\.csv:2: is not UTF-8 .*save it as CSV UTF-8"):
                load_roster(path)
            with self.assertRaisesRegex(RosterError, "No such file.*--roster"):
                load_roster(Path(folder) / "none.csv")

    def test_a_field_may_hold_commas_and_lines(self):
        text = 'id,name\ns001,"One,\nAda"\ns001,again\n'
        with self.assertRaisesRegex(RosterError, "roster.csv:4: the id s001 is in line 2 already"):
            students(text)


class Platforms(unittest.TestCase):
    CANVAS = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7),Final Score\n"
        "    Points Possible,,,,,100,(read only)\n"
        '"One, Ada",101,a1,ada1,"A and B",90,\n"Two, Bo",102,,bo2,A,,\n"Three, Cy",103,,,A,,\n"Student, Test",199,,3f9a,A,,\n'
    )

    def test_canvas_s_list_with_blank_sis_ids(self):
        roster = parse_roster(self.CANVAS, "r.csv")
        self.assertEqual([one.student for one in roster.students], ["a1", "bo2", "103"])
        self.assertEqual(
            roster.platform_ids["bo2"], {"canvas_id": "102", "sis_user_id": "", "sis_login_id": "bo2"}
        )
        for text in ("a1", "ada1", "101", "oneada", "Ada One"):
            self.assertEqual(roster.find(text), {"a1"}, text)
        self.assertEqual(roster.find("103"), {"103"})

    def test_moodle_s_list_with_blank_id_numbers(self):
        text = (
            '\ufeff"First name","Last name","ID number","Email address",Groups\n'
            "Ada,One,7001,ada@example.org,A\nBo,Two,,bo@example.org,\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "participants.csv"
            for encoding in ("utf-8", "utf-16", "utf-16-le"):
                path.write_bytes(text.encode(encoding))
                roster = load_roster(path)
                self.assertEqual([one.student for one in roster.students], ["7001", "bo@example.org"], encoding)
                self.assertEqual(roster.platform_ids["bo@example.org"], {"id_number": ""})

    def test_somebody_without_any_id_is_a_mistake(self):
        with self.assertRaisesRegex(RosterError, "r.csv:3: has no student id; give each student one"):
            parse_roster("First name,Last name,ID number,Email address\nAda,One,1,\nBo,Two,,\n", "r.csv")

    def test_a_binary_is_no_roster(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "roster.xlsx"
            path.write_bytes(b"PK\x03\x04" + bytes(100))
            with self.assertRaisesRegex(RosterError, "roster.xlsx:1: is not text, but a zip archive; save it as CSV UTF-8"):
                load_roster(path)


class Mistakes(unittest.TestCase):
    def assert_told(self, text: str, *messages: str):
        with self.assertRaises(RosterError) as raised:
            students(text)
        for message in messages:
            self.assertIn(message, str(raised.exception))

    def test_nothing_and_nobody(self):
        self.assert_told("", "roster.csv:1: is empty", "student id, name, email, section")
        self.assert_told("id,name\n\n", "nobody")
        self.assert_told(
            "a,b\x1b\n1,2\n", "roster.csv:1: no column holds ids", "'a', 'b\\x1b'", "call one 'student id'"
        )

    def test_all_mistakes_at_once_each_with_its_line(self):
        self.assert_told(
            "id,name\ns001,Ada\n,Bo\ns002\nS001,Cy\n../x,Di\ns003,E,F\n",
            "roster.csv:3: has no student id",
            "roster.csv:4: has 1 fields, but the first line names 2 columns",
            "roster.csv:5: the id S001 is in line 2 already",
            "roster.csv:6: the id '../x' must not",
            "roster.csv:7: has 3 fields",
        )

    def test_csv_that_is_none(self):
        self.assert_told('id,name\ns001,"Ada\n', "roster.csv:2: is not valid CSV", "quote")
        self.assert_told("id,name\ns001,\0\n", "roster.csv:2: has a NUL")
        self.assert_told("id\n" + "x" * 200 + "\n", "an id of 200 characters")


class Finding(unittest.TestCase):
    ROSTER = parse_roster(
        'sis id,id,name,email\ns001,71,Ada Maria One,ada@example.org\ns002,72,"Größe, Dé",\ns003,73,Ada One,\n', "r.csv"
    )

    def test_by_id_email_and_login(self):
        for text in ("s001", "S001", " s001 ", "71", "ada@example.org", "ADA"):
            self.assertEqual(self.ROSTER.find(text), {"s001"}, text)
        self.assertEqual(self.ROSTER.find("nobody"), set())
        self.assertEqual(self.ROSTER.find(""), set())

    def test_an_id_is_surer_than_a_login_of_somebody_else(self):
        roster = parse_roster("id,name,email\nada,Ada,x@example.org\nbo,Bo,ada@example.org\nX,Cy,\n", "r.csv")
        self.assertEqual(roster.find("ADA"), {"ada"})
        self.assertEqual(roster.find("ada@example.org"), {"bo"})
        self.assertEqual(roster.find("x"), {"X"})

    def test_by_name_in_any_order_with_or_without_accents(self):
        for text in ("Dé Größe", "Größe, Dé", "grossede", "DE GROSSE", "größedé"):
            self.assertEqual(self.ROSTER.find(text), {"s002"}, text)
        self.assertEqual(self.ROSTER.find("oneadamaria"), {"s001"})
        self.assertEqual(self.ROSTER.find("Ada One"), {"s003"})
        self.assertIn("oneadamaria", name_keys("Ada Maria One"))

    def test_an_id_inside_other_words(self):
        for text in ("s001_lab3", "lab (s001)", "2026-s001.final", "x ada@example.org"):
            self.assertEqual(self.ROSTER.find_in(text), {"s001"}, text)
        self.assertEqual(self.ROSTER.find_in("lab 71"), set())
        self.assertEqual(self.ROSTER.find_in("s001 and s002"), {"s001", "s002"})


if __name__ == "__main__":
    unittest.main()
