"""Gathers the project's Markdown pages for Doxygen: one folder, unique names, links that lead to pages of the site."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

# Where pages are looked for, below the project's root.
PATTERNS = ("docs/*.md", "labs/README.md", "labs/*/README.md", "labs/*/*/README.md", "solutions/*/*/NOTES.md", "grader/**/README.md",
            "common/**/README.md")
# A page that holds a list which the build writes says where: <!-- generated: NAME -->
GENERATED = re.compile(r"<!-- generated: (\w+) -->")
# Or that lists the entries of a table in the sources, WB_SOMETHING(name): <!-- names in: PATH -->
NAMES = re.compile(r"<!-- names in: ([\w./]+) -->")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def identifier(path: Path) -> str:
    """`labs/memory/coalescing/README.md` -> `labs_coalescing`, `docs/formats.md` -> `formats`."""
    parts = [part for part in path.with_suffix("").parts if part not in ("docs", "README")]
    return "_".join(parts).lower() or "docs"


class Pages:
    def __init__(self, root: Path, generated: Path, output: Path) -> None:
        self.root = root
        self.output = output
        self.sources = {path.relative_to(root): path for pattern in PATTERNS for path in sorted(root.glob(pattern))}
        self.generated = generated
        self.problems: list[str] = []

    def _replace(self, page: Path, match: re.Match) -> str:
        image, text, target = match.group(1), match.group(2), match.group(3)
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return text if target.startswith("#") else match.group(0)
        name = unquote(target.partition("#")[0])
        other = Path(*self._normalised(page.parent / name))
        if image:
            return self._image(page, other, text)
        if other in self.sources:
            return "[" + text + "](@ref page_" + identifier(other) + ")"
        if not (self.root / other).exists():
            self.problems.append(f"{page}: the link '{target}' leads nowhere")
        return f"`{text}`" if re.fullmatch(r"[\w./-]+", text) else text

    @staticmethod
    def _normalised(path: Path) -> list[str]:
        parts: list[str] = []
        for part in path.parts:
            if part == "..":
                parts = parts[:-1]
            elif part != ".":
                parts.append(part)
        return parts

    def _image(self, page: Path, image: Path, text: str) -> str:
        if not (self.root / image).is_file():
            self.problems.append(f"{page}: there is no picture '{image}'")
            return text
        name = f"{identifier(page)}_{image.name}"
        shutil.copyfile(self.root / image, self.output / "images" / name)
        return f'\n@image html {name} "{text}" width=100%\n'

    def _convert(self, page: Path, text: str) -> str:
        parts = re.split(r"(^```.*?^```[ \t]*$|`[^`\n]+`)", text, flags=re.S | re.M)
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"</?(details|summary)>", self._fold, parts[i])
        joined = "".join(parts)
        # Links hold code, so they are replaced in everything but fenced blocks.
        blocks = re.split(r"(^```.*?^```[ \t]*$)", joined, flags=re.S | re.M)
        for i in range(0, len(blocks), 2):
            blocks[i] = LINK.sub(lambda match: self._replace(page, match), blocks[i])
        body = "".join(blocks)
        if "{#" not in body.splitlines()[0]:
            body = re.sub(r"^# (.+)$", rf"# \1 {{#page_{identifier(page)}}}", body, count=1, flags=re.M)
        return body

    @staticmethod
    def _fold(match: re.Match) -> str:
        """Hints that unfold in a Markdown viewer stand open here, under their headline."""
        return {"<details>": "", "</details>": "", "<summary>": "\n\n**", "</summary>": "**\n\n"}[match.group(0)]

    def _insert(self, match: re.Match) -> str:
        path = self.generated / f"{match.group(1)}.md"
        if not path.is_file() or not path.stat().st_size:
            self.problems.append(f"{path}: the build has not written this list")
            return ""
        return re.sub(r"`([^`\n]*)`", self._code, path.read_text(encoding="utf-8"))

    def _names(self, match: re.Match) -> str:
        names = re.findall(r"^WB_\w+\((\w+)\)", (self.root / match.group(1)).read_text(encoding="utf-8"), re.M)
        if not names:
            self.problems.append(f"{match.group(1)}: no entry WB_...(name) was found")
        return ", ".join(f"<code>{name}</code>" for name in names)

    @staticmethod
    def _code(match: re.Match) -> str:
        """Code in a table cell, in which Doxygen would see links (::), commands and the next cell."""
        text = match.group(1).replace("\\|", "|").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        text = re.sub(r"([@\\#%])", r"\\\1", text).replace("::", "\\::").replace("|", " \\| ")
        return f"<code>{text}</code>"

    def write(self) -> int:
        shutil.rmtree(self.output, ignore_errors=True)
        (self.output / "images").mkdir(parents=True)
        for page, source in self.sources.items():
            converted = self._convert(page, source.read_text(encoding="utf-8"))
            converted = NAMES.sub(self._names, GENERATED.sub(self._insert, converted))
            (self.output / f"{identifier(page)}.md").write_text(converted, encoding="utf-8")
        for problem in self.problems:
            print(f"docs: {problem}", file=sys.stderr)
        return 1 if self.problems or not self.sources else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--generated", type=Path, required=True, help="folder of lists that the build writes")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    sys.exit(Pages(options.root, options.generated, options.output).write())
