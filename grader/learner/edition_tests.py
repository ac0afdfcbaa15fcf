"""Builds one lab's answer and runs its tests, as ctest does in a build folder: a student edition has no build tool.

usage: python3 -m grader.learner.edition_tests HOME LAB [--output-junit FILE] [--parallel N] [--build-only]

Only the student's file is compiled. Each test is a process of the lab's test program, which writes a record; a failed
build writes build_failed.log. Exit status: 0, 1 if the answer does not compile, 3 if it cannot be graded here.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from grader.course.build import Built, build_staged
from grader.course.errors import BatchError
from grader.course.sandbox import NONE, open_sandbox
from grader.learner.errors import LearnerError
from grader.learner.grading import UNABLE
from grader.workbook.edition import TOOLKIT, project_of, read_manifest

TEST_S = 300  # The same limit as in ctest.
NOT_STARTED = 77
WORDS = {0: ("run", "Passed"), NOT_STARTED: ("notrun", "Skipped")}


def answer_of(manifest: dict[str, Any]) -> str:
    """The student's file, from the edition's folder."""
    return f"labs/{manifest['chapter']}/{manifest['lab']}/{manifest['lab']}{manifest['suffix']}"


def build_answer(home: Path, manifest: dict[str, Any]) -> str:
    """Compiles the answer unless its program is newer. @returns the compiler's messages if it does not compile,
    which are kept in build_failed.log. @throws LearnerError if nothing can be compiled here"""
    name, project = answer_of(manifest), project_of(home)
    program, log = Path(manifest["workers"][name]), Path(manifest["results_folder"]) / "build_failed.log"
    if not (home / TOOLKIT / "bin" / "nvcc").exists():
        raise LearnerError(f"{home / TOOLKIT}: CUDA's compiler is missing. Install it, once: {project / 'setup.sh'}")
    log.unlink(missing_ok=True)
    if program.exists() and program.stat().st_mtime > max(path.stat().st_mtime for path in _inputs(home, manifest)):
        return ""
    with tempfile.TemporaryDirectory(prefix="warpbook_build_") as place:
        try:
            built = build_staged(manifest, project, name, open_sandbox(home, NONE), Path(place))
        except BatchError as error:
            raise LearnerError(f"{error} Or unpack the student edition again.") from None
        if built.program is None:
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(f"{name} does not compile:\n\n{_said(built)}\n", encoding="utf-8")
            return log.read_text(encoding="utf-8")
        warnings = log.with_name("build_warnings.log")
        warnings.unlink(missing_ok=True)
        if "warning" in built.log:
            warnings.parent.mkdir(parents=True, exist_ok=True)
            warnings.write_text(f"{built.log.strip()}\n", encoding="utf-8")
        program.unlink(missing_ok=True)  # A test that still runs keeps the old program.
        program.write_bytes(built.program.read_bytes())
        program.chmod(0o755)
    return ""


def _said(built: Built) -> str:
    return (built.log or built.reason).strip()


def _inputs(home: Path, manifest: dict[str, Any]) -> list[Path]:
    project = project_of(home)
    names = [answer_of(manifest), *(f"labs/{manifest['chapter']}/{manifest['lab']}/{path.name}" for path in
                                    (project / "labs" / manifest["chapter"] / manifest["lab"]).glob("*.*h"))]
    return [home / "manifests" / f"{manifest['lab']}.json", *(project / name for name in names)]


def run_test(manifest: dict[str, Any], test: dict[str, Any]) -> tuple[int, float]:
    """@returns its exit status, and the seconds that it took. It writes a record."""
    started = time.monotonic()
    line = [manifest["test_program"], "--test", f"{test['kind']}.{test['sentence']}"]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=TEST_S, check=False, cwd=manifest["project_root"])
    except subprocess.TimeoutExpired:
        return 1, time.monotonic() - started
    if done.stderr:
        print(done.stderr.rstrip(), flush=True)
    return done.returncode, time.monotonic() - started


def run_tests(manifest: dict[str, Any], parallel: int) -> list[tuple[str, str, float]]:
    """Name, ctest's word for the outcome, and seconds of each test."""
    tests = manifest["tests"]
    ended = []
    with ThreadPoolExecutor(max_workers=parallel) as pool:
        for number, (test, (status, seconds)) in enumerate(zip(tests, pool.map(lambda one: run_test(manifest, one), tests)), 1):
            end, word = WORDS.get(status, ("fail", "Failed"))
            name = f"{manifest['lab']}.{test['kind']}.{test['sentence']}"
            print(f"Test #{number}: {name} ... {word} {seconds:.2f} sec", flush=True)
            ended.append((name, end, seconds))
    return ended


def write_junit(path: Path, lab: str, ended: list[tuple[str, str, float]]) -> None:
    suite = xml.Element("testsuite", name=lab, tests=str(len(ended)))
    for name, status, seconds in ended:
        xml.SubElement(suite, "testcase", name=name, classname=name, time=f"{seconds:.3f}", status=status)
    xml.ElementTree(suite).write(path, encoding="unicode")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("lab")
    parser.add_argument("--output-junit", type=Path)
    parser.add_argument("--parallel", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args(arguments)
    home = options.home.resolve()
    try:
        manifest = read_manifest(home, options.lab)
        started = time.monotonic()
        failure = build_answer(home, manifest)
    except (OSError, ValueError, LearnerError) as error:
        print(error)
        return UNABLE
    seconds = time.monotonic() - started
    print(f"Test #0: {options.lab}.build ... {'Failed' if failure else 'Passed'} {seconds:.2f} sec", flush=True)
    ended = [(f"{options.lab}.build", "fail" if failure else "run", seconds)]
    if not failure and not options.build_only:
        ended += run_tests(manifest, options.parallel)
    if options.output_junit:
        write_junit(options.output_junit, options.lab, ended)
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
