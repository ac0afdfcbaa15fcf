"""Tests of the report: a page from real-looking inputs, and a clear message for every kind of bad input."""

import dataclasses
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.report import cli  # noqa: E402 (the path must be set first)
from grader.report.access import SECTORS, WAVEFRONTS, rows_of  # noqa: E402
from grader.report.device import load_device  # noqa: E402
from grader.report.ladder import _comparison  # noqa: E402
from grader.report.profiles import Activity, load_kernel  # noqa: E402
from grader.report.reader import ReportError  # noqa: E402
from grader.report.results import load_results  # noqa: E402
from grader.report.roofline import _label_heights, points_of  # noqa: E402
from grader.report.source import source_rows  # noqa: E402
from grader.report.style import number  # noqa: E402
from grader.report.timeline import Timeline, timeline_figure  # noqa: E402
from grader.report.well_formed import WellFormed  # noqa: E402

SAMPLES = Path(__file__).resolve().parent / "testdata"


class Samples(unittest.TestCase):
    """Each test works on its own copy of the samples."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(SAMPLES, self.folder / "in")
        self.results = self.folder / "in" / "results.json"
        self.profile = self.folder / "in" / "profile.json"

    def edit(self, path: Path, change) -> None:
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value))

    def write(self) -> str:
        page = cli.write_report(self.results, self.folder / "out", self.folder / "in", self.folder / "in" / "devices")
        return page.read_text(encoding="utf-8")

    def error(self) -> str:
        with self.assertRaises(ReportError) as caught:
            self.write()
        return str(caught.exception)


class Edition(unittest.TestCase):
    def test_needs_only_what_its_setup_installs(self):
        """Not what only grading a class needs, which common/setup.sh installs."""
        code = ("import sys\n"
                "for name in ('jsonschema', 'yaml', 'weasyprint'): sys.modules[name] = None\n"
                "import grader.learner.__main__, grader.report.cli, grader.report.own_answers")
        done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Page(Samples):
    def test_is_one_well_formed_file_that_fetches_nothing(self):
        page = self.write()
        parser = WellFormed()
        parser.feed(page)
        self.assertEqual(parser.open, [])
        self.assertEqual(len(parser.ids), len(set(parser.ids)), "two elements share an id")
        self.assertNotIn("<script", page)
        for reference in parser.references:
            self.assertRegex(reference, r"^(#|[\w]+\.(png|svg)$)")
            if reference.endswith((".png", ".svg")):
                self.assertTrue((self.folder / "out" / reference).is_file(), reference)
            else:
                self.assertIn(reference[1:], parser.ids)

    def test_every_picture_is_there_in_both_formats_and_in_words(self):
        page = self.write()
        for name in ("ladder", "sectors", "wavefronts", "roofline"):
            png = (self.folder / "out" / f"coalescing_{name}.png").read_bytes()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(png), 5000)
            self.assertIn("<svg", (self.folder / "out" / f"coalescing_{name}.svg").read_text())
        parser = WellFormed()
        parser.feed(page)
        self.assertEqual(len(parser.images), 4)
        self.assertIn("store in coalescing.cu:10: 32 sectors per request, at best 4", parser.images[1])
        self.assertIn("padded tile: 43.2 µs, measured 41.7 µs", parser.images[0])

    def test_inline_pictures_follow_the_theme(self):
        page = self.write()
        figures = "".join(re.findall(r"<svg.*?</svg>", page, re.S))
        self.assertEqual(re.findall(r"#[0-9a-f]{6}\b", figures), [])
        self.assertIn("var(--answer)", figures)

    def test_shows_points_status_and_messages(self):
        parser = WellFormed()
        parser.feed(self.write())
        self.assertIn("61.5 / 120", parser.text)
        self.assertIn("✗ failed", parser.text)
        self.assertIn("○ not started", parser.text)
        self.assertIn("Try: pad each row of the tile by one element.", parser.text)
        self.assertIn("tile[threadIdx.x][threadIdx.y]", parser.text)
        self.assertIn("load 32 wavefronts (1)", parser.text)

    def test_escapes_text_from_the_results(self):
        def change(value):
            value["labs"][1]["title"] = "<script>alert(1)</script> $x^2$"
            value["labs"][1]["tests"][0]["message"] = "</pre><b onclick='x'>"
            value["labs"][1]["ladder"][0]["title"] = "a < b & $c"

        self.edit(self.results, change)
        page = self.write()
        self.assertNotIn("<script", page)
        self.assertNotIn("<b onclick", page)
        WellFormed().feed(page)

    def test_same_input_gives_the_same_bytes(self):
        first = self.write()
        self.assertEqual(first, self.write())

    def test_no_labs_gives_a_page_that_says_so(self):
        self.edit(self.results, lambda value: value.update(labs=[]))
        self.assertIn("No lab was graded.", self.write())

    def test_source_that_cannot_be_read_leaves_the_counts(self):
        (self.folder / "in" / "labs" / "memory" / "coalescing" / "coalescing.cu").unlink()
        self.assertIn("load 32 wavefronts (1)", self.write())

    def test_a_gpu_is_named_beside_the_device_that_was_predicted(self):
        self.edit(self.results, lambda value: value.update(backend="gpu", device="Some GPU"))
        self.assertIn("Some GPU; counters and predictions: virtual GPU, NVIDIA H200", self.write())

    def test_predicted_and_measured_stand_side_by_side(self):
        page = self.write()
        self.assertIn("<td>padded tile</td><td class=\"n\">43.2 µs</td><td class=\"n\">41.7 µs</td>", page)
        self.assertIn("<td>cudaMemcpy <i>(library)</i></td>", page)
        self.assertIn("3579 GB/s", page)
        self.assertIn("“padded tile” is predicted to be faster than “tiled through shared memory”", page)

    def test_streams_are_drawn_over_time(self):
        def activity(engine, stream, start, end):
            return {"engine": engine, "stream": stream, "name": engine, "start_us": start, "end_us": end}

        self.assertNotIn("coalescing_timeline", self.write())
        self.edit(self.profile, lambda value: value.update(timeline=[
            activity("copy_in", 1, 0, 10), activity("compute", 1, 10, 14), activity("copy_in", 2, 10, 20),
            activity("compute", 2, 20, 24), activity("copy_out", 1, 14, 24)]))
        self.assertIn("24 µs in 2 streams; busy: copy to the GPU 83.3 %, kernel 33.3 %", self.write())


class Figures(Samples):
    def setUp(self) -> None:
        super().setUp()
        self.lab = load_results(self.results).labs[1]
        self.kernels = [(run, load_kernel(run.profile, run.kernel)) for run in self.lab.ladder if run.profile]

    def test_a_students_answer_stands_below_the_rungs(self):
        runs = cli._runs(self.lab)
        self.assertEqual([run.rung for run in runs], ["naive", "tiled", "padded", "copy", "answer"])
        self.assertEqual([run.graded for run in runs], [False, False, False, False, True])

    def test_a_solution_that_is_a_rung_is_marked_there(self):
        source = "solutions/memory/coalescing/coalescing.cu"
        solution = dataclasses.replace(self.lab, answer="solution", source=source)
        naive, tiled, *others = solution.ladder
        # Both have the same kernel, launched in another way: only the file shows which rung the solution is.
        ladder = [dataclasses.replace(naive, profile=tiled.profile, kernel=tiled.kernel, source="x.cu"),
                  dataclasses.replace(tiled, source=source), *others]
        runs = cli._runs(dataclasses.replace(solution, ladder=ladder))
        self.assertEqual([run.rung for run in runs], ["naive", "tiled", "padded", "copy"])
        self.assertEqual([run.graded for run in runs], [False, True, False, False])
        self.assertEqual(runs[1].title, "tiled through shared memory (the solution)")
        self.assertEqual([run.rung for run in cli._runs(solution)][-1], "answer")  # It is not a rung.

    def test_labels_of_a_roofline_keep_apart_and_below_its_roof(self):
        rates, lines = [10.0, 10.1, 90.0, 95.0, 99.0], [1, 2, 1, 2, 1]
        heights = [math.log10(height) for height in _label_heights(rates, lines, gap=0.05, top=100.0)]
        for i in range(1, len(heights)):
            self.assertGreaterEqual(heights[i] - heights[i - 1], 0.05 * (lines[i] + lines[i - 1]) / 2 - 1e-9)
        self.assertLessEqual(heights[-1], 2 - 0.025 + 1e-9)
        self.assertAlmostEqual(heights[0], 1)

    def test_rungs_are_compared_with_the_first(self):
        def run(time: float):
            return dataclasses.replace(self.lab.ladder[0], time_us=time, measured_us=None)

        said = [_comparison(run(time), run(100.0)) for time in (50.0, 100.1, 99.9, 200.0, 0.0)]
        self.assertEqual(said, [", 2× faster", ", as fast", ", as fast", ", 2× slower", ""])

    def test_short_timelines_have_a_scale_of_their_own(self):
        def timeline(title: str, end: float) -> Timeline:
            run = dataclasses.replace(self.lab.graded, title=title)
            return Timeline(run, [Activity("compute", 0, "k", 5.0, 5.0 + end), Activity("copy_in", 1, "c", 5.0, 6.0)])

        for ends, shared in (((400.0, 4000.0), False), ((400.0, 500.0), True)):
            panels = timeline_figure([timeline("a", ends[0]), timeline("b", ends[1])]).axes
            self.assertEqual([panel.get_title(loc="left") for panel in panels],
                             [f"{title}: {end:.0f} µs" for title, end in zip("ab", ends)])
            self.assertEqual(panels[0].get_xlim() == panels[1].get_xlim(), shared)
            self.assertEqual("own scale" in panels[1].get_xlabel(), not shared)
        self.assertEqual([label.get_text() for label in panels[0].get_yticklabels()], ["default", "stream 1"])

    def test_sectors_are_per_request_and_waste_is_marked(self):
        rows = rows_of(SECTORS, self.kernels)
        self.assertEqual([(row.found, row.ideal, row.wasteful) for row in rows[:2]], [(4, 4, False), (32, 4, True)])

    def test_wavefronts_belong_to_shared_accesses_only(self):
        rows = rows_of(WAVEFRONTS, self.kernels)
        self.assertEqual([row.run.rung for row in rows], ["tiled", "tiled", "padded", "padded"])
        self.assertEqual([row.wasteful for row in rows], [False, True, False, False])

    def test_points_are_under_the_roof_of_the_device(self):
        device = load_device(self.folder / "in" / "devices" / "h200.json")
        self.assertAlmostEqual(device.issue_per_ns, 132 * 4 * 1.98)
        points = points_of(self.kernels)
        self.assertEqual(len(points), 3)
        for point in points:
            self.assertLess(point.dram_share, device.dram_bytes_per_ns * 1e3)

    def test_kernels_that_move_nothing_have_no_point(self):
        run, kernel = self.kernels[0]
        kernel.metrics.update({key: 0 for key in kernel.metrics if not key.startswith("smsp__")})
        self.assertEqual(points_of([(run, kernel)]), [])

    def test_source_rows_run_from_the_first_to_the_last_line_executed(self):
        rows = source_rows(self.kernels[2][1], self.folder / "in" / "labs" / "memory" / "coalescing" / "coalescing.cu")
        self.assertEqual([row.line for row in rows], list(range(8, 15)))
        self.assertFalse(any(row.wasteful for row in rows))

    def test_numbers_have_three_digits_and_no_exponent(self):
        self.assertEqual([number(x) for x in (0, 0.01234, 1.5, 99.96, 123456.7)], ["0", "0.0123", "1.5", "100", "123457"])


class BadInput(Samples):
    def test_missing_results(self):
        self.results.unlink()
        self.assertRegex(self.error(), r"results\.json: there is no such file; grading writes it: cmake --workflow")

    def test_missing_profile(self):
        self.profile.unlink()
        self.assertRegex(self.error(), r"profile\.json: there is no such file")

    def test_broken_json_names_line_and_column(self):
        self.results.write_text('{\n "format": "warpbook.results",\n "version": 1,,\n}')
        self.assertRegex(self.error(), r"results\.json:3:15: not valid JSON")

    def test_file_cut_short(self):
        self.profile.write_text(self.profile.read_text()[:700])
        self.assertRegex(self.error(), r"profile\.json:\d+:\d+: not valid JSON .* cut short")

    def test_not_text(self):
        self.results.write_bytes(b"\xff\xfe\x00")
        self.assertRegex(self.error(), r"results\.json: cannot be read")

    def test_not_an_object(self):
        self.results.write_text("[]")
        self.assertRegex(self.error(), r"results\.json: holds a list, not an object")

    def test_version_that_it_does_not_know(self):
        self.edit(self.profile, lambda value: value.update(version=2))
        self.assertRegex(self.error(), r"profile\.json: version 2 of warpbook\.profile, but this report reads version 1")

    def test_another_format(self):
        shutil.copy(self.profile, self.results)
        self.assertRegex(self.error(), r"format is 'warpbook\.profile', expected 'warpbook\.results'")

    def test_missing_field_names_its_place(self):
        self.edit(self.results, lambda value: value["labs"][1]["tests"][2].pop("points"))
        self.assertRegex(self.error(), r"labs\[1\]\.tests\[2\]\.points is missing; it must be a number")

    def test_wrong_type_shows_the_value(self):
        self.edit(self.results, lambda value: value["labs"][0].update(points="ten"))
        self.assertRegex(self.error(), r'labs\[0\]\.points is a string \("ten"\); it must be a number')

    def test_boolean_is_no_number(self):
        self.edit(self.results, lambda value: value["labs"][0].update(points=True))
        self.assertRegex(self.error(), r"labs\[0\]\.points is a boolean")

    def test_unknown_status(self):
        self.edit(self.results, lambda value: value["labs"][0].update(status="fine"))
        self.assertRegex(self.error(), r"labs\[0\]\.status is 'fine'; it must be one of passed, failed")

    def test_kernel_that_the_profile_does_not_have(self):
        self.edit(self.results, lambda value: value["labs"][1].update(kernel=7))
        self.assertRegex(self.error(), r"profile\.json: kernel 7 is asked for, but the profile has 3")

    def test_negative_count(self):
        self.edit(self.profile, lambda value: value["kernels"][0]["lines"][0].update(line=-4))
        self.assertRegex(self.error(), r"kernels\[0\]\.lines\[0\]\.line is -4; it must be a whole number")

    def test_grid_that_is_no_extent(self):
        self.edit(self.profile, lambda value: value["kernels"][1].update(grid=[1, 2]))
        self.assertRegex(self.error(), r"kernels\[1\]\.grid must be \[x, y, z\]")

    def test_device_without_a_description(self):
        self.edit(self.results, lambda value: value.update(predicted_device="h900"))
        self.assertRegex(self.error(), r"h900\.json: there is no such file; device descriptions belong to")

    def test_command_line_prints_the_error_and_fails(self):
        self.assertEqual(cli.main([str(self.folder / "nothing.json"), "--output", str(self.folder / "out")]), 1)


if __name__ == "__main__":
    unittest.main()
