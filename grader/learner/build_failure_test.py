"""Tests of the log of a build that fails: the compiler's messages, without those of the build tools."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from grader.learner.labs import PROJECT

NINJA = """\
rule compile
  command = cat said >&2; false # usr/bin/nvcc -O3 -c vector_add.cu -o vector_add.o
build vector_add: compile
"""
SAID = """\
-- nvcc 13.0: /usr/local/cuda/bin/nvcc
-- Build files have been written to: build/sim
labs/first_steps/vector_add/vector_add.cu(6): error: expected a ";"
  int kEach = 4;
"""
CACHE = """\
CMAKE_GENERATOR:INTERNAL=Ninja
CMAKE_MAKE_PROGRAM:FILEPATH={ninja}
CMAKE_PROJECT_NAME:STATIC=warpbook
"""


WARNED = """\
labs/first_steps/vector_add/vector_add.cu(3): warning #940-D: missing return statement at end of non-void function "f"
  int f() {}
           ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

"""


def build(folder: Path, ninja: str, said: str) -> int:
    """Builds the lab with rules that do nothing but print something. @returns its status"""
    (folder / "build.ninja").write_text(ninja, encoding="ascii")
    (folder / "said").write_text(said, encoding="ascii")
    (folder / "CMakeCache.txt").write_text(CACHE.format(ninja=shutil.which("ninja")), encoding="ascii")
    return subprocess.run(["cmake", "-DLAB=vector_add", "-DANSWER=labs/first_steps/vector_add/vector_add.cu",
                           f"-DBUILD={folder}", f"-DRESULTS={folder}", "-P",
                           PROJECT / "common" / "cmake" / "build_lab.cmake"], capture_output=True, text=True).returncode


class BuildFailure(unittest.TestCase):
    def test_warnings_of_the_answer_are_kept_until_it_is_compiled_anew(self):
        compiles = NINJA.replace("; false", "").replace(
            "\nbuild", "\n  description = Compiling labs/first_steps/vector_add/vector_add.cu\nbuild", 1)
        with tempfile.TemporaryDirectory() as place:
            warnings = Path(place) / "build_warnings.log"
            self.assertEqual(build(Path(place), compiles, WARNED), 0)
            said = warnings.read_text(encoding="utf-8")
            self.assertTrue(said.startswith("labs/first_steps/vector_add/vector_add.cu(3): warning #940-D"), said)
            self.assertNotIn("Remark", said)
            self.assertEqual(build(Path(place), compiles.replace("Compiling", "Linking"), ""), 0)
            self.assertTrue(warnings.exists())
            self.assertEqual(build(Path(place), compiles, ""), 0)
            self.assertFalse(warnings.exists())

    def test_only_the_compiler_is_quoted(self):
        with tempfile.TemporaryDirectory() as place:
            self.assertNotEqual(build(Path(place), NINJA, SAID), 0)
            said = (Path(place) / "build_failed.log").read_text(encoding="utf-8")
        self.assertEqual(said, "labs/first_steps/vector_add/vector_add.cu does not compile:\n\n"
                               "labs/first_steps/vector_add/vector_add.cu(6): error: expected a \";\"\n  int kEach = 4;\n")


if __name__ == "__main__":
    unittest.main()
