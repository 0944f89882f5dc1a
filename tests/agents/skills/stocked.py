"""Folders of skills on a real disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agents.sandboxes.files import ConfinedFiles


def text(name: str, description: str = "Does it.", body: str = "# How\n") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


def put(root: Path, files: Mapping[str, str | bytes]) -> ConfinedFiles:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return ConfinedFiles(str(root), str(root))
