"""The pages of an edition: nothing of labs that are not in it."""

import re
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from grader.course.labs import Lab
from grader.edition.handouts import of_these_labs

OVERVIEW = (Path(__file__).parents[2] / "labs" / "README.md").read_text(encoding="utf-8")


def labs(**minutes: int) -> list[Lab]:
    return [cast(Lab, SimpleNamespace(name=name, json={"minutes": taken})) for name, taken in minutes.items()]


class Overview(unittest.TestCase):
    def test_of_some_labs(self):
        text = of_these_labs(OVERVIEW, labs(hello_threads=10, thread_indices=20))
        self.assertIn("take about 30 minutes", text)
        self.assertNotIn("Which path?", text)
        self.assertNotIn(".cpp", text)
        self.assertIn("-R '^hello_threads\\.'", text)
        row, = [line for line in text.split("\n") if "[hello_threads]" in line]
        self.assertTrue(row.endswith("| 10 | - |"), row)
        row, = [line for line in text.split("\n") if "[thread_indices]" in line]
        self.assertTrue(row.endswith("| 20 | hello_threads |"), row)

    def test_of_all_labs(self):
        names = [line.split("[")[1].split("]")[0] for line in OVERVIEW.split("\n") if line.startswith("| ") and "](" in line
                 and not line.startswith("| | ")]
        hours = int(re.search(r"take about (\d+) hours", OVERVIEW)[1])
        text = of_these_labs(OVERVIEW, labs(**dict.fromkeys(names, hours * 60 // len(names))))
        self.assertIn("Which path?", text)
        self.assertEqual(text, OVERVIEW)


if __name__ == "__main__":
    unittest.main()
