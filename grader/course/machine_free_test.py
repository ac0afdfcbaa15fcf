"""Tests that messages for students name nothing of the machine, and that one sentence says why a file is not a source."""

import errno
import unittest
from unittest import mock

from grader.course.build import _readable
from grader.course.intake.tree import reason_of
from grader.course.intake import archives
from grader.course.intake.fixture import IntakeTest, answer, tar_of
from grader.course.machine_free import roots_of, without_machine
from grader.course.text_files import no_source

MANIFEST = {
    "lab": "sum",
    "chapter": "basics",
    "project_root": "/home/alice/warpbook",
    "build_folder": "/scratch/alice/build/sim",
    "build": {"toolkit": "/opt/nvidia/cu13"},
}


class MachineFree(unittest.TestCase):
    def test_paths_of_the_machine_are_left_out(self):
        for text, expected in (
            ("/home/alice/warpbook/labs/basics/sum/sum.cu:3: error", "labs/basics/sum/sum.cu:3: error"),
            (
                "in /scratch/alice/build/sim/grader/runner/libwarpbook_worker.a(x.o)",
                "in build/grader/runner/libwarpbook_worker.a(x.o)",
            ),
            ("/opt/nvidia/cu13/include/cuda_runtime.h:7: note", "cuda/include/cuda_runtime.h:7: note"),
            ("cannot open '/mnt/nfs/class/out/jobs/1/profile.json'", "cannot open 'profile.json'"),
            ("No such file: /home/alice/warpbook", "No such file: the project"),
            ("bind mount /run/user/1000/x on /newroot/run/user/1000/x failed", "bind mount x on x failed"),
            ("/usr/include/c++/12/bits/stl_algo.h:9", "/usr/include/c++/12/bits/stl_algo.h:9"),
            (
                "half of n/threads/blocks, see https://docs.nvidia.com/cuda/x.html",
                "half of n/threads/blocks, see https://docs.nvidia.com/cuda/x.html",
            ),
            (
                "labs/basics/sum/sum.cu:161    if (t % (2 * distance) == 0)",
                "labs/basics/sum/sum.cu:161    if (t % (2 * distance) == 0)",
            ),
        ):
            self.assertEqual(without_machine(text, roots_of(MANIFEST)), expected)

    def test_what_a_compiler_and_a_linker_say(self):
        log = (
            '/tmp/warpbook-job-x/build/root/labs/basics/sum/sum.cu(3): error: expected a ";"\n'
            "In file included from /opt/nvidia/cu13/include/cuda_runtime.h:82,\n"
            "/usr/bin/ld: /scratch/alice/build/sim/grader/runner/libwarpbook_worker.a(w.o): multiple definition of `f'\n"
            "bwrap: Can't bind mount /oldroot/home/alice on /newroot: Permission denied\n"
        )
        said = _readable(log, MANIFEST, ["/warpbook", "/tmp/warpbook-job-x/build/root"])
        self.assertIn('sum.cu(3): error: expected a ";"', said)
        for part in ("alice", "/opt", "/scratch", "/tmp", "oldroot", "newroot"):
            self.assertNotIn(part, said)

    def test_exceptions_say_what_went_wrong_and_not_where(self):
        self.assertEqual(
            reason_of(FileNotFoundError(errno.ENOENT, "No such file or directory", "/srv/class/x")),
            "No such file or directory",
        )
        self.assertEqual(reason_of(ValueError("cannot seek in /srv/class/in/x.zip")), "cannot seek in x.zip")


class NoSource(unittest.TestCase):
    def test_one_plain_sentence(self):
        for data, expected in (
            (b"", "The file is empty: there is nothing to compile."),
            (b" \n\t\r\n", "The file is empty: there is nothing to compile."),
            (
                b"\x7fELF\x02\x01\x01" + bytes(90),
                "The file is not text, but a program: hand in the source, sum.cu, saved as UTF-8.",
            ),
            (
                b"PK\x03\x04" + bytes(90),
                "The file is not text, but a zip archive: hand in the source, sum.cu, saved as UTF-8.",
            ),
            (
                bytes(range(256)) * 4,
                "The file is not text, but a binary file: hand in the source, sum.cu, saved as UTF-8.",
            ),
            (
                "int x;\n".encode("utf-16"),
                "The file was saved as UTF-16, which compilers do not read: save it as UTF-8.",
            ),
            ("// Größe\n".encode("latin-1"), ""),
            (b"__global__ void f() {}\n", ""),
        ):
            self.assertEqual(no_source(data, "sum.cu"), expected)


class ShortOfSomething(IntakeTest):
    def test_a_full_disk_is_no_fault_of_an_archive(self):
        self.put("s001.tar.gz", tar_of({"coalescing.cu": answer("coalescing")}))
        with mock.patch.object(
            archives.tempfile, "TemporaryFile", side_effect=OSError(errno.ENOSPC, "No space left on device")
        ):
            with self.assertRaisesRegex(OSError, "No space left"):
                self.take()


if __name__ == "__main__":
    unittest.main()
