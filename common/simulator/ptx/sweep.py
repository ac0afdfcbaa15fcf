#!/usr/bin/env python3
"""Tries each form that the rows of the operation table allow with ptxas, and compares the results with refusals.def.

./sweep.py               prints where they differ (none), and checks testdata/ptxas_forms.txt
./sweep.py --record      writes that file: for each row the number of forms, and a bit for each, 1 if ptxas accepts it
./sweep.py --list ROW    prints the forms of one row that ptxas refuses, with its reasons
"""

import argparse
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
RECORD = HERE / "testdata" / "ptxas_forms.txt"
FAMILIES = ["atomic", "compare", "convert", "floating", "integer", "logic", "video", "warp"]
# Whether ptxas accepts them depends on the version of PTX.
LEFT_OUT = {"shfl", "vote", "vote_ballot"}
TYPES = re.findall(r"\w+", (HERE / "types.h").read_text(encoding="utf-8").split("enum class Type")[1].split("{")[1].split("}")[0])
# Targets for forms of newer devices.
TARGETS = ["sm_90", "sm_100a"]
ELSEWHERE = re.compile(r"requires .target|not supported on .target")
REGISTERS = {0: "p", 8: "y", 16: "h", 32: "r", 64: "l", 128: "q"}
SIZES = {"pred": 0, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32, "e2m1x2": 8, "ue8m0x2": 16, "f32x2": 64, "tf32": 32}
HEADER = (
    ".version 9.0\n.target {}\n.address_size 64\n.visible .entry k()\n{{\n.reg .b8 %y<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; "
    ".reg .b64 %l<10>; .reg .b128 %q<10>; .reg .f32 %f<10>; .reg .f64 %d<10>; .reg .pred %p<10>;\n"
)


@dataclass
class Row:
    name: str
    opcode: str
    pattern: str
    operands: str


@dataclass
class Form:
    """One way to write a row: its words, and whether its first operand is a pair."""

    row: Row
    words: list[str]
    shapes: list[str]
    pair: bool

    @property
    def text(self) -> str:
        operands = [operand(shape, self.words, i) for i, shape in enumerate(self.shapes)]
        return ".".join([self.row.opcode, *self.words]) + " " + ", ".join(operands) + ";"


def rows() -> list[Row]:
    found = []
    for family in FAMILIES:
        text = (HERE / "operations" / f"{family}.def").read_text(encoding="utf-8")
        found += [Row(*match) for match in re.findall(r'WB_OPERATION\((\w+), (\w+), "(.*?)", "(.*?)", \w+\)', text)]
    return [row for row in found if row.name not in LEFT_OUT]


def ways(pattern: str) -> Iterator[list[str]]:
    slots: list[list[list[str]]] = []
    for slot in pattern.split():
        alternatives = [word.lstrip(".").split(".") for word in slot.strip("{}").split("|")]
        slots.append([[], *alternatives] if slot.startswith("{") else alternatives)
    for choice in itertools.product(*slots):
        yield [word for words in choice for word in words]


def types_of(words: list[str]) -> list[str]:
    return [word for word in words if word in TYPES]


def size(name: str) -> int:
    if name in SIZES:
        return SIZES[name]
    if re.fullmatch(r"e\dm\dx2", name):
        return 16
    return int(re.search(r"\d+$", name)[0])  # type: ignore[index]


def register(name: str, place: int) -> str:
    letter = {"f32": "f", "f64": "d"}.get(name) or REGISTERS[size(name)]
    return f"%{letter}{place}"


def value(name: str, words: list[str], place: int) -> str:
    types = types_of(words)
    if name in ("T", "U", "V"):
        return register(types["TUV".index(name)], place)
    if name == "W":
        return register(f"b{2 * size(types[0])}", place)
    if name == "addr":
        return "[%l7]"
    if name == "imm":
        return "1"
    return register(types[0] if name == "any" else name, place)


def operand(shape: str, words: list[str], place: int) -> str:
    # Two halves are one register of 128 bits.
    parts = shape.lstrip("=").rstrip("?").replace("b64*", "b128").replace("*", "").split("|")
    return "|".join(value(part, words, place + 4 * i) for i, part in enumerate(parts))


def forms(row: Row) -> Iterator[Form]:
    shapes = [shape.strip() for shape in row.operands.split(",")]
    optional = any(shape.endswith("?") for shape in shapes)
    # Of atomics without vectors and cache policies.
    atomic = row.opcode in ("atom", "red")
    pattern = row.pattern.replace(" {.L2::cache_hint}", "").replace(" {.v2|v4|v8}", "")
    for words in ways(pattern):
        for shorter in (True,) if atomic and optional else (False, True) if optional else (False,):
            if row.name.startswith("v") and "?" in row.operands and shorter == bool({"add", "min", "max"} & set(words)):
                continue  # The last operand of a video instruction is for its second operation.
            kept = [shape for shape in shapes if not (shorter and shape.endswith("?"))]
            for pair in (False, True) if "|" in kept[0] else (False,):
                first = kept[0] if pair else kept[0].split("|")[0]
                yield Form(row, words, [first, *kept[1:]], pair)


def refused_by_ptxas(all_forms: list[Form], target: str) -> dict[int, str]:
    """Of each form that is refused the reason."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "forms.ptx"
        header = HEADER.format(target)
        source.write_text(header + "\n".join(form.text for form in all_forms) + "\nret;\n}\n", encoding="utf-8")
        command = ["ptxas", f"-arch={target}", str(source), "-o", "/dev/null", "-O0"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    first = header.count("\n") + 1
    return {int(line) - first: why for line, why in re.findall(r"line (\d+); error\s*: (.*)", answer)}


@dataclass
class Refusal:
    terms: list[str]
    reason: str

    def holds(self, form: Form) -> bool:
        return all(self.term(term, form) for term in self.terms)

    @staticmethod
    def term(term: str, form: Form) -> bool:
        if term.endswith("pair"):
            return form.pair != term.startswith("!")
        wanted = not term.startswith("!")
        place, words = term.lstrip("!").replace(".", ":", 1).split(":", 1)
        if not place:
            return bool(set(words.split("|")) & set(form.words)) == wanted
        types = types_of(form.words)
        return (len(types) >= int(place) and types[int(place) - 1] in words.split("|")) == wanted


def refusals() -> dict[str, list[Refusal]]:
    table: dict[str, list[Refusal]] = {}
    for row, terms, reason in re.findall(r'WB_REFUSED\((\w+),\s*"(.*?)",\s*"(.*?)"\)', (HERE / "refusals.def").read_text(encoding="utf-8")):
        table.setdefault(row, []).append(Refusal(terms.split(), reason))
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--list", metavar="ROW")
    options = parser.parse_args()
    if shutil.which("ptxas") is None:
        print("sweep.py: there is no ptxas on PATH: add the bin folder of a CUDA toolkit", file=sys.stderr)
        return 2
    all_forms = [form for row in rows() if options.list in (None, row.name) for form in forms(row)]
    refused = refused_by_ptxas(all_forms, TARGETS[0])
    for target in TARGETS[1:]:
        again = [i for i, why in refused.items() if ELSEWHERE.search(why)]
        answers = refused_by_ptxas([all_forms[i] for i in again], target)
        for place, i in enumerate(again):
            if place not in answers:
                del refused[i]
            else:
                refused[i] = answers[place]
    table = refusals()
    lines: dict[str, str] = {}
    differences = 0
    for i, form in enumerate(all_forms):
        ours = next((rule.reason for rule in table.get(form.row.name, []) if rule.holds(form)), None)
        if options.list and i in refused:
            print(form.text, refused[i])
        if (ours is None) != (i not in refused):
            differences += 1
            print(f"{form.row.name}: {form.text} {'ptxas: ' + refused[i] if i in refused else 'refusals.def: ' + str(ours)}")
        lines[form.row.name] = lines.get(form.row.name, "") + ("0" if i in refused else "1")
    record = "".join(f"{name} {len(bits)} {int(bits, 2):x}\n" for name, bits in lines.items())
    if options.record:
        RECORD.write_text(record, encoding="utf-8")
    elif not options.list and (not RECORD.exists() or RECORD.read_text(encoding="utf-8") != record):
        print(f"{RECORD.name} differs: see what changed, and run sweep.py --record")
        differences += 1
    print(f"{len(all_forms)} forms, {len(refused)} refused by ptxas, {differences} differences")
    return int(differences != 0)


if __name__ == "__main__":
    sys.exit(main())
