#!/usr/bin/env python3
"""Prints a digest of each form's results in the probe's answers.bin, to compare with h200_answers.csv.

digests.py answers.bin > digests.csv                  # of groups.cu: --groups
digests.py answers.bin --compare h200_answers.csv     # ends with 1 where a form differs
"""

import argparse
import csv
import hashlib
import struct
import sys
from pathlib import Path

import generate
import groups


def digests(answers: bytes, names: list[str]) -> dict[str, str]:
    """Form: the first 16 digits of the SHA-256 of its words. Of each form: index, cases, words of a case, and the words."""
    found, at = {}, 0
    while at < len(answers):
        index, cases, words = struct.unpack_from("<3I", answers, at)
        end = at + 12 + 4 * cases * words
        if end > len(answers):
            raise SystemExit(f"the answers end within {names[index]}: {len(answers)} bytes, {end} needed; run the probe again")
        found[names[index]] = hashlib.sha256(answers[at + 12 : end]).hexdigest()[:16]
        at = end
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--compare", type=Path, metavar="CSV")
    parser.add_argument("--groups", action="store_true", help="the answers are those of groups.py's program")
    arguments = parser.parse_args()
    names = [form.name for form in generate.mma_forms()] + [product.form.name for product in generate.wmma_forms()]
    found = digests(arguments.answers.read_bytes(), groups.names() if arguments.groups else names)
    if arguments.compare is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows([("form", "sha256"), *found.items()])
        return
    with arguments.compare.open(encoding="utf-8", newline="") as file:
        wanted = {row["form"]: row["sha256"] for row in csv.DictReader(file)}
    different = [form for form in wanted if found.get(form) != wanted[form]]
    print("".join(f"{form} differs\n" for form in different) + f"{len(wanted) - len(different)} of {len(wanted)} forms are the same")
    sys.exit(1 if different or not wanted else 0)


if __name__ == "__main__":
    main()
