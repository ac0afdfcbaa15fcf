"""The verdict on an answer, from what its tests write into the build folder: a record each, and the verdict of all."""

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
    """A threshold that the answer met, in words."""

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
        return MARKS["partly" if self.earned_a_part else self.status]

    @property
    def earned_a_part(self) -> bool:
        """Some of its points, not all: a time between two limits, for example."""
        if self.status == "passed":
            return self.points < self.max_points
        return self.status == "failed" and self.points > 0

    @property
    def not_started_at(self) -> int | None:
        """The line that still calls not_started(); None if the test found no such line."""
        if self.status != "not_started" or self.finding is None or not self.finding.sites:
            return None
        return self.finding.sites[0].line or None


@dataclass(frozen=True)
class Verdict:
    """The verdict of one grading. status, points: the judge's, as in results.json. build_failure: why there are no tests; empty
    if there are. warnings: the compiler's, for an answer that compiles."""

    lab: Lab
    tests: tuple[TestResult, ...]
    status: str
    points: float = 0
    max_points: float = 0
    build_failure: str = ""
    warnings: str = ""

    def of(self, *states: str) -> list[TestResult]:
        return [test for test in self.tests if test.status in states]


@dataclass(frozen=True)
class Record:
    """A test's record: its result, its run (WARPBOOK_RUN), and when it was written, in seconds since
    1970."""

    result: TestResult
    run: str
    written: float


def read_records(lab: Lab) -> list[Record]:
    """The records of the learner's answer. One that is half written or of another version is left out."""
    found = []
    for path in sorted((Path(lab.manifest["results_folder"]) / "student").glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["format"] == "warpbook.test" and record["version"] == 1:
                found.append(Record(_result(record), str(record["run"]), path.stat().st_mtime))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def _result(record: dict[str, Any]) -> TestResult:
    """@throws KeyError, TypeError, ValueError for data that is not a record, or has an unknown status"""
    status = "not_started" if record["not_started"] else record["status"]
    if status not in MARKS:
        raise ValueError(f"a test cannot be {status!r}")
    return TestResult(record["kind"], record["sentence"], status, float(record["points"]),
                      float(record["max_points"]), str(record["message"]), finding_of(record.get("finding")),
                      tuple(KeptLimit(one["words"], one["found"], one["limit"], one["at_most"])
                            for one in record.get("kept", [])))


@dataclass(frozen=True)
class _Together:
    """What the tests of a lab say together, and the run in which one of them said something last."""

    run: str
    status: str
    points: float
    max_points: float


def _together(lab: Lab) -> _Together | None:
    """None if no test has begun, or the file is of another version."""
    try:
        told = json.loads((Path(lab.manifest["results_folder"]) / "student.json").read_text(encoding="utf-8"))
        if told["format"] != "warpbook.verdict" or told["version"] != 1:
            return None
        return _Together(str(told["run"]), str(told["status"]), float(told["points"]), float(told["max_points"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def verdict_of_run(lab: Lab, run: str, ended: dict[str, str]) -> Verdict:
    """The verdict of one run of ctest, by its name (WARPBOOK_RUN). ended: ctest's word for the outcome of each test, 'run', 'fail' or
    'notrun', by its name; it decides if a test wrote no record because it was ended."""
    results = {record.result.name: record.result for record in read_records(lab) if record.run == run}
    tests = []
    for listed in lab.manifest["tests"]:
        kind, sentence, points = listed["kind"], listed["sentence"], float(listed["points"])
        result = results.get(f"{kind}.{sentence}")
        if result is not None:
            tests.append(result)
        elif ended.get(f"{lab.name}.{kind}.{sentence}") == "fail":
            tests.append(TestResult(kind, sentence, "failed", 0, points,
                                    "  The test was ended before it reached a verdict: it took too long, or it was killed."
                                    "\n  Run it yourself: ctest --test-dir "
                                    f"{lab.shown(lab.build_folder)} -V -R '^{lab.name}\\.{kind}\\.{sentence}$'\n"))
        else:
            tests.append(TestResult(kind, sentence, "not_run", 0, points))
    told = _together(lab)
    if told is None or told.run != run:  # Every test was ended before it began.
        told = _Together(run, "failed", 0, sum(test.max_points for test in tests))
    return Verdict(lab, tuple(tests), told.status, told.points, told.max_points, warnings=_warnings(lab))


def _warnings(lab: Lab) -> str:
    try:
        log = Path(lab.manifest["results_folder"]) / "build_warnings.log"
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def last_verdict(lab: Lab) -> tuple[Verdict, float] | None:
    """The verdict of the last ctest run, however it was started, and when (seconds since 1970). None unless every test has
    a record that is newer than the program it ran, and the program is newer than the edited file."""
    records = {record.result.name: record for record in read_records(lab)}
    program = lab.manifest["workers"].get(lab.shown(lab.source))
    try:
        built, edited = Path(program or "").stat().st_mtime, lab.source.stat().st_mtime
        tests, times = [], []
        for listed in lab.manifest["tests"]:
            record = records[f"{listed['kind']}.{listed['sentence']}"]
            times.append(record.written)
            tests.append(record.result)
    except (OSError, KeyError):
        return None
    failed = Path(lab.manifest["results_folder"]) / "build_failed.log"
    told = _together(lab)
    if told is None or not times or not edited <= built <= min(times) or failed.exists():
        return None
    return Verdict(lab, tuple(tests), told.status, told.points, told.max_points), max(times)
