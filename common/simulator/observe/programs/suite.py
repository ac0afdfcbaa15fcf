"""Tests `warpbook run --check` with the programs in this folder, and compares it with compute-sanitizer's reports.

  suite.py --warpbook build/sim/bin/warpbook --programs build/sim/.../programs [FAMILY ...]

Exits with 0 if each faulty case is found at the lines marked in its source and no clean case has a finding, except for
those that known_gaps.json lists with a reason: they must deviate, so that a closed gap does not stay in the list.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import recorded
from expectations import Case, SuiteError, suite_cases
from judgement import Judgement, Outcome, judge, read_findings

HERE = Path(__file__).resolve().parent
KNOWN_GAPS = "known_gaps.json"
UNSUPPORTED = "is not supported by the virtual GPU"


@dataclass(frozen=True)
class Runner:
    warpbook: Path
    programs: Path
    limit_s: float
    strict: bool
    schedule_seed: int

    def judge(self, case: Case) -> Judgement:
        """Runs one case under all checks."""
        with tempfile.TemporaryDirectory(prefix="warpbook_suite_") as folder:
            path = Path(folder) / "report.json"
            command = [str(self.warpbook), "run", "--check", "all", "--check-report", str(path)]
            if seed := case.seed(self.schedule_seed):
                command += ["--schedule-seed", str(seed)]
            command += ["--"]
            command += [str(self.programs / case.family), case.name]
            try:
                ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=self.limit_s)
            except subprocess.TimeoutExpired:
                return Judgement(case, Outcome.NOT_RUN, f"it did not end within {self.limit_s:g} s")
            except OSError as error:
                raise SuiteError(f"{self.warpbook} cannot be run: {error}; name the command by --warpbook") from error
            return self.judge_end(case, path, ended)

    def judge_end(self, case: Case, path: Path, ended: subprocess.CompletedProcess[str]) -> Judgement:
        said = [line for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
        unsupported = [line for line in said if UNSUPPORTED in line]
        if unsupported:
            return Judgement(case, Outcome.NOT_RUN, unsupported[0].strip())
        try:
            findings = read_findings(case, json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            first = said[0].strip() if said else "it said nothing"
            return Judgement(case, Outcome.NOT_RUN, f"no report ({error}); it ended with {ended.returncode}: {first}")
        judgement = judge(case, findings, self.strict)
        if judgement.outcome is Outcome.CLEAN and ended.returncode != 0:
            return Judgement(case, Outcome.NOT_RUN, f"its result is wrong, it ended with {ended.returncode}: {' | '.join(said[:2])}")
        return judgement


@dataclass(frozen=True)
class Table:
    """A row for each family, and their sum."""

    cases: Sequence[Case]
    judgements: Sequence[Judgement]
    answers: recorded.Answers

    def header(self) -> list[str]:
        ours = ["found", "elsewhere", "missed", "false alarms", "not run"] if self.judgements else []
        theirs = ["compute-sanitizer: found", "waits, too", "false alarms", "not recorded"] if self.answers else []
        return ["family", "faulty", "clean"] + ours + theirs

    def rows(self) -> list[list[str]]:
        families = list(dict.fromkeys(case.family for case in self.cases))
        return [self.row(family, [family]) for family in families] + [self.row("all", families)]

    def row(self, title: str, families: list[str]) -> list[str]:
        cases = [case for case in self.cases if case.family in families]
        faulty = [case for case in cases if case.faulty]
        clean = [case for case in cases if not case.faulty]
        cells = [len(faulty), len(clean)]
        if self.judgements:
            outcomes = [judgement.outcome for judgement in self.judgements if judgement.case.family in families]
            wanted = (Outcome.FOUND, Outcome.ELSEWHERE, Outcome.MISSED, Outcome.FALSE_ALARM, Outcome.NOT_RUN)
            cells += [outcomes.count(outcome) for outcome in wanted]
        if self.answers:
            told = [recorded.found(self.answers, case) for case in faulty]
            alarms = [recorded.found(self.answers, case) for case in clean]
            waiting = [recorded.waits(self.answers, case) for case in faulty]
            cells += [told.count(True), waiting.count(True), alarms.count(True), (told + alarms).count(None)]
        return [title] + [str(cell) for cell in cells]

    def text(self) -> str:
        rows = [self.header()] + self.rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]) for row in rows
        )

    def markdown(self) -> str:
        header = self.header()
        lines = [header, ["---"] + ["---:"] * (len(header) - 1)] + self.rows()
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def raw(self) -> list[dict[str, object]]:
        by_case = {(judgement.case.family, judgement.case.name): judgement for judgement in self.judgements}
        result = []
        for case in self.cases:
            row: dict[str, object] = {"family": case.family, "case": case.name, "expect": case.expect}
            row |= {"lines": sorted(case.lines), "host_lines": sorted(case.host_lines)}
            judgement = by_case.get((case.family, case.name))
            if judgement is not None:
                row |= {"outcome": judgement.outcome.value, "reason": judgement.reason, "consequences": judgement.consequences}
                row["findings"] = [str(finding) for finding in judgement.findings]
            tools = recorded.of_case(self.answers, case)
            if tools:
                row["compute_sanitizer"] = {tool: answer.__dict__ for tool, answer in tools.items()}
            result.append(row)
        return result


def read_gaps(folder: Path) -> dict[str, str]:
    """Why a case deviates, by family/name; none where the folder has no such list."""
    path = folder / KNOWN_GAPS
    if not path.exists():
        return {}
    try:
        gaps: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SuiteError(f"{path} cannot be read: {error}") from error
    return gaps


def surprises(judgements: Sequence[Judgement], gaps: dict[str, str]) -> list[str]:
    """Unknown deviations, listed ones that no longer deviate, and listed ones without a case."""
    told = []
    for judgement in judgements:
        known = f"{judgement.case.family}/{judgement.case.name}" in gaps
        if not judgement.outcome.right and not known:
            told.append(judgement.deviation())
        if judgement.outcome.right and known:
            told.append(f"{judgement.case.family} {judgement.case.name}: right by now; take it out of {KNOWN_GAPS}")
    families = {judgement.case.family for judgement in judgements}
    names = {f"{judgement.case.family}/{judgement.case.name}" for judgement in judgements}
    told += [f"{KNOWN_GAPS} names {gap}, which is no case" for gap in gaps if gap.split("/")[0] in families and gap not in names]
    return told


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="only these; without any, all")
    parser.add_argument("--warpbook", type=Path, help="the command; without it nothing is run")
    parser.add_argument("--programs", type=Path, required=True, help="folder of the built programs")
    parser.add_argument("--sources", type=Path, default=HERE, help="folder of their sources (default: beside this file)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="cases at a time (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one case (default: %(default)s)")
    parser.add_argument("--schedule-seed", type=int, default=0, metavar="N", help="run all cases in another order; 0: the documented one")
    parser.add_argument("--strict", action="store_true", help="refuse findings of other checks at marked lines as well")
    parser.add_argument("--compute-sanitizer", type=Path, metavar="FOLDER", help="add the answers recorded in this folder")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table for the docs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was expected and found, case by case")
    options = parser.parse_args(arguments)
    if options.warpbook is None and options.compute_sanitizer is None:
        parser.error("nothing to judge: give --warpbook, --compute-sanitizer or both")
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    try:
        cases = suite_cases(options.sources, options.programs, options.families)
        answers = recorded.read_answers(options.compute_sanitizer) if options.compute_sanitizer else {}
        judgements: list[Judgement] = []
        if options.warpbook is not None:
            runner = Runner(options.warpbook, options.programs, options.limit, options.strict, options.schedule_seed)
            with ThreadPoolExecutor(options.jobs) as pool:
                judgements = list(pool.map(runner.judge, cases))
        gaps = read_gaps(options.sources)
        table = Table(cases, judgements, answers)
        if options.markdown:
            options.markdown.write_text(table.markdown(), encoding="utf-8")
        if options.json:
            options.json.write_text(json.dumps(table.raw(), indent=1) + "\n", encoding="utf-8")
    except (SuiteError, OSError) as error:
        print(f"suite.py: {error}", file=sys.stderr)
        return 2
    deviations = surprises(judgements, gaps) + recorded.wrong_on_hardware(answers, cases)
    print(table.text())
    print("".join(f"\n{deviation}" for deviation in deviations))
    print(f"{len(cases)} cases, {len(deviations)} deviations that are not known")
    return 1 if deviations else 0


if __name__ == "__main__":
    sys.exit(main())
