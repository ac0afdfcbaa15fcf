"""Records what the tests found in each wrong answer: `python3 -m grader.report.record_findings BUILD [LAB ...]`.

Each wrong answer is run by the test that must reject it. The data for the class page goes to known_findings.json;
labs that are not named keep their records. The difference is printed.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from grader.workbook.answers import wrong_answers
from grader.workbook.places import Place, place_of, places

from .class_mistakes import KNOWN, OF_ACCESS
from .recording import manifest_of, records_of, write


def requirement_at(place: Place, topic: str) -> str:
    """For a lab's own requirement, whose topic is FILE:LINE: its statement and the line above, without texts; "" for others."""
    file, _, line = topic.partition(":")
    if not line:
        return ""
    lines = (place.grading / file).read_text(encoding="utf-8").splitlines()[int(line) - 2 :]
    end = next((number for number, text in enumerate(lines[1:], 2) if text.endswith(";")), 0)
    return re.sub(r'("[^"]*" *)+', '""', " ".join(text.strip() for text in lines[:end]))


def known_by(requirement: str) -> str:
    """The recorded hash of a requirement's code, to check whether it is still at its place."""
    return hashlib.sha256(requirement.encode()).hexdigest()[:12]


def recorded(finding: dict[str, Any], place: Place) -> dict[str, Any]:
    """The recorded part of a finding: no words, and no number that depends on the size or on the device model."""
    evidence = {one["name"]: one["value"] for one in finding["evidence"] if one["name"] in OF_ACCESS}
    kept = {"kind": finding["kind"], "topic": finding["topic"], "evidence": evidence}
    requirement = requirement_at(place, finding["topic"])
    return {**kept, "requirement": known_by(requirement)} if requirement else kept


def findings_of(build: Path, place: Place) -> dict[str, dict[str, Any]]:
    """By the names of a lab's wrong answers."""
    manifest, found = manifest_of(build, place.name), {}
    for answer in wrong_answers(place):
        test = answer.key("rejected-by")
        record = records_of(manifest, answer.title, test).get(test)
        if record is None or record["finding"] is None:
            print(f"{answer.file}: {test} found nothing in {answer.name}; is it built?", file=sys.stderr)
        else:
            found[answer.name] = recorded(record["finding"], place)
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
