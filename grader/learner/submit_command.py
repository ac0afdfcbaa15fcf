"""`warpbook submit LAB`: packs your answer into a zip that `warpbook grade` reads."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import struct
import zipfile
from io import BytesIO
from pathlib import Path

from grader.course.text_files import no_source
from grader.learner.errors import LearnerError
from grader.learner.labs import Lab, find_lab
from grader.learner.progress import LabProgress, now
from grader.learner.session import begin
from grader.learner.text import number, say, wrapped

MANIFEST = "warpbook_submission.json"
MOST_BYTES = 2**20  # `warpbook grade` refuses larger files.
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="warpbook submit", description="Pack your answer to a lab into a zip file for handing in.",
        epilog="The zip holds the one file that you edit and a small manifest. Upload it where your course wants it. Exit "
               "status: 0 if it was packed, also with a warning; 2 if not.")
    parser.add_argument("lab", nargs="?", help="name or number of the lab; in the lab's folder it can be left out")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: LAB.zip in the current folder)")
    parser.add_argument("--student", default="", metavar="ID", help="your id, if your course asks for it in the file")
    options, session = begin(parser, arguments)
    lab = find_lab(session.labs, options.lab)
    contents = _read(lab)
    known = session.progress().of(lab.name)
    output = options.output or Path(f"{lab.name}.zip")
    if output.is_dir():
        output /= f"{lab.name}.zip"
    digest = hashlib.sha256(contents).hexdigest()
    _write(output, pack(lab, contents, options.student))
    with session.store.update() as progress:
        progress.of(lab.name).submitted.append({"sha256": digest, "at": now()})
    say(wrapped(f"Packed {output}: {lab.source.name} ({len(contents)} bytes) and {MANIFEST}."))
    for warning in warnings(lab, contents, digest, known):
        say(wrapped(f"Warning: {warning}", "", "  "))
    if known.sha256 == digest and known.checks and known.status != "build_failed":
        say(f"This version was checked: {number(known.points)} of {number(known.max_points)} points here.")
    say(wrapped("Upload it where your course collects answers. Handing in again later is a new attempt."))
    return 0


def pack(lab: Lab, contents: bytes, student: str = "") -> bytes:
    """The zip. The same file, saved at the same time, gives the same bytes."""
    edited = int(lab.source.stat().st_mtime)
    manifest = {"format": "warpbook.submission", "version": 1, "lab": lab.name, "file": lab.source.name,
                "sha256": hashlib.sha256(contents).hexdigest(), "bytes": len(contents)}
    if student:
        manifest["student"] = student
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ((lab.source.name, contents),
                           (MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())):
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.extra = struct.pack("<HHBi", 0x5455, 5, 1, edited)  # When it was saved, in UTC.
            archive.writestr(info, data)
    return stream.getvalue()


def warnings(lab: Lab, contents: bytes, digest: str, known: LabProgress) -> list[str]:
    found = []
    again = f"`warpbook check {lab.name}`"
    if not known.checks and known.status != "build_failed":
        found.append(f"you have not checked this lab yet: {again}.")
    elif known.sha256 != digest:
        found.append(f"the file has changed since you checked it, when it had {number(known.points)} of "
                     f"{number(known.max_points)} points: {again}.")
    elif known.status == "build_failed":
        found.append("it does not compile, and so earns nothing.")
    elif known.status == "not_started":
        found.append("no part of it is begun.")
    elif known.points < known.best_points:
        found.append(f"an earlier version earned {number(known.best_points)} points, this one {number(known.points)}.")
    if reason := no_source(contents, lab.source.name):
        found.append(reason)
    text = contents.decode("utf-8", "replace")
    for name in sorted(set(_INCLUDE.findall(text))):
        beside = lab.folder / name
        if beside.is_file() and not _handed_out(lab, beside):
            found.append(f"it includes \"{name}\", which is not packed: only {lab.source.name} is graded. Move what you "
                         "need into it.")
    return found


def _handed_out(lab: Lab, path: Path) -> bool:
    """Headers that the project provides: those next to the solution, and the contract and its neighbours."""
    return path.suffix in (".h", ".cuh") and (path.stem == lab.name or _tracked(lab, path))


def _tracked(lab: Lab, path: Path) -> bool:
    place = lab.place
    headers = (place.grading / "functions.cu", place.contract, *place.solutions.glob("*.c*"))
    return any(header.is_file() and f'"{path.name}"' in header.read_text(encoding="utf-8", errors="replace")
               for header in headers)


def _read(lab: Lab) -> bytes:
    try:
        contents = lab.source.read_bytes()
    except OSError as error:
        raise LearnerError(f"{lab.shown(lab.source)}: cannot be read ({error.strerror}); your answer belongs there") from None
    if len(contents) > MOST_BYTES:
        raise LearnerError(f"{lab.shown(lab.source)}: is {len(contents)} bytes large, and at most {MOST_BYTES} are accepted; "
                           "leave only code in it")
    return contents


def _write(output: Path, data: bytes) -> None:
    """Replaces an older submission, but no other file. @throws LearnerError"""
    if output.exists() and not _is_submission(output):
        raise LearnerError(f"{output}: exists and is not an earlier submission; move it away, or choose another name "
                           "with --output")
    temporary = output.with_name(f"{output.name}.{os.getpid()}.new")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, output)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise LearnerError(f"{output}: cannot be written ({error.strerror}); choose another place with --output") from None


def _is_submission(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return MANIFEST in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
