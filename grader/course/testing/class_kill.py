"""Kills the grading of a made-up class at random points and resumes it: the gradebook must be the same each time."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.gradebook import FILE_NAME
from grader.course.testing.class_folder import SUBMISSIONS, rules_of
from grader.course.testing.jobs import BUILD

_LOST = 3  # Results that a round has to make anew, at most, besides the first, which has to make all.
_TIMES = {"run"}  # The table that holds times of day of runs.
_MOST_KILLS = 1000


def contents(book: Path) -> dict[str, list[tuple]]:
    """All tables but that of run times, in one order. @throws BatchError if there is no such file, or it is damaged"""
    if not book.is_file():
        raise BatchError(f"{book} does not exist. Grade the class first: warpbook grade --out {book.parent} ...")
    with sqlite3.connect(book) as connection:
        if (found := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise BatchError(f"{book}: is damaged: {found}")
        tables = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr)
                for table in tables if table not in _TIMES}


def kill_and_resume(folder: Path, rounds: int, seed: int) -> list[str]:
    """FOLDER/out must be graded. The first round grades everything, and is killed again and again, up to @p rounds
    times; each further round has lost a few results and is killed up to three times, anywhere up to its end.

    @returns what differed, a line each. @throws BatchError
    """
    order = random.Random(seed)
    good, out = folder / "out", folder / "killed"
    wanted = contents(good / FILE_NAME)
    problems: list[str] = []
    kills = 0
    for number in range(rounds + 1):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        shutil.copyfile(good / "secret", out / "secret")
        if number > 0:
            _lose_a_few(good, out, order)
        hit = _graded_with_kills(folder, out, order, rounds if number == 0 else 3, 8.0 if number == 0 else 3.0)
        kills += hit
        with sqlite3.connect(out / FILE_NAME) as connection:
            runs = connection.execute("SELECT run, finished_at IS NULL FROM run").fetchall()
        if any(unfinished for _, unfinished in runs):
            problems.append(f"round {number}: a run is not finished: {runs}")
        found = contents(out / FILE_NAME)
        problems += [f"round {number}: table {table} differs: {_first(wanted[table], found.get(table, []))}"
                     for table in wanted if found.get(table) != wanted[table]]
        print(f"round {number}: killed {hit} times, {len(problems)} differences so far", flush=True)
    shutil.rmtree(out, ignore_errors=True)
    print(f"{rounds + 1} rounds, {kills} kills")
    return problems if kills >= rounds else [*problems, f"only {kills} kills hit a run"]


def _lose_a_few(good: Path, out: Path, order: random.Random) -> None:
    """The graded jobs, less a few results, and no gradebook."""
    shutil.copytree(good / "jobs", out / "jobs")
    shutil.copytree(good / "ladders", out / "ladders")
    results = sorted(out.glob("jobs/*/result.json"))
    for path in order.sample(results, min(len(results), order.randrange(_LOST + 1))):
        path.unlink()


def _graded_with_kills(folder: Path, out: Path, order: random.Random, most: int, longest: float) -> int:
    """Grades to the end; before, up to @p most runs are killed, after @p longest seconds at most. @returns how many"""
    kills = 0
    for _ in range(_MOST_KILLS):
        resume = _has_run(out)
        command = [BUILD / "bin" / "warpbook", "grade", "--out", out, "--jobs", "2"]
        if resume:
            command.append("--resume")
        else:
            command += [folder / SUBMISSIONS, *rules_of(folder)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        if kills < most:
            try:
                process.wait(order.uniform(0.0, longest))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
        output, _ = process.communicate()
        if process.returncode != 0:
            raise BatchError(f"grading ended with status {process.returncode}:\n{output}")
        return kills
    raise BatchError("it never came to its end")


def _has_run(out: Path) -> bool:
    """Whether there is a run to resume: one that was killed before it began is begun again."""
    if not (out / FILE_NAME).is_file():
        return False
    try:
        with sqlite3.connect(out / FILE_NAME) as connection:
            return connection.execute("SELECT count(*) FROM run").fetchone()[0] > 0
    except sqlite3.Error:
        return False


def _first(wanted: list[tuple], found: list[tuple]) -> str:
    missing, extra = [row for row in wanted if row not in found], [row for row in found if row not in wanted]
    return f"{missing[:1]} before, {extra[:1]} now ({len(missing)} and {len(extra)} rows)"
