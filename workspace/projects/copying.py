"""Copying a folder of this machine into a new workspace; the folder itself is never touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from django.conf import settings

from workspace.errors import Forbidden, Invalid
from workspace.projects.filling import Filling

SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})
"""Left behind: a repository's history, and what can be installed again."""


def allowed_folder(path: str) -> Path:
    """The real folder, if the operator lets projects come from it. Raises Forbidden or Invalid."""
    real = Path(path).expanduser().resolve()
    home = Path(settings.COUNTERSIGN_HOME)
    allowed = any(real.is_relative_to(base) for base in settings.ALLOWED_PATHS)
    if not Path(path).is_absolute() or not allowed or real.is_relative_to(home) or home.is_relative_to(real):
        raise Forbidden("Projects may not be made from this path", "The server's operator allows paths with COUNTERSIGN_ALLOWED_PATHS.")
    if not real.is_dir():
        said = f"{path} does not exist on the server, or is not a folder."
        raise Invalid("There is no such folder", said, fields={"path": ["No such folder."]})
    return real


def copy_folder(source: Path, root: Path) -> None:
    """Files as they stand, uncommitted ones included; special files and links that lead outside are left out."""
    filling = Filling(root)
    for folder, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted([*folders, *names]):
            _copy(Path(folder, name), str(Path(folder, name).relative_to(source)), filling)
    filling.finish()


def _copy(path: Path, name: str, filling: Filling) -> None:
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            filling.link(name, str(path.readlink()))
        elif stat.S_ISDIR(found.st_mode):
            filling.folder(name)
        elif stat.S_ISREG(found.st_mode):
            with path.open("rb") as source:
                filling.file(name, source, bool(found.st_mode & 0o100))
    except OSError as wrong:
        raise Invalid("A file of that folder cannot be read", f"{name}: {wrong.strerror}.") from wrong
