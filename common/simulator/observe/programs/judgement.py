"""Compares what a checker has reported on a case with what the case expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePath
from typing import Any

from expectations import Case

# Sites beside the two accesses of a race: where the memory is from, what started the kernel.
ASIDE = ("allocation", "free", "launch")
# Expectations of races between different values.
UPPER_TIER = ("race", "race_in_another_order", "race_with_a_free")


class Outcome(Enum):
    FOUND = "found"
    ELSEWHERE = "elsewhere"  # found, with other lines, another tier or further findings
    MISSED = "missed"
    CLEAN = "clean"
    FALSE_ALARM = "false alarm"
    NOT_RUN = "not run"

    @property
    def right(self) -> bool:
        return self in (Outcome.FOUND, Outcome.CLEAN)


@dataclass(frozen=True)
class Finding:
    check: str
    kind: str
    same_value: bool
    message: str
    places: frozenset[str]  # "14": a line of the family's file; "other.h:7": of another

    def __str__(self) -> str:
        tier = ", same value" if self.same_value else ""
        return f"{self.check} ({self.kind}{tier}) at {', '.join(sorted(self.places)) or 'no line'}: {self.message}"


@dataclass(frozen=True)
class Judgement:
    case: Case
    outcome: Outcome
    reason: str = ""
    findings: Sequence[Finding] = field(default=())
    consequences: int = 0  # findings of other checks on marked lines

    def deviation(self) -> str:
        case = self.case
        wanted = ", ".join(str(line) for line in sorted(case.lines))
        host = ", ".join(str(line) for line in sorted(case.host_lines))
        expected = f"expected {case.expect}" + (f" at {wanted}" if wanted else "") + (f" (the host's: {host})" if host else "")
        text = f"{case.family} {case.name}: {self.outcome.value}; {expected}"
        return "\n  ".join([text + (f"; {self.reason}" if self.reason else "")] + [str(finding) for finding in self.findings])


def read_findings(case: Case, report: dict[str, Any]) -> list[Finding]:
    """The findings of a report, version 1.

    Raises:
        ValueError, KeyError, TypeError: this is no such report.
    """
    if report["format"] != "warpbook check report" or report["version"] != 1:
        raise ValueError(f"not a warpbook check report of version 1: {report.get('format')} {report.get('version')}")
    findings = []
    for row in report["findings"]:
        places = set()
        for site in row["sites"]:
            if row["check"] == "race" and site.get("role") in ASIDE:
                continue
            file, line = PurePath(site.get("file") or "").name, int(site.get("line") or 0)
            if file and line:
                places.add(str(line) if file == f"{case.family}.cu" else f"{file}:{line}")
        findings.append(
            Finding(row["check"], row.get("kind", ""), row.get("tier") == "same_value", row.get("message", ""), frozenset(places))
        )
    return findings


def misplaced(case: Case, mine: list[Finding]) -> str:
    """Why these findings, of the check that was expected, are not what was expected; empty if they are."""
    required = {str(line) for line in case.lines}
    allowed = required | {str(line) for line in case.host_lines}
    named = frozenset[str]().union(*(finding.places for finding in mine))
    if mine[0].check != "race":
        if required and not any(finding.places & allowed for finding in mine):
            return "no marked line is named"
        if any(finding.places and not finding.places & allowed for finding in mine):
            return "a further finding names other lines"
        return ""
    if not required <= named <= allowed:
        return "the named lines are not the marked ones"
    if len(required) > 1 and not any(len(finding.places) > 1 for finding in mine):
        return "no finding names both sides"
    if case.expect == "race_same_value" and not all(finding.same_value for finding in mine):
        return "the values are the same: a lower tier was expected"
    if case.expect in UPPER_TIER and all(finding.same_value for finding in mine):
        return "the values differ: the upper tier was expected"
    return ""


def judge(case: Case, findings: list[Finding], strict: bool = False) -> Judgement:
    """A case is found when findings of the expected check name exactly the marked lines and there are no others.

    Findings of one race may be several: a write that races with a read and with itself. Findings of another check that
    name marked lines only are consequences (what is read before it is stored is not initialised either); with strict,
    they are deviations.
    """
    if not case.faulty:
        return Judgement(case, Outcome.FALSE_ALARM if findings else Outcome.CLEAN, findings=findings)
    mine = [finding for finding in findings if finding.check in case.checks]
    if not mine:
        return Judgement(case, Outcome.MISSED, findings=findings)
    marked = {str(line) for line in case.lines | case.host_lines}
    others = [finding for finding in findings if finding.check not in case.checks]
    consequences = [finding for finding in others if finding.places and finding.places <= marked]
    reason = misplaced(case, sorted(mine, key=lambda finding: finding.check))
    if not reason and len(others) > (0 if strict else len(consequences)):
        reason = "there are findings of other checks"
    return Judgement(case, Outcome.ELSEWHERE if reason else Outcome.FOUND, reason, findings, len(consequences))
