"""The learner's commands: `warpbook check ...` starts `python3 -m grader.learner check --build-folder BUILD ...`."""

from __future__ import annotations

import importlib
import signal
import sys
import threading

from grader.learner.errors import LearnerError

# Name of the command: the module whose main(arguments) runs it and returns the exit status.
COMMANDS = {
    "list": "grader.learner.list_command",
    "next": "grader.learner.next_command",
    "check": "grader.learner.check_command",
    "watch": "grader.learner.watch_command",
    "hint": "grader.learner.hint_command",
    "submit": "grader.learner.submit_command",
}
INTERRUPTED = 130


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        given = f"'{arguments[0]}' is not a learner's command" if arguments else "no command was given"
        print(f"warpbook: {given}; there are: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    name = arguments[0]
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):  # A closed terminal, too, must not leave tests running.
            signal.signal(number, _interrupt)
    try:
        status: int = importlib.import_module(COMMANDS[name]).main(arguments[1:])
        sys.stdout.flush()
        return status
    except LearnerError as error:
        sys.stdout.flush()
        print(f"warpbook {name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nwarpbook {name}: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # The reader of the output (less, head) has closed the pipe.
        sys.stdout = None  # type: ignore[assignment] # As it is without a terminal.
        return 0
    except OSError as error:  # A full disk, a folder that was removed: this program cannot fix it.
        sys.stdout = None  # type: ignore[assignment] # Flushing it at exit would fail again.
        print(f"warpbook {name}: {error.filename or 'the output'}: {error.strerror}; fix that and try again",
              file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
