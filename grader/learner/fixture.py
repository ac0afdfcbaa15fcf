"""A small workbook for tests: three labs whose tests are scripts, run by the real ctest, graded in no time."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from grader.learner.__main__ import main
from grader.learner.labs import PROJECT, Lab, load_labs

SENTENCES = ("the sum is right, always", "no sector is wasted", "it is as fast as the reference")
KINDS = ("correctness", "counters", "time")

# Acts as a lab's test program. The answer says in its first line how each test ends.
_TEST_PROGRAM = """
import json, os, sys, time
from pathlib import Path
source, results, kind, sentence, points = sys.argv[1:]
index = ["correctness", "counters", "time"].index(kind)
words = (Path(source).read_text().split("\\n")[0].lstrip("/ ").split() + ["pass"] * 3)[:3]
word = words[index]
run = os.environ.get("WARPBOOK_RUN", "by hand")
shares, only = {"pass": 1.0, "half": 0.5, "slow": 0.25}, set(words).issubset
together = {"format": "warpbook.verdict", "version": 1, "run": run, "max_points": 20,
            "points": sum(shares.get(one, 0) * most for one, most in zip(words, (10, 4, 6))),
            "status": "passed" if only({"pass", "half"}) else "inconclusive" if only({"pass", "half", "unclear"}) else
                      "not_started" if only({"todo"}) else "failed"}
Path(results).mkdir(parents=True, exist_ok=True)
(Path(results) / "student.json").write_text(json.dumps(together))
if word == "hang":
    (Path(results) / "hangs").write_text(str(os.getpid()))
    time.sleep(600)
if word == "crash":
    os.abort()
status = {"pass": "passed", "half": "passed", "slow": "failed", "fail": "failed", "unclear": "inconclusive", "todo": "skipped"}[word]
earned = shares.get(word, 0) * float(points)
message = {"fail": "  The sum is 4 and not 5.\\n    At line 3 \\x1b[31m it is red.\\n", "half": "  Slow: 2 us.\\n", "slow": "  Slow: 3 us.\\n"}.get(word, "")
waits = [number for number, line in enumerate(Path(source).read_text().split("\\n"), 1) if "not_started()" in line]
finding = None
if word == "todo" and waits:
    finding = {"version": 1, "kind": "not_started", "topic": "", "subject": "", "headline": "Not started.", "why": "", "try": "",
               "sites": [{"file": source, "line": waits[min(index, len(waits) - 1)], "function": ""}], "evidence": [],
               "limit": None, "case": {"values": {}}, "paragraphs": []}
record = {"format": "warpbook.test", "version": 1, "lab": "x", "answer": "student", "kind": kind, "sentence": sentence,
          "status": status, "not_started": word == "todo", "points": earned, "max_points": float(points),
          "message": message, "finding": finding, "seed": 1, "program_hash": "0", "run": run}
folder = Path(results) / "student"
folder.mkdir(parents=True, exist_ok=True)
(folder / (kind + ".json")).write_text(json.dumps(record))
sys.exit({"skipped": 77, "failed": 1, "inconclusive": 1}.get(status, 0))
"""

# Acts as the build of a lab: what does not compile leaves a log, what does becomes the program.
_BUILD = """
import sys
from pathlib import Path
source, results, program = map(Path, sys.argv[1:])
log = results / "build_failed.log"
results.mkdir(parents=True, exist_ok=True)
if "syntax error" in source.read_text():
    log.write_text("labs/first_steps/x/x.cu does not compile:\\n\\nx.cu(3): error: expected a ;\\n")
    sys.exit(1)
log.unlink(missing_ok=True)
program.write_text(source.read_text())
"""

# Acts as a lab's test program that climbs the ladder.
_LADDER_PROGRAM = """#!{python}
import json, sys
from pathlib import Path
rungs = [{{"rung": name, "time_us": us}} for name, us in (("naive", 68.1), ("tiled", 22.0), ("padded", 9.0))]
if "--rungs" in sys.argv:
    rungs = json.loads(Path(sys.argv[sys.argv.index("--rungs") + 1]).read_text())["rungs"]
Path(sys.argv[sys.argv.index("--ladder") + 1], "ladder.json").write_text(
    json.dumps({{"rungs": rungs, "answer": {{"time_us": 9.0}}}}))
"""

HANDOUT = """# Lab

## Hints

<details><summary>Part 1: which <code>index</code>?</summary>

Take `a * b`, *not* the [other](x.md). This paragraph is long enough that it has to be filled anew on a narrow terminal.

- one
- two, which
  goes on

```
int i;   // as it stands
```
</details>
<details><summary>Part 2: &lt;the end&gt;</summary>
Look at it.
</details>
"""


class WorkbookTest(unittest.TestCase):
    """`self.project` is the workbook, `self.run_command("check", "alpha")` runs a command in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name).resolve()
        self.build = self.project / "build" / "sim"
        scripts = self.project / "scripts"
        scripts.mkdir()
        (scripts / "test.py").write_text(_TEST_PROGRAM)
        (scripts / "build.py").write_text(_BUILD)
        (scripts / "ladder.py").write_text(_LADDER_PROGRAM.format(python=sys.executable))
        (scripts / "ladder.py").chmod(0o755)
        (self.build / "manifests").mkdir(parents=True)
        ctest = []
        for name, order, needs in (("alpha", 10, []), ("beta", 20, ["alpha"]), ("gamma_rays", 30, ["alpha", "beta"])):
            ctest += self._add_lab(name, order, needs)
        (self.build / "CTestTestfile.cmake").write_text("\n".join(ctest) + "\n")
        self.out = self.error = ""

    def _add_lab(self, name: str, order: int, needs: list[str]) -> list[str]:
        lab = self.project / "labs" / "first_steps" / name
        lab.mkdir(parents=True)
        (lab / "lab.json").write_text(json.dumps({"title": name.title(), "order": order,
                                                  "minutes": 75, "points": 20, "needs": needs, "rungs": []}))
        (lab / "README.md").write_text(HANDOUT)
        source, results, program = lab / f"{name}.cu", self.build / "results" / name, self.build / f"{name}_student"
        source.write_text("// todo todo todo\n")
        tests = [{"kind": kind, "points": points, "sentence": sentence}
                 for kind, points, sentence in zip(KINDS, (10, 4, 6), SENTENCES)]
        (self.build / "manifests" / f"{name}.json").write_text(json.dumps(
            {"lab": name, "results_folder": str(results), "workers": {f"labs/first_steps/{name}/{name}.cu": str(program)},
             "tests": tests, "test_program": str(self.project / "scripts" / "ladder.py")}))
        python, scripts = sys.executable, self.project / "scripts"
        lines = [f'add_test([=[{name}.build]=] "{python}" "{scripts}/build.py" "{source}" "{results}" "{program}")',
                 f'set_tests_properties([=[{name}.build]=] PROPERTIES FIXTURES_SETUP "{name}_build")']
        for test in tests:
            title = f"[=[{name}.{test['kind']}.{test['sentence']}]=]"
            lines += [f'add_test({title} "{python}" "{scripts}/test.py" "{source}" "{results}" "{test["kind"]}" '
                      f'"{test["sentence"]}" "{test["points"]}")',
                      f'set_tests_properties({title} PROPERTIES FIXTURES_REQUIRED "{name}_build" SKIP_RETURN_CODE 77 '
                      'TIMEOUT 300)']
        return lines

    def labs(self) -> list[Lab]:
        return load_labs(self.build, self.project)

    def answer(self, lab: str, words: str, more: str = "") -> Path:
        """Saves an answer: `words` say how its three tests end (pass, half, slow, fail, unclear, todo, hang, crash)."""
        path = self.project / "labs" / "first_steps" / lab / f"{lab}.cu"
        path.write_text(f"// {words}\n{more}")
        return path

    def run_command(self, *arguments: str, columns: int = 100) -> int:
        """Runs a command here. @returns its exit status; self.out and self.error hold what it printed"""
        out, error = io.StringIO(), io.StringIO()
        before = os.environ.get("COLUMNS")
        os.environ["COLUMNS"] = str(columns)
        try:
            with redirect_stdout(out), redirect_stderr(error):
                status = main([arguments[0], "--project", str(self.project), "--build-folder", str(self.build),
                               *arguments[1:]])
        except SystemExit as ended:  # argparse
            status = ended.code
        finally:
            os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)
        self.out, self.error = out.getvalue(), error.getvalue()
        return status

    def start(self, *arguments: str) -> subprocess.Popen:
        """Starts a command as a process of its own, whose output can be read while it runs."""
        process = subprocess.Popen(
            [sys.executable, "-m", "grader.learner", arguments[0], "--project", str(self.project), "--build-folder",
             str(self.build), *arguments[1:]], cwd=self.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "PYTHONPATH": str(PROJECT), "COLUMNS": "100"})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def progress_of(self, lab: str) -> dict:
        return json.loads((self.project / ".warpbook" / "progress.json").read_text())["labs"][lab]


def is_running(pid: int) -> bool:
    """Whether a process does anything still; one whose end nobody has taken note of does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
