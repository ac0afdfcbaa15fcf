"""The batch commands: `warpbook grade ...` starts `python3 -m grader.course grade --build-folder BUILD ...`."""

from __future__ import annotations

import importlib
import sqlite3
import sys

from grader.course.errors import BatchError
from grader.course.exporters.tables import printable

# Name of the command: the module whose main(arguments) runs it and returns the exit status. One line each.
COMMANDS = {
    "grade": "grader.course.grade",
    "export": "grader.course.export",
    "course": "grader.course.course_command",
    "show": "grader.course.show",
    "similarity": "grader.course.similarity.command",
}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        given = f"'{arguments[0]}' is not a batch command" if arguments else "no command was given"
        print(f"warpbook: {given}; there are: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    name = arguments[0]
    try:
        status: int = importlib.import_module(COMMANDS[name]).main(arguments[1:])
        return status
    except BatchError as error:
        print(f"warpbook {name}: {printable(str(error))}", file=sys.stderr)
        return 2
    except sqlite3.Error as error:
        print(f"warpbook {name}: the gradebook cannot be used ({error}); finished work is kept", file=sys.stderr)
        return 2
    except BrokenPipeError:  # The reader of the output (less, head) has closed the pipe.
        sys.stdout = None  # type: ignore[assignment] # As it is without a terminal.
        return 0
    except PermissionError as error:
        print(f"warpbook {name}: {error.filename or 'a file'}: {error.strerror}: it belongs to another user; ask them to let you write "
              "there, or work in a folder of your own (--out); finished work is kept", file=sys.stderr)
        return 2
    except OSError as error:  # A full disk, a folder that was removed: this program cannot fix it.
        where = error.filename or "a file"
        print(f"warpbook {name}: {where}: {error.strerror}; finished work is kept", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
