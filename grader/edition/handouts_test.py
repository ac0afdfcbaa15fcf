"""The pages of an edition: nothing of labs that are not in it."""

import re
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from grader.course.labs import Lab
from grader.edition.handouts import of_these_labs, page_of_chapter

LABS = Path(__file__).parents[2] / "labs"
OVERVIEW = (LABS / "README.md").read_text(encoding="utf-8")


def labs(*names: str) -> list[Lab]:
    return [cast(Lab, SimpleNamespace(name=name)) for name in names]


class Overview(unittest.TestCase):
    def test_of_some_labs(self):
        text = of_these_labs(OVERVIEW, labs("hello_threads", "thread_indices"))
        self.assertNotIn("Which path?", text)
        self.assertIn("## To begin", text)
        self.assertNotIn(".cpp", text)
        self.assertIn("-R '^hello_threads\\.'", text)
        row, = [line for line in text.split("\n") if "[hello_threads]" in line]
        self.assertTrue(row.endswith("| 10 | - |"), row)
        row, = [line for line in text.split("\n") if "[thread_indices]" in line]
        self.assertTrue(row.endswith("| 20 | hello_threads |"), row)

    def test_of_all_labs(self):
        names = [line.split("[")[1].split("]")[0] for line in OVERVIEW.split("\n") if line.startswith("| ") and "](" in line
                 and not line.startswith("| | ")]
        text = of_these_labs(OVERVIEW, labs(*names))
        before, path, after = OVERVIEW.partition("## Which path?")
        self.assertTrue(path)
        self.assertEqual(text, before + after[after.index("## To begin"):])


class Chapter(unittest.TestCase):
    PAGE = (LABS / "patterns" / "README.md").read_text(encoding="utf-8")

    def test_a_map_stays_where_all_its_labs_are(self):
        names = re.findall(r"^\| \d+ \| \[(\w+)\]", OVERVIEW, re.M)
        self.assertIn("](map.svg)", self.PAGE)
        self.assertEqual(page_of_chapter(self.PAGE, names), self.PAGE)

    def test_a_map_goes_with_one_of_its_labs(self):
        names = set(re.findall(r"^\| \d+ \| \[(\w+)\]", OVERVIEW, re.M))
        for missing in ("scan", "reduction"):  # Of this chapter, and needed by it.
            text = page_of_chapter(self.PAGE, names - {missing})
            self.assertNotIn("map.svg", text)
            self.assertNotIn("dotted", text)
            self.assertIn("[All chapters]", text)


if __name__ == "__main__":
    unittest.main()
