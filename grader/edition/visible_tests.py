"""A lab's test program without the tests that a course hides: they are cut from its source, which is compiled again."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Collection
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.labs import Lab

_HEAD = re.compile(r'^WB_LAB_TEST\(\s*(\w+),\s*[\d.]+,\s*"([^"]*)"\s*\)\s*\{', re.M)


def cut_tests(text: str, hidden: Collection[str]) -> tuple[str, list[str]]:
    """The source without these tests, and what was cut: each from its head to the brace that stands alone in column 0.

    :param hidden: `<kind>.<sentence>`
    :raises BatchError: if one is not found, or does not end
    """
    cut = []
    left = set(hidden)
    for head in reversed(list(_HEAD.finditer(text))):
        name = f"{head[1]}.{head[2]}"
        if name not in left:
            continue
        end = text.find("\n}\n", head.start())
        if end < 0:
            raise BatchError(f"the hidden test {name} has no end: a line that begins with a closing brace")
        cut.append(text[head.start():end + 3])
        text = text[:head.start()] + text[end + 3:]
        left.remove(name)
    if left:
        raise BatchError(f"the hidden tests {', '.join(sorted(left))} are not in the source as WB_LAB_TEST(kind, points, \"...\") {{")
    return text, cut


def source_of(lab: Lab) -> Path:
    return lab.project_root / "grader" / "labs" / lab.path / f"{lab.name}.test.cpp"


def test_program(lab: Lab, hidden: Collection[str], work: Path) -> Path:
    """The lab's test program, or one without the hidden tests, made in the folder `work`.

    :raises BatchError: if that does not compile
    """
    program = Path(lab.manifest["test_program"])
    if not hidden:
        return program
    source, build = source_of(lab), Path(lab.manifest["build_folder"])
    # Same name, in a folder of its own, so that the binary does not reveal where it was made.
    copy = work / source.name
    copy.write_text(cut_tests(source.read_text(encoding="utf-8"), hidden)[0], encoding="utf-8")
    compile_, old_object = _compile_command(build, source)
    fresh = work / "test.o"
    line = [str(copy) if word == str(source) else str(fresh) if word == old_object else word for word in compile_]
    _must(line + [f"-I{source.parent}"], build)
    link = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "-s", str(program.relative_to(build))],
                          capture_output=True, text=True, check=False).stdout
    relative = str(program.relative_to(build))
    if old_object not in link or f"-o {relative}" not in link:
        raise BatchError(f"{build}: ninja does not show how {relative} is linked; hidden tests need the generator Ninja "
                         "(cmake --preset sim)")
    made = work / program.name
    _must(["sh", "-c", link.replace(old_object, shlex.quote(str(fresh))).replace(f"-o {relative}", f"-o {shlex.quote(str(made))}")],
          build)
    return made


def _compile_command(build: Path, source: Path) -> tuple[list[str], str]:
    """The words of the command, and the object file that it makes."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if entry["file"] == str(source):
            words = shlex.split(entry["command"])
            return words, words[words.index("-o") + 1]
    raise BatchError(f"{build}/compile_commands.json does not say how {source} is compiled; configure again: cmake --preset sim")


def _must(line: list[str], folder: Path) -> None:
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BatchError(f"the tests without the hidden ones do not build:\n{done.stderr.strip()[-2000:]}")
