"""`warpbook export gradescope`: a zip that Gradescope takes as an autograder, with the sources of warpbook in it."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.course.errors import BatchError
from grader.course.files import json_text, write_file
from grader.course.intake.roster import load_roster
from grader.course.labs import Lab, load_labs, select_labs
from grader.course.policy.load import load_policy

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SCRIPTS = ("setup.sh", "run_autograder")
SETTINGS, POLICY, ROSTER, TARGETS = "autograder.json", "course.json", "roster.csv", "targets.txt"
LEFT_OUT = {"build", ".git", ".toolchain", "__pycache__"}


def write_bundle(out: Path, build_folder: Path, names: Sequence[str], policy: Path | None, roster: Path | None) -> Path:
    """Writes OUT/export/gradescope_autograder.zip: the same inputs, the same bytes.

    @param names labs of the assignment; empty: all. @returns the zip. @throws BatchError
    """
    known = load_labs(build_folder)
    labs = select_labs(known, names) if names else known
    students = [one.student for one in load_roster(roster).students] if roster else None
    if policy:
        load_policy(policy, known, students, [name for lab in known.values() for name in lab.test_names])
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as bundle:
        for script in SCRIPTS:
            _add(bundle, script, (HERE / script).read_bytes(), executable=True)
        _add(bundle, SETTINGS, json_text({"format": "warpbook.autograder", "version": 1, "labs": list(labs)}).encode())
        _add(bundle, TARGETS, "".join(f"{name}_batch\n" for name in labs).encode())
        for name, source in ((POLICY, policy), (ROSTER, roster)):
            if source:
                _add(bundle, name, source.read_bytes())
        for path in _sources(_project(labs)):
            executable = bool(path.stat().st_mode & 0o100)
            _add(bundle, f"warpbook/{path.relative_to(_project(labs)).as_posix()}", path.read_bytes(), executable)
    path = out / "export" / "gradescope_autograder.zip"
    write_file(path, data.getvalue())
    return path


def _project(labs: dict[str, Lab]) -> Path:
    return next(iter(labs.values())).project_root


def _add(bundle: zipfile.ZipFile, name: str, data: bytes, executable: bool = False) -> None:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100755 if executable else 0o100644) << 16
    bundle.writestr(info, data)


def _sources(root: Path) -> Iterator[Path]:
    """The files of the project: those tracked by git or, if it is not a clone, all except build outputs."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        yield from (root / name for name in sorted(listed.stdout.split("\0")) if name and (root / name).is_file())
        return
    for path in sorted(root.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.relative_to(root).parts):
            yield path


def read_settings(source: Path) -> list[str]:
    """The labs of an unpacked bundle. @throws BatchError"""
    try:
        settings = json.loads((source / SETTINGS).read_text(encoding="utf-8"))
        if (settings["format"], settings["version"]) != ("warpbook.autograder", 1):
            raise ValueError(f"format {settings['format']} {settings['version']}")
        return list(settings["labs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BatchError(f"{source / SETTINGS}: cannot be used ({error}); export the autograder again") from None
