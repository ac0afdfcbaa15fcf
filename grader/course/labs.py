"""The labs of a build folder, from the manifests that add_lab() wrote, and a fingerprint of what grades each."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.workbook.edition import is_edition

ROOT = Path(__file__).resolve().parents[2]
# The parts of this package that decide on a verdict.
GRADING_CODE = ("task.py", "sandbox.py", "build.py", "ladders.py", "notes.py", "machine_free.py", "text_files.py")
QUIET_S = 3.0  # A build that takes longer is announced.


@dataclass(frozen=True)
class Lab:
    """One lab. `manifest` is docs/formats.md's; `json` is lab.json."""

    name: str
    manifest: dict[str, Any]
    json: dict[str, Any]

    @property
    def title(self) -> str:
        return str(self.json["title"])

    @property
    def order(self) -> int:
        return int(self.json["order"])

    @property
    def path(self) -> str:
        """Below labs/, solutions/ and grader/labs/: "memory/coalescing"."""
        return f"{self.manifest['chapter']}/{self.name}"

    @property
    def suffix(self) -> str:
        """Of a student's file: ".cu", or ".cpp" where two compilers read it."""
        return str(self.manifest["suffix"])

    @property
    def file_name(self) -> str:
        return self.name + self.suffix

    @property
    def max_points(self) -> float:
        return float(sum(test["points"] for test in self.manifest["tests"]))

    @property
    def test_names(self) -> list[str]:
        """As `<lab>.<kind>.<sentence>`."""
        return [f"{self.name}.{test['kind']}.{test['sentence']}" for test in self.manifest["tests"]]

    @property
    def project_root(self) -> Path:
        return Path(self.manifest["project_root"])

    @property
    def programs(self) -> list[Path]:
        """What must be built to grade: the test program, the reference and the rungs of the ladder."""
        workers = self.manifest["workers"]
        sources = [f"solutions/{self.path}/{self.file_name}", *(rung["source"] for rung in self.json.get("rungs", []))]
        found = [Path(workers[source]) for source in sources if source in workers]
        return [Path(self.manifest["test_program"]), *dict.fromkeys(found)]


def load_labs(build_folder: Path) -> dict[str, Lab]:
    """All labs of a build folder by name, in their order. @throws BatchError"""
    if is_edition(build_folder):
        raise BatchError(f"{build_folder} is a student edition: it has no reference to grade a class with. Grade with a clone of the "
                         "project")
    labs = []
    for path in sorted((build_folder / "manifests").glob("*.json")):
        manifest = _read_json(path)
        lab_json = Path(manifest["project_root"]) / "labs" / manifest["chapter"] / manifest["lab"] / "lab.json"
        labs.append(Lab(manifest["lab"], manifest, _read_json(lab_json)))
    if not labs:
        raise BatchError(f"{build_folder}: no lab is configured there; run `cmake --preset sim`")
    return {lab.name: lab for lab in sorted(labs, key=lambda lab: (lab.order, lab.name))}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError) as error:
        raise BatchError(f"{path}: cannot be read ({error}); configure again: cmake --preset sim") from None


def select_labs(labs: dict[str, Lab], names: Sequence[str], option: str = "--labs") -> dict[str, Lab]:
    """The named labs, in their order. @throws BatchError for a name that is not a lab"""
    for name in names:
        if name not in labs:
            raise BatchError(f"{option}: '{name}' is not a lab; there are: {', '.join(labs)}")
    return {name: lab for name, lab in labs.items() if name in names}


def build_programs(build_folder: Path, labs: Iterable[Lab], say: Callable[[str], None] = print) -> None:
    """Builds the graders of the labs. That takes a moment if everything is built; else it says so. In another user's
    installation nothing is built.

    @throws BatchError with the build's messages, or with what to ask the owner of the installation
    """
    labs = list(labs)
    targets = [f"{lab.name}_batch" for lab in labs]
    if not targets:
        return
    if not os.access(build_folder, os.W_OK):
        if missing := [lab.name for lab in labs if not all(path.is_file() for path in lab.programs)]:
            raise BatchError(f"{build_folder} belongs to {_owner(build_folder)}, and the grader of {', '.join(missing)} is not built "
                             f"there: ask them to run, once, `cmake --build {build_folder} --target warpbook_batch`")
        return
    command = ["cmake", "--build", str(build_folder), "--target", *targets]
    try:
        build = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, errors="replace")
    except OSError as error:
        raise BatchError(f"cmake cannot be started ({error.strerror}); run common/setup.sh") from None
    with build:
        try:
            try:
                output, _ = build.communicate(timeout=QUIET_S)
            except subprocess.TimeoutExpired:
                noun = "lab" if len(targets) == 1 else "labs"
                say(f"Building the graders of {len(targets)} {noun}: the first time, that takes minutes.")
                output, _ = build.communicate()
        except BaseException:
            build.kill()
            raise
    if build.returncode != 0:
        tail = "\n".join(output.splitlines()[-20:])
        raise BatchError(f"{build_folder}: the graders of the labs do not build:\n{tail}\n"
                         f"Repeat it with: {' '.join(command)}")


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except (KeyError, OSError):
        return "another user"


def fingerprint(lab: Lab) -> str:
    """64 hex digits over everything that decides how a file is graded: if they change, cached results are outdated.

    Test program, reference and rungs, the objects that a student's file is linked with, virtual GPU, headers, compilers, and the
    code that runs a task.
    """
    digest = hashlib.sha256()
    for path in _grading_files(lab):
        digest.update(f"{path.name}\0{_hash(path)}\0".encode())
    digest.update(_compilers(Path(lab.manifest["build_folder"])).encode())
    return digest.hexdigest()


def _grading_files(lab: Lab) -> Iterator[Path]:
    root, build = lab.project_root, Path(lab.manifest["build_folder"])
    yield from lab.programs
    yield from sorted({Path(file) for step in lab.manifest["build"]["steps"] for file in step["files"]})
    yield from _files(build / "lib" / "front", "lib*.so.*")
    yield from _files(build / "bin", "device_process")
    yield from _files(build / "bin", "limited_run")
    yield from _files(build / "bin", "sandbox_init")
    yield from _files(root / "labs" / lab.path, "*.h")
    yield from _files(root / "labs" / lab.path, "lab.json")
    yield from _files(root / "common" / "cuda", "**/*.*h")
    yield from _files(root / "common" / "simulator" / "model" / "devices", f"{lab.manifest['device']}.json")
    yield from (path for name in GRADING_CODE for path in _files(Path(__file__).parent, name))


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


@cache
def _hash(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BatchError(f"{path}: cannot be read ({error.strerror}); "
                         f"build it: cmake --build BUILD --target {path.name}") from None


@cache
def _compilers(build_folder: Path) -> str:
    """The version messages of the build folder's compilers."""
    try:
        cached = (build_folder / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.findall(r"^(?:WARPBOOK_NVCC|CMAKE_CXX_COMPILER):\w+=(.+)$", cached, re.M)
    commands = ([program, "--version"] for program in sorted(found))
    return "\n".join(subprocess.run(command, capture_output=True, text=True, check=False).stdout for command in commands)
