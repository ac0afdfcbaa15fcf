"""A student edition: the folder that a course hands out, with everything built except the answers (docs/build.md).

FOLDER/labs is what students read and edit. FOLDER/lib/warpbook is the edition's home: it looks like a build folder, and
holds edition.json. The folder can be anywhere and can be moved: paths in manifests begin with {home} or {project}.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FORMAT, VERSION = "warpbook.edition", 1
HOME = Path("lib", "warpbook")
TOOLKIT = "toolkit"  # In the home: a link to CUDA's compiler, made by setup.sh.


def is_edition(build_folder: Path) -> bool:
    return (build_folder / "edition.json").is_file()


def project_of(home: Path) -> Path:
    """The folder that holds labs/."""
    return home.parents[len(HOME.parts) - 1]


def placed(value: Any, home: Path) -> Any:
    """A manifest with absolute paths; one of a build folder is returned unchanged."""
    if isinstance(value, dict):
        return {key: placed(one, home) for key, one in value.items()}
    if isinstance(value, list):
        return [placed(one, home) for one in value]
    if isinstance(value, str):
        return value.replace("{home}", str(home)).replace("{project}", str(project_of(home)))
    return value


def read_manifest(build_folder: Path, lab: str) -> dict[str, Any]:
    """@throws OSError, ValueError"""
    text = (build_folder / "manifests" / f"{lab}.json").read_text(encoding="utf-8")
    manifest: dict[str, Any] = json.loads(text)
    if is_edition(build_folder):
        manifest = placed(manifest, build_folder.resolve())
    return manifest
