"""Tests of what is left of a build that fails: the compiler's words, and not those of the build tools."""

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


class BuildFailure(unittest.TestCase):
    def test_only_the_compiler_is_quoted(self):
        with tempfile.TemporaryDirectory() as place:
            build = Path(place)
            (build / "build.ninja").write_text(NINJA, encoding="ascii")
            (build / "said").write_text(SAID, encoding="ascii")
            (build / "CMakeCache.txt").write_text(CACHE.format(ninja=shutil.which("ninja")), encoding="ascii")
            done = subprocess.run(["cmake", "-DLAB=vector_add", "-DANSWER=labs/first_steps/vector_add/vector_add.cu",
                                   f"-DBUILD={build}", f"-DRESULTS={build}", "-P",
                                   PROJECT / "common" / "cmake" / "build_lab.cmake"], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            said = (build / "build_failed.log").read_text(encoding="utf-8")
        self.assertEqual(said, "labs/first_steps/vector_add/vector_add.cu does not compile:\n\n"
                               "labs/first_steps/vector_add/vector_add.cu(6): error: expected a \";\"\n  int kEach = 4;\n")


if __name__ == "__main__":
    unittest.main()
