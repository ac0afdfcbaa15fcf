"""Keeps docs/book_rows.md: which exercise or lab, and which test of it, covers each row of the course book.

    book_rows.py            exit status 1 if the page says something else, or if what says that it covers a row does not
    book_rows.py --write    writes the page

A lab.json says it in its field "covers", the row and the sentence of the test: {"L06": "what fences forbid is predicted"}.
Programs for the compiler alone, and one with the values that the book gives, say it in comments: grader/labs/language.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from grader.workbook.places import Place, places  # noqa: E402

PAGE = ROOT / "docs" / "book_rows.md"
ROWS = ROOT / "docs" / "book_rows.json"
COMPILER = ROOT / "grader" / "labs" / "language" / "compiler"
PROGRAMS = ("values.cu", "warps.cu", "asynchronous.cu", "statements.cu", "launches.cu")
VALUES = [ROOT / "grader" / "labs" / "language" / "values" / name for name in PROGRAMS]
HEAD = """# Rows of the course book

The exercises of the course book on the language (L), its statements on the language without a program (B, by section of the
guide's appendix B), its statements on dynamic parallelism that CUDA 12 changed or that programs rely on (D), the small exercises
of its first chapters (C, or the number of the section), and the lab and test that cover each. A row that no test covers says so.
`python3 docs/book_rows.py --write` writes this page from `"covers"` in each `lab.json` and, where the subject is the compiler,
from the programs in [grader/labs/language/compiler](../grader/labs/language/compiler/compiler_test.py). Where the book gives a
value, the program [values.cu](../grader/labs/language/values/values.cu), or another one in its folder, asks the machine for it,
and a test compares the two; an exercise compares predictions with what the machine answers, whatever that is. Statements without a
value are tried by [statements.cu](../grader/labs/language/values/statements.cu); what the book forbids, checkers find.

"""


def sentences(place: Place) -> set[str]:
    """The tests of a lab."""
    text = (place.grading / f"{place.name}.test.cpp").read_text(encoding="utf-8")
    return set(re.findall(r'WB_LAB_TEST\(\s*\w+,\s*[\d.]+,\s*"([^"]*)"', text))


def covered(known: set[str]) -> tuple[dict[str, list[str]], list[str]]:
    """By row: what covers it, as text of the table; and what is wrong."""
    found: dict[str, list[str]] = {}
    said = []
    for place in sorted(places(ROOT).values(), key=lambda place: int(place.json["order"])):
        tests = sentences(place)
        for row, sentence in place.json.get("covers", {}).items():
            where = f"labs/{place.chapter}/{place.name}/lab.json"
            if row not in known:
                said.append(f"{where}: covers '{row}', which is no row of docs/book_rows.json")
            if sentence not in tests:
                said.append(f"{where}: covers '{row}' by '{sentence}', which is none of its tests: {', '.join(sorted(tests))}")
            page = "README.md" if "rungs" in place.json else f"{place.name}.h"
            found.setdefault(row, []).append(f"[{place.name}](../labs/{place.chapter}/{place.name}/{page}): {sentence}")
    for program in sorted(COMPILER.glob("*.cu")):
        for row in sorted(set(re.findall(r"// (?:says|ptx): ([\w.-]+):", program.read_text(encoding="utf-8")))):
            if row not in known:
                said.append(f"{program.relative_to(ROOT)}: '{row}' is no row of docs/book_rows.json")
            found.setdefault(row, []).append(f"[{program.name}](../{program.relative_to(ROOT)}): what the compiler says or makes")
    for values in VALUES:
        rows = set(re.findall(r"// (?:answers|finds) ?\w*: ([\w.]+): ", values.read_text(encoding="utf-8")))
        said += [f"{values.relative_to(ROOT)}: '{row}' is no row of docs/book_rows.json" for row in sorted(rows - known)]
        for row in sorted(rows):
            found.setdefault(row, []).append(f"[{values.name}](../{values.relative_to(ROOT)}): what the machine answers")
    return found, said


def page(rows: list[dict[str, str]], found: dict[str, list[str]]) -> str:
    lines = [f"| {row['row']} | {row['subject']} | {'; '.join(found.get(row['row'], ['**nothing yet**']))} |\n" for row in rows]
    missing = [row["row"] for row in rows if row["row"] not in found]
    told = f"{len(rows) - len(missing)} of {len(rows)} rows are covered"
    told += f"; not yet: {', '.join(missing)}.\n\n" if missing else ".\n\n"
    return HEAD + told + "| row | subject | covered by |\n| --- | --- | --- |\n" + "".join(lines)


def main() -> int:
    rows: list[dict[str, str]] = json.loads(ROWS.read_text(encoding="utf-8"))
    found, said = covered({row["row"] for row in rows})
    text = page(rows, found)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        said.append("docs/book_rows.md: is not what the labs say: python3 docs/book_rows.py --write")
    for line in said:
        print(line, file=sys.stderr)
    return 1 if said or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
