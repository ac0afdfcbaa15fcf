#!/usr/bin/env python3
"""Compares predicted times with measured ones: are the kernels of each family in the same order, how far off are they?

    compare.py MEASURED.csv PREDICTED.csv [--all]
    compare.py MEASURED.csv --run COMMAND... --least-tau 0.8 --ladders

Kendall's tau is taken within families, over the pairs whose measured times differ by more than 10 %: closer ones are
not an order that a model has to know. A pair counts -1 if it is predicted the other way round or as a tie (0.5 %).
"""

import argparse
import csv
import itertools
import math
import subprocess
import sys

CLOSE = 1.10
TIE = 1.005

# From slow to fast, as measured; neighbours differ by more than CLOSE at the sizes that are compared.
LADDERS = [
    (("transpose_1024", "transpose_4096", "transpose_8192"),
     ("strided_store", "tiled", "padded")),
    (("transpose_1024", "transpose_4096", "transpose_8192"),
     ("strided_store_32x8", "tiled_32x8", "padded_32x8")),
    (("reduction_2e20", "reduction_2e24"), ("atomic", "modulo", "interleaved", "shuffle", "grid_stride")),
    (("product_256", "product_512", "product_1024"), ("naive_by_rows", "naive16", "tiled16")),
    (("bank_conflicts",), ("stride32", "stride16", "stride8", "stride4", "stride2", "stride1")),
    (("load_stride",), ("stride16", "stride8", "stride4", "stride2")),
    (("divergence",), ("lanes32", "lanes16", "lanes8", "lanes4", "lanes2")),
    (("stream_occupancy",), ("one_load_1", "one_load_2", "one_load_4")),
    (("layout",), ("array_of_structures", "structure_of_arrays")),
]


def read(lines):
    rows = {}
    for row in csv.DictReader(lines):
        rows[row["family"], row["variant"]] = float(row["median_us"])
    return rows


def tau(pairs):
    """Sum of agreements (+1) and disagreements (-1), and how many pairs were compared."""
    score = count = 0
    for (m1, p1), (m2, p2) in itertools.combinations(pairs, 2):
        if max(m1, m2) <= CLOSE * min(m1, m2):
            continue
        count += 1
        tied = max(p1, p2) < TIE * min(p1, p2)
        score += 1 if not tied and (m1 < m2) == (p1 < p2) else -1
    return score, count


def check_ladders(measured, predicted):
    failures = []
    checked = 0
    for families, rungs in LADDERS:
        for family in families:
            present = [r for r in rungs if (family, r) in predicted and (family, r) in measured]
            for slow, fast in itertools.pairwise(present):
                if measured[family, slow] <= CLOSE * measured[family, fast]:
                    continue
                checked += 1
                if predicted[family, slow] <= TIE * predicted[family, fast]:
                    failures.append(f"{family}: {slow} ({predicted[family, slow]:.2f} us) should be slower than "
                                    f"{fast} ({predicted[family, fast]:.2f} us); measured "
                                    f"{measured[family, slow]:.2f} and {measured[family, fast]:.2f}")
    return checked, failures


def options_of_the_command():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured")
    parser.add_argument("predicted", nargs="?")
    parser.add_argument("--all", action="store_true", help="print every kernel")
    parser.add_argument("--least-tau", type=float, help="fail below this overall tau")
    parser.add_argument("--most-error", type=float, help="fail above this median error, in percent")
    parser.add_argument("--ladders", action="store_true", help="fail if a rung of a ladder is out of order")
    parser.add_argument("--run", nargs=argparse.REMAINDER, help="the command that prints the predicted times")
    return parser.parse_args()


def main():
    options = options_of_the_command()
    with open(options.measured, encoding="utf-8") as file:
        measured = read(file)
    if options.run:
        result = subprocess.run(options.run, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"compare.py: {' '.join(options.run)} ended with status {result.returncode}")
        predicted = read(result.stdout.splitlines())
    elif options.predicted:
        with open(options.predicted, encoding="utf-8") as file:
            predicted = read(file)
    else:
        sys.exit("compare.py: name a file of predicted times or a command with --run")

    common = [key for key in predicted if key in measured]
    if not common:
        sys.exit("compare.py: no kernel is in both sets")
    families = {}
    for key in common:
        families.setdefault(key[0], []).append(key)
    total = pairs = 0
    errors = []
    print(f"{'family':24s} {'tau':>5s} {'pairs':>5s} {'median error':>12s}")
    for family, keys in families.items():
        score, count = tau([(measured[k], predicted[k]) for k in keys])
        total += score
        pairs += count
        own = sorted(abs(math.log(predicted[k] / measured[k])) for k in keys)
        errors += own
        shown = f"{score / count:5.2f}" if count else "    -"
        print(f"{family:24s} {shown} {count:5d} {100 * (math.exp(own[len(own) // 2]) - 1):11.0f}%")
        if options.all:
            for k in keys:
                print(f"    {k[1]:28s} {measured[k]:10.2f} {predicted[k]:10.2f} {predicted[k] / measured[k]:6.2f}")
    errors.sort()
    overall = total / pairs if pairs else 0.0
    median = 100 * (math.exp(errors[len(errors) // 2]) - 1)
    print(f"{len(common)} kernels, {pairs} pairs, tau {overall:.3f}, median error {median:.0f} %")

    failures = []
    if options.ladders:
        checked, failures = check_ladders(measured, predicted)
        print(f"{checked} neighbouring rungs of ladders, {len(failures)} out of order")
        if checked == 0:
            failures.append("no rung was compared")
    if options.least_tau is not None and overall < options.least_tau:
        failures.append(f"tau {overall:.3f} is below {options.least_tau}")
    if options.most_error is not None and median > options.most_error:
        failures.append(f"the median error of {median:.0f} % is above {options.most_error:.0f} %")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
