"""Plans the programs of labs' answers, and writes what is compiled: `programs.py FOLDER CHAPTER/LAB...`, by warpbook_plan_labs().

Answers that can share a program are compiled together, each in a namespace of its own. The name under
which a program is started selects one of its answers, so each answer has a link to its program. An answer that cannot
share a program (it exits before main, replaces functions of others, ...) says so: `alone: why`.

FOLDER/LAB then holds plan.cmake (what add_lab() builds), answers.json (what the manifest says of answers), the skeleton and other
sources; or problem.txt, why there is no plan.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "common" / "cmake"))

from derive_skeleton import DeriveError, derive, worked_example

from grader.workbook.answers import EXPLOIT, RIGHT, RUNG, SOLUTION, WRONG, Answer, answers_of, key_of
from grader.workbook.mutants import MutantError
from grader.workbook.places import PROJECT, Place

# Answers in one program: with fewer, compiling takes longer; with more, each start loads more. With relocatable device
# code, all of a program's kernels are loaded at once, not only those of the file that is used.
TOGETHER, TOGETHER_RELOCATABLE = 16, 8
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"][^>"\n]+[>"]).*$', re.M)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)


@dataclass(frozen=True)
class Built:
    """An answer and the file that is compiled: its own, or for a mutant a generated one."""

    answer: Answer
    source: Path
    target: str

    @property
    def is_alone(self) -> bool:
        return bool(self.answer.key("alone"))


def _write(path: Path, text: str) -> None:
    """Does not touch the file if its contents are the same, so that nothing is compiled again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _built(place: Place, folder: Path, answer: Answer) -> Built:
    target = f"{place.name}_{answer.kind}_{answer.name}"
    if not answer.is_mutant:
        return Built(answer, answer.file, target)
    source = folder / answer.kind / f"{answer.name}{place.suffix}"
    head = f"// {answer.said} Generated from {answer.file.relative_to(place.project)}.\n"
    _write(source, head + answer.text)
    return Built(answer, source, target)


def _headers(project: Path, text: str) -> Iterator[str]:
    """The includes of a text, and those of the sources that it includes: the sources themselves stay in its namespace."""
    for name in _INCLUDE.findall(text):
        if name.endswith(('.cu"', '.cpp"')) or name.startswith('"grader/labs/'):
            yield from _headers(project, (project / name.strip('"')).read_text(encoding="utf-8"))
        else:
            yield name


def together(place: Place, answers: Sequence[Built], functions: Path) -> str:
    """The file in which the answers are compiled together."""
    texts = [one.source.read_text(encoding="utf-8") for one in answers]
    contract = f'"{place.name}.h"'
    sources = [*texts, place.contract.read_text(encoding="utf-8")]
    included = dict.fromkeys(name for text in sources for name in _headers(place.project, text) if name != contract)
    registering = dict.fromkeys(name for name in _headers(place.project, functions.read_text(encoding="utf-8")) if name != contract)
    lines = [f"// {len(answers)} answers of lab {place.name}, each in a namespace of its own. Generated.",
             "#define WARPBOOK_MANY_ANSWERS", "#ifdef __CUDACC__", *(f"#include {name}" for name in registering),
             '#include "grader/runner/functions.h"', "#endif", *(f"#include {name}" for name in included)]
    for one, text in zip(answers, texts):
        macros = dict.fromkeys(_DEFINE.findall(text))
        lines += ["", *(f'#pragma push_macro("{macro}")' for macro in macros), "#undef WARPBOOK_CONTRACT",
                  "#undef WARPBOOK_ANSWER", f'#define WARPBOOK_ANSWER "{one.target}"',
                  f"namespace {one.answer.kind}_{one.answer.name} {{", f'#include "{one.source}"',
                  "#ifdef __CUDACC__", f'#include "{functions}"', "#endif", "}",
                  *(f'#pragma pop_macro("{macro}")' for macro in macros)]
    return "\n".join(lines) + "\n"


def contract_in_namespace(place: Place) -> str:
    """A replacement of the lab's header for answers that are compiled together: each declares it in its namespace."""
    text = _INCLUDE.sub("", place.contract.read_text(encoding="utf-8")).replace("#pragma once", "")
    return f'#ifndef WARPBOOK_CONTRACT\n#define WARPBOOK_CONTRACT\n#line 1 "{place.contract}"\n{text}#endif\n'


def functions_of(place: Place, folder: Path) -> Path:
    """The file that registers the lab's functions: its own, or one made from the list "functions" in lab.json, for which a
    C++ compiler is enough."""
    own = place.grading / "functions.cu"
    if own.is_file():
        return own
    listed = place.json.get("functions", [])
    if not listed:
        raise MutantError(f"{place.description}: \"functions\" is missing: the functions of {place.name}.h that tests call "
                          f"(or {own}, with a line WB_FUNCTION(name) for each)")
    made = folder / "functions.cpp"
    _write(made, "\n".join([f"// The functions of lab {place.name}. Generated from lab.json.", f'#include "{place.name}.h"',
                            '#include "grader/runner/functions.h"', "",
                            *(f"WB_FUNCTION({name})" for name in listed)]) + "\n")
    return made


def plan(place: Place, folder: Path, skeleton: Path) -> None:
    """Writes all files. @throws MutantError, OSError"""
    answers = answers_of(place)
    functions = functions_of(place, folder)
    built = [_built(place, folder, answer) for answer in answers if answer.kind != SOLUTION]
    built.insert(0, Built(Answer("skeleton", place.name, skeleton, ""), skeleton, f"{place.name}_skeleton"))
    groups = {"ladder": [one for one in built if one.answer.kind == RUNG and not one.is_alone],
              "answers": [one for one in built if one.answer.kind != RUNG and not one.is_alone]}
    _write(folder / "together" / f"{place.name}.h", contract_in_namespace(place))
    lines = [f"set(functions {functions})"]
    relocatable = place.json.get("relocatable", False)
    size = TOGETHER_RELOCATABLE if relocatable else TOGETHER
    for group, members in groups.items():
        programs = []
        for at in range(0, len(members), size):
            program = f"{place.name}_{group}_{at // size + 1}"
            source = folder / f"{program}{place.suffix}"
            _write(source, together(place, members[at:at + size], functions))
            programs.append(program)
            lines.append(f"set({program}_source {source})")
            lines.append(f"set({program}_links {' '.join(one.target for one in members[at:at + size])})")
        lines.append(f"set({group} {' '.join(programs)})")
    alone = [one for one in built if one.is_alone]
    lines.append(f"set(alone {' '.join(one.target for one in alone)})")
    lines += [f"set({one.target}_source {one.source})" for one in alone]
    lines.append("set(keys " + " ".join("skeleton" if one.answer.kind == "skeleton" else key_of(place, one.answer)
                                        for one in built) + ")")
    lines.append(f"set(targets {' '.join(one.target for one in built)})")
    for kind in (RIGHT, WRONG, EXPLOIT):
        lines.append(f"set({kind} {' '.join(one.answer.name for one in built if one.answer.kind == kind)})")
    unseen = [one.answer for one in built if one.answer.key("only-by")]
    for answer in unseen:
        if answer.key("only-by") != "checkers":
            raise MutantError(f"{answer.file}: {answer.name}: only-by: {answer.key('only-by')} is not known; it is checkers")
    lines.append(f"set(unseen {' '.join(answer.name for answer in unseen)})")
    inputs = sorted({one.answer.file for one in built if one.answer.keys} | {place.solution, place.description})
    lines.append(f"set(inputs {' '.join(map(str, inputs))})")
    _write(folder / "plan.cmake", "\n".join(lines) + "\n")
    said: dict[str, dict[str, object]] = {
        one.answer.title: {"said": one.answer.said, "source": str(one.source), **one.answer.keys}
        for one in built if one.answer.kind in (RIGHT, WRONG, EXPLOIT)}
    _write(folder / "answers.json", json.dumps(said, indent=1) + "\n")


def _skeleton(place: Place, folder: Path) -> Path:
    """@throws DeriveError, OSError"""
    make = worked_example if place.json.get("worked_example", False) else derive
    skeleton = folder / "skeleton" / place.solution.name
    _write(skeleton, make(place.solution.read_text(encoding="utf-8"), str(place.solution)))
    return skeleton


def main(folder: str, *paths: str) -> int:
    for path in paths:
        chapter, _, name = path.partition("/")
        place, own = Place(PROJECT, chapter, name), Path(folder) / name
        problem = own / "problem.txt"
        problem.unlink(missing_ok=True)
        try:
            plan(place, own, _skeleton(place, own))
        except (DeriveError, MutantError, OSError, ValueError) as error:
            _write(problem, f"{error}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
