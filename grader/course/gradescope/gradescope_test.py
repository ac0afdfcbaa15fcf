"""Tests of the autograder for Gradescope: unpacks the bundle and runs it like the platform, with this build's programs."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.gradescope.bundle import write_bundle
from grader.course.testing.jobs import BUILD, PROJECT, bubblewrap_works

# Starts a program where nobody can make namespaces, as in most containers.
NO_NAME_SPACES = ("unshare", "--user", "--map-root-user", "sh", "-c",
                  'echo 0 > /proc/sys/user/max_mnt_namespaces && exec "$@"', "sh")


class GradescopeTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpbook-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.platform = self.folder / "autograder"
        self.source = self.platform / "source"
        for name in ("submission", "results"):
            (self.platform / name).mkdir(parents=True)

    def bundle(self, *labs: str, **policy: object) -> Path:
        course = None
        if policy:
            course = self.folder / "course.json"
            course.write_text(json.dumps({"format": "warpbook.course", "version": 1, **policy}), encoding="utf-8")
        return write_bundle(self.folder / "out", BUILD, labs, course, None)

    def unpack(self, bundle: Path) -> None:
        """As the platform does. What setup.sh builds takes minutes: here it is what this build folder holds."""
        with zipfile.ZipFile(bundle) as archive:
            for info in archive.infolist():
                if not info.filename.startswith("warpbook/"):
                    Path(archive.extract(info, self.source)).chmod(info.external_attr >> 16 & 0o777)
        (self.source / "warpbook").symlink_to(PROJECT)
        built = subprocess.run(["cmake", "--build", BUILD, "--target", *(self.source / "targets.txt").read_text().split()],
                               capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stdout)

    def run_autograder(self, *before: str) -> subprocess.CompletedProcess:
        return subprocess.run([*before, self.source / "run_autograder"], cwd=self.platform, capture_output=True, text=True,
                              env={**os.environ, "AUTOGRADER_ROOT": str(self.platform)}, timeout=300, check=False)

    def results(self) -> dict:
        done = self.run_autograder()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads((self.platform / "results" / "results.json").read_text(encoding="utf-8"))

    def hand_in(self, text: str, name: str = "vector_add.cu", when: str = "2026-10-03T10:00:00.123456-07:00") -> None:
        (self.platform / "submission" / name).write_text(text, encoding="utf-8")
        metadata = {"id": 1, "created_at": when, "users": [{"email": "s001@example.org", "id": 1, "name": "S. One"}]}
        (self.platform / "submission_metadata.json").write_text(json.dumps(metadata), encoding="utf-8")

    def test_the_bundle_is_the_same_twice_and_has_its_scripts_at_the_root(self):
        bundle = self.bundle("vector_add")
        before = bundle.read_bytes()
        self.assertEqual(self.bundle("vector_add").read_bytes(), before)
        with zipfile.ZipFile(bundle) as archive:
            modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
            self.assertEqual(archive.read("targets.txt"), b"vector_add_batch\n")
        self.assertEqual((modes["setup.sh"], modes["run_autograder"]), (0o100755, 0o100755))
        self.assertEqual(modes["warpbook/common/setup.sh"], 0o100755)
        for name in ("warpbook/CMakeLists.txt", "warpbook/labs/first_steps/vector_add/vector_add.h", "warpbook/grader/course/task.py"):
            self.assertEqual(modes[name], 0o100644, name)
        self.assertFalse([name for name in modes if "/build/" in name or "__pycache__" in name or "/.git/" in name])

    def test_what_cannot_be_used_is_refused_before_it_is_uploaded(self):
        with self.assertRaisesRegex(BatchError, "'gamma' is not a lab"):
            self.bundle("gamma")
        with self.assertRaisesRegex(BatchError, "course.json:1:.*labs.gamma: there is no such lab"):
            self.bundle("vector_add", labs={"gamma": {}})
        hidden = {"tests": ["*.time.*", "*.speed.*"]}
        with self.assertRaisesRegex(BatchError, r'course.json:1:.*hidden.tests\[1\]: "\*.speed.\*" matches no test'):
            self.bundle("vector_add", labs={"vector_add": {"hidden": hidden}})
        self.assertFalse((self.folder / "out").exists())

    def test_submissions_are_graded_where_the_platform_looks_for_results(self):
        self.unpack(self.bundle("vector_add", labs={"vector_add": {
            "due": "2026-10-02", "late": {"percent_per_day": 10}, "hidden": {"tests": ["*.time.*"]}}}))
        solution = (PROJECT / "solutions" / "first_steps" / "vector_add" / "vector_add.cu").read_text(encoding="utf-8")
        self.hand_in(solution)
        results = self.results()
        most = sum(test["max_score"] for test in results["tests"])
        self.assertEqual(results["score"], round(most * 0.9, 2))  # A day late.
        self.assertEqual({test["status"] for test in results["tests"]}, {"passed"})
        self.assertEqual({test["visibility"] for test in results["tests"]}, {"visible", "hidden"})
        self.assertIn(results["extra_data"]["isolation"], ("bubblewrap", "none"))
        self.assertNotIn("100 %", json.dumps(results))

        self.hand_in(solution.replace(";", "", 1), when="2026-10-01T10:00:00-07:00")
        results = self.results()
        self.assertEqual((results["score"], results["extra_data"]["status"]), (0, "build_failed"))
        self.assertIn("error", results["output"])

        (self.platform / "submission" / "vector_add.cu").unlink()
        self.hand_in("Sorry.", "readme.txt")
        results = self.results()
        self.assertEqual(results["score"], 0)
        self.assertIn("What was handed in holds no file of a lab.", results["output"])
        self.assertEqual(results["tests"][0]["output"], results["output"])

        (self.platform / "submission" / "readme.txt").unlink()
        shutil.rmtree(self.platform / "results")
        (self.platform / "results").mkdir()
        results = self.results()
        self.assertEqual((results["score"], results["output"]), (0, "Nothing was handed in."))

    def test_hostile_submissions_become_results_too(self):
        self.unpack(self.bundle("vector_add"))
        hostile = PROJECT / "grader" / "course" / "testdata" / "hostile"
        canary = self.folder / "canary"
        canary.write_text("untouched", encoding="ascii")
        canary.chmod(0o666)
        for name in ("exits_with_success", "writes_outside", "leaves_a_daemon"):
            text = (hostile / f"{name}.cu").read_text(encoding="utf-8")
            for what, path in (("CANARY", canary), ("OUT", self.platform), ("PROJECT", PROJECT)):
                text = text.replace(f"@{what}@", str(path))
            self.hand_in(text)
            if bubblewrap_works():  # Otherwise only a container would confine it, and there is none here.
                results = self.results()
                self.assertEqual((results["score"], results["extra_data"]["status"]), (0, "failed"), name)
                self.assertEqual(results["extra_data"]["isolation"], "bubblewrap", name)
                self.assertTrue(results["output"], name)
                self.assertEqual(canary.read_text(encoding="ascii"), "untouched", name)

    def test_where_there_can_be_no_sandbox_it_grades_and_says_so(self):
        if subprocess.run([*NO_NAME_SPACES, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("name spaces cannot be forbidden here")
        self.unpack(self.bundle("vector_add"))
        hostile = PROJECT / "grader" / "course" / "testdata" / "hostile" / "exits_with_success.cu"
        for path, status in ((PROJECT / "solutions" / "first_steps" / "vector_add" / "vector_add.cu", "passed"), (hostile, "failed")):
            self.hand_in(path.read_text(encoding="utf-8"))
            done = self.run_autograder(*NO_NAME_SPACES)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("no sandbox inside this container (isolation 'bubblewrap' does not work", done.stdout)
            results = json.loads((self.platform / "results" / "results.json").read_text(encoding="utf-8"))
            self.assertEqual((results["extra_data"]["isolation"], results["extra_data"]["status"]), ("none", status))
            most = sum(test["max_score"] for test in results["tests"])
            self.assertEqual(results["score"], most if status == "passed" else 0)
            self.assertEqual(results["stdout_visibility"], "hidden")  # What the instructor reads, students do not.

    def test_the_image_is_tried_with_the_reference_solutions(self):
        self.unpack(self.bundle("vector_add"))
        done = subprocess.run(["/usr/bin/python3", "-m", "grader.course.gradescope.autograder", "--try", self.source],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(PROJECT)}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the reference solutions of 1 labs have full points", done.stdout)
        self.assertTrue((self.source / "kept" / "secret").is_file())
        self.assertTrue(list((self.source / "kept" / "ladders").iterdir()))


if __name__ == "__main__":
    unittest.main()
