"""Checks that no compiler makes: links between documents, sizes of files and exercises, first lines, numbers of wrong answers,
predictions."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {
    ".ci", ".clang-format", ".clang-tidy", ".devcontainer", ".gitignore", "CMakeLists.txt", "CMakePresets.json", "README.md",
    "common", "docs", "grader", "labs", "pyproject.toml", "solutions",
}
CODE = {".h", ".cpp", ".cu", ".cuh", ".py", ".def", ".cmake"}
WRITTEN_BY_TOOLS = {".svg", ".ptx", ".json", ".csv"}
MAX_LINES = 600
STUDENT_LINES = 120
HANDOUT_LINES = 150
EXERCISE_LINES = 150
EXERCISE_FILES = 5
EXERCISE_MUTANTS = range(3, 9)
LAB_WRONG, LAB_UNSEEN, LAB_CHEATS = 12, 3, 2  # Least numbers of a lab's wrong answers: in all, those that only checkers find, cheats.


def tracked_files() -> list[Path]:
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in out.split("\0") if name and (ROOT / name).is_file()]


def anchor_of(heading: str) -> str:
    """The anchor that a Markdown viewer gives a heading."""
    text = re.sub(r"[`*_]", "", heading.strip().lower())
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def anchors(text: str) -> set[str]:
    found = {anchor_of(heading) for heading in re.findall(r"^#+\s+(.+?)(?:\s*\{#[\w-]+\})?\s*$", text, re.M)}
    return found | set(re.findall(r"\{#([\w-]+)\}", text))


def check_links(path: Path, text: str) -> list[str]:
    problems = []
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for match in re.finditer(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", prose):
        target = match.group(1)
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = (ROOT / path).parent / unquote(name) if name else ROOT / path
        if not other.exists():
            problems.append(f"{path}: the link '{target}' leads nowhere; correct its path (it is relative to {path.parent}/)")
        elif anchor and other.suffix == ".md" and anchor not in anchors(other.read_text(encoding="utf-8")):
            problems.append(f"{path}: '{other.name}' has no heading for '#{anchor}'")
    return problems


def check_first_line(path: Path, lines: list[str]) -> list[str]:
    body = [line for line in lines[:2] if not line.startswith("#!")]
    first = body[0] if body else ""
    if not re.match(r'(//|#|"""|/\*)\s*\S', first):
        return [f"{path}: the first line must be a comment, one sentence that says what the file is"]
    return []


def check_file(path: Path) -> list[str]:
    try:
        text = (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    lines = text.splitlines()
    problems = []
    if path.suffix == ".md":
        problems += check_links(path, text)
    if path.suffix in CODE or path.name == "CMakeLists.txt":
        problems += check_first_line(path, lines)
        if len(lines) > MAX_LINES and path.suffix != ".def":
            problems.append(f"{path}: {len(lines)} lines, at most {MAX_LINES}; split it by noun or pass")
    if path.parts[0] == "labs":
        limit = {".cu": STUDENT_LINES, ".cpp": STUDENT_LINES, ".md": HANDOUT_LINES}.get(path.suffix)
        if limit and len(lines) > limit:
            problems.append(f"{path}: {len(lines)} lines, at most {limit} for what a student reads")
    if path.suffix not in WRITTEN_BY_TOOLS:
        if text and not text.endswith("\n"):
            problems.append(f"{path}: no newline at the end")
        spaces = [number for number, line in enumerate(lines, 1) if line != line.rstrip()]
        if spaces:
            problems.append(f"{path}:{spaces[0]}: spaces at the end of {len(spaces)} lines, this one first")
    return problems


def files_of_exercise(description: Path, files: list[Path]) -> list[Path]:
    """The files that an author writes for the lab of a lab.json: all except the skeleton, which is derived from the solution."""
    of_lab = Path(*description.parts[1:-1])
    skeletons = {description.parent / (of_lab.name + suffix) for suffix in (".cu", ".cpp")}
    folders = (Path("labs") / of_lab, Path("solutions") / of_lab, Path("grader/labs") / of_lab)
    return [path for path in files if path not in skeletons and any(path.is_relative_to(folder) for folder in folders)]


def check_exercise(description: Path, files: list[Path]) -> list[str]:
    """An exercise is a lab without rungs. Every hand-written line counts, even empty ones."""
    if "rungs" in json.loads((ROOT / description).read_text(encoding="utf-8")):
        return []
    lines = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in files_of_exercise(description, files)}
    total, counted = sum(lines.values()), ", ".join(f"{path} {count}" for path, count in lines.items())
    problems = []
    if total > EXERCISE_LINES:
        problems.append(f"{description.parent}: an exercise of {total} hand-written lines, at most {EXERCISE_LINES}: {counted}. "
                        "Shorten these, move code that other labs need, too, to grader/runner (lab_test.h, requirements.h), "
                        "or make it a lab, with rungs")
    if len(lines) > EXERCISE_FILES:
        problems.append(f"{description.parent}: an exercise of {len(lines)} hand-written files, at most {EXERCISE_FILES}: {counted}. "
                        "Merge some, or make it a lab, with rungs")
    return problems


def wrong_answers(folder: Path) -> dict[str, str]:
    """The wrong answers of the lab with this folder of tests: their text, by file and name."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder / "wrong").glob("*")):
        text = path.read_text(encoding="utf-8")
        each = re.split(r"^=== ", text, flags=re.M)[1:] if path.suffix == ".diff" else [f"{path.stem}\n{text}"]
        found |= {f"{path.name}:{one.splitlines()[0]}": one for one in each}
    return found


def check_wrong_answers(description: Path) -> list[str]:
    """Checks that there are enough wrong answers to show that the tests reject what they must."""
    wrong = wrong_answers(Path("grader/labs", *description.parts[1:-1]))
    if "rungs" not in json.loads((ROOT / description).read_text(encoding="utf-8")):
        return [] if len(wrong) in EXERCISE_MUTANTS else [
            f"{description.parent}: {len(wrong)} mutants; an exercise has {EXERCISE_MUTANTS[0]} to {EXERCISE_MUTANTS[-1]}"]
    counts = (("wrong answers", len(wrong), LAB_WRONG),
              ("wrong answers with 'only-by: checkers'", sum("\nonly-by: checkers\n" in one for one in wrong.values()), LAB_UNSEEN),
              ("wrong answers in cheats.diff", sum(name.startswith("cheats.diff:") for name in wrong), LAB_CHEATS))
    return [f"{description.parent}: {count} {what}; a lab has at least {least}" for what, count, least in counts if count < least]


def check_predictions(description: Path) -> list[str]:
    """Checks that the handout of a lab asks for predictions before it asks for code."""
    handout = ROOT / description.with_name("README.md")
    if not handout.exists():
        return []
    headings = re.findall(r"^## (.+)$", handout.read_text(encoding="utf-8"), re.M)
    return [] if headings[1:2] == ["Predict first"] else [
        f"{description.parent}: the second heading of the handout is not '## Predict first', after the idea and before the task"]


def main() -> int:
    files = tracked_files()
    problems = [f"{name}/: not in the project's layout" for name in sorted({p.parts[0] for p in files} - TOP_LEVEL)]
    for path in files:
        problems += check_file(path)
        if path.name == "lab.json" and path.parts[0] == "labs":
            problems += check_exercise(path, files)
            problems += check_wrong_answers(path)
            problems += check_predictions(path)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(files)} files checked, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
