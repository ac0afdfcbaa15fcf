"""Grades one job: `python3 -m grader.course.task OUT/jobs/<id>`.

A job's folder holds job.json and the submitted file. The task notes unusual things in the file, builds it and runs the
tests of its lab on it, both in the sandbox, and at the end writes result.json atomically. Nothing in result.json depends on
the machine or the run: that goes to timing.json. The exit status is 0 if there is a result, however bad the
submission; with a result there already, nothing is done.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.course.build import BUILD_LIMITS, Built, Failure, build
from grader.course.errors import BatchError
from grader.course.executors.base import RESULT, RESULT_FORMAT, RESULT_VERSION, has_result
from grader.course.files import json_text, write_file
from grader.course.finding import finding_of
from grader.course.ladders import rungs_of
from grader.course.notes import notes_on
from grader.course.sandbox import BUBBLEWRAP, Limits, Sandbox, open_sandbox
from grader.course.text_files import no_source
from grader.workbook.places import place_of

PROFILE, BUILD_LOG, TIMING = "profile.json", "build.log", "timing.json"
LARGEST_SOURCE = 1 << 20
BUSY_SECONDS = 5  # CPU seconds that any case may use; grader/runner/patience.h says what happens then.
_PROGRAM = "/answer"  # Inside the sandbox.
_LEFT = "left_processes"  # Evidence of a finding (grader/runner/submission.cpp).


@dataclass(frozen=True)
class Job:
    """The contents of job.json."""

    folder: Path
    id: str
    lab: str
    source: Path
    build_folder: Path
    isolation: str
    limits: dict[str, Any]

    @staticmethod
    def read(folder: Path) -> Job:
        """:raises BatchError: if job.json is missing, broken, or of another format"""
        path = folder / "job.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if (data["format"], data["version"]) != ("warpbook.job", 1):
                raise BatchError(f"{path}: format is {data['format']} {data['version']}, not warpbook.job 1")
            source = folder / data["source"]
            if Path(data["source"]).name != data["source"] or source.is_symlink() or not source.is_file():
                raise BatchError(f"{path}: source is '{data['source']}', which is not a plain file in that folder")
            return Job(folder, data["id"], data["lab"], source, Path(data["build_folder"]), data["isolation"],
                       data.get("limits", {}))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BatchError(f"{path} cannot be used: {type(error).__name__} {error}") from error

    def manifest(self) -> dict[str, Any]:
        """:raises BatchError: if the lab is not in the build folder"""
        path = self.build_folder / "manifests" / f"{self.lab}.json"
        try:
            manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BatchError(f"lab {self.lab}: {path} cannot be read ({error}). Configure: cmake --preset sim") from error
        if manifest["backend"] != "virtual" and self.isolation == BUBBLEWRAP:
            raise BatchError(f"{self.build_folder} grades on a GPU, and the sandbox passes no GPU on. Grade with a build "
                             "folder of the preset sim, or with --isolation none.")
        if not Path(manifest["test_program"]).exists():
            raise BatchError(f"{manifest['test_program']} is missing. Build it: cmake --build {self.build_folder} "
                             "--target warpbook_batch")
        return manifest

    def run_limits(self) -> Limits:
        """Limits of each case; job.json may set some."""
        given = {key: value for key, value in self.limits.items() if key in ("wall_s", "memory_bytes", "processes")}
        limits = Limits(**given)
        return replace(limits, busy_s=min(BUSY_SECONDS, limits.wall_s))

    def build_limits(self) -> Limits:
        seconds = self.limits.get("build_wall_s", BUILD_LIMITS.busy_s)
        return replace(BUILD_LIMITS, wall_s=seconds, busy_s=seconds)


def course_secret(out: Path) -> str:
    """The secret from which all seeds come. :raises BatchError: if there is none"""
    path = out / "secret"
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise BatchError(f"{path} cannot be read ({error}): seeds come from it. `warpbook grade` makes it.") from error
    if len(text) < 16:
        raise BatchError(f"{path} holds {len(text)} letters, at least 16 are needed. Delete it: `warpbook grade` makes "
                         "a new one, and all grades anew.")
    return text


def seed_of(secret: str, job: str) -> int:
    """48 bits, as the test program prints them."""
    return int.from_bytes(hashlib.sha256(f"{secret} {job}".encode()).digest()[:6], "big")


def _reason(record: dict[str, Any]) -> str:
    """One sentence on the outcome of the tests; empty if all passed."""
    status = record["status"]
    if status == "passed":
        return ""
    if status == "not_started":
        return "Not started: every test reaches warpbook::not_started()."
    tests = record["tests"]
    if status == "inconclusive":
        return "The measurements are inconclusive; grade it again on a quieter machine."
    bad = [test for test in tests if test["status"] not in ("passed", "inconclusive")]
    first = bad[0]
    finding = finding_of(first["finding"])
    said = finding.headline if finding else first["status"]
    name = first["name"].split(".", 1)[1]
    return f"{len(bad)} of {len(tests)} tests {'fails' if len(bad) == 1 else 'fail'}; the first, {name}: {said[:400]}"


def _unbuilt_result(job: Job, manifest: dict[str, Any], failure: Failure) -> dict[str, Any]:
    tests = [{"name": f"{job.lab}.{test['kind']}.{test['sentence']}", "kind": test["kind"], "status": "not_run",
              "points": 0, "max_points": test["points"], "message": "", "finding": None} for test in manifest["tests"]]
    return {"status": "build_failed", "reason": failure.reason, "build_failure": failure.as_json(), "points": 0,
            "max_points": sum(test["max_points"] for test in tests), "tests": tests, "time_us": None, "kernel": None,
            "profile": None, "left_behind": []}


def _run_tests(job: Job, manifest: dict[str, Any], built: Built, sandbox: Sandbox, work: Path) -> dict[str, Any]:
    """Starts the lab's test program, outside the sandbox, on the program, inside."""
    records, confine = work / "records", work / "confinement.json"
    records.mkdir()
    confined = sandbox.isolation == BUBBLEWRAP
    files = {_PROGRAM: str(built.program)} | {path: path for path in manifest["build"]["libraries"]}
    sandbox.with_files(files).write_confinement(confine, _PROGRAM if confined else str(built.program))
    seed = seed_of(course_secret(job.folder.parent.parent), job.id)
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(work), "TMPDIR": str(work),
                   "WARPBOOK_SEED": str(seed)}
    line = [manifest["test_program"], "--program", str(built.program), "--source", str(job.source), "--root", built.root,
            "--records", str(records), "--confine", str(confine)]
    done = subprocess.run(line, env=environment, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode != 0 or not (records / "results.json").is_file():
        raise BatchError(f"the test program of lab {job.lab} ended with status {done.returncode}: "
                         f"{(done.stderr or done.stdout).strip()[-2000:]}")
    record = json.loads((records / "results.json").read_text(encoding="utf-8"))
    result = {key: record[key] for key in ("status", "points", "max_points", "tests", "time_us", "kernel")}
    result["reason"], result["build_failure"] = _reason(record), None
    result["left_behind"] = [f"a process ({test['name']})" for test in record["tests"]
                             if (finding := finding_of(test["finding"])) and _LEFT in finding.evidence]
    result["profile"] = None
    if record["profile"]:
        shutil.copyfile(record["profile"], job.folder / PROFILE)
        result["profile"] = PROFILE
    return result


def grade_job(job: Job) -> None:
    """Grades a job and writes result.json.

    :raises BatchError: if the grader failed; then there is no result
    """
    started = time.time()
    manifest = job.manifest()
    sandbox = open_sandbox(job.build_folder, job.isolation, job.id, job.run_limits())
    data = job.source.read_bytes()
    timing: dict[str, Any] = {"format": "warpbook.job_timing", "version": 1, "host": platform.node(), "started_at": started}
    usual = place_of(job.lab, Path(manifest["project_root"])).json.get("usual", [])
    notes = notes_on(data[:LARGEST_SOURCE].decode("utf-8", errors="replace"), job.lab, usual)
    ladder = rungs_of(manifest, job.folder.parent.parent)
    (job.folder / PROFILE).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="warpbook-job-") as place:
        work = Path(place)
        work.chmod(0o755)
        folder = work / "build"
        folder.mkdir()
        if reason := no_source(data, job.source.name):
            built = Built(None, "", "", Failure("no_source", "", reason))
        elif len(data) > LARGEST_SOURCE:
            reason = f"The file is larger than {LARGEST_SOURCE >> 10} KiB: {len(data)} bytes."
            built = Built(None, "", "", Failure("source_too_large", "", reason))
        else:
            built = build(manifest, job.source, sandbox, folder, job.build_limits())
        timing |= {"build_s": time.time() - started, "build_steps_s": built.seconds}
        log = built.log if built.program or built.log else built.reason + "\n"
        write_file(job.folder / BUILD_LOG, log)
        tested = time.time()
        if built.failure:
            result = _unbuilt_result(job, manifest, built.failure)
        else:
            result = _run_tests(job, manifest, built, sandbox, work)
            timing["tests_s"] = time.time() - tested
    result |= {"format": RESULT_FORMAT, "version": RESULT_VERSION, "id": job.id, "lab": job.lab, "build_log": BUILD_LOG,
               "isolation": job.isolation, "ladder": ladder, "notes": [note.as_json() for note in notes]}
    timing["total_s"] = time.time() - started
    write_file(job.folder / TIMING, json_text(timing))
    write_file(job.folder / RESULT, json_text(result))


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python3 -m grader.course.task JOB_FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0]).resolve()
    # An executor that ends, or is killed, ends its tasks this way, together with their programs and temporary folders.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        job = Job.read(folder)
        with open(folder / ".lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # A second task of this job waits, then finds the result.
            if not has_result(folder):
                grade_job(job)
    except BatchError as error:
        print(f"warpbook task {folder.name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
