"""Records what tests find in some answers: `python3 -m grader.report.record_verdicts BUILD`, for reworded_test.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grader.workbook.answers import answers_of
from grader.workbook.places import place_of

from .recording import manifest_of, records_of, write

# Few labs that give many kinds of findings.
ANSWERS = {
    "vector_add": ("off_by_one_index", "no_edge_guard", "one_block", "vector_add", "rounds_to_half"),
    "coalescing": ("coalescing", "tiled_unpadded", "barrier_in_branch", "drops_partial_tile",
                   "copies_floats_behind_vectors", "copies_through_memory_that_is_never_freed", "exits_early", "forges_output",
                   "launches_empty_grid", "overwrites_input", "predicts_offset_is_free", "rewrites_profile",
                   "transposes_on_the_host", "warp_needs_no_barrier"),
    "streams": ("last_slice_too_long",),
}
VERDICTS = Path(__file__).parent / "testdata" / "verdicts.json"
KEPT = ("kind", "sentence", "status", "points", "max_points", "message", "finding")


def verdicts_of(build: Path, lab: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The verdicts of all tests of a lab on answers, as if each had been handed in under the lab's own name."""
    place, manifest = place_of(lab), manifest_of(build, lab)
    answers = {answer.name: answer for answer in answers_of(place)}
    student = str(place.student.relative_to(place.project))
    found = []
    for answer in map(answers.__getitem__, names):
        # The compiled file: for a mutant, a generated one.
        source = Path(manifest["answers"].get(answer.title, {}).get("source", answer.file))
        records = records_of(manifest, answer.title)
        tests = [{key: records[f"{test['kind']}.{test['sentence']}"][key] for key in KEPT} for test in manifest["tests"]]
        shown = json.loads(json.dumps(tests).replace(str(source.relative_to(place.project)), student))
        found.append({"lab": lab, "answer": answer.name, "tests": shown, "source": source.read_text(encoding="utf-8")})
    return found


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    verdicts = [one for lab, names in ANSWERS.items() for one in verdicts_of(Path(arguments[0]), lab, names)]
    write(VERDICTS, {"format": "warpbook.verdicts", "version": 1, "verdicts": verdicts})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
