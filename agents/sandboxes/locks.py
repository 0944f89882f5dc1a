"""Locks on files that hold between threads and processes, kept in a folder of their own outside every workspace."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from agents.sandboxes.private import private_folder

_held: ContextVar[frozenset[str]] = ContextVar("held file locks", default=frozenset())


class FileLocks:
    """Exclusive locks by name. A thread that holds one may take it again; several at once are taken in a fixed order."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder

    @contextmanager
    def holding(self, *names: str) -> Iterator[None]:
        """Wait for all of `names`, hold them, let them go."""
        folder = self._folder or str(private_folder("locks"))
        wanted = sorted({str(Path(folder, hashlib.sha256(os.fsencode(name)).hexdigest()[:32])) for name in names} - _held.get())
        with ExitStack() as stack:
            for path in wanted:
                stack.enter_context(_locked(path))
            before = _held.set(_held.get() | set(wanted))
            try:
                yield
            finally:
                _held.reset(before)


@contextmanager
def _locked(path: str) -> Iterator[None]:
    handle = _acquire(path)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            Path(path).unlink()  # whoever waits on this file sees that it is gone and starts over
        os.close(handle)


def _acquire(path: str) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_still(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_still(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), Path(path).stat())
    except FileNotFoundError:
        return False
