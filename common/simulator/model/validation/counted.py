#!/usr/bin/env python3
"""Compares the counters of the kernels of families/ with what Nsight Compute counted on an H200: exact, close, estimated.

    counted.py COUNTED.csv PROFILE.json NAMES.csv [--write PAGE] [--least-exact N]

PROFILE.json is the profile of `validation --cases families --repetitions 1 --flush-mib 0` on the virtual GPU, with
WARPBOOK_CACHE_CONTROL=all as under Nsight Compute, NAMES.csv what it printed: a line for each kernel, in the order of the profile.
--least-exact fails if fewer metrics are exact.
"""

import argparse
import csv
import json
import re
import sys
from pathlib import Path

BEGIN, END = "<!-- counters -->\n", "<!-- end of counters -->\n"
EQUAL = 0.005  # Half a percent: Nsight Compute prints few digits of ratios.
EXACT, CLOSE = 0.98, 0.10
# Conflicts are passes beyond those that a pattern needs. On a GPU some are other traffic's, in every kernel: what matters is their
# share of all passes.
SHARE_OF = {
    f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
    for op in ("ld", "st")
}


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Metric:
    """Counted on the GPU, counted here, and what the error is a share of, for the kernels in which one of the two is not 0."""

    def __init__(self, name, counts):
        self.name = name
        self.kernels = len(counts)
        errors = [abs(ours - theirs) / whole if whole else 1.0 for theirs, ours, whole in counts]
        self.equal = sum(error <= EQUAL for error in errors)
        self.median, self.tenth = percentile(errors, 0.5), percentile(errors, 0.9)

    def verdict(self):
        if self.equal >= EXACT * self.kernels:
            return "exact"
        if self.tenth <= CLOSE:
            return f"within {max(1, round(100 * self.tenth))} %"
        return "estimate"

    def row(self):
        return (f"| `{self.name}` | {self.verdict()} | {self.equal} of {self.kernels} | {100 * self.median:.0f} % | "
                f"{100 * self.tenth:.0f} % |\n")


def compare(counted, profile, names):
    ours = {}
    for name, kernel in zip(names, profile["kernels"]):
        ours[name["family"], name["variant"]] = kernel["metrics"]
    metrics = []
    for metric in [column for column in counted[0] if "__" in column]:
        pairs = []
        for row in counted:
            mine = ours.get((row["family"], row["variant"]), {})
            if metric in mine and row[metric] != "" and (float(row[metric]) != 0 or mine[metric] != 0):
                pairs.append((float(row[metric]), mine[metric], float(row[SHARE_OF.get(metric, metric)])))
        if pairs:
            metrics.append(Metric(metric, pairs))
    return metrics


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counted")
    parser.add_argument("profile")
    parser.add_argument("names")
    parser.add_argument("--write", help="write the table between the marks of this page")
    parser.add_argument("--least-exact", type=int, help="fail if fewer metrics are exact")
    options = parser.parse_args()
    profile = json.loads(Path(options.profile).read_text(encoding="utf-8"))
    names = rows(options.names)
    if len(names) != len(profile["kernels"]):
        sys.exit(f"counted.py: {len(names)} names, {len(profile['kernels'])} kernels: run with --repetitions 1 --flush-mib 0")
    metrics = compare(rows(options.counted), profile, names)
    order = {"exact": 0, "within": 1, "estimate": 2}
    metrics.sort(key=lambda metric: (order[metric.verdict().split()[0]], metric.name))
    head = "| metric | | equal | median error | 90 % are below |\n| --- | --- | --- | --- | --- |\n"
    table = head + "".join(metric.row() for metric in metrics)
    print(table, end="")
    if options.write:
        page = Path(options.write)
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + "\n" + table + "\n" + END, text, flags=re.S),
                        encoding="utf-8")
    exact = sum(metric.verdict() == "exact" for metric in metrics)
    if options.least_exact is not None and exact < options.least_exact:
        print(f"FAILED: {exact} metrics are exact, at least {options.least_exact} should be")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
