"""Tests of nvcc_steps.py: NVCC=/path/to/nvcc nvcc_steps_test.py"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from nvcc_steps import Unknown, read

SCRIPT = Path(__file__).with_name("nvcc_steps.py")
NVCC = os.environ["NVCC"]
FLAGS = ["-std=c++20", "-lineinfo", "-gencode=arch=compute_90,code=[sm_90,compute_90]", "-Xcompiler=-Wall"]
KERNEL = """\
#ifdef __CUDA_ARCH__
#include "device.h"
#else
#include "host.h"
#endif
static __device__ int total;
static __global__ void add(int* out) { out[0] = total++; }
void launch(int* out) { add<<<1, 1>>>(out); }
"""
WARNS = """\
__device__ int device_part(int x) { int never_used = 3; if (x) return 1; }
int host_part(int x) { int never_used; if (x) return 2; }
"""


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for header in ("device.h", "host.h"):
            (self.folder / header).touch()

    def compile(self, command, source, *flags, name="part.cu", made="part.o"):
        (self.folder / name).write_text(source)
        arguments = [*FLAGS, *flags, "-MD", "-MF", f"{made}.d", "-c", name, "-o", made]
        return subprocess.run([*command, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def by_steps(self, source, *flags, **names):
        return self.compile([sys.executable, SCRIPT, NVCC], source, "--threads=2", *flags, **names)

    def ptx(self, made):
        """Without what differs from run to run: the name of the module."""
        [text] = re.findall(rb"\.version[^\0]*\.entry[^\0]*", (self.folder / made).read_bytes())
        return re.sub(r"_[0-9a-f]{8}_7_part_cu_[0-9a-f]{8}", "_module", text.decode())

    def files_read(self, made):
        return set((self.folder / f"{made}.d").read_text().replace("\\\n", " ").split()[2:])

    def symbols(self, made):
        return subprocess.run(["nm", "-C", self.folder / made], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_object_is_nvccs(self):
        for flags in (["--no-compress"], ["--no-compress", "-rdc=true"]):
            with self.subTest(flags=flags):
                self.assertEqual(self.compile([NVCC], KERNEL, *flags, made="nvcc.o").returncode, 0)
                done = self.by_steps(KERNEL, *flags, made="steps.o")
                self.assertEqual((done.returncode, done.stdout), (0, ""))
                self.assertEqual(self.ptx("steps.o"), self.ptx("nvcc.o"))
                self.assertEqual(len(self.symbols("steps.o")), len(self.symbols("nvcc.o")))
                self.assertEqual(self.files_read("steps.o"), self.files_read("nvcc.o") | {"device.h", "host.h"})

    def test_objects_of_one_source_have_different_names_for_static_parts(self):
        for made in ("one.o", "other.o"):
            self.assertEqual(self.by_steps(KERNEL, "-rdc=true", made=made).returncode, 0)
        linked = subprocess.run([NVCC, *FLAGS, "-dlink", "one.o", "other.o", "-o", "linked.o"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((linked.returncode, linked.stderr), (0, ""))

    def test_messages_are_nvccs(self):
        for what, source in {"warnings": WARNS, "error in a kernel": "__global__ void f(int* p) { *p = unknown; }\n",
                             "error in host code": WARNS + "void f() { return 0 }\n", "no such header": '#include "none.h"\n',
                             "ptxas fails": "__global__ void f() { __shared__ int a[99999]; a[threadIdx.x] = 1; __syncthreads(); "
                                            "if (a[0]) asm(\"trap;\"); }\n",
                             "host compiler fails": '#pragma GCC error "not this"\n'}.items():
            with self.subTest(what):
                expected = self.compile([NVCC], source)
                done = self.by_steps(source)
                self.assertNotEqual(expected.stdout, "")
                self.assertEqual(re.sub(r"/tmp/\w+", "", done.stdout), re.sub(r"/tmp/\w+", "", expected.stdout))
                self.assertEqual(done.returncode == 0, expected.returncode == 0)
                self.assertEqual((self.folder / "part.o").exists(), what == "warnings")
                (self.folder / "part.o").unlink(missing_ok=True)

    def test_flags_that_it_does_not_know_go_to_nvcc(self):
        done = self.by_steps("__global__ void f() {}\n", "-gencode=arch=compute_80,code=sm_80")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        version = subprocess.run([sys.executable, SCRIPT, NVCC, "--version"], capture_output=True, text=True)
        self.assertIn("Cuda compilation tools", version.stdout)

    def test_sides_do_not_wait_for_each_other(self):
        (self.folder / "part.cu").write_text(KERNEL)
        kept = self.folder / "kept"
        kept.mkdir()
        listing = subprocess.run([NVCC, "--dryrun", "--keep", f"--keep-dir={kept}", *FLAGS, "-c", "part.cu", "-o", "part.o"],
                                 cwd=self.folder, capture_output=True, text=True, check=True).stderr
        steps = read(listing, str(kept), "_name").steps
        program = {step: step.command.split()[0].strip('"').rpartition("/")[2] for step in steps}
        self.assertEqual(sorted(program.values()), ["cicc", "cudafe++", "fatbinary", "gcc", "gcc", "gcc", "gcc", "ptxas"])
        host, assembler = steps[-2:]
        needs = {program[step]: [program[need] for need in step.needs] for step in steps[:-2]}
        self.assertEqual(needs["cudafe++"], ["gcc"])
        self.assertEqual(needs["cicc"], ["gcc"])
        self.assertEqual(needs["ptxas"], ["cicc"])
        self.assertEqual(set(needs["fatbinary"]), {"cicc", "ptxas"})
        self.assertEqual({program[need] for need in host.needs}, {"gcc", "cudafe++", "cicc"})
        self.assertEqual(assembler.needs, steps[:-1])

    def test_unknown_steps(self):
        for listing in ("", "#$ new_step -o x\n", "nvcc fatal   : no\n", "#$ gcc -E x\n"):
            with self.subTest(listing), self.assertRaises(Unknown):
                read(listing, "/nowhere", "_name")


if __name__ == "__main__":
    unittest.main()
