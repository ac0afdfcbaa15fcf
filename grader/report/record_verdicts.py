"""Records what tests find in answers, of each kind of finding: `python3 -m grader.report.record_verdicts BUILD [LAB ...]`.

What the labs' tests need is built first. Each answer is built and tested as if it had been handed in, but without a sandbox;
what came of it goes to testdata/verdicts.json, for reworded_test.py. Labs that are not named keep what they have. The difference
is printed, and the kinds that no answer gives.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.course.build import BUILD_LIMITS, build
from grader.course.ladders import rungs_of
from grader.course.sandbox import NONE, Limits, Sandbox, open_sandbox
from grader.workbook.answers import answers_of
from grader.workbook.places import PROJECT, place_of

from .recording import manifest_of, write

VERDICTS = Path(__file__).parent / "testdata" / "verdicts.json"
KINDS = PROJECT / "grader" / "judge" / "finding.h"
OWN, HOSTILE = "grader/report/testdata/answers", "grader/course/testdata/hostile"
SKELETON = "skeleton"

# By lab: answers that the lab has, and files beside it. As many kinds of findings as few labs give.
ANSWERS = {
    "coalescing": (SKELETON, "coalescing", "tiled_unpadded", "barrier_in_branch", "drops_partial_tile",
                   "copies_floats_behind_vectors", "copies_through_memory_that_is_never_freed", "exits_early", "forges_output",
                   "launches_empty_grid", "overwrites_input", "predicts_offset_is_free", "rewrites_profile",
                   "transposes_on_the_host", "warp_needs_no_barrier"),
    "vector_add": ("off_by_one_index", "no_edge_guard", "one_block", "vector_add", "rounds_to_half",
                   f"{OWN}/adds_atomically_on_the_stack", f"{OWN}/asks_for_a_type", f"{OWN}/calls_no_function",
                   f"{OWN}/dereferences_null", f"{OWN}/reads_through_textures", f"{OWN}/restores_another_stack",
                   f"{OWN}/starts_many_processes", f"{HOSTILE}/commands_a_terminal", f"{HOSTILE}/counts_without_end",
                   f"{HOSTILE}/hangs_in_a_kernel", f"{HOSTILE}/prints_without_end", f"{HOSTILE}/stops_itself",
                   f"{HOSTILE}/takes_memory"),
    "bezier": ("every_thread_frees",),
    "device_assert": ("defines_it_too_late",),
    "dynamic_shared_layout": ("no_gap",),
    "find_the_bug": ("mask_of_some_lanes",),
    "hello_threads": ("host_writes_device_memory",),
    "launch_overhead": ("not_cooperative", "one_child_does_all", "two_streams_in_turn"),
    "quadtree": ("names_the_wrong_direction",),
    "reduction": ("no_value_behind_the_end",),
    "stack_memory": ("usual_stack",),
    "streams": ("last_slice_too_long",),
}
DRAWN = {("coalescing", "tiled_unpadded"), ("vector_add", "one_block"), ("vector_add", "vector_add")}  # With what was counted.
# Little processor time, so that what never ends does not take long, but enough time by the clock for a busy machine.
LIMITS = Limits(wall_s=60, busy_s=3, memory_bytes=1 << 30, output_bytes=1 << 20)
SLEEPS = {"stops_itself": 3}  # Seconds until it is ended.
TO_BUILD = replace(BUILD_LIMITS, wall_s=3600, busy_s=3600)

# The grader's own lab has no kernels: what only a real GPU, or a mistake of the grader's, brings about.
TWICE, TWICE_SOURCE = "twice", "grader/runner/tests/fake_lab_worker.cpp"
TWICE_TESTS = PROJECT / "grader" / "runner" / "tests" / "fake_lab.test.cpp"
TWICE_ANSWERS = (("right", "gpu", "right"), ("unsteady", "gpu", "right"), ("sends_nothing", "virtual", "right"),
                 ("without_a_device", "virtual", "right"), ("right", "virtual", "not_started"))

KEPT = ("kind", "sentence", "status", "not_started", "points", "max_points", "message", "finding", "kept")


def known_kinds() -> list[str]:
    """All kinds of findings, from the one table of them."""
    table = re.search(r"#define WB_FINDING_KINDS\(X\)(.*?)\n// clang-format on", KINDS.read_text(encoding="utf-8"), re.S)
    assert table is not None, f"{KINDS} has no table of kinds"
    return re.findall(r"X\((\w+)\)", table[1])


def kinds_in(verdicts: list[dict[str, Any]]) -> set[str]:
    return {test["finding"]["kind"] for verdict in verdicts for test in verdict["tests"] if test["finding"]}


@dataclass(frozen=True)
class Handed:
    """An answer that is to be tested. `program`: already built; else it is built from `text`."""

    lab: str
    answer: str
    text: str
    suffix: str
    manifest: dict[str, Any]
    program: Path | None = None
    options: list[str] = field(default_factory=list)


def _of_lab(build_folder: Path, lab: str) -> Iterator[Handed]:
    place, manifest = place_of(lab), manifest_of(build_folder, lab)
    answers = {answer.name: answer.text for answer in answers_of(place)}
    answers[SKELETON] = place.student.read_text(encoding="utf-8")
    for name in ANSWERS[lab]:
        text = (PROJECT / f"{name}.cu").read_text(encoding="utf-8") if "/" in name else answers[name]
        yield Handed(lab, Path(name).name, text, place.suffix, manifest)


def _of_twice(build_folder: Path, folder: Path) -> Iterator[Handed]:
    programs = build_folder / "grader" / "runner" / "tests"
    tests = [{"kind": kind, "points": float(points), "sentence": sentence} for kind, points, sentence in
             re.findall(r'^WB_LAB_TEST\((\w+), ([\d.]+), "([^"]+)"\)', TWICE_TESTS.read_text(encoding="utf-8"), re.M)]
    description = folder / "labs" / "basics" / TWICE / "lab.json"
    description.parent.mkdir(parents=True)
    points = sum(test["points"] for test in tests)
    description.write_text(json.dumps({"title": "Twice", "order": 1, "points": points}), encoding="utf-8")
    for i, (answer, backend, solution) in enumerate(TWICE_ANSWERS):
        manifest = {
            "lab": TWICE, "chapter": "basics", "project_root": str(folder), "build_folder": str(build_folder), "backend": backend,
            "device": "h200", "device_process": str(programs / "grader_fake_device"), "front_folder": "", "sanitized": False,
            "test_program": str(programs / "grader_fake_lab"), "results_folder": str(folder / "results"), "tests": tests,
            "workers": {f"solutions/basics/{TWICE}/{TWICE}.cu": str(programs / f"grader_fake_answer_{solution}")},
            "answers": {}}
        path = folder / f"{i}.json"
        path.write_text(json.dumps(manifest), encoding="utf-8")
        text = (PROJECT / TWICE_SOURCE).read_text(encoding="utf-8")
        title = answer if solution == "right" else f"{answer} beside {solution}"
        yield Handed(TWICE, title, text, ".cu", manifest, programs / f"grader_fake_answer_{answer}", ["--manifest", str(path)])


def verdict_of(handed: Handed, sandbox: Sandbox, folder: Path) -> dict[str, Any]:
    """What all tests of a lab say of an answer. @param folder an empty one"""
    source, records, confine = folder / f"{handed.lab}{handed.suffix}", folder / "records", folder / "confine.json"
    records.mkdir()
    source.write_text(handed.text, encoding="utf-8")
    program, root = handed.program, str(folder)
    if program is None:
        made = folder / "build"
        made.mkdir()
        built = build(handed.manifest, source, sandbox, made, TO_BUILD)
        assert built.program is not None, f"{handed.lab}, {handed.answer}: {built.reason}\n{built.log}"
        program, root = built.program, built.root
    limits = replace(LIMITS, wall_s=SLEEPS.get(handed.answer, LIMITS.wall_s))
    replace(sandbox, limits=limits).write_confinement(confine, str(program))
    line = [handed.manifest["test_program"], "--program", program, "--source", source, "--root", root, "--records", records,
            "--confine", confine, "--seed", "1", *handed.options]
    done = subprocess.run(line, capture_output=True, text=True, errors="replace", cwd=folder, check=False)
    assert done.returncode == 0, f"{handed.lab}, {handed.answer}: {done.stdout}{done.stderr}"
    found = {(one["kind"], one["sentence"]): one
             for one in (json.loads(path.read_text(encoding="utf-8")) for path in sorted(records.glob("tests/*/*.json")))}
    tests = [{key: found[test["kind"], test["sentence"]][key] for key in KEPT} for test in handed.manifest["tests"]]
    result = json.loads((records / "results.json").read_text(encoding="utf-8"))
    verdict = {"lab": handed.lab, "answer": handed.answer, "status": result["status"], "time_us": result["time_us"],
               "kernel": result["kernel"], "profile": None, "tests": tests, "source": handed.text}
    if (handed.lab, handed.answer) in DRAWN:
        # Where it was built is no part of the record: as in the sandbox, sources are in /warpbook.
        verdict["profile"] = json.loads(Path(result["profile"]).read_text(encoding="utf-8").replace(root, "/warpbook"))
    print(f"{handed.lab}, {handed.answer}: {result['status']}, {', '.join(sorted(kinds_in([verdict])))}", file=sys.stderr)
    return verdict


def record(build_folder: Path, lab: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The verdicts on a lab's answers, and its ladder if it is drawn."""
    sandbox, verdicts = open_sandbox(build_folder, NONE), []
    with tempfile.TemporaryDirectory(prefix="warpbook-verdicts-") as place:
        folder = Path(place)
        handed = _of_twice(build_folder, folder) if lab == TWICE else _of_lab(build_folder, lab)
        for i, one in enumerate(handed):
            own = folder / str(i)
            own.mkdir()
            verdicts.append(verdict_of(one, sandbox, own))
        drawn = lab in {name for name, _ in DRAWN}
        rungs = [rung | {"profile": None} for rung in rungs_of(manifest_of(build_folder, lab), folder)] if drawn else []
    return verdicts, rungs


def targets(labs: list[str]) -> list[str]:
    """What the tests of labs need in the build folder."""
    answers = sorted({f"grader_fake_answer_{answer}" for pair in TWICE_ANSWERS for answer in (pair[0], pair[2])})
    of_twice = ["grader_fake_lab", "grader_fake_device", *answers]
    return [target for lab in labs for target in (of_twice if lab == TWICE else [f"{lab}_batch"])]


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    labs = [*ANSWERS, TWICE]
    if unknown := [lab for lab in arguments[1:] if lab not in labs]:
        print(f"nothing is recorded of {', '.join(unknown)}; only of {', '.join(labs)}", file=sys.stderr)
        return 2
    build_folder, chosen = Path(arguments[0]).resolve(), arguments[1:] or labs
    subprocess.run(["cmake", "--build", build_folder, "--target", *targets(chosen)], stdout=sys.stderr, check=True)
    found = json.loads(VERDICTS.read_text(encoding="utf-8"))
    for lab in chosen:
        verdicts, ladder = record(build_folder, lab)
        kept = [one for one in found["verdicts"] if one["lab"] in labs and one["lab"] != lab]
        found["verdicts"] = sorted(kept + verdicts, key=lambda one: labs.index(one["lab"]))
        found["ladders"][lab] = ladder
        write(VERDICTS, found)  # Now: all together take minutes.
    missing = [kind for kind in known_kinds() if kind not in kinds_in(found["verdicts"])]
    if missing:
        print(f"no answer gives: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
