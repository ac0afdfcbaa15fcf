"""Runs programs with a trace and checks it against its schema, the format of trace events, and what the programs do.

trace_test.py PROGRAM LIBRARY_FOLDER [RUN_APART]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import jsonschema

SCHEMA = json.loads((Path(__file__).parent / "trace.schema.json").read_text(encoding="utf-8"))
PROGRAM, LIBRARIES, *APART = sys.argv[1:]
TOOL = {"NVTX_INJECTION64_PATH": f"{LIBRARIES}/libcudart.so.13"}


def trace_of(*command: str, **environment: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        variables = {**os.environ, "LD_LIBRARY_PATH": LIBRARIES, "WARPBOOK_TRACE": str(path), **environment}
        subprocess.run(command, env=variables, check=True, stdout=subprocess.DEVNULL)
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


class TraceTest(unittest.TestCase):
    def check(self, document: dict[str, Any]) -> None:
        jsonschema.validate(document, SCHEMA)
        events = document["traceEvents"]
        slices: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for event in events:
            if event["ph"] == "X":
                slices.setdefault((event["pid"], event["tid"]), []).append(event)
        rows = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
        self.assertEqual(rows, rows | set(slices), "a row has no name")
        self.check_nesting(slices)
        self.check_arrows(events, slices)

    def check_nesting(self, slices: dict[tuple[int, int], list[dict[str, Any]]]) -> None:
        """Events of a row either follow each other or are nested."""
        for row, found in slices.items():
            open_until: list[float] = []
            for event in sorted(found, key=lambda e: (e["ts"], -e["dur"])):
                while open_until and open_until[-1] <= event["ts"] + 1e-6:
                    open_until.pop()
                end = event["ts"] + event["dur"]
                if open_until:
                    self.assertLessEqual(end, open_until[-1] + 2e-3, f"{event['name']} overlaps in row {row}")
                open_until.append(end)

    def check_arrows(self, events: list[dict[str, Any]], slices: dict[tuple[int, int], list[dict[str, Any]]]) -> None:
        ends: dict[int, dict[str, dict[str, Any]]] = {}
        for event in events:
            if event["ph"] in "sf":
                ends.setdefault(event["id"], {})[event["ph"]] = event
        for arrow in ends.values():
            self.assertEqual(set(arrow), {"s", "f"})
            self.assertLessEqual(arrow["s"]["ts"], arrow["f"]["ts"])
            for end in arrow.values():
                within = [e for e in slices[end["pid"], end["tid"]] if e["ts"] - 1e-3 <= end["ts"] <= e["ts"] + e["dur"] + 1e-3]
                self.assertTrue(within, f"an arrow ends nowhere: {end}")

    def test_calls_kernels_and_ranges_are_there(self) -> None:
        document = trace_of(PROGRAM, **TOOL)
        self.check(document)
        events = document["traceEvents"]
        kernels = [e for e in events if e.get("cat") == "kernel"]
        self.assertTrue(kernels)
        self.assertTrue(all("grid" in e["args"] and "limiter" in e["args"] for e in kernels))
        self.assertIn("outer", {e["name"] for e in events if e.get("cat") == "nvtx" and e["ph"] == "X"})
        self.assertIn("kernel launch", {e["name"] for e in events if e.get("cat") == "cuda_api"})
        arrows = {e["id"] for e in events if e["ph"] == "f" and e["pid"] == 1}
        self.assertGreaterEqual(len(arrows), len(kernels))

    def test_it_is_the_same_each_time(self) -> None:
        self.assertEqual(trace_of(PROGRAM, **TOOL), trace_of(PROGRAM, WARPBOOK_THREADS="1", **TOOL))

    @unittest.skipUnless(APART, "there is no run_apart")
    def test_a_device_apart_writes_one_too(self) -> None:
        document = trace_of(*APART, PROGRAM, "alone")
        self.check(document)
        categories = {e.get("cat") for e in document["traceEvents"]}
        self.assertLessEqual({"kernel", "cuda_api", "launch"}, categories)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
