"""Gathers the project's Markdown pages for Doxygen: one folder, unique names, links that lead to pages of the site."""

from __future__ import annotations

import html
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from navigation import FRONT_PAGE, identifier

# Where pages are looked for, below the project's root; and what is no page of the site.
PATTERNS = ("docs/**/*.md", "labs/**/*.md", "solutions/**/*.md", "grader/**/*.md", "common/**/*.md")
NO_PAGES = {"testdata", "examples"}
# Headers in these folders have pages of their own, which Doxygen writes.
CODE = re.compile(r"(common/cuda|common/simulator|grader/(?!labs)\w+|labs)/(?!.*testdata).*\.(h|cuh)")
# A page that holds a list which the build writes says where: <!-- generated: NAME -->
GENERATED = re.compile(r"<!-- generated: (\w+) -->")
# Or that lists the entries of a table in the sources, WB_SOMETHING(name): <!-- names in: PATH -->
NAMES = re.compile(r"<!-- names in: ([\w./]+) -->")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#+) +(.+?)(?: *\{#([\w-]+)\})?$", re.M)
FENCE = re.compile(r"(^```.*?^```[ \t]*$)", re.S | re.M)
# Code and strong words within a paragraph; both may go on in the next line.
CODE_SPAN = re.compile(r"`((?:[^`\n]|\n(?!\s*\n))+)`")
STRONG = re.compile(r"\*\*((?:[^*`\n]|`[^`]*`|\n(?!\s*\n))+)\*\*")
# Pages with so many parts have a table of contents.
LONG = 4


def find(root: Path) -> list[Path]:
    """All pages, by their paths from the project's root."""
    found = {path.relative_to(root) for pattern in PATTERNS for path in root.glob(pattern)}
    return sorted(page for page in found if not NO_PAGES & set(page.parts))


def slug(heading: str) -> str:
    """The anchor that a Markdown viewer gives a heading."""
    text = re.sub(r"[`*_]", "", re.sub(LINK, r"\2", heading).strip().lower())
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


@dataclass(frozen=True)
class Section:
    """A part of a page, for the search: `page.html#label`, its headlines, and its text without marks."""

    url: str
    page: str
    title: str
    text: str


class Pages:
    def __init__(self, root: Path, generated: Path, output: Path) -> None:
        self.root = root
        self.output = output
        self.generated = generated
        self.problems: list[str] = []
        self.sections: list[Section] = []
        self.texts = {page: (root / page).read_text(encoding="utf-8") for page in find(root)}
        self.identifiers = {page: identifier(page, root) for page in self.texts}
        self.labels = {page: self._labels(page) for page in self.texts}

    def _labels(self, page: Path) -> list[str]:
        """The label of each heading, in their order, the page's own first; a second one of the same words ends in -1."""
        headings = self._headings(self.texts[page])
        labels = [headings[0][2] or self.identifiers[page]]
        for _, heading, _ in headings[1:]:
            label = f"{self.identifiers[page]}-{slug(heading)}"
            while label in labels:
                label += "-1"
            labels.append(label)
        return labels

    @staticmethod
    def _headings(text: str) -> list[tuple[str, str, str]]:
        return HEADING.findall("".join(FENCE.split(text)[::2]))

    # ---- links and pictures

    def _link(self, page: Path, match: re.Match[str]) -> str:
        # A text of two lines would end Doxygen's paragraph in the middle of the link.
        image, text, target = match.group(1), match.group(2).replace("\n", " "), match.group(3)
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        name, _, anchor = unquote(target).partition("#")
        other = Path(*self._normalised(page.parent / name)) if name else page
        if image:
            return self._image(page, other, text)
        if other in self.texts:
            # A reader of the site knows pages by their headlines, not by their files.
            shown = self._headings(self.texts[other])[0][1] if text.endswith(".md") else text
            return f"[{shown}](@ref {self._reference(page, other, anchor, target)})"
        if not (self.root / other).exists():
            self.problems.append(f"{page}: the link '{target}' leads nowhere")
        elif CODE.fullmatch(other.as_posix()):
            return f"[{text}](@ref {other.as_posix()})"
        return f"`{text}`" if re.fullmatch(r"[\w./-]*[./_][\w./-]*", text) else text

    def _reference(self, page: Path, other: Path, anchor: str, target: str) -> str:
        if not anchor:
            return self.labels[other][0]
        label = f"{self.identifiers[other]}-{anchor}"
        if label not in self.labels[other]:
            self.problems.append(f"{page}: the link '{target}' leads to no heading of {other}")
        return label

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
        name = f"{self.identifiers[page]}_{image.name}"
        shutil.copyfile(self.root / image, self.output / "images" / name)
        # Doxygen makes an <object> of an SVG, which neither scales on a phone nor has a text to read aloud.
        return self._html(f'<p class="picture"><img src="{name}" alt="{html.escape(text)}"/></p>')

    # ---- text

    @staticmethod
    def _html(text: str) -> str:
        return f"\n\n\\htmlonly[block]\n{text}\n\\endhtmlonly\n\n"

    def _fold(self, match: re.Match[str]) -> str:
        """A hint unfolds; its headline may hold code."""
        if match.group("end"):
            return self._html("</details>")
        title = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(match.group("title").strip(), quote=False))
        return self._html(f"<details><summary>{title}</summary>")

    FOLD = re.compile(r"<details>\s*<summary>(?P<title>.*?)</summary>|(?P<end></details>)", re.S)

    def convert(self, page: Path) -> str:
        labels = list(self.labels[page])
        contents = "\n\n[TOC]\n" if len(labels) > LONG and page != FRONT_PAGE else ""

        def labelled(match: re.Match[str]) -> str:
            first = len(labels) == len(self.labels[page])
            label = labels.pop(0)
            if page == FRONT_PAGE and not first:  # Doxygen would show it in the navigation.
                return self._html(f'<h2 id="{label}">{html.escape(match[2])}</h2>')
            # Doxygen shows code in a labelled heading as HTML in letters.
            text = re.sub(r"`([^`]*)`", lambda code: html.escape(code[1], quote=False), match[2])
            return f"{match[1]} {text} {{#{label}}}" + (contents if first else "")

        blocks = FENCE.split(self.texts[page])
        for i in range(0, len(blocks), 2):
            # Doxygen would make a box of its own of each paragraph inside.
            text = re.sub(r"^</?div.*>$", lambda match: self._html(match[0]), blocks[i], flags=re.M)
            text = HEADING.sub(labelled, self.FOLD.sub(self._fold, text))
            blocks[i] = self._marked(LINK.sub(lambda match: self._link(page, match), text))
        return NAMES.sub(self._names, GENERATED.sub(self._insert, "".join(blocks)))

    @classmethod
    def _marked(cls, text: str) -> str:
        """As HTML: code with a quote, which ends code for Doxygen, and strong words with code, in which it loses the stars."""
        text = STRONG.sub(lambda match: f"<b>{match[1]}</b>" if "`" in match[1] else match[0], text)
        return CODE_SPAN.sub(lambda match: cls._code(match) if "'" in match[1] else match[0], text)

    def _insert(self, match: re.Match[str]) -> str:
        path = self.generated / f"{match.group(1)}.md"
        if not path.is_file() or not path.stat().st_size:
            self.problems.append(f"{path}: the build has not written this list")
            return ""
        return re.sub(r"`([^`\n]*)`", self._code, path.read_text(encoding="utf-8"))

    def _names(self, match: re.Match[str]) -> str:
        names = re.findall(r"^WB_\w+\((\w+)\)", (self.root / match.group(1)).read_text(encoding="utf-8"), re.M)
        if not names:
            self.problems.append(f"{match.group(1)}: no entry WB_...(name) was found")
        return ", ".join(f"<code>{name}</code>" for name in names)

    @staticmethod
    def _code(match: re.Match[str]) -> str:
        """Code in a table cell, in which Doxygen would see links (::), commands, dashes (--) and the next cell."""
        text = match.group(1).replace("\\|", "|").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        text = re.sub(r"([@\\#%]|---?)", r"\\\1", text).replace("::", "\\::").replace("|", " \\| ")
        return f"<code>{text}</code>"

    # ---- search

    def _index(self, page: Path) -> None:
        """The page's parts: the text below each heading, up to the next one."""
        text = GENERATED.sub(self._insert, self.texts[page])
        fenced = {m.start() for block in FENCE.finditer(text) for m in HEADING.finditer(text, block.start(), block.end())}
        headings = [match for match in HEADING.finditer(text) if match.start() not in fenced]
        title = self._plain(headings[0][2])
        address = "index" if page == FRONT_PAGE else self.identifiers[page]
        for i, heading in enumerate(headings):
            end = headings[i + 1].start() if i + 1 < len(headings) else len(text)
            url = f"{address}.html" + (f"#{self.labels[page][i]}" if i else "")
            self.sections.append(Section(url, title, self._plain(heading[2]), self._plain(text[heading.end():end])))

    @staticmethod
    def _plain(text: str) -> str:
        text = LINK.sub(r"\2", re.sub(r"<!--.*?-->|</?\w[^>\n]*>|^\\\w+.*$|^\|[ |:-]+\|$|^```\w*$", " ", text, flags=re.M))
        return " ".join(re.sub(r"[`*|]|\\(?=\W)", " ", text).split())

    def write(self) -> None:
        shutil.rmtree(self.output, ignore_errors=True)
        (self.output / "images").mkdir(parents=True)
        for page, name in self.identifiers.items():
            (self.output / f"{name}.md").write_text(self.convert(page), encoding="utf-8")
            self._index(page)
