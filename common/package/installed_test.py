"""Installs into a temporary folder, moves it elsewhere, and runs a program and the command from there.

installed_test.py CMAKE BUILD_FOLDER SOURCE_FOLDER HELLO
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, BUILD, SOURCE, HELLO = sys.argv[1], *map(Path, sys.argv[2:5])
HOME = Path("lib", "warpbook")


def run(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """With nothing in the environment that says where the project is."""
    return subprocess.run(words, cwd=folder, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, capture_output=True, text=True)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.place = tempfile.TemporaryDirectory()
        first, cls.prefix = Path(cls.place.name, "first"), Path(cls.place.name, "second")
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", first], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"cmake --install: {done.stdout}{done.stderr}\n"
                                 f"Build it first: cmake --build {BUILD} --target warpbook_package")
        first.rename(cls.prefix)
        cls.command = cls.prefix / "bin" / "warpbook"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.place.cleanup()

    def answer(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return run(self.command, *words, folder=self.prefix)

    def test_a_program_runs_and_is_counted_as_from_the_build_folder(self) -> None:
        done = self.answer("run", "--profile", "installed.json", "--", HELLO, "more", "5")
        self.assertEqual((done.returncode, done.stderr), (5, ""))
        self.assertIn("counted 256", done.stdout)
        built = run(BUILD / "bin" / "warpbook", "run", "--profile", "built.json", "--", HELLO, folder=self.prefix)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual((self.prefix / "installed.json").read_bytes(), (self.prefix / "built.json").read_bytes())

    def test_the_program_loads_the_installed_library(self) -> None:
        loaded = self.answer("run", "--", "sh", "-c", f"ldd {HELLO}").stdout
        self.assertIn(str(self.prefix.resolve() / HOME / "lib" / "libcudart.so.13"), loaded)

    def test_devices_are_those_installed(self) -> None:
        names = {path.stem for path in (SOURCE / "common/simulator/model/devices").glob("*.json")}
        refused = self.answer("run", "--device", "abacus", "--", HELLO).stderr
        self.assertEqual(refused, f"warpbook: there is no device 'abacus'; there is: {', '.join(sorted(names))}\n")

    def test_each_command_answers(self) -> None:
        help_text = self.answer("--help")
        self.assertEqual(help_text.returncode, 0)
        names = [line.split()[0] for line in help_text.stdout.split("Subcommands:")[1].splitlines() if line.strip()]
        self.assertIn("grade", names)
        for name in names:
            done = self.answer(name, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    def test_explain_reads_the_records_of_a_build_folder(self) -> None:
        done = self.answer("explain", "--ctest", "1", "--build-folder", BUILD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        nothing = self.answer("explain", "--ctest", "1")
        self.assertEqual(nothing.returncode, 2)
        self.assertIn("names no run of ctest", nothing.stderr)

    def test_each_module_finds_what_it_imports_and_reads(self) -> None:
        home = self.prefix / HOME
        modules = [".".join(path.relative_to(home).with_suffix("").parts) for path in sorted(home.glob("grader/**/*.py"))
                   if path.stem not in ("__init__", "__main__")]
        self.assertGreater(len(modules), 50)
        code = ("import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
                f"assert all(m.__file__.startswith({str(home)!r}) for n, m in sys.modules.items() if n.startswith('grader.') and m.__file__)")
        done = subprocess.run([sys.executable, "-c", code, *modules], cwd="/", capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(home), "PYTHONSAFEPATH": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        files = {path.relative_to(home).suffix for path in home.glob("grader/**/*") if path.is_file()} - {".pyc"}
        self.assertEqual(files, {"", ".py", ".css", ".html", ".json", ".md", ".sh", ".sql", ".yml"})

    def test_nothing_refers_to_the_folder_it_was_built_in(self) -> None:
        for path in (self.prefix / HOME / "lib").rglob("lib*.so.*"):
            section = run("readelf", "-d", path, folder=self.prefix).stdout
            self.assertIn("Dynamic section", section)
            self.assertNotIn(str(BUILD), section, path.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
