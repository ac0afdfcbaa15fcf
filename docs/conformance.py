"""Keeps docs/conformance.md as the tables say: what is exact, approximate, estimated or not modelled.

    conformance.py            exit status 1 if the page says something else
    conformance.py --write    writes the page
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIMULATOR = ROOT / "common" / "simulator"
ROWS = SIMULATOR / "machine" / "operations" / "rows"
PAGE = ROOT / "docs" / "conformance.md"
ELSEWHERE = SIMULATOR / "ptx" / "elsewhere.def"
JUDGED = SIMULATOR / "ptx" / "testdata" / "judged_forms.txt"

# Accepted, and without effect on results: hints, and orders that hold here anyway.
HINTS = {"prefetch", "prefetchu", "pmevent", "setmaxnreg", "griddepcontrol", "createpolicy", "discard", "applypriority", "membar",
         "fence"}
# Accepted when a module is loaded, and refused when they are reached: no device here can be part of a multicast object.
REFUSED = {"multimem"}
# Forms with too many operands for a row: where an H200's results for them are recorded.
RECORDED = {
    "common/simulator/machine/operations/tensor_probe/h200_answers.csv": r"mma\.sync\.|wmma\.",
    "common/simulator/machine/operations/tensor_probe/h200_group_answers.csv": r"mma\.sp|wgmma\.",
    "common/simulator/runtime/tests/h200_textures.txt": r"tex(\{\.base\})?\.(1d|level)|tld4\.",
    "common/simulator/runtime/tests/h200_cube_edges.txt": r"tex\{\.base\}\.1d\|2d",
    "common/simulator/runtime/tests/h200_tensor_maps.txt": r"cp\.(reduce\.)?async\.bulk\.tensor\.(?!.*(multicast|gather4|scatter4))",
}
# Instructions of PTX ISA 9.0 that no row matches. A program that reaches one ends with a message that names it.
ABSENT = {
    "nanosleep with ranges, pmevent beyond its mask": "timing for profilers",
    "tex and surface instructions with .texref, .samplerref, .surfref": "references instead of objects",
}
HEAD = """# Conformance

What the virtual GPU promises, from the tables that it is built from (`docs/conformance.py` writes this page).

- **exact**: the same bits as on an H200, with each instruction set of the host, for about 2000 cases
  of each tested form. Video instructions do what the driver's code does where it departs from the manual. Matrix
  products, texture reads and tensor copies have too many operands for such a row: programs recorded an H200's results for them
  ({programs}), and a test compares. For textures, anisotropy and the last bit of filtered signed bytes are excluded.
- **approximate**: within the error that the PTX manual states; both results are compared with that bound.
- **estimated**: as the manual says, and compared with an independent reference implementation, not with an H200.
- **not modelled**: hints that are accepted and change no result, or instructions and calls that are refused.

A form that `ptxas` 13.0 refuses is refused when a module is loaded, with its line and the reason. Of the arithmetic, conversion,
comparison, move and video instructions, {taken} forms are accepted and {refused} refused, as by `ptxas`
(`common/simulator/ptx/sweep.py`). PTX without machine code, which no assembler has seen, is also checked for the types of its operands,
the heads of its functions and its calls: each of {snippets} snippets is accepted or refused as by `ptxas`, at the same line
(`common/simulator/ptx/testdata/judged_forms.txt`). Of 41509 swaps of an operand for one of another kind,
`ptxas` refuses 33305, and none of them is accepted; with 37 it crashes. Of the 8167 others 64 are refused, as PTX has no such forms: a
list for one register, one value for a list, packed halves for a predicate (`common/simulator/ptx/swaps.py` names them all). The PTX version
and the target that a feature needs are checked for few features.
A register of 128 bits that receives a signed integer of 8, 16 or 32 bits is extended by its sign, as the manual says; `ptxas` 13.0 takes
the upper half from an unset register, or from the sign of a source of 64 bits.
A module is also refused if none of its kernels could run, because each begins with an
instruction that is not supported; otherwise an unsupported instruction ends the program when it is reached.

All {goldens} recorded rows were replayed on an H200 (driver 580.159.04, CUDA 13.0) on 2026-11-27 (`warpbook_replay_operations`), as
on an H100: its results are the recorded ones. Forms of `sm_100` can run on neither: they are estimated.

Predicted times are estimates; [what the counters mean](counters.md) says how exact the counters are.
"""


@dataclass
class Operation:
    """A row of the table of operations."""

    name: str
    opcode: str
    pattern: str
    family: str
    state: str = "estimated"

    @property
    def form(self) -> str:
        return self.opcode + self.pattern.replace(" ", "")

    def matcher(self) -> re.Pattern[str]:
        expression = re.escape(self.opcode)
        for slot in self.pattern.split():
            words = "|".join(re.escape("." + word.lstrip(".")) for word in slot.strip("{}").split("|"))
            expression += f"(?:{words})" + ("?" if slot.startswith("{") else "")
        return re.compile(expression + r"(?![\w.])")


def operations() -> list[Operation]:
    """In the order of the table."""
    table = (SIMULATOR / "ptx" / "operations.def").read_text(encoding="utf-8")
    found = []
    for family in re.findall(r"operations/(\w+)\.def", table):
        text = (SIMULATOR / "ptx" / "operations" / f"{family}.def").read_text(encoding="utf-8")
        rows = re.findall(r'WB_OPERATION\((\w+), (\w+), "(.*?)", ".*?", \w+\)', text)
        found += [Operation(name, opcode, pattern, family) for name, opcode, pattern in rows]
    return found


def test_rows() -> Iterator[tuple[str, str]]:
    """The text of each test row, and what it shows."""
    for path in sorted(ROWS.glob("*.rows")):
        golden = path.with_suffix(".golden")
        recorded = {line.rsplit(" |", 2)[0] for line in golden.read_text(encoding="utf-8").splitlines()} if golden.exists() else set()
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("#")[0].strip()
            if text:
                yield text, "estimated" if text not in recorded else "approximate" if " ~ " in text else "exact"


def classify(table: list[Operation]) -> None:
    """A row of the table is what its tested forms are; one that is approximate makes it so."""
    matchers: dict[str, list[tuple[re.Pattern[str], Operation]]] = {}
    for operation in table:
        matchers.setdefault(operation.opcode, []).append((operation.matcher(), operation))
    for text, state in test_rows():
        for word in re.findall(r"(?<![%\w.])[a-z]\w*(?:\.[\w:]+)*", text):
            for pattern, operation in matchers.get(word.split(".")[0], []):
                if not pattern.fullmatch(word):
                    continue
                if state == "approximate" or operation.state == "estimated":
                    operation.state = state
    for operation in table:
        if operation.state == "estimated" and any(re.match(forms, operation.form) for forms in RECORDED.values()):
            operation.state = "exact"
        if operation.opcode in HINTS | REFUSED:
            operation.state = "not modelled"


def code(form: str) -> str:
    """@p form as code in a table. Doxygen takes two colons for a name of C++, in backquotes too."""
    escaped = html.escape(form).replace("|", "&#124;").replace("::", "&#58;&#58;")
    return f"<code>{escaped}</code>" if "::" in form else "`" + form.replace("|", "\\|") + "`"


def table_of_instructions(table: list[Operation]) -> str:
    text = "\n## Instructions\n\nThe forms are explained in [supported PTX operations](operations.md).\n"
    for state in ("exact", "approximate", "estimated", "not modelled"):
        rows = [operation for operation in table if operation.state == state]
        text += f"\n### {state.capitalize()} ({len(rows)} rows)\n\n| family | instruction |\n| --- | --- |\n"
        for operation in rows:
            text += f"| {operation.family} | {code(operation.form)} |\n"
    text += "\n### Not supported\n\n| instruction | what it is |\n| --- | --- |\n"
    elsewhere = re.findall(r'WB_ELSEWHERE\((\w+), "(.*?)", "(.*?)"\)', ELSEWHERE.read_text(encoding="utf-8"))
    absent = ABSENT | {code(" with ".join(filter(None, (opcode, words_of(terms))))): what for opcode, terms, what in elsewhere}
    return text + "".join(f"| {name} | {what} |\n" for name, what in sorted(absent.items()))


def words_of(terms: str) -> str:
    """Terms of ptx/refusals.h as words of an instruction."""
    return " and ".join(" or ".join("." + word.lstrip(".") for word in re.sub(r"^\d:", "", term).split("|")) for term in terms.split())


def names(path: Path) -> list[str]:
    return re.findall(r"WB_\w+\((?:[\w ]+\*?, )?(\w+)", path.read_text(encoding="utf-8"))


def table_of_calls() -> str:
    text = ("\n## Calls\n\nResults, error codes and their order are those of the documentation and, where compared, exactly "
            "those of an H200. Durations are estimated. A call that is not modelled prints its name and fails.\n\n"
            "| API | supported | refused |\n| --- | --- | --- |\n")
    refused = {}
    for api, folder, known in (("runtime", "runtime", "runtime_calls"), ("driver", "driver", "driver_calls")):
        refused[api] = names(SIMULATOR / folder / "unsupported_calls.def")
        exports = set(re.findall(r"WB_REMOTE\([^,]+, (\w+)", (SIMULATOR / "remote" / f"{known}.def").read_text(encoding="utf-8")))
        text += f"| {api} | {len(exports - set(refused[api]))} from the table of calls, and those written by hand | {len(refused[api])} |\n"
    for api, calls in refused.items():
        text += f"\n### Refused calls of the {api} API\n\n" + ", ".join(f"`{call}`" for call in calls) + "\n"
    return text


def page() -> str:
    table = operations()
    classify(table)
    forms = [line.split() for line in (SIMULATOR / "ptx" / "testdata" / "ptxas_forms.txt").read_text(encoding="utf-8").splitlines()]
    taken = sum(int(bits, 16).bit_count() for _, _, bits in forms)
    missing = [path for path in RECORDED if not (ROOT / path).is_file()]
    if missing:
        sys.exit(f"{missing[0]} is not there: RECORDED in docs/conformance.py names it")
    programs = ", ".join(f"[{Path(path).name}](../{path})" for path in RECORDED)
    snippets = len(re.findall(r"^(?:refused|taken|elsewhere): ", JUDGED.read_text(encoding="utf-8"), re.M))
    head = HEAD.format(snippets=snippets, taken=taken, refused=sum(int(count) for _, count, _ in forms) - taken, programs=programs,
                       goldens=sum(path.read_text(encoding="utf-8").count("\n") for path in ROWS.glob("*.golden")))
    return head + table_of_instructions(table) + table_of_calls()


def main() -> int:
    text = page()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/conformance.md is not as the tables say: run docs/conformance.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
