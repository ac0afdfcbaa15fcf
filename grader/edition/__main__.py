"""`warpbook publish ...` starts `python3 -m grader.edition publish --build-folder BUILD ...`."""

from __future__ import annotations

import sys

from grader.course.errors import BatchError
from grader.edition import command


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["publish"]:
        print("warpbook: grader.edition has one command: publish", file=sys.stderr)
        return 2
    try:
        return command.main(arguments[1:])
    except BatchError as error:
        print(f"warpbook publish: {error}", file=sys.stderr)
    except OSError as error:
        print(f"warpbook publish: {error.filename or 'a file'}: {error.strerror}; nothing was published", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
