"""A graded class made from a seed, with nothing built or run: for reports, and for how they look with 300 students.

`python3 -m grader.course.testing.sample_class OUT [--students N] [--labs a,b] [--seed S]` writes the gradebook, the
files and the jobs that `warpbook grade` would leave in OUT. Labs, tests, wrong answers and rungs are this project's
own; who handed in what, when, and every number measured is made up.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from grader.course.files import json_text, write_file
from grader.course.gradebook import FILE_NAME, Found, Grade, Gradebook, Job, Row, Similarity, Student, Submitted, Test
from grader.course.testing.findings import finding_record, message_of
from grader.report.class_mistakes import WrongAnswer, known_mistakes
from grader.workbook.places import place_of, places

PROJECT = Path(__file__).resolve().parents[3]
START = datetime(2026, 10, 1, 8, tzinfo=timezone.utc)
KINDS = ("correctness", "counters", "time")
LIMITERS = ("dram", "l2", "lsu", "issue", "latency")


def _finding(wrong: WrongAnswer, test: str, chance: random.Random) -> dict[str, object]:
    """What a test finds in a wrong answer: the recorded finding, or just that it is wrong."""
    if test != wrong.test:
        return finding_record("wrong_result", headline=f"'out' is wrong in {chance.randint(1, 900)} of 1024 elements.")
    if wrong.finding is None:
        return finding_record("requirement", wrong.name, headline=f"{wrong.name} is not what the lab asks for.")
    known = wrong.finding
    return finding_record(known.kind, known.topic, headline=f"{known.kind}: {known.topic}.", evidence=known.evidence)


@dataclass
class SampleLab:
    """A lab with the tests that its wrong answers name."""

    name: str
    number: int
    title: str
    points: float
    rungs: list[str]
    suffix: str
    solution: str
    wrong: list[WrongAnswer]

    @property
    def tests(self) -> list[str]:
        names = sorted({one.test for one in self.wrong})
        return sorted(names, key=lambda name: KINDS.index(name.split(".")[1]))

    @property
    def hidden(self) -> str:
        """The last test of correctness: what was measured is not hidden."""
        return [name for name in self.tests if name.split(".")[1] == KINDS[0]][-1]

    @property
    def due(self) -> datetime:
        return START + timedelta(days=7 * (self.number + 1), hours=14)

    @property
    def worth(self) -> float:
        """Of each test."""
        return round(self.points / len(self.tests), 2)


def sample_labs(names: Sequence[str] = ()) -> list[SampleLab]:
    """All labs of the project, or the named ones, in their order."""
    described = []
    for name, place in places().items():
        if not names or name in names:
            described.append((json.loads(place.description.read_text(encoding="utf-8")), name))
    labs = []
    for number, (lab, name) in enumerate(sorted(described, key=lambda one: (one[0]["order"], one[1]))):
        solution = place_of(name).solution
        labs.append(
            SampleLab(
                name,
                number,
                lab["title"],
                float(lab["points"]),
                [rung["title"] for rung in lab.get("rungs", [])],
                solution.suffix,
                solution.read_text(encoding="utf-8"),
                known_mistakes(PROJECT, name),
            )
        )
    return labs


@dataclass
class SampleClass:
    """Makes a class into folder `out`. `idle`: labs that nobody hands in. `timeless`: no time of submission is known,
    and no job has a time or a profile."""

    out: Path
    students: int = 300
    labs: Sequence[str] = ()
    seed: int = 1
    idle: Sequence[str] = ()
    timeless: bool = False
    rows: list[Row] = field(default_factory=list)
    jobs: dict[str, Job] = field(default_factory=dict)

    def make(self) -> Path:
        """@returns `out`"""
        labs = sample_labs(self.labs)
        chance = random.Random(self.seed)
        for i in range(self.students):
            student, skill = f"s{i + 1:03}", chance.betavariate(3, 1.6)
            self.rows.append(Student(student))
            for lab in labs:
                self._hand_in(student, lab, skill, random.Random(f"{self.seed} {student} {lab.name}"))
        self._likenesses(labs, chance)
        with Gradebook.create(self.out / FILE_NAME) as book, book.transaction():
            policy = {
                "format": "warpbook.course",
                "version": 1,
                "course": "Parallel programming",
                "time_zone": "Europe/Berlin",
                "extensions": self._extensions(labs),
                "labs": {lab.name: {"due": lab.due.strftime("%Y-%m-%dT%H:%M:00+00:00")} for lab in labs},
            }
            for key, value in {
                "title": "Parallel programming",
                "labs": json.dumps([lab.name for lab in labs]),
                "titles": json.dumps({lab.name: lab.title for lab in labs}),
                "isolation": "bubblewrap",
                "policy": "" if self.timeless else json.dumps(policy),
            }.items():
                book.set_course(key, value)
            book.write(self.rows)
        return self.out

    def _extensions(self, labs: Sequence[SampleLab]) -> list[dict]:
        """A student in eight has more time for one lab, one in forty for all."""
        found = []
        for i in range(self.students):
            chance = random.Random(f"{self.seed} extension {i}")
            if chance.random() < 1 / 8:
                lab = chance.choice([lab.name for lab in labs])
                found.append({"student": f"s{i + 1:03}", "lab": lab, "days": chance.randint(1, 9), "reason": "ill"})
            elif chance.random() < 1 / 40:
                found.append({"student": f"s{i + 1:03}", "days": 14, "reason": "works beside studying"})
        return found

    def _hand_in(self, student: str, lab: SampleLab, skill: float, chance: random.Random) -> None:
        if lab.name in self.idle or chance.random() < 0.04 + 0.2 * (1 - skill):
            self.rows.append(Grade(student, lab.name, 0, lab.points, 0, 0, 1, 0, "missing", "nothing was handed in"))
            return
        moment = lab.due - timedelta(hours=min(chance.expovariate(1 / 30), 150)) + timedelta(hours=chance.gauss(2, 6))
        attempts = 1 + (chance.random() < 0.3)
        for attempt in range(1, attempts + 1):
            text, status, wrong = self._answer(lab, skill, chance, student)
            job = self._job(lab, text, status, wrong, chance)
            when = None if self.timeless else (moment + timedelta(hours=3 * attempt)).isoformat(timespec="seconds")
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            self.rows.append(
                Submitted(
                    student, lab.name, sha256, job.job, when, attempt, f"{student}/{lab.name}.cu", attempt == attempts
                )
            )
            write_file(self.out / "files" / f"{sha256}.cu", text, durable=False)
        late = (
            0 if self.timeless else max(0, -((lab.due - moment - timedelta(hours=3 * attempts)) // timedelta(days=1)))
        )
        factor = max(0.0, 1 - 0.1 * late)
        points = round(job.points * factor, 2)
        self.rows.append(
            Grade(student, lab.name, job.points, lab.points, late, 0, factor, points, job.status, job.reason)
        )
        if chance.random() < 0.05:
            self.rows.append(
                Found(
                    student,
                    lab.name,
                    *chance.choice(
                        (
                            ("note", "other_file", "readme.txt", "is not a file of this lab and was left out"),
                            ("suspicion", "reads_environment", f"{lab.name}.cu", "names getenv, which no answer needs"),
                            ("error", "no_text", f"{lab.name}.cu", "is not text"),
                        )
                    ),
                )
            )

    @staticmethod
    def _answer(
        lab: SampleLab, skill: float, chance: random.Random, student: str
    ) -> tuple[str, str, WrongAnswer | None]:
        draw = chance.random()
        if draw < 0.25 + 0.5 * skill:
            own = f"// {student}\n" if chance.random() < 0.8 else ""
            return own + lab.solution, "passed", None
        if draw > 0.97:
            return f"// {student}\nvoid broken( {{\n", "build_failed", None
        if draw > 0.94:
            return "// TODO(student)\n", "not_started", None
        # The usual mistakes are made more often than others.
        wrong = lab.wrong[min(int(chance.expovariate(0.25)), len(lab.wrong) - 1)]
        return (wrong.text if chance.random() < 0.6 else f"// {student}, in other words\n"), "failed", wrong

    def _job(self, lab: SampleLab, text: str, status: str, wrong: WrongAnswer | None, chance: random.Random) -> Job:
        name = hashlib.sha256(f"{lab.name}\0{wrong.name if wrong else status}\0{text}".encode()).hexdigest()[:32]
        if name in self.jobs:
            return self.jobs[name]
        endings = ["passed" if status == "passed" else "not_run"] * len(lab.tests)
        if wrong:
            at = lab.tests.index(wrong.test)
            endings = [
                "failed" if i == at or i > at and chance.random() < 0.3 else "passed" for i in range(len(lab.tests))
            ]
        points = round(sum(lab.worth for ending in endings if ending == "passed"), 2)
        points = lab.points if status == "passed" else points
        measured = status in ("passed", "failed") and not self.timeless and bool(lab.rungs) and (wrong is None or chance.random() < 0.8)
        rung = len(lab.rungs) if status == "passed" else chance.randint(1, max(len(lab.rungs) - 1, 1))
        time = _time(lab, rung) * chance.choice((1.0, 1.0, 1.02, 1.1, 1.3)) if measured else None
        failed = endings.count("failed")
        reason = {
            "failed": f"{failed} of {len(lab.tests)} tests failed",
            "build_failed": "It does not compile: line 2",
            "not_started": "The file is as it was handed out",
        }.get(status, "")
        job = self.jobs[name] = Job(name, lab.name, status, reason, points, lab.points, time, "bubblewrap")
        self.rows.append(job)
        for i, (test, ending) in enumerate(zip(lab.tests, endings)):
            record = None
            if ending == "failed":
                record = _finding(wrong, test, chance)
            self.rows.append(
                Test(
                    name,
                    i,
                    test,
                    test.split(".")[1],
                    ending,
                    lab.worth if ending == "passed" else 0.0,
                    lab.worth,
                    message_of(record) if record else "",
                    test == lab.hidden,
                    json.dumps(record, sort_keys=True) if record else "",
                )
            )
        self._files_of(lab, job, rung, text)
        return job

    def _files_of(self, lab: SampleLab, job: Job, rung: int, text: str) -> None:
        ladder = []
        for i, title in enumerate([] if self.timeless else lab.rungs, 1):
            path = self.out / "ladders" / lab.name / f"{i}.json"
            if not path.exists():
                write_file(path, json_text(_profile(lab, i, _time(lab, i))), durable=False)
            ladder.append(
                {
                    "rung": str(i),
                    "title": title,
                    "time_us": _time(lab, i),
                    "kernel": 0,
                    "library": False,
                    "source": "",
                    "problem": "",
                    "profile": f"../../ladders/{lab.name}/{i}.json",
                }
            )
        folder = self.out / "jobs" / job.job
        write_file(folder / f"{lab.name}{lab.suffix}", text, durable=False)
        if job.time_us is not None:
            write_file(folder / "profile.json", json_text(_profile(lab, rung, job.time_us)), durable=False)
        write_file(
            folder / "result.json",
            json_text(
                {
                    "format": "warpbook.job_result",
                    "version": 1,
                    "id": job.job,
                    "lab": lab.name,
                    "status": job.status,
                    "kernel": 0,
                    "profile": None if job.time_us is None else "profile.json",
                    "time_us": job.time_us,
                    "ladder": ladder,
                }
            ),
            durable=False,
        )

    def _likenesses(self, labs: Sequence[SampleLab], chance: random.Random) -> None:
        """Pairs, a ring and a crowd, of those who handed something in."""
        for lab in labs:
            handed_in = sorted({row.student for row in self.rows if isinstance(row, Submitted) and row.lab == lab.name})
            chance.shuffle(handed_in)
            for number, size in enumerate((9, 4, 2) if lab.number == 1 else (3, 2) if lab.number % 3 == 0 else (), 1):
                group, handed_in = sorted(handed_in[:size]), handed_in[size:]
                for i, one in enumerate(group):
                    for other in group[i + 1 :]:
                        if other == group[i + 1] or chance.random() < 0.5:
                            self.rows.append(
                                Similarity(
                                    lab.name,
                                    one,
                                    other,
                                    round(chance.uniform(0.56, 1), 3),
                                    chance.randint(8, 60),
                                    number,
                                )
                            )


def _time(lab: SampleLab, rung: int) -> float:
    """Of a rung, the first is 1: each is faster than the one before."""
    return round((lab.number + 3) * 7.5 * 2.6 ** (len(lab.rungs) - rung), 3)


def _profile(lab: SampleLab, rung: int, time: float) -> dict:
    """As the virtual GPU writes it: two kernels, in streams of their own in the lab that is about streams."""
    kernels = [_kernel(lab, rung, time * share) for share in (1.0, 0.2)]
    streams = (1, 2) if lab.name == "streams" else (0, 0)
    timeline = [
        {"engine": engine, "stream": stream, "name": engine, "start_us": at + start, "end_us": at + start + 0.3 * time}
        for stream, at in zip(streams, (0.0, 0.35 * time))
        for engine, start in (("copy_in", 0.0), ("compute", 0.35 * time), ("copy_out", 0.7 * time))
    ]
    return {
        "format": "warpbook.profile",
        "version": 1,
        "device": "h200",
        "kernels": kernels,
        "timeline": timeline if streams[0] else [],
    }


def _kernel(lab: SampleLab, rung: int, time: float) -> dict:
    slower = len(lab.rungs) - rung
    limiter = LIMITERS[(lab.number + slower) % len(LIMITERS)]
    waste = 2**slower
    return {
        "name": f"{lab.name}_kernel",
        "grid": [1024, 1, 1],
        "block": [256, 1, 1],
        "registers": 24,
        "shared_bytes": 4224,
        "limiter": limiter,
        "time_us": round(time, 3),
        "model": {limiter: round(time, 3), "launch": 2.1},
        "metrics": {
            "dram__bytes.sum": 33554432,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 1048576 * waste,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 524288,
            "lts__t_sectors_op_read.sum": 1048576 * waste,
            "lts__t_sectors_op_write.sum": 524288,
            "smsp__inst_executed.sum": int(1114112 * 1.3**slower),
        },
        "lines": [_line(lab, at, waste) for at in range(12, 24)],
    }


def _line(lab: SampleLab, at: int, waste: int) -> dict:
    """Every third line loads from global memory, the one after it stores to shared memory."""
    op, space = {0: ("ld", "global"), 1: ("st", "shared")}.get(at % 3, ("", ""))
    access = {
        "op": op,
        "space": space,
        "requests": 32768,
        "sectors": 131072 * waste if space == "global" else 0,
        "sectors_ideal": 131072 if space == "global" else 0,
        "wavefronts": 32768 * waste,
        "wavefronts_ideal": 32768,
        "stride": 4,
    }
    return {
        "file": f"/warpbook/labs/{place_of(lab.name).path}/{lab.name}{lab.suffix}",
        "line": at,
        "inst_executed": 98304,
        "thread_inst_executed_true": 98304 * 32,
        "accesses": [access] if op else [],
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="sample_class", description="A graded class made from a seed.")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--labs", default="", help="a,b; by default all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(
        SampleClass(options.out, options.students, [lab for lab in options.labs.split(",") if lab], options.seed).make()
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
