"""Tests of the site: every page is in the navigation, with chapters of labs or without, and links lead to headings."""

from __future__ import annotations

import re
import shutil
import tempfile
import unittest
from pathlib import Path

from navigation import FRONT_PAGE, Navigation
from pages import Pages, find
from rendered import marks_shown
from search import symbols

ROOT = Path(__file__).resolve().parents[2]
NAVIGATION = """# A small one.
[[section]]
title = "Students"
entries = [{ page = "docs/student.md", title = "How to work" }, { labs = "labs" }]
[[section]]
title = "Others"
entries = [{ title = "Notes", pages = "solutions/**/NOTES.md" }]
"""


class OfTheProject(unittest.TestCase):
    def setUp(self) -> None:
        self.navigation = Navigation(ROOT, find(ROOT))

    def test_every_page_is_in_the_navigation_once(self) -> None:
        self.assertEqual(self.navigation.problems, [])
        tracked = {path.relative_to(ROOT) for folder in ("docs", "labs", "solutions") for path in (ROOT / folder).rglob("*.md")}
        self.assertGreater(len(tracked), 30)
        shown = {node.page for section in self.navigation.sections for node in section}
        self.assertEqual(tracked - shown, {FRONT_PAGE})

    def test_every_lab_has_its_handout_below_labs(self) -> None:
        labs = next(node for section in self.navigation.sections for node in section if node.page == Path("labs/README.md"))
        handouts = {path.parent.relative_to(ROOT) / "README.md" for path in (ROOT / "labs").rglob("lab.json")}
        self.assertTrue(handouts)
        self.assertLessEqual({page for page in handouts if (ROOT / page).is_file()}, {node.page for node in labs})


class OfASmallProject(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/site/navigation.toml", NAVIGATION)
        self.write("docs/index.md", "# A project {#mainpage}\n")
        self.write("docs/student.md", "# Working: how\n\n## Once, `<twice>` & more\n\n## Then\n")
        self.write("labs/README.md", "# Labs\n")

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def lab(self, folder: str, name: str, order: int) -> None:
        self.write(f"labs/{folder}{name}/README.md", f"# {name.capitalize()}: a lab\n")
        self.write(f"labs/{folder}{name}/lab.json", f'{{"order": {order}}}')
        self.write(f"solutions/{folder}{name}/NOTES.md", f"# Notes on the solution of {name}\n")

    def navigation(self) -> Navigation:
        return Navigation(self.root, find(self.root))

    def pages(self) -> Pages:
        pages = Pages(self.root, self.root / "generated", self.root / "out")
        pages.write()
        return pages

    def written(self, name: str) -> str:
        return (self.root / "out" / f"{name}.md").read_text(encoding="utf-8")

    # Students, How to work, Labs, Zebra, Apple: as it is read from top to bottom.
    def titles(self, navigation: Navigation) -> list[list[str]]:
        return [[node.title for node in section] for section in navigation.sections]

    def test_labs_without_chapters_go_by_their_order(self) -> None:
        self.lab("", "apple", 20)
        self.lab("", "zebra", 10)
        found = self.navigation()
        self.assertEqual(found.problems, [])
        self.assertEqual(self.titles(found), [["Students", "How to work", "Labs", "Zebra", "Apple"],
                                              ["Others", "Notes", "Zebra", "Apple"]])

    def test_labs_in_chapters_stand_below_them(self) -> None:
        self.lab("plants/", "apple", 20)
        self.lab("beasts/", "zebra", 10)
        self.lab("beasts/", "ant", 30)
        self.write("labs/plants/README.md", "# Plants\n")
        self.write("labs/beasts/README.md", "# Beasts: all of them\n")
        found = self.navigation()
        self.assertEqual(found.problems, [])
        self.assertEqual(self.titles(found)[0], ["Students", "How to work", "Labs", "Beasts", "Zebra", "Ant", "Plants", "Apple"])
        self.assertIn('<tab type="usergroup" visible="yes" url="@ref chapter_beasts" title="Beasts">\n'
                      '          <tab type="user" visible="yes" url="@ref lab_zebra" title="Zebra"/>', found.layout())

    def test_a_lab_has_the_same_name_in_any_chapter(self) -> None:
        self.lab("", "apple", 20)
        before = self.navigation().layout()
        for folder in ("labs", "solutions"):
            (self.root / folder / "plants").mkdir()
            shutil.move(self.root / folder / "apple", self.root / folder / "plants" / "apple")
        self.assertEqual(self.navigation().layout(), before)

    def test_a_page_that_is_nowhere_is_a_problem(self) -> None:
        self.write("docs/lonely.md", "# Lonely\n")
        self.assertEqual(self.navigation().problems,
                         ["docs/lonely.md: is nowhere in the navigation; add it to docs/site/navigation.toml"])

    def test_a_page_that_is_twice_or_not_there_is_a_problem(self) -> None:
        self.write("docs/site/navigation.toml", NAVIGATION + '[[section]]\ntitle = "More"\n'
                   'entries = [{ page = "docs/student.md" }, { page = "docs/gone.md" }]\n')
        self.assertEqual(self.navigation().problems,
                         ["docs/site/navigation.toml: there is no page docs/gone.md",
                          "docs/student.md: is 2 times in the navigation, docs/site/navigation.toml"])

    def test_two_labs_of_one_name_are_a_problem(self) -> None:
        self.lab("a/", "apple", 1)
        self.lab("b/", "apple", 2)
        self.assertIn("labs/b/apple/README.md: would be the same page of the site as labs/a/apple/README.md; "
                      "their folders need other names", self.navigation().problems)

    def test_links_lead_to_pages_headings_and_headers(self) -> None:
        self.lab("", "apple", 1)
        self.write("labs/apple/apple.h", "// The contract.\n")
        self.write("labs/README.md", "# Labs\n\n[a](apple/README.md) [b](../docs/student.md#once-twice--more) [c](apple/apple.h)"
                   " [d](https://example.org) [e](#then) [docs/student.md](../docs/student.md) [f](apple/lab.json)\n\n## Then\n")
        pages = self.pages()
        self.assertEqual(pages.problems, [])
        self.assertIn("[a](@ref lab_apple) [b](@ref guide_student-once-twice--more) [c](@ref labs/apple/apple.h) "
                      "[d](https://example.org) [e](@ref labs-then) [Working: how](@ref guide_student) f", self.written("labs"))
        self.assertIn("## Once, &lt;twice&gt; & more {#guide_student-once-twice--more}", self.written("guide_student"))

    def test_links_that_lead_nowhere_are_problems(self) -> None:
        self.write("labs/README.md", "# Labs\n\n[a](apple/README.md) [b](../docs/student.md#never) ![c](gone.svg)\n")
        self.assertEqual(sorted(self.pages().problems),
                         ["labs/README.md: the link '../docs/student.md#never' leads to no heading of docs/student.md",
                          "labs/README.md: the link 'apple/README.md' leads nowhere",
                          "labs/README.md: there is no picture 'labs/gone.svg'"])

    def test_hints_unfold_and_blocks_of_code_stay_as_they_are(self) -> None:
        code = "```sh\n# no heading\n[a](b.md) <details>\n```\n"
        self.write("labs/README.md", f"# Labs\n\n<details><summary>Is `a < b`?</summary>\n\nYes.\n</details>\n\n{code}")
        self.assertEqual(self.pages().problems, [])
        self.assertIn("\\htmlonly[block]\n<details><summary>Is <code>a &lt; b</code>?</summary>\n\\endhtmlonly", self.written("labs"))
        self.assertEqual(len(re.findall(r"\\htmlonly\[block\]\n</details>\n\\endhtmlonly", self.written("labs"))), 1)
        self.assertIn(code, self.written("labs"))

    def test_marks_that_doxygen_does_not_know_are_html(self) -> None:
        self.write("labs/README.md", "# Labs\n\n`ctest --test-dir b -R '^a'`, `b`, **`c` and d**, **e** and [two\nlines](../docs/student.md)\n")
        self.assertEqual(self.pages().problems, [])
        self.assertIn("<code>ctest \\--test-dir b -R '^a'</code>, `b`, <b>`c` and d</b>, **e** and [two lines](@ref guide_student)",
                      self.written("labs"))

    def test_marks_that_are_left_in_a_page_are_found(self) -> None:
        self.write("page.html", "<p>2 ** 3 <code>`a`</code> [b](@ref c) <b>d</b> <code>&ndash;&ndash;j</code> &ndash; k</p>@section e"
                   '<div class="fragment"><div class="line">`f`</div>**</div><pre>`g`</pre> `h` i')
        self.assertEqual(marks_shown(self.root / "page.html"), ["2 ** 3", "[b](@ref c)", "@section e", "`h` i", "\u2013\u2013j"])

    def test_the_search_knows_each_part_of_a_page(self) -> None:
        self.write("docs/student.md", "# Working: how\n\nFirst `words`.\n\n## Once\n\n```sh\n# a comment\n```\n| a | b |\n| --- | --- |\n")
        parts = [part for part in self.pages().sections if part.url.startswith("guide_student")]
        self.assertEqual([(part.url, part.title, part.text) for part in parts],
                         [("guide_student.html", "Working: how", "First words ."),
                          ("guide_student.html#guide_student-once", "Once", "# a comment a b")])

    def test_the_search_knows_names_in_the_code(self) -> None:
        self.write("searchdata.xml", '<add><doc><field name="type">function</field><field name="name">wb::f</field><field '
                   'name="args">(int a)</field><field name="url">f.html</field><field name="text">Does it.</field></doc><doc>'
                   '<field name="type">page</field><field name="name">p</field><field name="url">p.html</field></doc></add>')
        self.assertEqual(symbols(self.root / "searchdata.xml"),
                         [{"kind": "function", "name": "wb::f(int a)", "url": "f.html", "text": "Does it."}])


if __name__ == "__main__":
    unittest.main()
