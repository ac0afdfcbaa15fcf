"""`warpbook publish DIR --labs a,b,...`: makes the folder that a course hands out."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.labs import Lab, build_programs, load_labs, select_labs
from grader.course.policy.load import load_policy
from grader.course.policy.points import is_hidden
from grader.edition.front import write_front
from grader.edition.handouts import copy_labs
from grader.edition.home import Edition
from grader.edition.search import leaks
from grader.edition.secrets import secrets_of


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook publish", allow_abbrev=False,
        description="Make a student edition: labs and handouts, the grader and the virtual GPU, already built, the reference's figures "
                    "recorded; no solution, wrong answer or hidden test (docs/build.md).",
        epilog="Exit status: 0, or 2 with an error; then no folder is made.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder to make; it must be new or empty")
    parser.add_argument("--labs", required=True, metavar="A,B", help="names of labs and exercises, in any order")
    parser.add_argument("--policy", type=Path, metavar="COURSE.JSON",
                        help="the rules of the course: tests that they hide and have not released are left out")
    parser.add_argument("--this-processor", action="store_true",
                        help="accept a build for this machine's instruction set only: for testing, or a class with equal machines")
    parser.add_argument("--build-folder", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    build = options.build_folder.resolve()
    names = [name.strip() for name in options.labs.split(",") if name.strip()]
    everything = load_labs(build)
    labs = list(select_labs(everything, names).values())
    _check(labs, options.folder)
    hidden = _hidden(labs, everything, options.policy)
    instruction_sets = _instruction_sets(build, options.this_processor)
    print(f"Building {len(labs)} {'lab' if len(labs) == 1 else 'labs'} and the grader.", flush=True)
    build_programs(build, labs)
    _build_package(build)
    folder = options.folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as place:
        edition = Edition(Path(place, "edition"), labs, hidden, instruction_sets)
        _make(edition, build)
        if folder.exists():
            folder.rmdir()
        os.rename(edition.folder, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    left_out = sum(map(len, hidden.values()))
    print(f"Published {folder}: {', '.join(lab.name for lab in labs)}; {size / 1e6:.0f} MB; "
          f"{left_out} hidden tests left out. Its README.md says what students do.")
    return 0


def _make(edition: Edition, build: Path) -> None:
    edition.install(build)
    copy_labs(edition.labs, edition.folder, edition.points)
    write_front(edition.folder, edition.home, edition.labs, edition.points)
    for lab in edition.labs:
        print(f"Recording the reference's figures of {lab.name}.", flush=True)
        with tempfile.TemporaryDirectory(prefix="warpbook_publish_") as work:
            edition.add(lab, Path(work))
    print("Searching what is published for answers.", flush=True)
    secrets = secrets_of(edition.labs[0].project_root, edition.labs, edition.hidden)
    device_code = {path.read_bytes() for lab in edition.labs for path in edition.worker_files(lab)}
    if found := leaks(edition.folder, secrets, device_code):
        more = f"\n... and {len(found) - 10} more" if len(found) > 10 else ""
        raise BatchError("nothing was published, because it would give away answers or hidden tests:\n" + "\n".join(found[:10]) + more
                         + "\nIf a word is harmless, use it outside of answers, too, or rename it in the answers.")


def _check(labs: Sequence[Lab], folder: Path) -> None:
    if not labs:
        raise BatchError("--labs names no lab; `warpbook list` names all")
    for lab in labs:
        if lab.json.get("openacc"):
            raise BatchError(f"--labs: {lab.name} needs a compiler that offloads OpenACC, which students' machines have in "
                             "different versions, if at all; leave it out, or let students work in a clone")
        if lab.manifest["backend"] != "virtual" or lab.manifest["sanitized"]:
            raise BatchError(f"{lab.manifest['build_folder']} is not a build of the virtual GPU: publish from one (cmake --preset sim)")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BatchError(f"{folder}: exists and is not empty; move it away, or name another folder")


def _hidden(labs: Sequence[Lab], everything: dict[str, Lab], path: Path | None) -> dict[str, frozenset[str]]:
    """By lab; labs without any are left out."""
    if path is None:
        return {}
    policy = load_policy(path, everything, None, [name for lab in everything.values() for name in lab.test_names])
    found = {}
    for lab in labs:
        rules = policy.lab(lab.name)
        names = [] if rules.hidden.released else [name for name in lab.test_names if is_hidden(name, rules)]
        if len(names) == len(lab.test_names):
            raise BatchError(f"{path}: hides all tests of {lab.name}, so students could check nothing; leave it out of --labs, "
                             "or hide fewer")
        if names:
            found[lab.name] = frozenset(name.split(".", 1)[1] for name in names)
    return found


def _instruction_sets(build: Path, this_processor: bool) -> str:
    cached = re.search(r"^WARPBOOK_ISAS:\w+=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M)
    built = cached[1] if cached else "native"
    if built != "all" and not this_processor:
        raise BatchError(f"{build} has the virtual GPU's operations for '{built}' only, and students' machines differ. Build for "
                         "all: cmake --preset package, and use build/package/bin/warpbook publish; or say --this-processor")
    return built


def _build_package(build: Path) -> None:
    line = ["cmake", "--build", str(build), "--target", "warpbook_package"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-20:])
        raise BatchError(f"{build}: the files to publish do not build:\n{tail}\nRepeat it with: {' '.join(line)}")


