"""Throughput of the virtual GPU, all counters on, against PoCL (native code) and Oclgrind (interpreter) in one run.

With --check or --record only against PoCL, with less work: is any kernel slower than recorded (ratios.py)?
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import ratios

# Kernel, its size, and the size for Oclgrind, which would take minutes: the work is WORK times smaller there.
WORKLOADS = (
    ("matrix_product_16", 512, 128, 64),
    ("matrix_product_32", 512, 128, 64),
    ("padded_transpose", 4096, 512, 64),
    ("block_reduction", 1 << 24, 1 << 18, 64),
)
# A program that takes longer hangs; Oclgrind takes the longest.
LIMIT_S = 120
# Sizes of the short form, each takes a fraction of a second.
SHORT = {
    "matrix_product_16": 256,
    "matrix_product_32": 256,
    "padded_transpose": 2048,
    "block_reduction": 1 << 22,
}


class BenchError(Exception):
    """A message for the person who runs the benchmark."""


@dataclass(frozen=True)
class Measurement:
    wall_s: float
    cpu_s: float


def run(command: list[str], environment: dict[str, str]) -> Measurement:
    """Runs one program and reads the line of JSON that it prints; its own check of the result must hold."""
    # PoCL was seen to wait forever, with no thread running (2026-11-22): such a run is repeated.
    for left in (2, 1, 0):
        try:
            process = subprocess.run(
                command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=LIMIT_S
            )
            break
        except subprocess.TimeoutExpired as error:
            if left == 0:
                raise BenchError(f"{' '.join(command)}\n  did not end within {LIMIT_S} s, three times") from error
    lines = [line for line in process.stdout.splitlines() if line.startswith('{"kernel"')]
    if process.returncode != 0 or not lines:
        raise BenchError(f"{' '.join(command)}\n  ended with {process.returncode}\n{process.stdout}{process.stderr}")
    result = json.loads(lines[-1])
    if result["wrong"]:
        raise BenchError(f"{' '.join(command)}\n  computed {result['wrong']} wrong elements")
    return Measurement(result["wall_s"], result["cpu_s"])


def virtual_gpu(options: argparse.Namespace, kernel: str, size: int) -> tuple[Measurement, float]:
    """@returns the time, and the warp instructions of one launch as the profile counts them"""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        measured = run(
            [str(options.cuda), kernel, str(size), str(options.repetitions)],
            {
                "LD_LIBRARY_PATH": str(options.runtime),
                "WARPBOOK_PROFILE": str(profile),
                "WARPBOOK_THREADS": str(options.threads),
            },
        )
        launches = json.loads(profile.read_text())["kernels"]
    counts = {launch["metrics"]["smsp__inst_executed.sum"] for launch in launches}
    if len(counts) != 1:
        raise BenchError(f"{kernel}: launches of the same work differ in their instruction counts: {sorted(counts)}")
    return measured, counts.pop()


def opencl(options: argparse.Namespace, kernel: str, size: int) -> list[str]:
    return [str(options.opencl), str(Path(__file__).resolve().parent), kernel, str(size), str(options.repetitions)]


def pocl(options: argparse.Namespace, kernel: str, size: int) -> Measurement:
    return run(opencl(options, kernel, size), {"POCL_MAX_PTHREAD_COUNT": str(options.threads)})


def oclgrind(options: argparse.Namespace, kernel: str, size: int) -> Measurement:
    command = ["oclgrind", "--num-threads", str(options.threads), "--inst-counts", *opencl(options, kernel, size)]
    command[-1] = "1"
    return run(command, {})


def short(options: argparse.Namespace) -> tuple[ratios.Measure, ratios.Measure]:
    """The virtual GPU and PoCL, as ratios.py measures them."""
    return (
        lambda kernel: virtual_gpu(options, kernel, SHORT[kernel])[0].cpu_s,
        lambda kernel: pocl(options, kernel, SHORT[kernel]).cpu_s,
    )


def record(options: argparse.Namespace, path: Path) -> int:
    kept = ratios.load(path) if path.exists() else {}
    host = ratios.here()
    measured = ratios.measured(list(SHORT), *short(options))
    kept.setdefault(host.instruction_set, {})[host.processor] = measured
    ratios.save(path, kept)
    print(f"{path}: {host}: {measured}")
    return 0


def check(options: argparse.Namespace, path: Path) -> int:
    host = ratios.here()
    bound = ratios.bound(ratios.load(path), host)
    if bound is None:
        print(
            f"bench: no ratios are recorded for the instruction set of {host}, so nothing is compared; record this "
            "processor's: cmake --build --preset bench-record"
        )
        return 0
    if bound.note:
        print(f"bench: {bound.note}")
    verdicts = ratios.check(bound, *short(options))
    for verdict in verdicts:
        print(verdict)
    return 0 if all(verdict.passed for verdict in verdicts) else 1


def time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuda", type=Path, required=True, help="the program cuda_bench")
    parser.add_argument("--opencl", type=Path, required=True, help="the program opencl_bench")
    parser.add_argument("--runtime", type=Path, required=True, help="folder of the virtual GPU's libcudart")
    parser.add_argument("--threads", type=int, default=2, help="host threads of every engine")
    parser.add_argument("--repetitions", type=int, default=5, help="launches after the first; the fastest counts")
    parser.add_argument("--check", type=Path, metavar="FILE", help="compare with the ratios recorded in FILE")
    parser.add_argument("--record", type=Path, metavar="FILE", help="record this machine's ratios in FILE")
    options = parser.parse_args()
    try:
        if options.check:
            return check(options, options.check)
        if options.record:
            return record(options, options.record)
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if not shutil.which("oclgrind"):
        print("bench: oclgrind is not installed; run common/setup.sh --bench", file=sys.stderr)
        return 1

    print(f"Fastest of {options.repetitions} launches after one to warm up, kernel only, {options.threads} host threads each.")
    print("Matrix products of 512 x 512 in tiles of 16 x 16 and 32 x 32, a transpose of 4096 x 4096, a reduction of 2^24.")
    print("Ratios compare CPU time, which other work on the machine disturbs least. Oclgrind runs once, on a smaller")
    print("input; its time is scaled by the work.\n")
    print(f"{'kernel':<18} {'virtual GPU':>12} {'warp inst':>10} {'M/s, core':>10} {'PoCL':>9} {'times PoCL':>11} "
          f"{'Oclgrind':>10} {'faster than it':>15}")
    try:
        for kernel, size, small, work in WORKLOADS:
            ours, instructions = virtual_gpu(options, kernel, size)
            native = pocl(options, kernel, size)
            interpreted = oclgrind(options, kernel, small)
            print(
                f"{kernel:<18} {time(ours.wall_s):>12} {instructions / 1e6:>8.2f} M {instructions / ours.cpu_s / 1e6:>10.1f} "
                f"{time(native.wall_s):>9} {ours.cpu_s / native.cpu_s:>10.2f}x "
                f"{time(interpreted.wall_s * work):>10} {interpreted.cpu_s * work / ours.cpu_s:>14.0f}x",
                flush=True,
            )
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
