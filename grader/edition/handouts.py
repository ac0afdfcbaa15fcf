"""What students read and edit: labs/ of an edition, with links and commands that work there."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from grader.course.labs import Lab

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")
PAGES = ("checkers.md", "debugger.md")  # From docs/: what `warpbook run --check` and `warpbook debug` do.
_ROW = r"^\| \d+ \| \[(\w+)\]"  # A row of a table of labs.
# Commands of a clone, and their equivalents in an edition, which has no build tool.
_COMMANDS = (
    (re.compile(r"ctest --test-dir build/sim -R '\^(\w+)\\\.'"), r"./warpbook check \1"),
    (re.compile(r"^cmake --preset sim .*\n", re.M), ""),
    (re.compile(r"common/setup\.sh"), "./setup.sh"),
    (re.compile(r"`WARPBOOK_SEED=<seed> ctest \.\.\.` runs it again"), "The command that it ends with runs it again"),
    (re.compile(r"The first run also builds the virtual GPU, which takes a few minutes\. No GPU"), "No GPU"),
    (re.compile(r"\nWith an NVIDIA GPU, use `--preset gpu` and `build/gpu`: same files, real time\."), ""),
    (re.compile(r"build/sim/bin/warpbook"), "./warpbook"),
    (re.compile(r"`build/sim/(?:student_)?report/index\.html`"), "`report/index.html`, which `./warpbook report` writes,"),
)


def copy_labs(labs: Sequence[Lab], folder: Path, points: Callable[[Lab], float]) -> None:
    """labs/<chapter>/<lab> of each, the pages of their chapters and of docs/ that students need, and the headers that answers
    include."""
    project = labs[0].project_root
    names = {lab.name for lab in labs}
    shutil.copytree(project / "common" / "cuda", folder / "common" / "cuda")
    for lab in labs:
        source, made = project / "labs" / lab.path, folder / "labs" / lab.path
        shutil.copytree(source, made, ignore=shutil.ignore_patterns("*.py", "__pycache__", "lab.json", lab.file_name))
        shutil.copyfile(skeleton_of(lab), made / lab.file_name)
        (made / "lab.json").write_text(json.dumps(_description(lab, names, points(lab)), indent=2) + "\n", encoding="utf-8")
    for path in [project / "labs" / "README.md", project / "labs" / "chapters.json"]:
        shutil.copyfile(path, folder / path.relative_to(project))
    for chapter in sorted({lab.manifest["chapter"] for lab in labs}):
        source, made = project / "labs" / chapter, folder / "labs" / chapter
        text = (source / "README.md").read_text(encoding="utf-8")
        if page_of_chapter(text, names) == text:
            shutil.copyfile(source / "map.svg", made / "map.svg")
        (made / "README.md").write_text(page_of_chapter(text, names), encoding="utf-8")
    overview = folder / "labs" / "README.md"
    overview.write_text(of_these_labs(overview.read_text(encoding="utf-8"), labs), encoding="utf-8")
    (folder / "docs").mkdir()
    for name in PAGES:
        shutil.copyfile(project / "docs" / name, folder / "docs" / name)
    for page in [*sorted((folder / "labs").rglob("*.md")), *(folder / "docs" / name for name in PAGES)]:
        page.write_text(adapted(page.read_text(encoding="utf-8"), page, folder), encoding="utf-8")


def skeleton_of(lab: Lab) -> Path:
    """Derived from the solution by the build: the file in labs/ may be somebody's answer."""
    derived = Path(lab.manifest["build_folder"], "grader", "labs", lab.name, "skeleton", lab.file_name)
    return derived if derived.is_file() else lab.project_root / "labs" / lab.path / lab.file_name


def _description(lab: Lab, names: Collection[str], points: float) -> dict[str, object]:
    """lab.json without paths of answers, and without labs that are not handed out."""
    described = dict(lab.json)
    described["points"] = points
    described["needs"] = [need for need in lab.json.get("needs", []) if need in names]
    if "rungs" in lab.json:
        described["rungs"] = [rung | {"source": ""} for rung in lab.json["rungs"]]
    return described


def of_these_labs(text: str, labs: Sequence[Lab]) -> str:
    """The overview of all labs, without the labs that are not handed out."""
    names = {lab.name for lab in labs}
    others = {found[1] for found in re.finditer(_ROW, text, re.M)} - names
    # What a course hands out is a path of its own.
    text = re.sub(r"^## Which path\?\n.*?(?=^## )", "", text, flags=re.M | re.S)
    if others:
        text = re.sub(r"^(\| \d+ \| \[.*\| )([^|]+)( \|)$", lambda row: row[1] + _needed(row[2], names) + row[3], text, flags=re.M)
    if "openacc_comparison" in others:
        text = text.replace("; in `openacc_comparison` it is a `.cpp`", "")
    if "vector_add" in others:
        text = text.replace(r"'^vector_add\.'", f"'^{labs[0].name}\\.'")
    return text


def page_of_chapter(text: str, names: Collection[str]) -> str:
    """A chapter's page, without its map if that shows labs that are not handed out."""
    shown = {name for found in re.finditer(_ROW + r".*\| ([^|]+) \|$", text, re.M) for name in [found[1], *found[2].split(", ")]}
    return text if shown <= {*names, "-"} else re.sub(r"^!\[[^\]]*\]\(map\.svg\)\n\n.*?\n\n", "", text, flags=re.M | re.S)


def _needed(needs: str, names: Collection[str]) -> str:
    return ", ".join(need for need in needs.split(", ") if need in names) or "-"


def adapted(text: str, page: Path, folder: Path) -> str:
    """A page whose links lead to files of the edition; other links become plain text, and table rows with
    only such links are removed. Numbered rows get new numbers."""
    def kept(link: re.Match[str]) -> str:
        return link[0] if (page.parent / link[2]).exists() else link[1]

    for command, here in _COMMANDS:
        text = command.sub(here, text)
    lines = []
    number = 0
    for line in text.split("\n"):
        links = list(_LINK.finditer(line))
        if line.startswith("|") and links and not any((page.parent / link[2]).exists() for link in links):
            continue
        line = _LINK.sub(kept, line)
        if re.match(r"\| \d+ \|", line):
            number += 1
            line = re.sub(r"^\| \d+ \|", f"| {number} |", line)
        lines.append(line)
    return "\n".join(lines)
