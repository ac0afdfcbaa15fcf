"""Runs the examples of docs/python.md on the virtual GPU, and checks what the page says about them.

python_test.py BUILD: in the virtual environment that `common/setup.sh --python` makes. Without one the test is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples" / "python"
PYTHON = ROOT / ".toolchain" / "python" / "bin" / "python"
BUILD = Path(sys.argv.pop(1)).resolve()
SKIPPED = 77
LONGEST_S = 240
SECTORS = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"

OUT_OF_BOUNDS = """
import numpy as np
from numba import cuda

@cuda.jit(lineinfo=True)
def shift(out, data):
    i = cuda.grid(1)
    out[i] = data[i + 1]

data = cuda.to_device(np.arange(64, dtype=np.float32))
shift[1, 64](cuda.device_array_like(data), data)
cuda.synchronize()
"""

# A sum in shared memory, right or with one of two faults.
SUM = """
import numpy as np
from numba import cuda, int32

FAULT = "{fault}"

@cuda.jit(lineinfo=True)
def total(out, values):
    part = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    part[t] = values[cuda.grid(1)]
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        if FAULT != "race":
            cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = part[0]

numbers = np.arange(1024, dtype=np.int32)
out = cuda.device_array(4, dtype=np.int32)
total[4, 256](out, cuda.to_device(numbers) if FAULT != "init" else cuda.device_array_like(numbers))
cuda.synchronize()
"""

# The grid meets by cudaCGSynchronize; a child asks another process, which a launcher starts.
WHOLE_GRID = """
import subprocess, sys
import numpy as np
from numba import cuda

@cuda.jit
def rows(a):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    for row in range(1, a.shape[0]):
        a[row, i] = a[row - 1, a.shape[1] - 1 - i] + 1
        grid.sync()

if len(sys.argv) == 1:
    subprocess.run(["sh", "-c", f"'{sys.executable}' '{__file__}' child"], check=True)
else:
    a = np.zeros((8, 1024), np.int32)
    rows[4, 256](a)
    print("last row", a[-1].min(), a[-1].max())
"""

# What CUDA does not allow: the device of a process is not its child's.
FORKED = """
import os
from numba import cuda

cuda.to_device([1.0])
child = os.fork()
if child == 0:
    try:
        cuda.to_device([1.0])
    except Exception as error:
        print("the child is refused" if "forking" in str(error) or "NOT_INITIALIZED" in str(error) else error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


class Python(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_example(self, program: Path, *options: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPBOOK_")}
        environment |= {"PYCUDA_DISABLE_CACHE": "1", "NUMBA_CACHE_DIR": str(self.folder)}
        return subprocess.run([BUILD / "bin" / "warpbook", "run", *options, "--", PYTHON, "-W", "ignore", program],
                              env=environment, cwd=self.folder, capture_output=True, text=True, timeout=LONGEST_S, check=False)

    def run_text(self, text: str, *options: str) -> subprocess.CompletedProcess[str]:
        program = self.folder / "program.py"
        program.write_text(text, encoding="utf-8")
        return self.run_example(program, *options)

    def test_a_kernel_of_numba_is_counted_by_lines_of_python(self) -> None:
        done = self.run_example(EXAMPLES / "strided.py", "--profile", "profile.json")
        self.assertEqual((done.returncode, done.stdout), (0, "all strides read\n"), done.stderr)
        kernels = json.loads((self.folder / "profile.json").read_text(encoding="utf-8"))["kernels"]
        self.assertEqual([kernel["metrics"][SECTORS] for kernel in kernels], [4, 8, 16, 32, 32, 32])
        self.assertEqual({kernel["registers_source"] for kernel in kernels}, {"cubin"})
        self.assertEqual(kernels[0]["name"].partition("(")[0], "__main__::read_strided")
        lines = subprocess.run([sys.executable, EXAMPLES / "lines.py", self.folder / "profile.json"],
                               capture_output=True, text=True, check=True).stdout
        self.assertIn("out[i] = data[i * stride]        global ld: 32 sectors per request\n", lines)

    def test_what_the_checkers_find_stands_at_a_line_of_python(self) -> None:
        done = self.run_text(OUT_OF_BOUNDS, "--check", "memory")
        self.assertIn("read of 4 bytes", done.stderr)
        self.assertIn("program.py:8:  out[i] = data[i + 1]", done.stderr)
        self.assertIn("in kernel __main__::shift(Array<float, 1, C, mutable, aligned>,", done.stderr)

    def test_races_and_uninitialised_values_stand_at_lines_of_python(self) -> None:
        for fault, says in {"none": [], "race": [("race", "part[t] += part[t + step]")],
                            "init": [("init", "out[cuda.blockIdx.x] = part[0]")]}.items():
            with self.subTest(fault=fault):
                done = self.run_text(SUM.format(fault=fault), "--check", "all", "--check-report", "report.json",
                                     "--error-exitcode", "9")
                self.assertEqual(done.returncode, 9 if says else 0, done.stderr)
                report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
                self.assertEqual([(one["check"], one["sites"][0]["text"].strip()) for one in report["findings"]], says)

    def test_whole_grids_meet_in_a_process_that_another_one_started(self) -> None:
        done = self.run_text(WHOLE_GRID)
        self.assertEqual((done.returncode, done.stdout), (0, "last row 7 7\n"), done.stderr)

    def test_a_forked_child_has_no_device(self) -> None:
        done = self.run_text(FORKED)
        self.assertEqual((done.returncode, done.stdout), (0, "the child is refused\n"), done.stderr)

    def test_cuda_core_compiles_and_launches(self) -> None:
        done = self.run_example(EXAMPLES / "vector_add.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^sums are right; 0\.00\d\d ms on the virtual clock\n$")

    def test_cuda_core_links_captures_and_allocates(self) -> None:
        done = self.run_example(EXAMPLES / "core_features.py")
        self.assertEqual((done.returncode, done.stdout), (0, "all of it works\n"), done.stderr)

    def needs_pycuda(self) -> None:
        if subprocess.run([PYTHON, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('pycuda'))"],
                          check=False).returncode != 0:
            self.skipTest("PyCUDA is not installed: common/setup.sh --pycuda")

    def test_pycuda_gets_machine_code_that_runs(self) -> None:
        self.needs_pycuda()
        done = self.run_example(EXAMPLES / "multiply.py")
        self.assertEqual((done.returncode, done.stdout), (0, "products are right; 12 registers\n"), done.stderr)

    def test_pycuda_writes_kernels_and_links_modules(self) -> None:
        self.needs_pycuda()
        done = self.run_example(EXAMPLES / "pycuda_features.py")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["all of it works"]), done.stderr)


if __name__ == "__main__":
    if not PYTHON.exists():
        print("skipped: Numba and cuda.core are not installed. Install them: common/setup.sh --python")
        sys.exit(SKIPPED)
    unittest.main()
