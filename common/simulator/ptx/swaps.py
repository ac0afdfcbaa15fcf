#!/usr/bin/env python3
"""Swaps an operand of valid instructions for one of another kind, asks ptxas and the virtual GPU, and reports where only one takes it. Exit
status 0 if that is always ptxas, and the instruction one of NO_FORMS.

./swaps.py JUDGE            JUDGE: build/sim/bin/warpbook_judge_lines
./swaps.py JUDGE --only cp  instructions that begin so
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import judged_forms
import sweep

HEAD = """.version 9.0
.target sm_90a
.address_size 64
.global .align 16 .b8 gm[1024];
.visible .entry k(.param .u64 p0)
{
.reg .b8 %y<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %l<10>; .reg .b128 %q<10>; .reg .f32 %f<10>; .reg .f64 %d<10>;
.reg .pred %p<10>; .reg .u16 %hu<10>; .reg .s16 %hs<10>; .reg .f16 %hf<10>; .reg .u32 %ru<10>; .reg .s32 %rs<10>;
.reg .f16x2 %rf<10>; .reg .u64 %lu<10>; .reg .s64 %ls<10>; .shared .align 128 .b8 sm[1024];
"""
REGISTERS = ["p", "y", "h", "hu", "hs", "hf", "r", "ru", "rs", "rf", "l", "lu", "ls", "q", "f", "d"]
VALUES = [f"%{name}8" for name in REGISTERS] + [
    "1",
    "-1",
    "1.5",
    "0f3F800000",
    "_",
    "gm",
    "sm",
    "%tid.x",
    "%clock64",
    "WARP_SZ",
    "[%l8]",
    "{%r8, %r9}",
    "!%p8",
]
# What ptxas takes although PTX has no such form, and nothing says what it means: refused here. A line has the last reason
# that fits.
NO_FORMS = {
    "packed halves, .f16x2, for a predicate or a count": r"%rf8",
    "a list for one register, or for fewer": r"^(cvt|txq|tex|mma\.sync|mma\.sp|su(ld|st)\.b).*\{%r8, %r9\}|^su(ld|st)\.b.*%q8",
    "one value for a list": r"^(st\.async|sust\.p|mov\.v4)",
    "metadata of mma.sp that are a predicate or a literal": r"^mma\.sp.*(%p8|0f3F800000), 0;",
    "an address that is a predicate or a number with a point": r"^fence\.proxy",
    "an mbarrier or memory without brackets": r"^cp\.async\.bulk",
}
ADDRESSES = [f"[%{name}8]" for name in REGISTERS] + ["[gm]", "[sm]", "[16]", "[%l8+16]", "[p0]", "%l8", "gm", "1"]
LONG = {"ld", "ldu", "st", "prefetch", "fence"}
FORMS_OF_A_ROW = 3
LINES_AT_ONCE = 500
LINE = re.compile(r"line (\d+); error\s*: (.*)|warning : (Program uses 32-bit address) on line '(\d+)'")


def split(text: str) -> list[str]:
    """The operands, parted by the commas outside brackets and braces."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "[{(") - (letter in ")}]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def bases() -> Iterator[str]:
    """Instructions to begin with: of each row of the table forms with different types, and the snippets that ptxas takes."""
    sweep.FAMILIES.append("memory")
    for row in sweep.rows():
        if not row.operands:
            continue
        seen: set[tuple[str, ...]] = set()
        if row.opcode in LONG:  # Too many words to try each way.
            row.pattern = re.sub(r"\{[^}]*\} ?", "", row.pattern).strip()
        for form in sweep.forms(row):
            types = tuple(sweep.types_of(form.words)) + ("pair",) * form.pair + (str(len(form.shapes)),)
            if types not in seen and len(seen) < FORMS_OF_A_ROW:
                seen.add(types)
                yield form.text
    for snippet in judged_forms.snippets():
        if snippet.verdict == "taken" and snippet.text.count(";") == 1 and re.match(r"[a-z]", snippet.text):
            yield snippet.text.strip()


def swapped(instruction: str) -> Iterator[str]:
    opcode, _, rest = instruction.rstrip(";").partition(" ")
    if not rest:
        return
    operands = split(rest)
    for place, operand in enumerate(operands):
        for other in ADDRESSES if operand.startswith("[") else VALUES:
            yield f"{opcode} {', '.join([*operands[:place], other, *operands[place + 1 :]])};"
    for place in range(len(operands) - 1):
        exchanged = [*operands[:place], operands[place + 1], operands[place], *operands[place + 2 :]]
        yield f"{opcode} {', '.join(exchanged)};"


def errors(lines: list[str]) -> tuple[dict[int, str], int]:
    """What ptxas says of each line, and how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "lines.ptx"
        source.write_text(HEAD + "\n".join(lines) + "\nret;\n}\n", encoding="utf-8")
        command = ["ptxas", "-arch=sm_90a", str(source), "-o", "/dev/null", "-O0"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    first = HEAD.count("\n") + 1
    if answer.returncode == 0:
        return {}, 0
    located = [(one or other, why or more) for one, why, more, other in LINE.findall(answer.stderr)]
    found = {int(line) - first: why for line, why in located}
    if len(lines) == 1 and answer.returncode > 0 and "error" in answer.stderr:
        found.setdefault(0, answer.stderr.strip().splitlines()[0])
    return {i: why for i, why in found.items() if i in range(len(lines))}, answer.returncode


def asked_of_ptxas(lines: list[str]) -> tuple[dict[int, str], set[int]]:
    """Of each line that is refused the reason, and the lines at which ptxas crashes. It ends with the first of its phases that finds
    errors, so the other lines are asked again; where it crashes or names no line, in smaller numbers."""
    if len(lines) > LINES_AT_ONCE:
        return halves(lines, list(range(len(lines))))
    found, status = errors(lines)
    kept = [i for i in range(len(lines)) if i not in found]
    if status == 0 or not kept:
        return found, set()
    if not found and len(kept) == 1:
        return found, set(kept)
    more, unknown = halves(lines, kept) if not found else parts(lines, [kept])
    return found | more, unknown


def halves(lines: list[str], kept: list[int]) -> tuple[dict[int, str], set[int]]:
    middle = len(kept) // 2
    return parts(lines, [kept[:middle], kept[middle:]])


def parts(lines: list[str], pieces: list[list[int]]) -> tuple[dict[int, str], set[int]]:
    refused: dict[int, str] = {}
    unknown: set[int] = set()
    for piece in pieces:
        found, crashed = asked_of_ptxas([lines[i] for i in piece])
        refused |= {piece[i]: why for i, why in found.items()}
        unknown |= {piece[i] for i in crashed}
    return refused, unknown


def taken_here(judge: str, lines: list[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        head = Path(folder) / "head.ptx"
        head.write_text(HEAD, encoding="utf-8")
        answer = subprocess.run([judge, str(head)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", metavar="JUDGE")
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    if shutil.which("ptxas") is None:
        print("swaps.py: there is no ptxas on PATH: add the bin folder of a CUDA toolkit", file=sys.stderr)
        return 2
    begin = [line for line in dict.fromkeys(bases()) if line.startswith(options.only)]
    wrong, doubtful = asked_of_ptxas(begin)
    lines = list(dict.fromkeys(swap for i, line in enumerate(begin) if i not in wrong and i not in doubtful for swap in swapped(line)))
    refused, unknown = asked_of_ptxas(lines)
    answers = taken_here(options.judge, lines)
    # Asked alone: ptxas may report a line of the code that it puts in place of an instruction as if it were one of the text.
    loose = [(lines[i], why) for i, why in refused.items() if answers[i] == "taken" and errors([lines[i]])[1] != 0]
    strict = [
        (line, answer)
        for i, (line, answer) in enumerate(zip(lines, answers, strict=True))
        if i not in refused and i not in unknown and answer != "taken" and errors([line])[1] == 0
    ]
    odd = {line: reason for line, _ in strict for reason, text in NO_FORMS.items() if re.search(text, line)}
    strict = [(line, answer) for line, answer in strict if line not in odd]
    for line, why in loose:
        print(f"taken here: {line} ptxas: {why}")
    for line, why in strict:
        print(f"refused here: {line} {why}")
    print(f"{len(lines)} swaps, {len(refused)} refused by ptxas; at {len(unknown)} it crashes")
    for reason, count in Counter(odd.values()).items():
        print(f"{count} of those taken are refused here, as PTX has no such form: {reason}")
    print(f"{len(loose)} of those refused are taken here, {len(strict)} others of those taken are refused here")
    return int(bool(loose or strict))


if __name__ == "__main__":
    sys.exit(main())
