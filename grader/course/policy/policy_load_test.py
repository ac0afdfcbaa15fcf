"""Tests of reading course.json: what it means, and that every mistake is reported with its line and what is allowed."""

import json
import random
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path

from grader.course.policy.json_places import JsonError, PlacedJson
from grader.course.policy.load import PolicyError, load_policy, parse_policy
from grader.course.policy.policy import Curve, Hidden, Late, Policy

LABS = ["coalescing", "reduction", "vector_add"]
HEAD = '"format": "warpbook.course", "version": 1'


def parse(text: str, students=None) -> Policy:
    return parse_policy(text, "course.json", LABS, students)


def rules(text: str):
    """The policy of the lab coalescing with these keys."""
    return parse(f'{{{HEAD}, "labs": {{"coalescing": {{{text}}}}}}}').lab("coalescing")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


class Meaning(unittest.TestCase):
    def test_the_shortest_course_has_the_defaults(self):
        self.assertEqual(parse(f"{{{HEAD}}}"), Policy())
        self.assertEqual(parse(f'{{"$schema": "course.schema.json", {HEAD}}}'), Policy())

    def test_a_lab_takes_from_the_defaults_what_it_does_not_say(self):
        policy = parse(
            f"""{{{HEAD}, "defaults": {{"late": {{"percent_per_day": 10, "cutoff_days": 5}}, "points": 50,
            "hidden": {{"tests": ["*.time.*"]}}, "curve": {{"kind": "add", "points": 3}}}},
            "labs": {{"reduction": {{"late": {{"cutoff_days": 2}}, "hidden": {{"released": true}},
                      "curve": {{"kind": "none"}}, "submission": "latest"}}}}}}"""
        )
        lab = policy.lab("reduction")
        self.assertEqual(lab.late, Late(10, 2))
        self.assertEqual(lab.hidden, Hidden(("*.time.*",), True))
        self.assertEqual((lab.curve, lab.points, lab.submission), (Curve(), 50, "latest"))
        self.assertEqual(policy.lab("coalescing").curve, Curve("add", 3))
        self.assertEqual(policy.lab("coalescing").submission, "best")

    def test_a_due_date_means_its_last_second_in_the_time_zone_of_the_course(self):
        for text, moment in (
            ("2026-10-12", utc(2026, 10, 12, 21, 59, 59)),
            ("2026-10-12 23:59", utc(2026, 10, 12, 21, 59, 59)),
            ("2026-10-12 12:00:00", utc(2026, 10, 12, 10, 0, 0)),
            ("2026-10-12T12:00Z", utc(2026, 10, 12, 12, 0, 59)),
            ("2026-10-12T12:00:00-07:00", utc(2026, 10, 12, 19, 0, 0)),
            ("2026-12-12 23:59", utc(2026, 12, 12, 22, 59, 59)),  # Winter: one hour from UTC, not two.
            ("2026-10-25 02:30", utc(2026, 10, 25, 1, 30, 59)),  # Comes twice: the later one counts.
            ("2026-03-29 02:30", utc(2026, 3, 29, 1, 30, 59)),  # Is skipped: as if it were not.
        ):
            policy = parse(f'{{{HEAD}, "time_zone": "Europe/Berlin", "labs": {{"reduction": {{"due": "{text}"}}}}}}')
            self.assertEqual(policy.lab("reduction").due, moment, text)

    def test_extensions_and_grace_days_come_as_written(self):
        policy = parse(
            f"""{{{HEAD}, "grace": {{"days": 3, "per_lab": 2, "students": {{"s007": 5}}}},
            "defaults": {{"due": "2026-10-12"}},
            "extensions": [{{"student": "s001", "lab": "reduction", "days": 2, "reason": "ill"}},
                           {{"student": "s002", "until": "2026-11-01"}}]}}""",
            {"s001", "s002", "s007"},
        )
        self.assertEqual((policy.grace.of("s001"), policy.grace.of("s007"), policy.grace.per_lab), (3, 5, 2))
        first, second = policy.extensions
        self.assertEqual(
            (first.student, first.lab, first.days, first.until, first.reason), ("s001", "reduction", 2, None, "ill")
        )
        self.assertEqual((second.lab, second.until), ("", utc(2026, 11, 1, 23, 59, 59)))

    def test_a_byte_order_mark_is_no_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "course.json"
            path.write_bytes(b"\xef\xbb\xbf{" + HEAD.encode() + b"}")
            self.assertEqual(load_policy(path, LABS), Policy())


class Mistakes(unittest.TestCase):
    def assert_told(self, text: str, *parts: str, students=None) -> str:
        with self.assertRaises(PolicyError) as raised:
            parse(text, students)
        for part in parts:
            self.assertIn(part, str(raised.exception))
        return str(raised.exception)

    def assert_rules_told(self, text: str, *parts: str) -> None:
        self.assert_told(f'{{{HEAD}, "labs": {{"coalescing": {{{text}}}}}}}', *parts)

    def test_text_that_is_not_json(self):
        self.assert_told("", "course.json:1:1: not valid JSON: the end of the file")
        self.assert_told('{\n "format": 1,\n}', "course.json:3:1:", "a comma after the last entry")
        self.assert_told('{"a" 1}', "course.json:1:6:", 'a ":" must follow')
        self.assert_told('{"a": 1 "b": 2}', "course.json:1:9:", 'a "," or a "}"')
        self.assert_told('{"a": "x\ny"}', "course.json:1:9:", "not a valid string")
        self.assert_told("{} x", "course.json:1:4:", "after the end")
        self.assert_told('{"a": 1' + "0" * 5000 + "}", "course.json:1:7:", "5001 characters")
        self.assert_told("[" * 10000, "course.json:1:52:", "nested more than 50 deep")

    def test_a_key_that_comes_twice(self):
        self.assert_told(f'{{{HEAD},\n "grace": {{}},\n "grace": {{}}}}', "course.json:3:2:", "the first is in line 2")

    def test_another_format_or_version(self):
        self.assert_told(
            '{"format": "warpbook.course",\n "version": 2}', "course.json:2:13: version: is 2; it must be 1"
        )
        self.assert_told('{"version": 1}', 'course.json:1:1: "format" is missing')
        self.assert_told("[]", "course.json:1:1: is []; it must be an object")

    def test_a_key_that_does_not_exist_is_told_with_those_that_do(self):
        self.assert_rules_told(
            '"dew": "2026-10-12"', "course.json:1:69: labs.coalescing.dew:", 'did you mean "due"?', "weight"
        )
        self.assert_rules_told(
            '"late": {"percent": 3}', "labs.coalescing.late.percent:", "percent_per_day, cutoff_days"
        )
        self.assert_rules_told('"kinds": {"speed": 3}', "labs.coalescing.kinds.speed", "correctness, counters, time")

    def test_values_of_the_wrong_kind_or_size(self):
        self.assert_rules_told('"late": {"percent_per_day": "10"}', 'is "10"; it must be a number')
        self.assert_rules_told('"late": {"percent_per_day": 101}', "is 101; it must be at most 100")
        self.assert_rules_told('"late": {"cutoff_days": -1}', "is -1; it must be at least 0")
        self.assert_rules_told('"late": {"cutoff_days": 1.5}', "is 1.5; it must be a whole number")
        self.assert_rules_told('"points": 0', "is 0; it must be more than 0")
        self.assert_rules_told('"points": 1e999', "it must be at most 1000000")
        self.assert_rules_told('"hidden": {"released": 1}', "is 1; it must be true or false")
        self.assert_rules_told('"hidden": {"tests": "*.time.*"}', "it must be a list")
        self.assert_rules_told('"curve": {"kind": "sqrt"}', 'is "sqrt"', "none, add, scale, square_root")
        self.assert_rules_told('"submission": "Best"', 'did you mean "best"? Allowed: best, latest')

    def test_dates_that_are_none(self):
        self.assert_rules_told('"due": "12.10.2026"', "it must be a date such as")
        self.assert_rules_told('"due": "2026-02-30"', "no date of the calendar")
        self.assert_rules_told('"due": "2026-10-12 24:00"', "no date of the calendar")
        self.assert_rules_told('"due": "0001-01-01"', "from 1980 to 9000")
        self.assert_rules_told('"due": "2026-10-12T10:00+99:00"', "no date of the calendar")

    def test_rules_that_could_have_no_effect(self):
        self.assert_rules_told('"kinds": {"time": 0}', "all shares are 0")
        self.assert_rules_told('"curve": {"kind": "add"}', '"points" is missing')
        self.assert_rules_told('"curve": {"kind": "scale", "points": 3}', 'only the curve "add" has points')
        self.assert_told(
            f'{{{HEAD}, "extensions": [{{"student": "s001", "lab": "reduction", "days": 1}}]}}', 'has no "due"'
        )

    def test_columns_that_would_be_the_same(self):
        self.assert_told(f'{{{HEAD}, "defaults": {{"column": "Lab"}}}}', "would call every lab the same")
        same = '"reduction": {"column": "Lab 1"}, "coalescing": {"column": "Lab 1"}'
        self.assert_told(f'{{{HEAD}, "labs": {{{same}}}}}', "as of reduction; each lab needs its own")
        self.assertEqual(rules('"column": "Lab 2 (48211)"').column, "Lab 2 (48211)")

    def test_names_of_labs_students_and_zones(self):
        self.assert_told(
            f'{{{HEAD}, "labs": {{"coalesing": {{}}}}}}', 'did you mean "coalescing"?', "reduction, vector_add"
        )
        self.assert_told(f'{{{HEAD}, "time_zone": "Berlin"}}', '"Europe/Berlin"')
        self.assert_told(f'{{{HEAD}, "time_zone": "../../etc/passwd"}}', "no time zone")
        for text in ('"grace": {"students": {"s0011": 1}}', '"extensions": [{"student": "s0011", "days": 1}]'):
            self.assert_told(f"{{{HEAD}, {text}}}", "not on the roster", 'did you mean "s001"?', students={"s001"})

    def test_an_extension_says_days_or_until(self):
        for text in ('"student": "s001"', '"student": "s001", "days": 1, "until": "2026-10-12"'):
            self.assert_told(f'{{{HEAD}, "extensions": [{{{text}}}]}}', 'needs either "days" or "until"')

    def test_patterns_that_hide_no_test(self):
        tests = ["coalescing.time.is fast", "coalescing.counters.loads fill sectors", "reduction.time.is fast"]

        def text(place: str, pattern: str) -> str:
            return f'{{{HEAD}, {place}: {{"hidden": {{"tests": ["*.time.*", "{pattern}"]}}}}}}'

        for pattern in ("time.*", "coalescing.time", "*.Time.*", "*.speed.*"):
            with self.assertRaisesRegex(
                PolicyError, r"defaults\.hidden\.tests\[1\]: .* matches no test; .*<lab>\.<kind>"
            ):
                parse_policy(text('"defaults"', pattern), "course.json", LABS, None, tests)
        with self.assertRaisesRegex(PolicyError, "such as .coalescing.time.is fast"):
            parse_policy(text('"labs": {"coalescing"', "reduction.time.*") + "}", "course.json", LABS, None, tests)
        for pattern in ("*.counters.*", "reduction.time.is ????", "*fast"):
            parse_policy(text('"defaults"', pattern), "course.json", LABS, None, tests)

    def test_all_mistakes_are_told_at_once_in_the_order_of_lines(self):
        text = self.assert_told(f'{{{HEAD},\n"x": 1,\n"labs": {{"reduction": {{"points": -1}}}},\n"y": 2}}')
        self.assertEqual([line.split(":")[1] for line in text.splitlines()], ["2", "3", "4"])

    def test_files_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "course.json"
            with self.assertRaisesRegex(PolicyError, "No such file.*--policy"):
                load_policy(path, LABS)
            path.write_bytes(b'{\n"course": "\xff"}')
            with self.assertRaisesRegex(PolicyError, r"course\.json:2: is not UTF-8"):
                load_policy(path, LABS)
            path.write_bytes(b" " * (5 * 2**20))
            with self.assertRaisesRegex(PolicyError, "at most 4194304"):
                load_policy(path, LABS)

    def test_a_message_can_be_printed_whatever_the_file_holds(self):
        self.assert_told(f'{{{HEAD}, "\\ud800": 1}}', "\\ud800").encode("utf-8")


class Places(unittest.TestCase):
    """The reader of JSON against the one of the standard library, on many texts."""

    def random_value(self, random_: random.Random, depth: int):
        kind = random_.randrange(7 if depth < 4 else 5)
        if kind < 5:
            return (
                None,
                random_.random() < 0.5,
                random_.randint(-(10**6), 10**6),
                random_.uniform(-1e9, 1e-9),
                'q"\\\n\u00fc',
            )[kind]
        children = [self.random_value(random_, depth + 1) for _ in range(random_.randrange(4))]
        return children if kind == 5 else {f"k{i} \u20ac": child for i, child in enumerate(children)}

    def test_values_agree_and_places_point_at_them(self):
        random_ = random.Random(1)
        for _ in range(300):
            value = self.random_value(random_, 0)
            text = json.dumps(value, indent=random_.choice([None, 0, 3]), ensure_ascii=random_.random() < 0.5)
            placed = PlacedJson(text)
            self.assertEqual(placed.value, value)
            for path, offset in placed._values.items():
                line, column = placed.place(path)
                there = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
                self.assertEqual(there, text[offset:])
                expected = value
                for part in path:
                    expected = expected[part]
                self.assertEqual(json.JSONDecoder().raw_decode(there)[0], expected)

    def test_no_damaged_text_is_taken_and_none_ends_in_anything_but_a_json_error(self):
        random_ = random.Random(2)
        text = json.dumps({"a": [1, 2.5, {"b": None}], "c": "x\u00fc\n", "d": {"e": True}}, indent=1)
        for _ in range(2000):
            damaged = list(text)
            for _ in range(random_.randint(1, 3)):
                at = random_.randrange(len(damaged))
                damaged[at : at + random_.randrange(2)] = random_.choice(
                    ["", "{", "}", '"', ",", "1", "\\", "\x00", "]"]
                )
            damaged = "".join(damaged)
            try:
                expected = json.loads(damaged)
            except json.JSONDecodeError:
                expected = None
            try:
                found = PlacedJson(damaged).value
            except JsonError as error:
                self.assertTrue(expected is None or "second time" in error.message, damaged)
                self.assertGreaterEqual(error.line, 1)
            else:
                self.assertEqual(found, expected, damaged)


if __name__ == "__main__":
    unittest.main()
