"""lib/warpbook of an edition: built files, and manifests with relocatable paths (grader/workbook/edition.py)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course.errors import BatchError
from grader.course.labs import Lab
from grader.edition.recording import record_reference
from grader.edition.secrets import OF_CLASSES
from grader.edition.visible_tests import test_program
from grader.workbook.edition import FORMAT, HOME, TOOLKIT, VERSION


@dataclass(frozen=True)
class Edition:
    """An edition that is being made in `folder`. `hidden`: tests `<kind>.<sentence>` that are left out, by lab."""

    folder: Path
    labs: Sequence[Lab]
    hidden: dict[str, frozenset[str]]
    instruction_sets: str

    @property
    def home(self) -> Path:
        return self.folder / HOME

    def points(self, lab: Lab) -> float:
        """The lab's points without those of hidden tests."""
        hidden = self.hidden.get(lab.name, frozenset())
        return lab.max_points - float(sum(test["points"] for test in lab.manifest["tests"] if name_of(test) in hidden))

    def install(self, build_folder: Path) -> None:
        """What a package holds (common/package/CMakeLists.txt), without symbols. :raises BatchError: if cmake fails"""
        line = ["cmake", "--install", str(build_folder), "--prefix", str(self.folder), "--strip"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BatchError(f"{' '.join(line)} failed:\n{(done.stdout + done.stderr).strip()[-2000:]}")
        (self.home / OF_CLASSES).unlink()  # It contains the names of wrong answers, and what tests find in them.
        shutil.rmtree(self.folder / "bin")
        (self.folder / "warpbook").symlink_to(HOME / "bin" / "warpbook")
        (self.home / "edition.json").write_text(_text(
            {"format": FORMAT, "version": VERSION, "labs": [lab.name for lab in self.labs],
             "instruction_sets": self.instruction_sets}), encoding="utf-8")

    def add(self, lab: Lab, work: Path) -> None:
        """Adds a lab's test program, the objects that a student's file is linked with, manifest and recorded figures.

        :param work: an empty folder
        """
        hidden = self.hidden.get(lab.name, frozenset())
        place = self.home / "labs" / lab.name
        place.mkdir(parents=True)
        program = place / f"{lab.name}_test"
        shutil.copyfile(test_program(lab, hidden, work), program)
        program.chmod(0o755)
        _strip(program)
        for path in self.worker_files(lab):
            made = self.home / _worker_name(path)
            made.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, made)
        figures = record_reference(lab, work, hidden)
        (self.home / "references").mkdir(exist_ok=True)
        (self.home / "references" / f"{lab.name}.json").write_text(_text(figures), encoding="utf-8")
        (self.home / "manifests").mkdir(exist_ok=True)
        (self.home / "manifests" / f"{lab.name}.json").write_text(_text(manifest_of(lab, hidden)), encoding="utf-8")

    @staticmethod
    def worker_files(lab: Lab) -> list[Path]:
        """What a student's program is linked with, except the virtual GPU."""
        build = Path(lab.manifest["build_folder"])
        files = {Path(file) for step in lab.manifest["build"]["steps"] for file in step["files"]}
        return sorted(path for path in files if path.is_relative_to(build) and not path.is_relative_to(build / "lib"))


def name_of(test: dict[str, Any]) -> str:
    return f"{test['kind']}.{test['sentence']}"


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _worker_name(path: Path) -> Path:
    return Path("worker", path.parent.name, path.name)


def _strip(program: Path) -> None:
    done = subprocess.run(["strip", str(program)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BatchError(f"strip {program} failed: {done.stderr.strip()}; run common/setup.sh")


def manifest_of(lab: Lab, hidden: Collection[str]) -> dict[str, Any]:
    """The lab's manifest for an edition: no answers, and paths relative to the edition."""
    old = lab.manifest
    student = f"labs/{lab.path}/{lab.file_name}"
    return {
        "lab": lab.name, "chapter": old["chapter"], "project_root": "{project}", "build_folder": "{home}",
        "suffix": old["suffix"], "backend": old["backend"], "device": old["device"],
        "device_process": "{home}/bin/device_process", "front_folder": "{home}/lib/front", "sanitized": False,
        "copy_probe": "", "test_program": f"{{home}}/labs/{lab.name}/{lab.name}_test",
        "results_folder": f"{{home}}/results/{lab.name}", "reference": f"{{home}}/references/{lab.name}.json",
        "workers": {student: f"{{home}}/labs/{lab.name}/{lab.name}_student"}, "answers": {},
        "tests": [test for test in old["tests"] if name_of(test) not in hidden],
        "build": _recipe(lab)}


def _recipe(lab: Lab) -> dict[str, Any]:
    recipe = lab.manifest["build"]
    names = _Names(lab)
    steps = [step | {"argv": [names.of(word) for word in step["argv"]], "files": [names.of(file) for file in step["files"]]}
             for step in recipe["steps"]]
    return {"headers": recipe["headers"], "toolkit": f"{{home}}/{TOOLKIT}", "libraries": ["{home}/lib/front"], "steps": steps}


class _Names:
    """Translates words of the recipe's commands for an edition."""

    def __init__(self, lab: Lab) -> None:
        self._build = lab.manifest["build_folder"]
        self._compiler = next(step["argv"][0] for step in lab.manifest["build"]["steps"] if step["name"] == "compile")
        self._linker = next(step["argv"][0] for step in lab.manifest["build"]["steps"] if step["name"] == "link")
        self._worker = {str(path): f"{{home}}/{_worker_name(path)}" for path in Edition.worker_files(lab)}

    def of(self, word: str) -> str:
        if word == self._compiler:
            return f"{{home}}/{TOOLKIT}/bin/nvcc"
        if word == self._linker:
            return "/usr/bin/c++"
        if word.endswith("/libcudadevrt.a"):
            return f"{{home}}/{TOOLKIT}/lib64/libcudadevrt.a"
        return self._worker.get(word, word.replace(self._build, "{home}"))
