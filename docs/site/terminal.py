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
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = ROOT / "docs/examples/check.txt"
PICTURE = ROOT / "docs/examples/check.svg"
LAB, TEST = "coalescing", "counters.the transpose stores along rows"  # The answer is the lab's first rung.
EXPLANATION = re.compile(r"(?<=failed:\n)(  .*?\n)(?=    \.\.\.\n)", re.S)
SKIPPED = 77
# In units of the picture: a character's width, a line's height, the edge, and the bar at the top.
WIDTH, HEIGHT, EDGE, BAR = 8.4, 18.5, 22, 26
# How parts of lines look: a colour, and whether they are bold.
LOOKS = (
    (re.compile(r"^\$ .*"), "#7ee787", True),
    (re.compile(r"^  passed"), "#7ee787", False),
    (re.compile(r"^  FAILED"), "#ff7b72", True),
    (re.compile(r"^Why '.*"), "#ffffff", True),
    (re.compile(r"^  Too many.*"), "#ffb757", True),
    (re.compile(r"(?<=costs most: )\S+"), "#79c0ff", False),
    (re.compile(r"^ {8}\S.*"), "#d2a8ff", False),
    (re.compile(r"^    (?:The line that costs most|Why it costs|What to try):"), "#ffffff", True),
    (re.compile(r"^ +\.\.\.$"), "#8b949e", False),
    (re.compile(r"\d+ of \d+ points"), "#ffb757", True),
)


def spans(line: str) -> str:
    """The line as SVG text: the part that one of LOOKS names in its colour."""
    for pattern, colour, bold in LOOKS:
        if found := pattern.search(line):
            weight = ' font-weight="bold"' if bold else ""
            before, after = html.escape(line[:found.start()]), html.escape(line[found.end():])
            look = f'<tspan fill="{colour}"{weight}>{html.escape(found[0])}</tspan>'
            return before + look + (spans(line[found.end():]) if colour == "#ffffff" and line[found.end():] else after)
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
            shown = re.sub(r" (?=[^<>]*(?:<|$))", "\u00a0", spans(line))
            parts.append(f'<text {place} lengthAdjust="spacingAndGlyphs">{shown}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def explanation(build: Path) -> str | None:
    """What the lab's test program says of the answer, as far as the text has it; None if they are not built."""
    lab = next(ROOT.glob(f"labs/**/{LAB}/lab.json"))
    answer = json.loads(lab.read_text(encoding="utf-8"))["rungs"][0]["source"]
    program, manifest = build / "labs" / LAB / f"{LAB}_test", build / "manifests" / f"{LAB}.json"
    if not program.is_file() or not Path(json.loads(manifest.read_text(encoding="utf-8"))["workers"][answer]).is_file():
        return None
    done = subprocess.run([program, "--answer", answer, "--test", TEST], capture_output=True, text=True, check=False, timeout=300)
    # In the text, the student's file has this answer: a shorter path, after which the line is not broken.
    said = done.stdout.replace(answer, (lab.parent / f"{LAB}.cu").relative_to(ROOT).as_posix())
    said = re.sub(r"(costs most: \S+ in)\n +", r"\1 ", said)
    found = re.search(r"failed, [^\n]*\n(  .*?\n)    The limit: ", said, re.S)
    if not found:
        raise SystemExit(f"{program} says nothing that this picture could show:\n{done.stdout}{done.stderr}")
    return found[1]


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
    today, places = EXPLANATION.subn(said.replace("\\", r"\\"), text)
    if places != 1:
        raise SystemExit(f"{TEXT}: has {places} explanations, from a line that ends in 'failed:' to a line '    ...'")
    if options.write:
        TEXT.write_text(today, encoding="utf-8")
        PICTURE.write_text(drawn(today), encoding="utf-8")
    elif text != today or PICTURE.read_text(encoding="utf-8") != drawn(text):
        print(f"{PICTURE.relative_to(ROOT)} is old: the grader explains it like this today\n{said}"
              "To write that: python3 docs/site/terminal.py BUILD --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
