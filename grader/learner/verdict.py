"""What the tests said about an answer, from the records that they leave in the build folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course.finding import Finding, finding_of
from grader.learner.labs import Lab

MARKS = {"passed": "passed", "partly": "partly", "failed": "FAILED", "inconclusive": "unclear",
         "not_started": "not begun", "skipped": "skipped", "not_run": "not run"}


@dataclass(frozen=True)
class KeptLimit:
    """A threshold that the answer kept, in words."""

    words: str
    found: float
    limit: float
    at_most: bool


@dataclass(frozen=True)
class TestResult:
    """status: passed, failed, inconclusive, skipped, not_started or not_run. points: earned, of max_points."""

    __test__ = False

    kind: str
    sentence: str
    status: str
    points: float
    max_points: float
    message: str = ""
    finding: Finding | None = None
    kept: tuple[KeptLimit, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.sentence}"

    @property
    def mark(self) -> str:
        """One word for a list."""
        return MARKS["partly" if self.status == "passed" and self.points < self.max_points else self.status]


@dataclass(frozen=True)
class Verdict:
    """Of one grading. build_failure: why there are no tests; empty if there are. warnings: the compiler's, of an answer that
    it compiled."""

    lab: Lab
    tests: tuple[TestResult, ...]
    build_failure: str = ""
    warnings: str = ""

    @property
    def points(self) -> float:
        return sum(test.points for test in self.tests)

    @property
    def max_points(self) -> float:
        return sum(test.max_points for test in self.tests)

    @property
    def status(self) -> str:
        """As in results.json."""
        if self.build_failure:
            return "build_failed"
        states = {test.status for test in self.tests}
        if states == {"passed"}:
            return "passed"
        if states <= {"passed", "inconclusive"}:
            return "inconclusive"
        return "not_started" if states == {"not_started"} else "failed"

    def of(self, *states: str) -> list[TestResult]:
        return [test for test in self.tests if test.status in states]


def read_records(lab: Lab) -> list[tuple[dict[str, Any], Path]]:
    """The records of the learner's answer. One that is half written or of another version is left out."""
    found = []
    for path in sorted((Path(lab.manifest["results_folder"]) / "student").glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["format"] == "warpbook.test" and record["version"] == 1:
                record["status"] = "not_started" if record["not_started"] else record["status"]
                MARKS[record["status"]]
                _result(record)
                found.append((record, path))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def _result(record: dict[str, Any]) -> TestResult:
    return TestResult(record["kind"], record["sentence"], record["status"], float(record["points"]),
                      float(record["max_points"]), str(record["message"]), finding_of(record.get("finding")),
                      tuple(KeptLimit(one["words"], one["found"], one["limit"], one["at_most"])
                            for one in record.get("kept", [])))


def verdict_of_run(lab: Lab, run: int, ended: dict[str, str]) -> Verdict:
    """The verdict of one run of ctest, by its process id. ended: how ctest says that each test ended, 'run', 'fail' or
    'notrun', by its name; it decides where a test left no record because it was ended."""
    records = {(record["kind"], record["sentence"]): record for record, _ in read_records(lab) if record["run"] == run}
    tests = []
    for listed in lab.manifest["tests"]:
        kind, sentence, points = listed["kind"], listed["sentence"], float(listed["points"])
        record = records.get((kind, sentence))
        if record is not None:
            tests.append(_result(record))
        elif ended.get(f"{lab.name}.{kind}.{sentence}") == "fail":
            tests.append(TestResult(kind, sentence, "failed", 0, points,
                                    "  The test was ended before it came to a verdict: it took too long, or it was killed."
                                    "\n  See for yourself: ctest --test-dir "
                                    f"{lab.shown(lab.build_folder)} -V -R '^{lab.name}\\.{kind}\\.{sentence}$'\n"))
        else:
            tests.append(TestResult(kind, sentence, "not_run", 0, points))
    return Verdict(lab, tuple(tests), warnings=_warnings(lab))


def _warnings(lab: Lab) -> str:
    try:
        log = Path(lab.manifest["results_folder"]) / "build_warnings.log"
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def last_verdict(lab: Lab) -> tuple[Verdict, float] | None:
    """The verdict that ctest left, however it was started, and when (seconds since 1970). None unless every test has
    one that is younger than the program it ran and the program is younger than the edited file."""
    records = {(record["kind"], record["sentence"]): (record, path) for record, path in read_records(lab)}
    program = lab.manifest["workers"].get(lab.shown(lab.source))
    try:
        built, edited = Path(program or "").stat().st_mtime, lab.source.stat().st_mtime
        tests, times = [], []
        for listed in lab.manifest["tests"]:
            record, path = records[listed["kind"], listed["sentence"]]
            times.append(path.stat().st_mtime)
            tests.append(_result(record))
    except (OSError, KeyError):
        return None
    failed = Path(lab.manifest["results_folder"]) / "build_failed.log"
    if not times or not edited <= built <= min(times) or failed.exists():
        return None
    return Verdict(lab, tuple(tests)), max(times)
