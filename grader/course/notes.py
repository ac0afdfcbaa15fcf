"""Notes on the text of a submission: things that answers seldom need and that a person may want to look at.

They never change a grade: neither the sandbox nor the verdict depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from grader.course.plain_text import plain_text

NOTE, SUSPICION = "note", "suspicion"


@dataclass(frozen=True)
class TextNote:
    severity: str
    code: str
    line: int
    message: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


# Headers of the C++ library and of CUDA that answers use: no slash, or one of these folders.
_USUAL_FOLDERS = ("cuda/", "cub/", "thrust/", "cooperative_groups/", "common/cuda/", "cooperative_groups.h")
_SYSTEM_HEADERS = {
    "unistd.h", "fcntl.h", "dlfcn.h", "link.h", "elf.h", "signal.h", "csignal", "sched.h", "spawn.h", "netdb.h",
    "fstream", "filesystem", "cuda.h", "pthread.h", "setjmp.h", "csetjmp", "poll.h", "ucontext.h",
}

# A text may be written to keep a search busy: none of these patterns backtracks (`++` and `*+` are possessive and give
# nothing back), and none begins with spaces.
_RULES = [
    (SUSPICION, "assembler", r"\b__asm__|\basm\b\s*+(?:volatile\b|\()", "inline assembler"),
    (SUSPICION, "constructor", r"__attribute__\s*+\(\(\s*+_*+(?:con|de)structor|\[\[\s*+gnu\s*+::\s*+_*+(?:con|de)structor|"
     r"\.(?:preinit|init|fini)_array", "code that runs before or after main()"),
    (SUSPICION, "main", r"\bmain\s*\(", "a function main()"),
    (SUSPICION, "line_directive", r"^[ \t]*+#[ \t]*+(?:line\b|\d++[ \t]++\")", "a directive that renames source lines"),
    (SUSPICION, "include", r"^[ \t]*+#[ \t]*+include", "#include of a macro"),
    (SUSPICION, "embedded_file", r"#\s*embed\b|\.incbin\b", "a file embedded into the program"),
    (SUSPICION, "grader_names", r"\bwarpbook\s*::\s*grader\b|\brun_case\b|\bworker_main\b|\bkWorkerChannel\b|\bWARPBOOK_\w+",
     "names of the grader"),
    (SUSPICION, "processes", r"\b(?:v?fork|clone3?|execv\w*|execl\w*|posix_spawnp?|system|popen|daemon|setsid)\s*\(",
     "starting processes"),
    (SUSPICION, "signals", r"\b(?:kill|raise|tgkill|ptrace|prctl|syscall|sigaction)\s*\(", "signals or direct system calls"),
    (SUSPICION, "descriptors", r"(?<![\w.>:])(?:::\s*)?(?:dup[23]?|write|pwrite|writev|close|fcntl|ftruncate)\s*\(\s*[\w.]+\s*[,)]",
     "reading or writing descriptors, which are the grader's"),
    (SUSPICION, "network", r"\b(?:socket|connect|sendto|gethostbyname|getaddrinfo)\s*\(", "network functions"),
    (SUSPICION, "loader", r"\b(?:dlopen|dlsym|dlmopen|mprotect|LD_PRELOAD)\b", "the loader or the protection of memory"),
    (SUSPICION, "interposed", r"extern\s*\"C\"|visibility\s*\(\s*\"default\"|\balias\s*\(",
     "names that may replace functions of libraries"),
    (NOTE, "environment", r"\b(?:getenv|setenv|putenv|environ)\b|/proc/|/etc/|/sys/", "reading the environment or the system"),
    (NOTE, "files", r"\b(?:fopen|ofstream|ifstream|mkstemp|symlink|unlink|rename|opendir)\b|\bopen\s*\(", "files"),
    (NOTE, "exit", r"\b(?:_?exit|_Exit|quick_exit|atexit|abort)\s*\(", "ending the program"),
    (NOTE, "threads", r"\bstd\s*::\s*(?:thread|jthread|async)\b|\bpthread_create\b", "threads of the host"),
]

_MOST_INCLUDES = 20  # Notes on headers of a file, one for each.
_LONGEST_NAME = 100
_INCLUDE = re.compile(r"^[ \t]*+#[ \t]*+(?:include|import|include_next)[ \t]*+[<\"]([^>\"\n]*+).*", re.M)
_COMMENTS = re.compile(r'//[^\n]*+|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*+"?|\'(?:\\.|[^\'\\\n])*+\'?', re.S)


def _without_comments(text: str) -> str:
    """The same lines without comments; strings stay."""

    def kept(match: re.Match[str]) -> str:
        found = match.group(0)
        return "\n" * found.count("\n") if found.startswith("/") else found

    return _COMMENTS.sub(kept, text.replace("\\\n", " \n"))


def _include_note(name: str, lab: str) -> tuple[str, str] | None:
    """Severity and words, if a header is unusual."""
    if name.startswith("/") or ".." in name.split("/"):
        return SUSPICION, f"#include of a path: {name}"
    if name.startswith(("sys/", "linux/", "asm/", "arpa/", "netinet/", "net/", "solutions/", "grader/")) or name in _SYSTEM_HEADERS:
        return NOTE if name in ("fstream", "filesystem", "pthread.h", "cuda.h") else SUSPICION, f"#include of {name}"
    if "/" in name and not name.startswith(_USUAL_FOLDERS):
        return NOTE, f"#include of {name}"
    if name.endswith((".cu", ".cpp", ".c", ".o")):
        return SUSPICION, f"#include of {name}"
    return None


def notes_on(text: str, lab: str, usual: Collection[str] = ()) -> list[TextNote]:
    """Unusual things in a submission, in the order of its lines; only the first of each kind.

    :param text: the submitted file
    :param lab: whose header is not unusual
    :param usual: codes of things that the lab asks for, "usual" in its lab.json: a note, not a suspicion
    """
    plain = _without_comments(text)
    found: dict[str, TextNote] = {}
    for include in _INCLUDE.finditer(plain):
        name = plain_text(include.group(1), _LONGEST_NAME)
        if name in found or len(found) >= _MOST_INCLUDES:
            continue
        unusual = _include_note(name, lab)
        if unusual:
            line = plain.count("\n", 0, include.start()) + 1
            found[name] = TextNote(unusual[0], "include", line, unusual[1])
    rest = _INCLUDE.sub("", plain)
    for severity, code, pattern, words in _RULES:
        match = re.search(pattern, rest, re.M)
        if match:
            severity = NOTE if code in usual else severity
            found[f"rule {words}"] = TextNote(severity, code, rest.count("\n", 0, match.start()) + 1, words)
    return sorted(found.values(), key=lambda each: (each.line, each.code))
