#!/usr/bin/env python3
"""Runs numba-cuda's own tests on the virtual GPU, and counts them (docs/python.md).

numba_suite.py WARPBOOK PYTHON OUT [MODULES...]: PYTHON has numba-cuda, pytest, filecheck, cffi and ml_dtypes. MODULES are names
below numba.cuda.tests, which share a process if commas join them; without any, all. OUT/results.jsonl receives the results;
what is in it is not run again.

A test that hangs or ends its process is noted, and the others go on in a new process. A failure may be due to an earlier
fault in its process: all but the first are run again in a new one, until each failure was the first of its process.
"""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE_S = 600  # Without any news of a process.
TESTS_OF_A_PROCESS = 40
MOST_PROCESSES = 60
GOOD = ("passed", "skipped", "xfailed")
# They need a package (pytest-benchmark, CuPy), or twice a tenth of an H200's memory.
LEFT_OUT = ("benchmarks.test_kernel_launch", "cudapy.test_cupy_bfloat16_interop")
HUGE = "test_managed_alloc_driver_undersubscribe"

INSIDE = """
import importlib, json, sys, unittest

lines = open(sys.argv[1], "a", buffering=1)
only = json.load(open(sys.argv[2])) if sys.argv[2] else None


def say(*what):
    lines.write(json.dumps(what) + "\\n")


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


class Function(unittest.FunctionTestCase):
    def id(self):
        return self._testFunc.__module__ + "." + self._testFunc.__name__


def tests_of(name):
    module = importlib.import_module(name)
    functions = [Function(f) for n, f in vars(module).items() if n.startswith("test_") and getattr(f, "__module__", "") == name]
    return functions + list(flat(unittest.defaultTestLoader.loadTestsFromModule(module)))


class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        say("start", test.id())

    def stopTest(self, test):
        super().stopTest(test)
        say("stop", test.id())

    def text(self, test, error):
        return self._exc_info_to_string(error, test)[-6000:]

    def addSuccess(self, test):
        say("report", test.id(), "passed", "")

    def addError(self, test, error):
        skipped = error[0].__name__ == "Skipped"  # pytest.importorskip
        say("report", test.id(), "skipped" if skipped else "error", self.text(test, error))

    def addFailure(self, test, error):
        say("report", test.id(), "failed", self.text(test, error))

    def addSkip(self, test, reason):
        say("report", test.id(), "skipped", reason)

    def addExpectedFailure(self, test, error):
        say("report", test.id(), "xfailed", "")

    def addUnexpectedSuccess(self, test):
        say("report", test.id(), "xpassed", "")

    def addSubTest(self, test, sub, error):
        if error is not None:
            say("report", test.id(), "failed", str(sub)[-500:] + "\\n" + self.text(test, error))


if __name__ == "__main__":
    tests = [test for module in sys.argv[4:] for test in tests_of(module)]
    tests = [t for t in tests if sys.argv[3] not in t.id() and (only is None or t.id() in only)]
    say("collected", [t.id() for t in tests])
    import numba.cuda.testing
    numba.cuda.testing.CUDATestCase._dump_failed_filechecks = False  # An option of the project's own test command.
    unittest.TestSuite(tests).run(Result())
"""

Results = dict[str, list[str]]


class Suite:
    def __init__(self, warpbook: str, python: str, out: Path) -> None:
        self.command = [warpbook, "run", "--", python, "-W", "ignore", str(out / "inside.py")]
        self.out, self.lines, self.only = out, out / "lines", out / "only.json"
        self.site = next((Path(python).parent.parent / "lib").glob("python3*/site-packages"))
        out.mkdir(parents=True, exist_ok=True)
        (out / "inside.py").write_text(INSIDE, encoding="utf-8")

    def groups(self) -> list[str]:
        """All modules, some joined by commas."""
        tests, groups, count = self.site / "numba_cuda" / "numba" / "cuda" / "tests", [""], 0
        for file in sorted(tests.rglob("test_*.py")):
            module, size = ".".join(file.relative_to(tests).with_suffix("").parts), file.read_text(encoding="utf-8").count("def test_")
            if module in LEFT_OUT:
                continue
            if groups[-1] and count + size > TESTS_OF_A_PROCESS:
                groups.append("")
                count = 0
            groups[-1] += ("," if groups[-1] else "") + module
            count += size
        return groups

    def attempt(self, modules: list[str], only: list[str] | None) -> tuple[list[list[str]], str]:
        """Runs a process. @returns what it said, and how it ended"""
        self.lines.unlink(missing_ok=True)
        self.lines.touch()
        self.only.write_text(json.dumps(only), encoding="utf-8")
        ended = ""
        with (self.out / "log").open("a", encoding="utf-8") as log:
            process = subprocess.Popen([*self.command, str(self.lines), "" if only is None else str(self.only), HUGE, *modules],
                                       stdout=log, stderr=subprocess.STDOUT, cwd=self.out, start_new_session=True)
            news, size = time.monotonic(), -1
            while process.poll() is None:
                time.sleep(0.5)
                if size != (size := self.lines.stat().st_size):
                    news = time.monotonic()
                if time.monotonic() - news > PATIENCE_S:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    ended = "hangs"
        said = [json.loads(line) for line in self.lines.read_text(encoding="utf-8").splitlines()]
        return said, ended or f"ends its process: {process.returncode}"

    def run(self, group: str) -> Results:
        modules = [f"numba.cuda.tests.{module}" for module in group.split(",")]
        final: Results = {}
        only: list[str] | None = None
        for _ in range(MOST_PROCESSES):
            said, ended = self.attempt(modules, only)
            found: Results = {}
            running, left = "", [group]
            for what, test, *result in said:
                if what == "collected":
                    left = list(test)
                elif what == "report" and found.get(test, ["passed"])[0] in GOOD:
                    found[test] = result
                running = test if what == "start" else "" if what == "stop" else running
            if running:
                found[running] = [ended, ""]
            bad = [test for test, result in found.items() if result[0] not in GOOD]
            final |= {test: result for test, result in found.items() if test not in bad[1:]}
            only = [test for test in left if test not in final]
            if not only or not found:
                break
        return final | {test: ["not reached", ended] for test in only or []}


def main() -> int:
    suite = Suite(sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve())
    file = suite.out / "results.jsonl"
    done = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    for group in sys.argv[4:] or suite.groups():
        if any(one["group"] == group for one in done):
            continue
        done.append({"group": group, "tests": suite.run(group)})
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(done[-1]) + "\n")
        print(group, dict(collections.Counter(result[0] for result in done[-1]["tests"].values())), flush=True)
    tests = {test: result for one in done for test, result in one["tests"].items()}
    for test, (what, text) in tests.items():
        if what not in GOOD:
            print(f"{test}: {what}: {text.strip().splitlines()[-1:]}")
    counts = collections.Counter(result[0] for result in tests.values())
    passed, run = counts["passed"] + counts["xfailed"], len(tests) - counts["skipped"]
    print(f"{passed} of {run} tests that are not skipped pass; {counts['skipped']} are skipped")
    return int(passed < 0.97 * run)


if __name__ == "__main__":
    sys.exit(main())
