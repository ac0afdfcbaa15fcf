#!/usr/bin/env python3
"""Compares predicted with measured times of the kernels of families/: how far off, in which order, which speed-ups.

    predictions.py MEASURED.csv PREDICTED.csv [--more MEASURED.csv] [--all]
    predictions.py MEASURED.csv [--more MEASURED.csv] [--write PAGE PICTURE] [--limits LIMITS.json] --run COMMAND...

Half of the kernels are held out: the values of most constants were chosen without them. The rule that selects them is
older than the measurements: the CRC-32 of `family/variant` is odd. Families `micro_...` isolate one constant each; they
serve to find it and are not counted elsewhere.

--write puts tables and picture between the marks of a page of the documentation. --limits fails where a figure is worse
than the file allows.
"""

import argparse
import collections
import csv
import itertools
import json
import math
import re
import subprocess
import sys
import zlib
from pathlib import Path

CLOSE = 1.10  # Two times that differ by less are not in any order.
BEGIN, END = "<!-- predictions -->\n", "<!-- end of predictions -->\n"


def held_out(name):
    return zlib.crc32(name.encode()) % 2 == 1


def read(lines):
    return {f"{row['family']}/{row['variant']}": float(row["median_us"]) for row in csv.DictReader(lines)}


def family(name):
    return name.split("/")[0]


def error(pair):
    measured, predicted = pair
    return predicted / measured - 1


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Figures:
    """Of some kernels: name -> (measured, predicted)."""

    def __init__(self, times):
        self.kernels = len(times)
        errors = [abs(error(pair)) for pair in times.values()]
        self.median, self.tenth = percentile(errors, 0.5), percentile(errors, 0.9)
        within = percentile([error(pair) for pair in times.values()], 0.5)
        self.bias = within
        ratios, right = [], 0
        groups = {}
        for name, pair in times.items():
            groups.setdefault(family(name), []).append(pair)
        for pairs in groups.values():
            for (m1, p1), (m2, p2) in itertools.combinations(pairs, 2):
                if max(m1, m2) <= CLOSE * min(m1, m2):
                    continue
                right += (m1 < m2) == (p1 < p2) and p1 != p2
                ratios.append(abs((p1 / p2) / (m1 / m2) - 1) if m1 > m2 else abs((p2 / p1) / (m2 / m1) - 1))
        self.pairs = len(ratios)
        self.order = right / self.pairs if self.pairs else 1.0
        self.speed_up = percentile(ratios, 0.5)

    def row(self, name):
        order = f"{100 * self.order:.1f} % of {self.pairs}" if self.pairs else "-"
        speed_up = f"{100 * self.speed_up:.0f} %" if self.pairs else "-"
        return (f"| {name} | {self.kernels} | {100 * self.median:.0f} % | {100 * self.tenth:.0f} % | {100 * self.bias:+.0f} % | "
                f"{order} | {speed_up} |\n")


HEAD = ("| kernels | | median error | 90 % are below | median signed error | pairs in the measured order | median error of a "
        "speed-up |\n| --- | --- | --- | --- | --- | --- | --- |\n")


def sets_of(times):
    scored = {name: pair for name, pair in times.items() if not name.startswith("micro_")}
    return {
        "all": scored,
        "held out": {name: pair for name, pair in scored.items() if held_out(name)},
        "in view": {name: pair for name, pair in scored.items() if not held_out(name)},
    }


def misplaced(times):
    """Each pair in the wrong order, the faster kernel first, by family and how far apart the measured times are."""
    found = []
    for pair in itertools.combinations(sorted(times), 2):
        fast, slow = sorted(pair, key=lambda name: times[name][0])
        (m1, p1), (m2, p2) = times[fast], times[slow]
        if family(fast) == family(slow) and m2 > CLOSE * m1 and p1 >= p2:
            found.append((fast, slow))
    return found


def apart_by(times, pair):
    return times[pair[1]][0] / times[pair[0]][0]


def misplaced_table(times):
    pairs = misplaced(times)
    if not pairs:
        return f"\nAll pairs whose measured times differ by more than {100 * (CLOSE - 1):.0f} % are predicted in the right order.\n"
    text = "\nPairs in the wrong order, by how far apart the measured times are:\n\n"
    text += "| more than | pairs | in the families |\n| --- | --- | --- |\n"
    for apart in (CLOSE, 1.25, 1.5):
        families = collections.Counter(family(pair[0]) for pair in pairs if apart_by(times, pair) > apart)
        names = ", ".join(f"{name} {count}" for name, count in sorted(families.items(), key=lambda item: (-item[1], item[0])))
        text += f"| {100 * (apart - 1):.0f} % | {sum(families.values())} | {names} |\n"
    text += "\nEach of them, the faster kernel first:\n\n"
    text += "| kernel | measured, us | predicted, us | and kernel | measured, us | predicted, us | measured apart |\n"
    text += "| --- | --- | --- | --- | --- | --- | --- |\n"
    for fast, slow in sorted(pairs, key=lambda pair: (family(pair[0]), -apart_by(times, pair))):
        cells = [f"{name} | {times[name][0]:.1f} | {times[name][1]:.1f}" for name in (fast, slow)]
        text += f"| {' | '.join(cells)} | {100 * (apart_by(times, (fast, slow)) - 1):.0f} % |\n"
    return text


def tables(times):
    text = HEAD + "".join(Figures(part).row(name) for name, part in sets_of(times).items())
    text += "\nBy family, held out or not:\n\n" + HEAD
    scored = sets_of(times)["all"]
    for name in sorted({family(name) for name in scored}):
        text += Figures({key: pair for key, pair in scored.items() if family(key) == name}).row(name)
    text += "\nThe kernels that are off by more than a third:\n\n"
    text += "| kernel | measured, us | predicted, us | error | |\n| --- | --- | --- | --- | --- |\n"
    for name, pair in sorted(scored.items(), key=lambda item: -abs(error(item[1]))):
        if abs(error(pair)) > 1 / 3:
            text += (f"| {name} | {pair[0]:.1f} | {pair[1]:.1f} | {100 * error(pair):+.0f} % | "
                     f"{'held out' if held_out(name) else ''} |\n")
    return text + misplaced_table(scored)


def picture(times):
    """Measured against predicted times, both axes logarithmic, as SVG."""
    scored = sets_of(times)["all"]
    low, high = 2.0, 2.0 ** math.ceil(math.log2(max(max(pair) for pair in scored.values())))
    side, margin = 480.0, 56.0

    def at(us):
        return side * math.log(max(us, low) / low) / math.log(high / low)

    def x(us):
        return margin + at(us)

    def y(us):
        return margin / 2 + side - at(us)

    whole = side + 1.5 * margin
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:g} {whole:g}" role="img" '
             'font-family="DejaVu Sans, sans-serif" font-size="12">',
             f'<rect width="{whole:g}" height="{whole:g}" fill="#ffffff"/>']
    us = low
    while us <= high:
        parts.append(f'<path d="M{x(us):.1f} {y(low):.1f}V{y(high):.1f}M{x(low):.1f} {y(us):.1f}H{x(high):.1f}" stroke="#dddddd"/>')
        if math.log2(us) % 2 == 1:  # At each second line, so that the words have room.
            parts.append(f'<text x="{x(us):.1f}" y="{y(low) + 16:.1f}" text-anchor="middle">{us:,g}</text>')
            parts.append(f'<text x="{x(low) - 6:.1f}" y="{y(us) + 4:.1f}" text-anchor="end">{us:,g}</text>')
        us *= 2
    for factor, dash in ((1.0, ""), (1.35, ' stroke-dasharray="4 3"'), (1 / 1.35, ' stroke-dasharray="4 3"')):
        begin, end = (low, low * factor) if factor >= 1 else (low / factor, low)
        last, top = (high / factor, high) if factor >= 1 else (high, high * factor)
        parts.append(f'<path d="M{x(begin):.1f} {y(end):.1f}L{x(last):.1f} {y(top):.1f}" stroke="#555555"{dash}/>')
    for name, (measured, predicted) in sorted(scored.items()):
        colour = "#d55e00" if held_out(name) else "#0072b2"
        parts.append(f'<circle cx="{x(measured):.1f}" cy="{y(predicted):.1f}" r="3" fill="{colour}" fill-opacity="0.6">'
                     f"<title>{name}: measured {measured:.1f}, predicted {predicted:.1f}</title></circle>")
    parts.append(f'<text x="{margin + side / 2:.1f}" y="{whole - 8:.1f}" text-anchor="middle">measured on an H200, us</text>')
    parts.append(f'<text transform="translate(14 {side / 2:.1f}) rotate(-90)" text-anchor="middle">predicted, us</text>')
    parts.append(f'<text x="{x(low) + 10:.1f}" y="{y(high) + 16:.1f}" fill="#d55e00">held out</text>')
    parts.append(f'<text x="{x(low) + 10:.1f}" y="{y(high) + 32:.1f}" fill="#0072b2">in view</text>')
    return "\n".join([*parts, "</svg>", ""])


def write(page, drawing, times):
    text = Path(page).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        sys.exit(f"predictions.py: {page} lacks the lines {BEGIN.strip()} and {END.strip()}")
    table = tables(times)
    Path(page).write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + "\n" + table + "\n" + END, text, flags=re.S),
                          encoding="utf-8")
    Path(drawing).write_text(picture(times), encoding="utf-8")


def worse(times, limits):
    """What is worse than the limits allow."""
    failures = []
    for name, allowed in limits.items():
        if name.startswith("_"):
            continue
        figures = Figures(sets_of(times)[name])
        for what, value in (("median", figures.median), ("nine_in_ten", figures.tenth), ("speed_up", figures.speed_up)):
            if 100 * value > allowed[what]:
                failures.append(f"{name}: {what} {100 * value:.1f} %, at most {allowed[what]} %")
        if 100 * figures.order < allowed["order"]:
            failures.append(f"{name}: {100 * figures.order:.1f} % of the pairs in order, at least {allowed['order']} %")
    return failures


def predicted_times(options):
    if options.run:
        result = subprocess.run(options.run, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"predictions.py: {' '.join(options.run)} ended with status {result.returncode}")
        return read(result.stdout.splitlines())
    if options.predicted:
        return read(Path(options.predicted).read_text(encoding="utf-8").splitlines())
    return sys.exit("predictions.py: name a file of predicted times or a command with --run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured")
    parser.add_argument("predicted", nargs="?")
    parser.add_argument("--more", action="append", default=[], help="further kernels, measured on another day")
    parser.add_argument("--all", action="store_true", help="print every kernel")
    parser.add_argument("--write", nargs=2, metavar=("PAGE", "PICTURE"), help="write the tables and the picture")
    parser.add_argument("--limits", help="fail where a figure is worse than in this file")
    parser.add_argument("--run", nargs=argparse.REMAINDER, help="the command that prints the predicted times")
    options = parser.parse_args()
    measured = {}
    for file in [options.measured, *options.more]:
        measured |= read(Path(file).read_text(encoding="utf-8").splitlines())
    predicted = predicted_times(options)
    missing = sorted(measured.keys() ^ predicted.keys())
    if missing:
        sys.exit(f"predictions.py: measured or predicted alone: {', '.join(missing[:8])}; measure again, with the same sources")
    times = {name: (measured[name], predicted[name]) for name in measured}
    if options.all:
        for name, (m, p) in times.items():
            print(f"{'*' if held_out(name) else ' '} {name:40s} {m:10.2f} {p:10.2f} {100 * (p / m - 1):+6.0f} %")
    for name, part in sets_of(times).items():
        figures = Figures(part)
        print(f"{name}: {figures.kernels} kernels, median error {100 * figures.median:.1f} %, "
              f"90 % below {100 * figures.tenth:.1f} %, "
              f"{100 * figures.order:.1f} % of {figures.pairs} pairs in order, speed-ups off by {100 * figures.speed_up:.1f} %")
    if options.write:
        write(*options.write, times)
    failures = worse(times, json.loads(Path(options.limits).read_text(encoding="utf-8"))) if options.limits else []
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
