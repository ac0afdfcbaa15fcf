"""Records what tests find in some answers: `python3 -m grader.report.record_verdicts BUILD`, for reworded_test.py."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ANSWERS = {
    "vector_add": ("off_by_one_index", "no_edge_guard", "one_block", "solution", "rounds_to_half"),
    "coalescing": ("solution", "tiled_unpadded", "barrier_in_branch", "drops_partial_tile"),
}
PROJECT = Path(__file__).resolve().parents[2]
VERDICTS = Path(__file__).parent / "testdata" / "verdicts.json"
KEPT = ("kind", "sentence", "status", "points", "max_points", "message", "finding")


def verdict_of(manifest: dict, answer: str) -> dict:
    """What all tests of a lab say of one answer."""
    lab = manifest["lab"]
    ending = f"/wrong/{answer}.cu" if answer != "solution" else f"solutions/{manifest['chapter']}/{lab}/{lab}.cu"
    source = next(name for name in manifest["workers"] if name.endswith(ending))
    with tempfile.TemporaryDirectory() as place:
        own = Path(place) / "manifest.json"
        own.write_text(json.dumps(manifest | {"results_folder": f"{place}/results"}), encoding="utf-8")
        subprocess.run([manifest["test_program"], "--manifest", own, "--answer", source, "--seed", "1"],
                       check=False, stdout=subprocess.DEVNULL, timeout=600)
        records = {(one["kind"], one["sentence"]): one for path in Path(place, "results").glob("*/*.json")
                   if (one := json.loads(path.read_text(encoding="utf-8")))}
    tests = [{key: records[test["kind"], test["sentence"]][key] for key in KEPT} for test in manifest["tests"]]
    # As if it had been handed in under the lab's own name.
    text = json.dumps(tests).replace(source, f"labs/{manifest['chapter']}/{lab}/{lab}.cu")
    return {"lab": lab, "answer": answer, "tests": json.loads(text),
            "source": (PROJECT / source).read_text(encoding="utf-8")}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    manifests = {lab: json.loads((Path(arguments[0]) / "manifests" / f"{lab}.json").read_text(encoding="utf-8")) for lab in ANSWERS}
    record: dict = {"format": "warpbook.verdicts", "version": 1, "verdicts": []}
    for lab, answers in ANSWERS.items():
        for answer in answers:
            record["verdicts"].append(verdict_of(manifests[lab], answer))
            text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
            VERDICTS.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
