"""Records what the tests found in each wrong answer: `python3 -m grader.report.record_findings BUILD [LAB ...]`.

Each wrong answer is run by the test that must reject it. The data for the class page goes to known_findings.json;
labs that are not named keep their records. The difference is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grader.workbook.answers import wrong_answers
from grader.workbook.places import Place, place_of, places

from .class_mistakes import KNOWN, OF_ACCESS
from .recording import manifest_of, records_of, write


def recorded(finding: dict[str, Any]) -> dict[str, Any]:
    """The recorded part of a finding: no words, and no number that depends on the size or on the device model."""
    evidence = {one["name"]: one["value"] for one in finding["evidence"] if one["name"] in OF_ACCESS}
    return {"kind": finding["kind"], "topic": finding["topic"], "evidence": evidence}


def findings_of(build: Path, place: Place) -> dict[str, dict[str, Any]]:
    """By the names of a lab's wrong answers."""
    manifest, found = manifest_of(build, place.name), {}
    for answer in wrong_answers(place):
        test = answer.key("rejected-by")
        record = records_of(manifest, answer.title, test).get(test)
        if record is None or record["finding"] is None:
            print(f"{answer.file}: {test} found nothing in {answer.name}; is it built?", file=sys.stderr)
        else:
            found[answer.name] = recorded(record["finding"])
    return found


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    record = json.loads(KNOWN.read_text(encoding="utf-8"))
    for lab in arguments[1:] or places():
        record["labs"][lab] = findings_of(Path(arguments[0]), place_of(lab))
    write(KNOWN, record)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
