"""Removes traces of the machine from messages: what a student reads names no folder, mount or account of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# Folders that are the same wherever warpbook runs: the system's headers, and what a sandbox calls its own.
_EVERYWHERE = ("/usr/", "/warpbook/", "/proc/", "/dev/", "/sys/", "/etc/")
_PATH = re.compile(r"(?<![\w./:\\])/(?:[\w.+@~%=-]+/)+(?P<name>[\w.+@~%=-]*)")


def without_machine(text: str, roots: Mapping[str, str] | None = None) -> str:
    """@param roots folders and their replacements, longer ones first: {'/home/me/warpbook': ''}

    Of other absolute paths only the last name is left.
    """
    for root, name in sorted((roots or {}).items(), key=lambda item: -len(item[0])):
        if len(root) > 1:
            text = text.replace(f"{root}/", f"{name}/" if name else "")
            text = re.sub(rf"{re.escape(root)}(?![\w.-])", name or "the project", text)
    return _PATH.sub(lambda found: found[0] if found[0].startswith(_EVERYWHERE) else found["name"] or "a folder", text)


def roots_of(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The folders in a lab's manifest, with their names for students."""
    roots = {str(manifest["project_root"]): "", str(manifest["build_folder"]): "build"}
    toolkit = manifest.get("build", {}).get("toolkit", "")
    return roots | ({toolkit: "cuda"} if toolkit else {})
