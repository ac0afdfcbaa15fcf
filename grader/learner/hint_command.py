"""`warpbook hint LAB`: the handout's hints, one at a time; for an exercise, the task."""

from __future__ import annotations

import argparse

from grader.learner.errors import LearnerError
from grader.learner.handout import Hint, hints_of, task_of
from grader.learner.labs import find_lab
from grader.learner.parts import first_part_left, part_of_title
from grader.learner.session import begin
from grader.learner.text import STRONG, counted, paint, plain, say, wrapped


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook hint", description="Show the next hint of a lab that you have not seen, and remember it; for an exercise, the task.",
        epilog="Hints for parts that you have passed are left out; --list names them, and a number shows one. "
               "Try for a while before each: you remember best what you find yourself. Exit status: 0, or 2 if there is no such hint.")
    parser.add_argument("lab", nargs="?", help="name or number of the lab; in the lab's folder it can be left out")
    parser.add_argument("number", nargs="?", type=int, help="this hint, shown before or not")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--list", action="store_true", help="only the titles, and which of them you have seen")
    which.add_argument("--seen", action="store_true", help="show all hints again that you have seen")
    options, session = begin(parser, arguments)
    lab = find_lab(session.labs, options.lab)
    if lab.is_exercise:
        say(f"{lab.name} is an exercise and has no hints. Its task, from {lab.shown(lab.handout)}:\n\n{task_of(lab)}")
        return 0
    hints = hints_of(lab)
    if not hints:
        say(f"The handout of {lab.name} has no hints.")
        return 0
    seen = session.store.read().of(lab.name).hints
    if options.list:
        for i, hint in enumerate(hints, 1):
            say(wrapped(f"{i}. {hint.title}{' (seen)' if hint.title in seen else ''}", "", "   "))
        return 0
    if options.seen:
        shown = [(i, hint) for i, hint in enumerate(hints, 1) if hint.title in seen]
        if not shown:
            say(f"You have seen no hint of {lab.name} yet.")
        for i, hint in shown:
            _show(i, len(hints), hint)
            say()
        return 0
    if options.number is not None:
        if not 1 <= options.number <= len(hints):
            raise LearnerError(f"{lab.name} has hints 1 to {len(hints)}, and no hint {options.number}; `warpbook hint "
                               f"{lab.name} --list` names them")
        position = options.number - 1
    else:
        left = first_part_left(lab) or 0
        ahead = [i for i, hint in enumerate(hints) if (part_of_title(hint.title) or left) >= left]
        position = next((i for i in ahead if hints[i].title not in seen), None)
        if position is None:
            passed = len(hints) - len(ahead)
            of = (f"all {len(hints)} hints of {lab.name}" if not passed else
                  f"all hints of {lab.name} from part {left} on; {counted(passed, 'hint')} before it "
                  f"{'is' if passed == 1 else 'are'} for what your tests pass")
            say(wrapped(f"You have seen {of}. `warpbook hint {lab.name} --seen` shows them "
                        f"again; `warpbook check {lab.name} --all` explains everything that fails now."))
            return 0
    hint = hints[position]
    with session.store.update() as progress:
        known = progress.of(lab.name)
        if hint.title not in known.hints:
            known.hints.append(hint.title)
        unseen = len([hint for hint in hints if hint.title not in known.hints])
    _show(position + 1, len(hints), hint)
    say()
    say(wrapped(f"{unseen} not seen yet. Try before you take the next; `warpbook hint {lab.name} --list` names them."
                if unseen else "That is the last one that you had not seen."))
    return 0


def _show(number: int, count: int, hint: Hint) -> None:
    say(paint(wrapped(f"Hint {number} of {count}. {hint.title}"), STRONG))
    say()
    say(plain(hint.text))
