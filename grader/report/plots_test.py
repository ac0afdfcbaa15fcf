"""Tests of the plots that labs define: a sweep, a staircase and a heat map are on the page, as pictures and in words."""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.report import cli  # noqa: E402 (the path must be set first)
from grader.report.plot import Curve, Plot  # noqa: E402
from grader.report.plot_figure import plot_figure, plot_text, size  # noqa: E402
from grader.report.reader import ReportError  # noqa: E402
from grader.report.well_formed import WellFormed  # noqa: E402

SAMPLES = Path(__file__).resolve().parent / "testdata"
SWEEP = {"name": "sweep", "kind": "sweep", "title": "The sweep", "caption": "By size.", "x": "bytes", "y": "GB/s", "value": "",
         "curves": [{"label": "pageable", "points": [[1024, 0.5], [4096, 1.5], [65536, 6]]},
                    {"label": "pinned", "points": [[1024, 0.5], [4096, 30], [65536, 25]]}, {"label": "failed", "points": []}]}
STAIRCASE = {**SWEEP, "name": "staircase", "kind": "staircase", "title": "The staircase", "y": "ns",
             "curves": [{"label": "a step", "points": [[16384, 20], [131072, 20], [262144, 150]]}]}
HEAT_MAP = {**SWEEP, "name": "shapes", "kind": "heat_map", "title": "Shapes", "x": "side", "y": "depth", "value": "TFLOP/s",
            "curves": [{"label": "16", "points": [[64, 1.5], [128, 3]]}, {"label": "64", "points": [[128, 12]]}]}


def plot(fields: dict) -> Plot:
    curves = tuple(Curve(curve["label"], tuple(map(tuple, curve["points"]))) for curve in fields["curves"] if curve["points"])
    return Plot(**{**fields, "curves": curves})


class Page(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(SAMPLES, self.folder / "in")

    def write(self, *plots: dict) -> str:
        results = self.folder / "in" / "results.json"
        value = json.loads(results.read_text())
        value["labs"][1]["plots"] = list(plots)
        results.write_text(json.dumps(value))
        return cli.write_report(results, self.folder / "out", self.folder / "in", self.folder / "in" / "devices").read_text()

    def test_every_kind_is_drawn_in_both_formats_and_said_in_words(self):
        page = self.write(SWEEP, STAIRCASE, HEAT_MAP)
        parser = WellFormed()
        parser.feed(page)
        self.assertEqual(parser.open, [])
        for name in ("sweep", "staircase", "shapes"):
            self.assertGreater(len((self.folder / "out" / f"coalescing_{name}.png").read_bytes()), 5000)
            self.assertIn("<svg", (self.folder / "out" / f"coalescing_{name}.svg").read_text())
        words = " ".join(parser.images)
        self.assertIn("pinned: 0.5 at 1 Ki, 25 at 64 Ki, at most 30 at 4 Ki", words)
        self.assertIn("a step: 20 at 16 Ki, 20 at 128 Ki, 150 at 256 Ki", words)
        self.assertIn("16: 1.5 at 64, 3 at 128; 64: 12 at 128", words)
        self.assertNotIn("failed", words)

    def test_a_plot_without_points_is_left_out(self):
        self.assertNotIn("The sweep", self.write({**SWEEP, "curves": [{"label": "failed", "points": []}]}))

    def test_what_is_no_plot_is_named_with_its_place(self):
        for change, said in (({"kind": "pie"}, "labs[1].plots[0].kind is 'pie'"),
                             ({"curves": [{"label": "a", "points": [[1, 2], [3]]}]}, "labs[1].plots[0].curves[0].points is [[1, 2], [3]]")):
            with self.assertRaises(ReportError) as caught:
                self.write({**SWEEP, **change})
            self.assertIn(said, str(caught.exception))


class Figures(unittest.TestCase):
    def test_curves_stand_over_sizes_by_powers_of_two(self):
        axes = plot_figure(plot(SWEEP)).axes[0]
        self.assertEqual(axes.get_xscale(), "log")
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["1 Ki", "4 Ki", "64 Ki"])
        self.assertEqual([line.get_label() for line in axes.lines], ["pageable", "pinned"])
        self.assertEqual([list(line.get_ydata()) for line in axes.lines], [[0.5, 1.5, 6], [0.5, 30, 25]])

    def test_a_staircase_has_steps(self):
        lines = plot_figure(plot(STAIRCASE)).axes[0].lines
        self.assertEqual([line.get_drawstyle() for line in lines], ["steps-mid"])

    def test_labels_of_near_sizes_are_left_out(self):
        points = [[1024 * size, 1] for size in (1, 2, 3, 4, 64, 80, 1024)]
        axes = plot_figure(plot({**SWEEP, "curves": [{"label": "a", "points": points}]})).axes[0]
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["1 Ki", "4 Ki", "64 Ki", "1 Mi"])

    def test_cells_of_a_heat_map_are_darker_the_more_there_is(self):
        axes = plot_figure(plot(HEAT_MAP)).axes[0]
        cells = {cell.get_xy(): cell.get_alpha() for cell in axes.patches}
        self.assertEqual(cells, {(0, 0): 0.125, (1, 0): 0.25, (1, 1): 1.0})  # Nothing stands where a run failed.
        self.assertEqual([text.get_text() for text in axes.texts], ["1.5", "3", "12"])
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["16", "64"])

    def test_words_name_the_axes(self):
        self.assertTrue(plot_text(plot(STAIRCASE)).startswith("ns over bytes, logarithmic."))
        self.assertEqual([size(value) for value in (512, 1536, 1 << 21, 3 << 30, 1000)], ["512", "1.5 Ki", "2 Mi", "3 Gi", "1000"])


if __name__ == "__main__":
    unittest.main()
