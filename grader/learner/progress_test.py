"""Tests of progress: it survives, whatever happens to its file, and says what to do next."""

import json
import subprocess
import sys
import unittest
from multiprocessing import Process

from grader.learner.fixture import WorkbookTest
from grader.learner.next_command import what_next
from grader.learner.progress import LabProgress, Progress, Store


def _many_updates(project, lab):
    store = Store(project)
    for _ in range(40):
        with store.update() as progress:
            progress.of(lab).checks += 1


class StoreTest(WorkbookTest):
    def setUp(self):
        super().setUp()
        self.said = []
        self.store = Store(self.project, self.said.append)

    def fill(self):
        with self.store.update() as progress:
            progress.of("alpha").record(12, 20, "failed", "ab", {"time.fast": "failed"})

    def test_what_was_written_is_read_back(self):
        self.fill()
        self.assertEqual(self.store.read().of("alpha").tests, {"time.fast": "failed"})
        json_ = json.loads(self.store.path.read_text())
        self.assertEqual((json_["format"], json_["version"]), ("warpbook.progress", 1))
        self.assertEqual(sorted(path.name for path in self.store.path.parent.iterdir()), ["lock", "progress.json"])

    def test_the_best_points_stay_and_checks_without_a_gain_are_counted(self):
        known = LabProgress()
        for points in (5, 12, 12, 7):
            known.record(points, 20, "failed", "", {})
        self.assertEqual((known.best_points, known.points, known.checks, known.checks_without_gain), (12, 7, 4, 2))
        known.record(3, 30, "failed", "", {})  # The lab has changed.
        self.assertEqual((known.best_points, known.max_points), (3, 30))

    def test_a_damaged_file_is_put_aside_and_nothing_stops(self):
        for damage in (b"", b"{\"format\": \"warpbook.progress\", \"vers", b"\xff\xfe\0", b"[1]", b"null", b"[" * 100_000,
                       b'{"format": "other", "labs": {}}', b'{"format": "warpbook.progress", "version": 1, "labs": 3}'):
            self.fill()
            self.store.path.write_bytes(damage)
            self.said.clear()
            self.store._warned.clear()
            self.assertEqual(self.store.read().labs, {})
            self.fill()
            self.assertEqual(self.store.read().of("alpha").best_points, 12)
            self.assertIn("is damaged", self.said[0])
            kept = [path.read_bytes() for path in self.store.path.parent.glob("progress.damaged-*.json")]
            self.assertIn(damage, kept)

    def test_values_of_the_wrong_type_cost_only_themselves(self):
        self.fill()
        json_ = json.loads(self.store.path.read_text())
        json_["labs"]["alpha"].update(points="many", checks=-5, hints=[1, "a"], tests=None, best_points=float("nan"))
        json_["labs"]["beta"] = 7
        json_["labs"]["alpha"]["more"] = "unknown"
        self.store.path.write_text(json.dumps(json_))
        known = self.store.read().of("alpha")
        self.assertEqual((known.max_points, known.points, known.checks, known.hints, known.tests, known.best_points),
                         (20, 0, 0, ["a"], {}, 0))
        self.assertEqual(self.said, [])

    def test_a_newer_version_is_left_alone(self):
        self.fill()
        text = self.store.path.read_text().replace('"version": 1', '"version": 2')
        self.store.path.write_text(text)
        self.fill()
        self.assertEqual(self.store.path.read_text(), text)
        self.assertIn("has version 2, but this warpbook reads version 1", self.said[0])

    def test_two_commands_at_the_same_time_lose_nothing(self):
        processes = [Process(target=_many_updates, args=(self.project, lab)) for lab in ("alpha", "beta", "alpha")]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        progress = self.store.read()
        self.assertEqual((progress.of("alpha").checks, progress.of("beta").checks), (80, 40))

    def test_a_folder_that_cannot_be_written_is_a_warning(self):
        (self.project / ".warpbook").write_text("a file where a folder should be")
        self.fill()
        self.assertEqual(len(self.said), 1)
        self.assertIn("your progress is not remembered", self.said[0])
        self.assertEqual(self.run_command("hint", "alpha"), 0)
        self.assertIn("Hint 1 of 2", self.out)

    def test_git_ignores_it(self):
        from grader.learner.labs import PROJECT
        if not (PROJECT / ".git").exists():
            self.skipTest("not a clone")
        status = subprocess.run(["git", "check-ignore", "-q", ".warpbook/progress.json"], cwd=PROJECT).returncode
        self.assertEqual(status, 0)


class Next(WorkbookTest):
    def say(self, **labs: LabProgress) -> str:
        return "\n".join(what_next(self.labs(), Progress(labs)))

    def done(self) -> LabProgress:
        return LabProgress(best_points=20, max_points=20, points=20, status="passed", checks=1)

    def begun(self, checked_at: str = "2026-01-01T00:00:00Z", **more) -> LabProgress:
        from grader.learner.progress import sha256_of
        known = LabProgress(best_points=4, max_points=20, points=4, status="failed", checks=1, checked_at=checked_at)
        known.sha256 = sha256_of(self.labs()[0].source)
        for key, value in more.items():
            setattr(known, key, value)
        return known

    def test_first_of_all_the_first_lab(self):
        self.assertIn("Start alpha (Alpha), because it needs nothing before it, and beta, gamma_rays build on it. It takes "
                      "about 1 h 15 min.", self.say())

    def test_then_the_one_whose_needs_are_complete(self):
        self.assertIn("Start beta (Beta), because alpha is complete, and gamma_rays builds on it.", self.say(alpha=self.done()))
        self.assertIn("Start gamma_rays (Gamma_Rays), because alpha and beta are complete.",
                      self.say(alpha=self.done(), beta=self.done()))
        self.assertIn("Start alpha", self.say(beta=self.done()))

    def test_what_is_begun_comes_first_and_the_latest_of_these(self):
        text = self.say(alpha=self.begun(tests={"time.it is fast": "failed", "counters.x": "passed"}))
        self.assertIn("Continue with alpha: you have begun it and have 4 of 20 points.", text)
        self.assertIn("1 test failed; fix 'it is fast' first.", text)
        text = self.say(alpha=self.begun(), beta=self.begun("2026-02-01T00:00:00Z"))
        self.assertIn("Also begun: alpha.", text)

    def test_a_changed_file_is_to_be_checked(self):
        self.assertIn("Check alpha: labs/first_steps/alpha/alpha.cu has changed", self.say(alpha=self.begun(sha256="00")))
        self.assertIn("does not compile", self.say(alpha=self.begun(status="build_failed")))

    def test_who_is_stuck_is_offered_a_hint(self):
        self.assertIn("Or: warpbook hint alpha (you had 3 checks", self.say(alpha=self.begun(checks_without_gain=3)))

    def test_a_check_of_an_untouched_file_begins_nothing(self):
        self.assertIn("Start alpha", self.say(alpha=self.begun(status="not_started", best_points=0.0)))

    def test_at_the_end_there_is_nothing_left(self):
        everything = {"alpha": self.done(), "beta": self.done(), "gamma_rays": self.done()}
        self.assertIn("All 3 labs are complete.", self.say(**everything))
        self.assertIn("Going further", self.say(**everything))

    def test_exercises_have_neither_handouts_nor_hints(self):
        for path in self.project.rglob("labs/*/*/lab.json"):
            path.write_text(json.dumps({key: value for key, value in json.loads(path.read_text()).items() if key != "rungs"}))
        text = self.say(alpha=self.done(), beta=self.done(), gamma_rays=self.done())
        self.assertIn("All 3 labs are complete. `cmake --build", text)
        self.assertNotIn("hint", self.say(alpha=self.begun(checks_without_gain=3)))


if __name__ == "__main__":
    unittest.main()
