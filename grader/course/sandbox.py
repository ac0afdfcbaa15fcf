"""How an untrusted program is started: in a bubblewrap sandbox or, if the instructor says so, without one.

A sandbox holds the system (read-only), the files that it is given (read-only), and folders in memory whose size is
limited. There is no network and no other process in it, and it cannot write anything outside: its results
come back through descriptors. docs/sandbox.md says what that promises and what not.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError

BUBBLEWRAP, NONE = "bubblewrap", "none"
ISOLATIONS = (BUBBLEWRAP, NONE)

INIT = "/sandbox_init"  # Inside a sandbox.
FOLDER = "/tmp"  # Inside: the working folder, the only writable one.
# User ids without an account. Each job gets one of them, so that its processes are counted separately.
FIRST_USER, USERS = 1_700_000_000, 1 << 20

_SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache")


@dataclass(frozen=True)
class Limits:
    """What a process and everything that it starts may use. Bytes and seconds."""

    wall_s: float = 20
    cpu_s: float = 120
    busy_s: float = 0  # CPU time of all processes together; with it, wall_s counts what they sleep (process.h).
    memory_bytes: int = 6 << 30  # Private memory of each process.
    processes: int = 64
    folder_bytes: int = 256 << 20  # Files in the working folder, together.
    file_bytes: int = 64 << 20
    output_bytes: int = 16 << 20
    returned_bytes: int = 1 << 30
    resident_bytes: int = 0  # Of all processes together; 0: memory_bytes and a gigabyte.

    def as_json(self) -> dict[str, Any]:
        """In the form for limited_run and the file of a confinement."""
        return {
            "wall_s": self.wall_s, "cpu_s": self.cpu_s, "busy_s": self.busy_s,
            "memory_bytes": self.memory_bytes,
            "resident_bytes": self.resident_bytes or self.memory_bytes + (1 << 30), "processes": self.processes,
            "file_bytes": self.file_bytes, "output_bytes": self.output_bytes, "reply_bytes": self.returned_bytes,
        }


@dataclass(frozen=True)
class Ended:
    """How a program ended (the words are in grader/runner/limited_main.cpp) and what it printed."""

    end: str
    code: int
    output: str
    error: str
    wall_us: float
    left_behind: int

    @property
    def well(self) -> bool:
        return self.end == "exited" and self.code == 0


@dataclass(frozen=True)
class Tools:
    """The programs of a build folder that start others: limited_run and sandbox_init."""

    limited_run: Path
    sandbox_init: Path

    @staticmethod
    def of(build_folder: Path) -> Tools:
        folder = build_folder.resolve() / "bin"  # Absolute, because it is started from other folders.
        tools = Tools(folder / "limited_run", folder / "sandbox_init")
        for tool in (tools.limited_run, tools.sandbox_init):
            if not tool.is_file():
                raise BatchError(f"{tool} is missing. Build it: cmake --build {build_folder} --target warpbook_batch")
        return tools


def _parents_of(paths: Iterable[str]) -> list[str]:
    """All folders that lead to these paths, outer ones first, without those of the system."""
    parents = {str(parent) for path in paths for parent in Path(path).parents if parent.parts[:2] != ("/", "usr")}
    return sorted(parents - {"/", FOLDER})


def _user_of(job: str) -> int:
    return FIRST_USER + zlib.crc32(job.encode()) % USERS


@dataclass(frozen=True)
class Sandbox:
    """The sandbox of one job. `command()` is put before the program's own command line."""

    tools: Tools
    isolation: str
    job: str = ""  # Its id.
    files: Mapping[str, str] = field(default_factory=dict)  # Path inside: path outside. Read-only.
    limits: Limits = field(default_factory=Limits)

    def command(self, returned: str | None = None) -> list[str]:
        """Arguments up to the program; nothing where there is no isolation.

        :param returned: a file inside whose contents are written to descriptor 4 when the program has ended well
        """
        if self.isolation == NONE:
            return []
        root = os.geteuid() == 0
        size = str(self.limits.folder_bytes)
        line = [
            "/usr/bin/bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
            "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox",
            "--cap-drop", "ALL",
        ]
        # In a user namespace root keeps its user id, and so the right to write root's files in /proc/sys.
        # So it becomes another user instead. sandbox_init does that and needs the capability; and bubblewrap outside must
        # have the right to end it.
        rights = [word for right in ("SETUID", "SETGID", "KILL") for word in ("--cap-add", f"CAP_{right}")]
        line += rights if root else ["--unshare-user", "--disable-userns"]
        line += ["--ro-bind", "/usr", "/usr"]
        for name in _SYSTEM_LINKS:
            path = Path("/", name)
            if path.is_symlink():
                line += ["--symlink", os.readlink(path), str(path)]
            elif path.is_dir():
                line += ["--ro-bind", str(path), str(path)]
        # Folders that bubblewrap makes by itself can only be read by the user who made them.
        parents = _parents_of([*_SYSTEM_FILES, *self.files])
        # A clone may be inside the working folder, whose mount hides what was mounted there before.
        early = [folder for folder in parents if Path(FOLDER) not in Path(folder).parents]
        for folder in early:
            line += ["--perms", "0755", "--dir", folder]
        for file in _SYSTEM_FILES:
            line += ["--ro-bind-try", file, file]
        line += ["--proc", "/proc", "--dev", "/dev", "--size", str(1 << 20), "--perms", "1777", "--tmpfs", "/dev/shm",
                 "--remount-ro", "/dev", "--size", size, "--perms", "1777", "--tmpfs", FOLDER,
                 "--ro-bind", str(self.tools.sandbox_init), INIT]
        for folder in sorted(set(parents) - set(early)):
            line += ["--perms", "0755", "--dir", folder]
        for inside, outside in self.files.items():
            line += ["--ro-bind", outside, inside]
        line += ["--remount-ro", "/", "--chdir", FOLDER, INIT, "--tasks", str(self.limits.processes + 256)]
        if root:
            line += ["--user", str(_user_of(self.job))]
        return line + (["--return", returned] if returned else [])

    def with_files(self, files: Mapping[str, str]) -> Sandbox:
        return replace(self, files=files)

    def run(self, argv: Sequence[str], folder: Path, returned: str | None = None,
            return_to: Path | None = None) -> Ended:
        """Runs a program to its end, under the limits.

        :param argv: its path (inside, if there is a sandbox) and arguments
        :param folder: working folder without isolation
        :param returned: a file that it makes inside; its contents go to `return_to` if the program ends well
        :raises BatchError: if limited_run itself fails
        """
        confined = self.isolation == BUBBLEWRAP
        line = [*self.command(returned), *argv]
        home = FOLDER if confined else str(folder)
        request = {
            "program": line[0], "arguments": line[1:], "folder": "/" if confined else str(folder), "confined": confined,
            "environment": {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"},
            "return_to": str(return_to) if return_to and confined else "", "limits": self.limits.as_json(),
        }
        done = subprocess.run([self.tools.limited_run], input=json.dumps(request), capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise BatchError(f"{self.tools.limited_run} failed: {done.stderr.strip()}")
        answer = json.loads(done.stdout)
        return Ended(answer["end"], answer["code"], answer["output"], answer["error"], answer["wall_us"],
                     answer["left_behind"])

    def write_confinement(self, path: Path, program: str) -> None:
        """Writes what the lab's test program needs to run `program` (its path inside) like this."""
        confined = self.isolation == BUBBLEWRAP
        text = {"format": "warpbook.confinement", "version": 1, "command": self.command(), "program": program,
                "folder": FOLDER if confined else "", "limits": self.limits.as_json()}
        path.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")

    def check(self) -> None:
        """Tests the sandbox.

        :raises BatchError: if there can be none here
        """
        if self.isolation == NONE:
            return
        if not shutil.which("bwrap", path="/usr/bin"):
            raise BatchError("isolation 'bubblewrap' needs /usr/bin/bwrap, which is missing. Install it "
                             f"(common/setup.sh; Debian: bubblewrap). {_WITHOUT}")
        tried = self.run(["/usr/bin/true"], Path("/"))
        if not tried.well:
            said = (tried.error or tried.output).strip() or f"{tried.end}, status {tried.code}"
            raise BatchError(f"isolation 'bubblewrap' does not work on this machine: {said}. In a container, it needs "
                             "the capabilities to make namespaces and mounts (Docker: --privileged); elsewhere, unprivileged "
                             "user namespaces (sysctl user.max_user_namespaces; on Ubuntu from 23.10 on, "
                             f"kernel.apparmor_restrict_unprivileged_userns=0 or a profile for bwrap). {_WITHOUT}")


_WITHOUT = ("To grade without isolation, which lets submissions read and change whatever your account can, say "
            "--isolation none: the gradebook records it.")


def open_sandbox(build_folder: Path, isolation: str, job: str = "", limits: Limits | None = None) -> Sandbox:
    """The sandbox of a job, after a test.

    :raises BatchError: if isolation is neither 'bubblewrap' nor 'none', or is not available here
    """
    if isolation not in ISOLATIONS:
        raise BatchError(f"isolation is '{isolation}'; it is one of: {', '.join(ISOLATIONS)}")
    sandbox = Sandbox(Tools.of(build_folder), isolation, job, {}, limits or Limits())
    sandbox.check()
    return sandbox
