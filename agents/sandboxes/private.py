"""Folders of our own below the machine's temporary folder: lock files, and each workspace's /tmp and home."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from agents.errors import SandboxError


def private_folder(name: str) -> Path:
    """A folder for this user alone. Raises SandboxError when the place for it belongs to someone else."""
    home = Path(tempfile.gettempdir(), f"countersign-{os.getuid()}")
    home.mkdir(mode=0o700, exist_ok=True)
    found = home.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise SandboxError(f"{home} belongs to someone else; remove it or set TMPDIR to a folder of your own.")
    inner = home / name
    inner.mkdir(mode=0o700, parents=True, exist_ok=True)
    return inner


def scratch_folders(root: str) -> tuple[str, str]:
    """The /tmp and the home of commands in the workspace `root`: outside it, so that caches stay out of its diff."""
    own = hashlib.sha256(os.fsencode(root)).hexdigest()[:24]
    return str(private_folder(f"scratch/{own}/temporary")), str(private_folder(f"scratch/{own}/home"))
