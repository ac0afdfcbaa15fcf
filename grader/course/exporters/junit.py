"""JUnit XML for the instructor: a file for each lab, a test suite for each student, hidden tests included."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from pathlib import Path

from grader.course.exporters.view import Classroom, Entry
from grader.course.files import write_file
from grader.course.gradebook import Test
from grader.course.policy.points import number

# What XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(classroom: Classroom, out: Path) -> Path:
    folder = out / "export" / "junit"
    for lab in classroom.labs:
        suites = xml.Element("testsuites", name=lab)
        for entry in classroom:
            if entry.lab == lab:
                suites.append(_suite(entry))
        for key in ("tests", "failures", "errors", "skipped"):
            suites.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
        xml.indent(suites)
        text = b'<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suites, "utf-8") + b"\n"
        write_file(folder / f"{lab}.xml", text)
    return folder


def _suite(entry: Entry) -> xml.Element:
    name = f"{entry.lab}.{clean(entry.student.student)}"
    suite = xml.Element("testsuite", name=name)
    grade = entry.grade
    properties = xml.SubElement(suite, "properties")
    facts = (("points", number(grade.points)), ("max_points", number(grade.max_points)), ("status", grade.status),
             ("days_late", str(grade.late_days)), ("factor", f"{grade.factor:g}"), ("reason", clean(grade.reason)))
    for key, value in facts:
        xml.SubElement(properties, "property", name=key, value=value)
    for test in entry.tests:
        _case(xml.SubElement(suite, "testcase", name=clean(f"{test.kind}: {test.sentence}"), classname=name), test)
    if not entry.tests:
        case = xml.SubElement(suite, "testcase", name="is graded", classname=name)
        wrong = "error" if grade.status == "not_graded" else "failure"
        xml.SubElement(case, wrong, message=clean(grade.reason), type=grade.status)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(len(suite.findall(f"testcase/{tag}"))))
    return suite


def _case(case: xml.Element, test: Test) -> None:
    message = clean(test.message)
    if test.status == "failed":
        line = clean(test.finding.headline) if test.finding else "failed"
        xml.SubElement(case, "failure", message=line, type=test.kind).text = message
    elif test.status != "passed":
        xml.SubElement(case, "skipped", message=f"{test.status}: {message.strip()}" if message.strip() else test.status)


def clean(text: str) -> str:
    return NOT_XML.sub("\ufffd", text)
