"""Builds the program of one submission by the recipe in its lab's manifest, each step in a sandbox of its own.

A compiler reads what a student wrote, so it sees the student's file, the headers that a lab may include, and itself.
Only the link sees the lab's worker.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.machine_free import roots_of, without_machine
from grader.course.plain_text import plain_text
from grader.course.sandbox import BUBBLEWRAP, Ended, Limits, Sandbox

ROOT = "/warpbook"  # The project's root for a compiler in a sandbox.
_MADE = "/made"  # Where later steps find what earlier ones made.
_LOG_BYTES = 32 << 10

# Processor time, and as long asleep: on a busy machine a compiler takes longer, which is not the student's fault. After 12
# times as long it is ended, and there is no result.
BUILD_LIMITS = Limits(wall_s=120, busy_s=120, cpu_s=240, memory_bytes=4 << 30, processes=64, folder_bytes=1 << 30,
                      file_bytes=256 << 20, output_bytes=4 << 20, returned_bytes=256 << 20)


@dataclass(frozen=True)
class Failure:
    """Why there is no program, as data (docs/formats.md) and in a sentence."""

    kind: str
    subject: str
    reason: str

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "subject": self.subject}


@dataclass
class Built:
    """The result of a build: a program, or the reason why there is none."""

    program: Path | None
    root: str  # The project's root as the compiler saw it; the source is `name` below it.
    name: str
    failure: Failure | None = None
    log: str = ""  # The compiler's messages, with the student's paths.
    seconds: dict[str, float] = field(default_factory=dict)  # By the file that a step makes.

    @property
    def reason(self) -> str:
        return self.failure.reason if self.failure else ""


def _staged(manifest: dict[str, Any], source: Path, folder: Path) -> tuple[Path, str]:
    """A folder with the student's file and what it may include, under their paths from the project's root."""
    root, project = folder / "root", Path(manifest["project_root"])
    for name in manifest["build"]["headers"]:
        if (project / name).is_dir():
            shutil.copytree(project / name, root / name)
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project / name, root / name)
    name = f"labs/{manifest['chapter']}/{manifest['lab']}/{manifest['lab']}{manifest['suffix']}"
    shutil.copyfile(source, root / name)
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)  # The sandbox may run as another user.
    return root, name


def _placed(word: str, places: dict[str, Any]) -> str:
    """A word of a command with its {names} replaced by paths."""
    return re.sub(r"\{([\w.]+)\}", lambda match: str(places[match.group(1)]), word)


def _readable(text: str, manifest: dict[str, Any], roots: list[str]) -> str:
    """Messages with the student's names for files, and the same in every run."""
    folder = f"labs/{manifest['chapter']}/{manifest['lab']}"
    for root in roots:
        text = text.replace(f"{root}/{folder}/", "").replace(f"{root}/", "")
    text = re.sub(r"tmpxft_[0-9a-f]+_[0-9a-f]+(-\d+)?_?", "", text)
    text = re.sub(r"/tmp/(cc|nvcc)[A-Za-z0-9_.-]+", "the object file", text)
    text = without_machine(text, roots_of(manifest))
    lines = [line for line in plain_text(text).split("\n") if not line.startswith("bwrap: ")]
    text = "\n".join(lines).strip() + "\n" if lines else ""
    return text if len(text) <= _LOG_BYTES else text[:_LOG_BYTES] + "\n... (the rest is left out)\n"


def _failure(step: dict[str, Any], ended: Ended, limits: Limits, log: str) -> Failure:
    """Of a step. Only the messages of compilers and linkers say what is wrong."""
    tool = "linker" if step["name"] == "link" else "compiler"
    if ended.end in ("timed_out", "too_much_work"):
        return Failure("timed_out", tool, f"The {tool} did not finish within {limits.busy_s:g} s of processor time: the file "
                                          "makes it do far too much work.")
    words = {
        "too_much_output": f"The {tool} printed more than {limits.output_bytes >> 20} MiB of messages.",
        "too_much_memory": f"The {tool} needed more than {limits.as_json()['resident_bytes'] >> 20} MiB of memory.",
        "too_many_processes": f"The {tool} started more than {limits.processes} processes.",
        "reply_too_large": f"The program is larger than {limits.returned_bytes >> 20} MiB.",
    }
    if ended.end in words:
        return Failure(ended.end, tool, words[ended.end])
    if "No space left on device" in log:
        return Failure("files_too_large", tool, f"What the compiler writes is larger than {limits.folder_bytes >> 20} MiB.")
    if re.search(r"File size limit exceeded|SIGXFSZ", log) or (ended.end, ended.code) == ("signalled", 25):
        return Failure("file_too_large", tool, f"What the compiler writes is larger than {limits.file_bytes >> 20} MiB.")
    if re.search(r"virtual memory exhausted|out of memory|cannot allocate|bad_alloc", log, re.I):
        return Failure("too_much_memory", tool, f"The {tool} needed more than {limits.memory_bytes >> 20} MiB of memory.")
    if step["name"] != "compile":
        missing = re.search(r"undefined reference to [`']([^'`]+)'|Undefined reference to '([^']+)'", log)
        if missing:
            name = missing.group(1) or missing.group(2)
            return Failure("undefined", name, f"It does not link: {name} is declared but not defined.")
        double = re.search(r"multiple definition of [`']([^'`]+)'", log)
        if double:
            name = double.group(1)
            return Failure("defined_twice", name, f"It does not link: it defines {name}, which the lab already defines.")
    error = re.search(r"^.*\b(?:fatal )?error\b.*$", log, re.M | re.I)
    said = " ".join(error.group(0).split()) if error else f"the {tool} ended with status {ended.code}"
    return Failure("error", tool, f"It does not {'link' if tool == 'linker' else 'compile'}: {said[:300]}")


def build(manifest: dict[str, Any], source: Path, sandbox: Sandbox, folder: Path, limits: Limits = BUILD_LIMITS) -> Built:
    """Builds one submission.

    :param manifest: of the lab (<build>/manifests/<lab>.json)
    :param source: the submitted file
    :param sandbox: how to confine; its files and limits are set here
    :param folder: an empty folder, which takes the program
    :raises BatchError: if the build folder lacks something that every submission of the lab needs
    """
    staged, name = _staged(manifest, source, folder)
    return build_staged(manifest, staged, name, sandbox, folder, limits)


def build_staged(manifest: dict[str, Any], staged: Path, name: str, sandbox: Sandbox, folder: Path,
                 limits: Limits = BUILD_LIMITS) -> Built:
    """The same, from a file in the folder of the headers that it may include, as for a student's own file.

    :param name: of the file, below the folder `staged`
    """
    recipe = manifest.get("build")
    if not recipe:
        raise BatchError(f"the manifest of lab {manifest['lab']} has no build recipe. Configure again: "
                         "cmake --preset sim")
    for file in {file for step in recipe["steps"] for file in step["files"]}:
        if not Path(file).exists():
            raise BatchError(f"{file} is missing. Build it: cmake --build {manifest['build_folder']} "
                             "--target warpbook_batch")
    confined = sandbox.isolation == BUBBLEWRAP
    root = ROOT if confined else str(staged)
    built = Built(None, root, name)
    toolkit = recipe["toolkit"]
    always = {} if toolkit.startswith("/usr/") else {toolkit: toolkit, str(Path(toolkit).resolve()): toolkit}
    made: dict[str, Path] = {}
    for step in recipe["steps"]:
        output = step["output"]
        places = {"root": root, "source": f"{root}/{name}",
                  output: f"/tmp/{output}" if confined else str(folder / output)}
        places |= {key: f"{_MADE}/{key}" if confined else str(path) for key, path in made.items()}
        argv = [_placed(word, places) for word in step["argv"]]
        files = always | {file: file for file in step["files"]}
        if step["name"] == "compile":
            files |= {ROOT: str(staged)}
        files |= {f"{_MADE}/{key}": str(path) for key, path in made.items()}
        ended = replace(sandbox.with_files(files), limits=limits).run(argv, folder, places[output], folder / output)
        built.seconds[output] = ended.wall_us / 1e6
        log = _readable(ended.output + ended.error, manifest, [ROOT, str(staged)])
        built.log += log
        if not ended.well and step["name"] != "compile" and "Permission denied" in log:
            raise BatchError(f"the sandbox's user cannot read the files that programs are linked with: {log.strip()}. Let "
                             f"everybody read {manifest['build_folder']} (chmod -R a+rX).")
        if ended.end == "machine_busy":
            raise BatchError(f"the step {step['name']} did not finish within {ended.wall_us / 1e6:.0f} s, because the machine "
                             "was too busy: that says nothing about the file. Grade again on a quieter machine")
        if not ended.well:
            built.failure = _failure(step, ended, limits, log)
            return built
        made[output] = folder / output
    program = folder / "program"
    program.chmod(0o755)
    built.program = program
    return built
