"""The site's search: what Doxygen and the pages say, as data of a script that finds words in the reader's browser."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from pages import Section

# Kinds of documents in Doxygen's searchdata.xml that are no names in the code: pages are indexed part by part.
NO_SYMBOLS = {"page", "source", "dir"}
LONGEST_TEXT = 200
MARK = "</head>"
# Doxygen 1.9.4 puts half of a second search box into this page alone, and ends the bar at the top in it.
HALF_A_BOX = re.compile(r'<input type="text" id="MSearchField".*?(?=<div id="side-nav")', re.S)


def symbols(searchdata: Path) -> list[dict[str, str]]:
    found = []
    for document in ElementTree.parse(searchdata).getroot():
        fields = {field.get("name", ""): (field.text or "") for field in document}
        if fields["type"] in NO_SYMBOLS or fields["name"].endswith(".md"):
            continue
        found.append({"kind": fields["type"], "name": fields["name"] + fields.get("args", ""), "url": fields["url"],
                      "text": " ".join(fields.get("text", "").split())[:LONGEST_TEXT]})
    return found


def write(sections: list[Section], searchdata: Path, site: Path, lunr: Path, script: Path) -> None:
    """Puts the data, the script and the library into the site's folder `search`, and the page of results to use them."""
    parts = [{"url": part.url, "page": part.page, "title": part.title, "text": part.text} for part in sections]
    data = json.dumps({"parts": parts, "symbols": symbols(searchdata)}, ensure_ascii=False, separators=(",", ":"))
    (site / "search" / "data.js").write_text(f"const searched = {data};\n", encoding="utf-8")
    shutil.copyfile(lunr, site / "search" / "lunr.js")
    shutil.copyfile(script, site / "search" / "find.js")
    page = site / "search.html"
    text = page.read_text(encoding="utf-8")
    if MARK not in text:
        raise ValueError(f"{page}: Doxygen writes no {MARK} any more; docs/site/search.py has to be changed")
    names = ("lunr.js", "data.js", "find.js")
    scripts = "".join(f'<script type="text/javascript" src="search/{name}"></script>\n' for name in names)
    page.write_text(HALF_A_BOX.sub("</div>", text.replace(MARK, scripts + MARK, 1), count=1), encoding="utf-8")
