"""What a made-up class hands in: answers of the project as separate files, and the points of each."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.files import json_text, write_file
from grader.course.labs import Lab
from grader.course.policy.points import rounded
from grader.course.sandbox import NONE, open_sandbox
from grader.workbook.answers import RUNG, SOLUTION, WRONG, answers_of, key_of
from grader.workbook.places import place_of

PROJECT = Path(__file__).resolve().parents[3]
COURSE = PROJECT / "grader" / "course"
TABLE = COURSE / "testdata" / "class" / "points.json"
SKELETON, AUTHOR, HOSTILE = "skeleton", "author", "hostile"
HOSTILE_LAB = "vector_add"
_OURS = re.compile(r'^#include "((?:solutions|grader)/[^"]+)"\n', re.M)


@dataclass(frozen=True)
class Origin:
    """An answer that somebody hands in. `name` is unique in its lab: wrong/missing_barrier. `source`: the path from the
    project's root, by which the manifest knows its program."""

    lab: str
    kind: str
    name: str
    source: str
    contents: str

    def text(self) -> str:
        """The file with the project's own files that it includes pasted in, as a student can hand it in.

        A hostile one includes things that are not there: it stays unchanged.
        """
        return self.contents if self.kind == HOSTILE else _flat(self.contents)


def _flat(text: str) -> str:
    def pasted(match: re.Match) -> str:
        return _flat((PROJECT / match[1]).read_text(encoding="utf-8"))

    return _OURS.sub(pasted, text).replace("#pragma once\n", "")


def _of_file(lab: str, kind: str, path: Path) -> Origin:
    return Origin(lab, kind, f"{kind}/{path.stem}", path.relative_to(PROJECT).as_posix(), path.read_text(encoding="utf-8"))


def origins_of(lab: str) -> list[Origin]:
    """All answers to a lab: the solution first, hostile ones last."""
    place = place_of(lab)
    found = [_of_file(lab, SOLUTION, place.solution), _of_file(lab, SKELETON, place.student)]
    answers = answers_of(place)
    wrong = {answer.name for answer in answers if answer.kind == WRONG}  # Some rungs are wrong answers, too.
    for kind in (RUNG, WRONG):
        found += [Origin(lab, kind, f"{kind}/{answer.name}", key_of(place, answer), answer.text)
                  for answer in answers if answer.kind == kind and (kind == WRONG or answer.name not in wrong)]
    found += [_of_file(lab, AUTHOR, path) for path in sorted((COURSE / "similarity" / "testdata" / lab).glob("*.cu"))]
    hostile = sorted((COURSE / "testdata" / "hostile").glob("*.cu")) if lab == HOSTILE_LAB else []
    return found + [_of_file(lab, HOSTILE, path) for path in hostile]


@dataclass(frozen=True)
class Worth:
    """How grading an answer must end, before lateness."""

    status: str
    points: float


@cache
def _table() -> dict[str, dict[str, list]]:
    return json.loads(TABLE.read_text(encoding="utf-8"))["labs"]


def worth_of(origin: Origin, most: float) -> Worth:
    """Known without grading it: a solution has everything, a skeleton nothing, a hostile answer what its first lines
    say. The points of wrong answers and others were measured once, outside of batch grading, and are kept in points.json.

    @param most all points of the lab
    """
    if origin.kind == SOLUTION:
        return Worth("passed", most)
    if origin.kind == SKELETON:  # A worked example's is its solution.
        worked = "not_started()" not in origin.text()
        return Worth("passed", most) if worked else Worth("not_started", 0.0)
    if origin.kind == HOSTILE:
        ends = re.search(r"^// ends: (.*)$", origin.text(), re.M)
        earns = re.search(r"^// earns: (.*)$", origin.text(), re.M)
        return Worth(ends[1].strip(), float(earns[1]) if earns else 0.0)
    try:
        return Worth(*_table()[origin.lab][origin.name])
    except KeyError:
        raise BatchError(f"{TABLE}: nothing is known of {origin.lab} {origin.name}; "
                         "measure it: python3 -m grader.course.testing.class_of measure") from None


def measure(labs: list[Lab]) -> list[str]:
    """Runs the tests of the labs on the answers that CMake built, without sandbox and batch grading, and
    writes points.json.

    The answers' targets (<lab>_answers, <lab>_ladder, ...) must be built. @returns what changed, a line each
    """
    new: dict[str, dict[str, list]] = {}
    for lab in labs:
        for origin in origins_of(lab.name):
            if origin.kind in (RUNG, WRONG, AUTHOR):
                new.setdefault(lab.name, {})[origin.name] = list(_measured(lab, origin))
                print(f"{lab.name} {origin.name}: {new[lab.name][origin.name]}", flush=True)
    old = json.loads(TABLE.read_text(encoding="utf-8"))["labs"] if TABLE.is_file() else {}
    kept = {name: known for name, known in old.items() if name not in new}
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    write_file(TABLE, json_text({"labs": dict(sorted((kept | new).items()))}))
    return [f"{lab} {name}: {old.get(lab, {}).get(name)} before, {worth} now" for lab, answers in new.items()
            for name, worth in answers.items() if old.get(lab, {}).get(name) != worth]


def _measured(lab: Lab, origin: Origin) -> tuple[str, float]:
    with tempfile.TemporaryDirectory(prefix="warpbook-measure-") as place:
        source = Path(place) / f"{lab.name}{lab.suffix}"
        source.write_text(origin.text(), encoding="utf-8")
        program = lab.manifest["workers"].get(origin.source) or str(_compiled(lab, source))
        confine = Path(place) / "confinement.json"
        open_sandbox(Path(lab.manifest["build_folder"]), NONE).write_confinement(confine, program)
        line = [lab.manifest["test_program"], "--program", program, "--source", str(source),
                "--root", str(PROJECT), "--records", place, "--confine", str(confine)]
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              check=False)
        if done.returncode != 0:
            raise BatchError(f"{origin.source}: the test program ended with status {done.returncode}: {done.stderr}")
        record = json.loads((Path(place) / "results.json").read_text(encoding="utf-8"))
        return record["status"], rounded(record["points"])


def _compiled(lab: Lab, source: Path) -> Path:
    """An answer that CMake has no target for, by the lab's recipe."""
    place = source.parent
    known = {"root": str(PROJECT), "source": str(source)}
    for step in lab.manifest["build"]["steps"]:
        known[step["output"]] = str(place / step["output"])
        line = [re.sub(r"\{([\w.]+)\}", lambda match: known[match[1]], word) for word in step["argv"]]
        subprocess.run(line, cwd=place, check=True)
    return place / "program"
