"""Draws docs/examples/check.svg, the front page's picture, from docs/examples/check.txt: what `warpbook check` printed.

    terminal.py BUILD            a test: the picture is that of the text, and the text's explanation is what the lab's test
                                 program in the build folder says of the same answer today
    terminal.py BUILD --write    writes that explanation into the text, and draws the picture again
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from grader.course.finding import Paragraph, filled
from grader.learner.verdict import MARKS
from grader.report.recording import records_of
from grader.workbook.places import place_of

TEXT = ROOT / "docs/examples/check.txt"
PICTURE = ROOT / "docs/examples/check.svg"
LAB, TEST = "coalescing", "counters.the transpose stores along rows"  # The answer is the lab's first rung.
SKIPPED = 77
# In units of the picture: a character's width, a line's height, the edge, and the bar at the top.
WIDTH, HEIGHT, EDGE, BAR = 8.4, 18.5, 22, 26
GREEN, RED, WHITE, ORANGE, BLUE, PURPLE, GREY = "#7ee787", "#ff7b72", "#ffffff", "#ffb757", "#79c0ff", "#d2a8ff", "#8b949e"
# Where a line of an explanation is in a file, what it is called, and code.
OF_EXPLANATION = ((re.compile(r"[\w/]+\.cu:\d+"), BLUE, False), (re.compile(r"^ {8}\S.*"), PURPLE, False),
                  (re.compile(r"^ {4}\S[^:]*:"), WHITE, True))
CUT = "    ..."  # Where the rest of the explanation is left out.

Look = tuple[re.Pattern[str], str, bool]  # What of a line has a colour, and whether it is bold.


def explained(lines: list[str]) -> range:
    """The lines that explain a test: they follow the heading below the first empty line."""
    return range(lines.index("") + 2, lines.index(CUT))


def looks_of(lines: list[str], at: int) -> Sequence[Look]:
    """By where a line is: what it says may be reworded."""
    whole, said = re.compile(".+"), explained(lines)
    if at == 0:
        return ((whole, GREEN, True),)
    if at < said.start - 2:
        return ((re.compile(f"^  {MARKS['passed']}"), GREEN, False), (re.compile(f"^  {MARKS['failed']}"), RED, True),
                (re.compile(r"^ +\.\.\.$"), GREY, False))
    if at <= said.start:
        return ((whole, WHITE if at < said.start else ORANGE, True),)
    if at < said.stop:
        return OF_EXPLANATION
    return ((whole, GREY, False),) if at == said.stop else ((re.compile(r"\d+ of \d+ \w+"), ORANGE, True),)


def spans(line: str, looks: Sequence[Look]) -> str:
    """The line as SVG text: the part that one of the looks names in its colour."""
    for pattern, colour, bold in looks:
        if found := pattern.search(line):
            weight = ' font-weight="bold"' if bold else ""
            before, after = html.escape(line[:found.start()]), html.escape(line[found.end():])
            look = f'<tspan fill="{colour}"{weight}>{html.escape(found[0])}</tspan>'
            return before + look + (spans(line[found.end():], looks) if colour == WHITE and line[found.end():] else after)
    return html.escape(line)


def drawn(text: str) -> str:
    lines = text.splitlines()
    wide = 2 * EDGE + WIDTH * max(map(len, lines))
    high = BAR + 1.5 * EDGE + HEIGHT * (len(lines) - 0.5)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img">',
             "<title>What warpbook check prints</title>",
             f'<rect width="{wide:g}" height="{high:g}" rx="10" fill="#161b22"/>',
             *(f'<circle cx="{EDGE + 18 * i}" cy="{BAR / 2 + 2:g}" r="5.5" fill="{colour}"/>'
               for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))),
             '<g fill="#c9d1d9" font-size="14" '
             'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace">']
    for i, line in enumerate(lines):
        if line:
            place = f'x="{EDGE}" y="{BAR + EDGE + HEIGHT * i - 2}" textLength="{WIDTH * len(line):g}"'
            # Spaces that no renderer merges: not all of them know xml:space.
            shown = re.sub(r" (?=[^<>]*(?:<|$))", "\u00a0", spans(line, looks_of(lines, i)))
            parts.append(f'<text {place} lengthAdjust="spacingAndGlyphs">{shown}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def explanation(build: Path) -> list[str] | None:
    """What the lab's test says of the answer, up to the reason of the limit; None if they are not built."""
    place, manifest = place_of(LAB), build / "manifests" / f"{LAB}.json"
    answer, known = place.json["rungs"][0]["source"], json.loads(manifest.read_text(encoding="utf-8"))
    if not Path(known["test_program"]).is_file() or not Path(known["workers"][answer]).is_file():
        return None
    finding = records_of(known, answer, TEST)[TEST]["finding"]
    # In the text, the student's file has this answer. A line that names a place is not broken.
    student, labels = place.student.relative_to(ROOT).as_posix(), tuple(site["label"] for site in finding["sites"])
    paragraphs = [Paragraph(one["indent"], one["text"].replace(answer, student), one["code"] or one["text"].startswith(labels))
                  for one in takewhile(lambda one: finding["limit_reason"] not in one["text"], finding["paragraphs"])]
    return list(filled(paragraphs, 100))


def main() -> int:
    parser = argparse.ArgumentParser(description="Tests the front page's picture, or draws it.")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("--write", action="store_true", help="write today's explanation, and draw")
    options = parser.parse_args()
    said = explanation(options.build)
    if said is None:
        print(f"skipped: the tests of {LAB} and its first rung are not built in {options.build}")
        return SKIPPED
    text = TEXT.read_text(encoding="utf-8")
    lines = text.splitlines()
    place = explained(lines)
    lines[place.start : place.stop] = said
    today = "\n".join([*lines, ""])
    if options.write:
        TEXT.write_text(today, encoding="utf-8")
        PICTURE.write_text(drawn(today), encoding="utf-8")
    elif text != today or PICTURE.read_text(encoding="utf-8") != drawn(text):
        print(f"{PICTURE.relative_to(ROOT)} is old: the grader explains it like this today\n" + "\n".join(said) +
              "\nTo write that: python3 docs/site/terminal.py BUILD --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
