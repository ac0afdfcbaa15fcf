"""Runs the same programs on the virtual GPU of two builds, and compares what they print and their profiles.

compare_builds.py build/sim build/arm64 [--seeds 0,7] [PROGRAM...]

A PROGRAM is a path below both build folders; without one, the test programs of the runtime are taken. Results, counters
and predicted times are promised to be the same on every machine, bit for bit: this checks it for two of them. Each build
compiled its own programs, so what is left out is what a compiler makes of paths: the folders of files in `lines`, and
mangled names, which hold a hash of the source's path. So is where a program's own memory lies, which it may register.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

PROGRAMS = Path("common/simulator/runtime/tests/programs")
SECONDS = 600


@dataclass(frozen=True)
class Outcome:
    status: int
    output: str
    profile: str

    @property
    def kernels(self) -> int:
        return len(json.loads(self.profile)["kernels"]) if self.profile else 0


def comparable(value: Any) -> Any:
    """Numbers stay as they are written: they are read as text."""
    if isinstance(value, dict):
        if value.get("kind") == "registered":
            value = value | {"address": ""}
        return {key: Path(item).name if key == "file" and item else comparable(item)
                for key, item in value.items() if key != "mangled"}
    if isinstance(value, list):
        items = [comparable(item) for item in value]
        of_lines = bool(items) and all(isinstance(item, dict) and {"file", "line"} <= item.keys() for item in items)
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True)) if of_lines else items
    return value


def read_profile(path: Path) -> str:
    if not path.exists():
        return ""
    profile = json.loads(path.read_text(encoding="utf-8"), parse_float=str, parse_int=str)
    return json.dumps(comparable(profile), indent=1)


def run(build: Path, program: Path, seed: str) -> Outcome:
    """Every run is in a folder of its own, so that what a program writes is not there for the next."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile.json")
        command = [build / "bin/warpbook", "run", "--schedule-seed", seed, "--profile", profile, "--", build / program]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        return Outcome(done.returncode, done.stdout.decode(errors="replace"), read_profile(profile))


def difference(one: Outcome, other: Outcome) -> str:
    if one.status != other.status:
        return f"exit status {one.status} and {other.status}: {other.output[-400:]}"
    for what, a, b in (("output", one.output, other.output), ("profile", one.profile, other.profile)):
        if a != b:
            lines = zip_longest(a.splitlines(), b.splitlines())
            number, (x, y) = next((number, pair) for number, pair in enumerate(lines, 1) if pair[0] != pair[1])
            return f"{what}, line {number}:\n    {x}\n    {y}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--seeds", default="0,7", help="schedule seeds, with commas")
    parser.add_argument("programs", nargs="*", type=Path)
    options = parser.parse_args()
    one, other = options.one.resolve(), options.other.resolve()
    programs = options.programs or sorted(path.relative_to(one) for path in (one / PROGRAMS).glob("*")
                                          if (other / path.relative_to(one)).exists())
    differing = 0
    for program in programs:
        for seed in options.seeds.split(","):
            first, second = run(one, program, seed), run(other, program, seed)
            problem = difference(first, second)
            differing += problem != ""
            print(f"{program.name}, seed {seed}: {problem or f'same, {first.kernels} kernels'}", flush=True)
    print(f"{len(programs)} programs, {differing} differences")
    return 1 if differing or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
