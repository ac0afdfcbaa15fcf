"""The navigation of the site: the tree that navigation.toml describes, as a layout file for Doxygen."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

FRONT_PAGE = Path("docs/index.md")


@dataclass
class Node:
    """A line of the navigation: a page, or a headline (without a page) over others."""

    title: str
    page: Path | None = None
    children: list[Node] = field(default_factory=list)

    def __iter__(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child


def identifier(page: Path, root: Path) -> str:
    """What Doxygen calls a page: `lab_coalescing`, wherever the lab's folder is; `guide_formats` for docs/formats.md."""
    folder = page.parent.name
    match page.parts[0]:
        case "labs" if len(page.parts) == 2:
            return "labs"
        case "labs":
            return ("lab_" if (root / page.parent / "lab.json").is_file() else "chapter_") + folder
        case "solutions":
            return f"notes_{folder}"
        case "docs":
            return f"guide_{page.stem}"
    return "_".join(["part", *(part.lower() for part in page.parent.parts)])


class Navigation:
    """The tree over the pages that were found (paths from the project's root), and what is wrong with it."""

    def __init__(self, root: Path, pages: list[Path]) -> None:
        self.root = root
        self.pages = pages
        self.problems: list[str] = []
        described = tomllib.loads((root / "docs/site/navigation.toml").read_text(encoding="utf-8"))
        self.sections = [Node(section["title"], children=[node for entry in section["entries"] for node in self._entry(entry)])
                         for section in described["section"]]
        self._check()

    def _entry(self, entry: dict[str, str]) -> list[Node]:
        if "page" in entry:
            page = Path(entry["page"])
            if page not in self.pages:
                self.problems.append(f"docs/site/navigation.toml: there is no page {page}")
                return []
            return [Node(entry.get("title") or self.headline(page), page)]
        if "labs" in entry:
            return self._labs(Path(entry["labs"]))
        matched = [page for page in self.pages if (self.root / page) in set(self.root.glob(entry["pages"]))]
        nodes = [Node(self._lab_title(page), page) for page in sorted(matched, key=self._place)]
        return [Node(entry["title"], children=nodes)] if "title" in entry and nodes else nodes

    def _labs(self, folder: Path) -> list[Node]:
        """The page over all labs; below it chapters with their labs, and labs outside of any chapter."""
        below = sorted((page for page in self.pages if page.parts[:len(folder.parts)] == folder.parts), key=self._place)
        nodes = {page.parent: Node(self.headline(page), page) for page in below}
        if folder not in nodes:
            self.problems.append(f"{folder}/README.md: there is no page over all labs")
            return []
        for place, node in nodes.items():
            if place != folder:
                nodes.get(place.parent, nodes[folder]).children.append(node)
        return [nodes[folder]]

    def _place(self, page: Path) -> tuple[float, str]:
        """Labs, and what is written about them, go in the labs' order, a chapter by its first lab; all else by its path."""
        folder = self.root / page.parent
        if page.parts[0] == "labs":
            labs = [folder / "lab.json"] if (folder / "lab.json").is_file() else folder.glob("*/lab.json")
        else:
            labs = self.root.glob(f"labs/**/{folder.name}/lab.json")
        orders = [json.loads(path.read_text(encoding="utf-8")).get("order", float("inf")) for path in labs]
        return (min(orders, default=float("inf")), page.as_posix())

    def _lab_title(self, page: Path) -> str:
        handouts = [other for other in self.pages if other.parts[0] == "labs" and other.parent.name == page.parent.name]
        return self.headline(handouts[0] if page.parts[0] == "solutions" and handouts else page)

    def headline(self, page: Path) -> str:
        """The page's headline, up to its first colon, without marks."""
        found = re.search(r"^# (.+?)(?:\s*\{#[\w-]+\})?$", (self.root / page).read_text(encoding="utf-8"), re.M)
        if not found:
            self.problems.append(f"{page}: has no headline (# ...)")
            return page.as_posix()
        return re.sub(r"[`*]", "", found[1]).partition(":")[0]

    def _check(self) -> None:
        shown = [node.page for section in self.sections for node in section if node.page]
        names: dict[str, Path] = {}
        for page in self.pages:
            count = shown.count(page)
            if count == 0 and page != FRONT_PAGE:
                self.problems.append(f"{page}: is nowhere in the navigation; add it to docs/site/navigation.toml")
            elif count > 1:
                self.problems.append(f"{page}: is {count} times in the navigation, docs/site/navigation.toml")
            other = names.setdefault(identifier(page, self.root), page)
            if other != page:
                self.problems.append(f"{page}: would be the same page of the site as {other}; their folders need other names")

    def layout(self) -> str:
        """Doxygen's layout file: this tree, and the code below it."""
        lines = ["<!-- Written by docs/site/navigation.py. -->", '<doxygenlayout version="1.0">', "  <navindex>",
                 '    <tab type="mainpage" visible="yes" title="Overview"/>']
        for section in self.sections:
            lines += self._tabs(section, "    ")
        lines += ['    <tab type="usergroup" visible="yes" url="[none]" title="Code">',
                  '      <tab type="namespacelist" visible="yes" title="Namespaces" intro=""/>',
                  '      <tab type="classlist" visible="yes" title="Classes" intro=""/>',
                  '      <tab type="filelist" visible="yes" title="Files" intro=""/>',
                  "    </tab>", "  </navindex>", "</doxygenlayout>", ""]
        return "\n".join(lines)

    def _tabs(self, node: Node, indent: str) -> list[str]:
        url = f"@ref {identifier(node.page, self.root)}" if node.page else "[none]"
        about = f'visible="yes" url="{url}" title={quoteattr(node.title)}'
        if not node.children:
            return [f'{indent}<tab type="user" {about}/>']
        below = [line for child in node.children for line in self._tabs(child, indent + "  ")]
        return [f'{indent}<tab type="usergroup" {about}>', *below, f"{indent}</tab>"]
