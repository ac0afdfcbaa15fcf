"""Runs the same programs on the virtual GPU of two builds, and compares what they print and their profiles, byte by byte.

compare_builds.py build/sim build/arm64 [--seeds 0,7] [PROGRAM...]

A PROGRAM is a path below both build folders; without one, the test programs of the runtime are taken. Results, counters
and predicted times are promised to be the same on every machine: this checks it for two of them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path("common/simulator/runtime/tests/programs")
SECONDS = 600


@dataclass(frozen=True)
class Outcome:
    status: int
    output: bytes
    profile: bytes


def run(build: Path, program: Path, seed: str) -> Outcome:
    """Every run is in a folder of its own, so that what a program writes is not there for the next."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile.json")
        command = [build / "bin/warpbook", "run", "--schedule-seed", seed, "--profile", profile, "--", build / program]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        return Outcome(done.returncode, done.stdout, profile.read_bytes() if profile.exists() else b"")


def difference(one: Outcome, other: Outcome) -> str:
    if one.status != other.status:
        return f"exit status {one.status} and {other.status}: {other.output.decode(errors='replace')[-400:]}"
    for what, a, b in (("output", one.output, other.output), ("profile", one.profile, other.profile)):
        if a != b:
            pairs = zip(a.splitlines() + [b""], b.splitlines() + [b""])
            x, y = next(((x, y) for x, y in pairs if x != y), (a, b))
            return f"{what}:\n    {x.decode(errors='replace')[:200]}\n    {y.decode(errors='replace')[:200]}"
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
            print(f"{program.name}, seed {seed}: {problem or f'same ({len(first.profile)} bytes of profile)'}", flush=True)
    print(f"{len(programs)} programs, {differing} differences")
    return 1 if differing or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
