"""`warpbook next`: what to do now, and why."""

from __future__ import annotations

import argparse

from grader.learner.labs import Lab
from grader.learner.progress import LabProgress, Progress, sha256_of
from grader.learner.session import begin
from grader.learner.text import counted, duration, number, say, wrapped
from grader.workbook.edition import is_edition


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="warpbook next", description="Say what to do next, and why.",
                                     epilog="Exit status: 0, or 2 if the labs cannot be read.")
    _, session = begin(parser, arguments)
    for line in what_next(session.labs, session.progress()):
        say(wrapped(line))
    return 0


def what_next(labs: list[Lab], progress: Progress) -> list[str]:
    """Labs that are begun, the latest first; then the first lab whose prerequisites are complete."""
    begun = [lab for lab in labs if _begun(progress.of(lab.name))]
    if begun:
        lab = max(begun, key=lambda lab: (progress.of(lab.name).checked_at, -lab.number))
        return [*_go_on(lab, progress.of(lab.name)), *_others(begun, lab)]
    open_ = [lab for lab in labs if not progress.of(lab.name).complete]
    if not open_:
        more = "" if all(lab.is_exercise for lab in labs) else "The sections 'Going further' of the handouts have more, and "
        return [f"All {len(labs)} labs are complete. {more}{report_of(labs[0])} plots your answers."]
    ready = [lab for lab in open_ if all(progress.of(need).complete for need in lab.needs)] or open_
    return _start(ready[0], labs, progress)


def report_of(lab: Lab) -> str:
    return "`warpbook report`" if is_edition(lab.build_folder) else "`cmake --build --preset report`"


def _begun(known: LabProgress) -> bool:
    return not known.complete and (known.status == "build_failed" or (known.status != "not_started" and known.checks > 0))


def _go_on(lab: Lab, known: LabProgress) -> list[str]:
    source = lab.shown(lab.source)
    if sha256_of(lab.source) != known.sha256:
        return [f"Check {lab.name}: {source} has changed since you checked it last.", f"Do: warpbook check {lab.name}"]
    if known.status == "build_failed":
        return [f"Fix {lab.name}: {source} does not compile.", f"Do: warpbook check {lab.name}"]
    failed = [name.split(".", 1)[-1] for name, status in known.tests.items() if status == "failed"]
    lines = [f"Continue with {lab.name}: you have begun it and have {number(known.best_points)} of "
             f"{number(known.max_points)} points."]
    if failed:
        lines.append(f"{counted(len(failed), 'test')} failed; fix '{failed[0]}' first.")
    else:
        lines.append(f"Nothing failed; the next TODO in {source} waits.")
    lines.append(f"Do: warpbook watch {lab.name} (grades whenever you save)")
    if known.checks_without_gain >= 3 and not lab.is_exercise:
        lines.append(f"Or: warpbook hint {lab.name} (you had {known.checks_without_gain} checks without a gain)")
    return lines


def _others(begun: list[Lab], chosen: Lab) -> list[str]:
    names = [lab.name for lab in begun if lab is not chosen]
    return [f"Also begun: {', '.join(names)}."] if names else []


def _start(lab: Lab, labs: list[Lab], progress: Progress) -> list[str]:
    later = [other.name for other in labs if lab.name in other.needs and not progress.of(other.name).complete]
    missing = [need for need in lab.needs if not progress.of(need).complete]
    if missing:
        why = f"it is the first one left, although {', '.join(missing)} should come before it"
    elif lab.needs:
        why = f"{' and '.join(lab.needs)} {'is' if len(lab.needs) == 1 else 'are'} complete"
    else:
        why = "it needs nothing before it"
    if later:
        why += f", and {', '.join(later)} build{'s' if len(later) == 1 else ''} on it"
    verb = "Read and check" if lab.worked_example else "Start"
    task = " It is solved: read how, and see what a check says." if lab.worked_example else ""
    return [f"{verb} {lab.name} ({lab.title}), because {why}. It takes about {duration(lab.minutes)}.{task}",
            f"Read: {lab.shown(lab.handout)}", f"{'Look at' if lab.worked_example else 'Edit'}: {lab.shown(lab.source)}",
            f"Do: warpbook {'check' if lab.worked_example else 'watch'} {lab.name}"]
