"""Builds the documentation site: gathers pages and navigation, runs Doxygen, adds the search."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import search
from navigation import FRONT_PAGE, Navigation
from pages import Pages, find
from rendered import marks_shown

HERE = Path(__file__).resolve().parent
# What doxygen-awesome-css offers as scripts, and how each is started.
SCRIPTS = {
    "doxygen-awesome-darkmode-toggle.js": "DoxygenAwesomeDarkModeToggle.init()",
    "doxygen-awesome-fragment-copy-button.js": "DoxygenAwesomeFragmentCopyButton.init()",
    "doxygen-awesome-paragraph-link.js": "DoxygenAwesomeParagraphLink.init()",
    "doxygen-awesome-interactive-toc.js": "DoxygenAwesomeInteractiveToc.init()",
}


def write_header(doxygen: str, output: Path) -> None:
    """Doxygen's own page header, of the version that is installed, with the theme's scripts."""
    names = [str(output / name) for name in ("header.html", "footer.html", "doxygen.css")]
    subprocess.run([doxygen, "-w", "html", *names], check=True, stdout=subprocess.DEVNULL)
    header = Path(names[0])
    text = header.read_text(encoding="utf-8")
    scripts = "".join(f'<script type="text/javascript" src="$relpath^{name}"></script>\n' for name in SCRIPTS)
    started = f'<script type="text/javascript">{"; ".join(SCRIPTS.values())};</script>\n'
    # What $search stands for, without the link to a file of a server that nobody runs.
    text = text.replace("$search", '<link href="$relpath^search/search.css" rel="stylesheet" type="text/css"/>\n'
                                   '<script type="text/javascript" src="$relpath^search/search.js"></script>')
    header.write_text(text.replace("</head>", scripts + started + "</head>", 1), encoding="utf-8")


def problems_of(*parts: Navigation | Pages) -> int:
    found = [problem for part in parts for problem in part.problems]
    for problem in found:
        print(f"docs: {problem}", file=sys.stderr)
    return len(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="where the site is written: OUTPUT/html")
    parser.add_argument("--generated", type=Path, required=True, help="folder of lists that the build writes")
    parser.add_argument("--doxygen", required=True, help="the program")
    parser.add_argument("--lunr", type=Path, required=True, help="the library of the search, lunr.js")
    options = parser.parse_args()

    navigation = Navigation(options.root, find(options.root))
    pages = Pages(options.root, options.generated, options.output / "pages")
    pages.write()
    if problems_of(navigation, pages):
        return 1
    (options.output / "layout.xml").write_text(navigation.layout(), encoding="utf-8")
    write_header(options.doxygen, options.output)
    site = options.output / "html"
    shutil.rmtree(site, ignore_errors=True)
    if subprocess.run([options.doxygen, options.output / "Doxyfile"], check=False).returncode != 0:
        return 1
    for image in (options.output / "pages" / "images").iterdir():
        shutil.copy(image, site)
    # A headline over others leads nowhere; as an empty address, it would load the page again.
    menu = site / "menudata.js"
    menu.write_text(menu.read_text(encoding="utf-8").replace('url:""', 'url:"#"'), encoding="utf-8")
    tree = (site / "navtreedata.js").read_text(encoding="utf-8")
    lost = [name for page, name in pages.identifiers.items() if page != FRONT_PAGE and f'"{name}.html"' not in tree]
    if lost:
        print(f"docs: Doxygen has left these pages out of the navigation: {', '.join(lost)}", file=sys.stderr)
        return 1
    shown = [f"{page}: {piece}" for page, name in pages.identifiers.items() if page != FRONT_PAGE
             for piece in marks_shown(site / f"{name}.html")]
    if shown:
        print("docs: Doxygen shows marks of Markdown in these pages:", *shown, sep="\n  ", file=sys.stderr)
        return 1
    search.write(pages.sections, options.output / "searchdata.xml", site, options.lunr, HERE / "search.js")
    return 0


if __name__ == "__main__":
    sys.exit(main())
