"""Secrets that the data folder keeps for itself: made on the first start, readable by their owner alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key stored at `path`, made there first if need be; two processes that start together get the same one."""
    try:
        if not path.exists():
            _store(path, make())
        key = path.read_text().strip()
    except OSError as wrong:
        raise ImproperlyConfigured(
            f"the key file {path} cannot be used ({wrong.strerror}). Make its folder writable, or set COUNTERSIGN_HOME to one that is."
        ) from wrong
    if not key:
        raise ImproperlyConfigured(f"the key file {path} is empty. Restore it from a backup; deleting it signs everybody out.")
    return key


def _store(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=path.parent, prefix=".key-") as fresh:
        fresh.write(key)
        fresh.flush()
        try:
            os.link(fresh.name, path)
        except FileExistsError:
            return
