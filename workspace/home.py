"""The data folder as `manage.py up` takes hold of it: made, private, and held by one process at a time."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def prepare_home(home: Path) -> None:
    """Ends the process with a sentence when the folder cannot be used."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o700)
        for folder in ("logs", "run"):
            (home / folder).mkdir(mode=0o700, exist_ok=True)
    except OSError as wrong:
        sys.exit(f"The data folder {home} cannot be used ({wrong.strerror}). Make it writable, or set COUNTERSIGN_HOME to one that is.")


@contextmanager
def only_one(home: Path) -> Iterator[None]:
    """Hold the folder: two that used one at a time would each start a Redis on the same files."""
    with (home / "run" / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            sys.exit(
                f"Countersign already runs on {home} (process {lock.read().strip() or 'unknown'}). "
                "Stop it first, or set COUNTERSIGN_HOME to another folder."
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
