"""The workspace's files: every path is walked from the root by open folders, so that nothing outside can be reached."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Literal

from agents.errors import PathRefused
from agents.sandboxes.locks import FileLocks
from agents.sandboxes.paths import FOLDER, Place, Walker
from agents.sandboxes.sandbox import FileStat

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LARGEST = 256 * 2**20
"""Bytes of a file that is read as a whole: one of holes costs whoever makes it nothing, and whoever reads it all memory."""
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class ConfinedFiles:
    """`Files` on the real file system. `locks` is a folder for lock files, by default one below the temporary folder.

    Where it is not `writable`, whatever would change a file raises PathRefused.
    """

    def __init__(self, root: str, mount: str, locks: str | None = None, *, writable: bool = True) -> None:
        self._writable = writable
        self._walker = Walker(root, mount)
        self._locks = FileLocks(locks)

    def relative(self, path: str) -> str:
        return self._walker.relative(path)

    def stat(self, path: str) -> FileStat:
        with self._walker.place(path) as place:
            return _describe(place.relative, _look(place))

    def read(self, path: str, limit: int | None = None) -> bytes:
        with self._walker.place(path) as place, _opened(place, path) as handle, os.fdopen(handle, "rb", closefd=False) as file:
            if limit is None and os.fstat(handle).st_size > LARGEST:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
            return file.read() if limit is None else file.read(limit)

    def write(self, path: str, data: bytes, mode: int | None = None) -> bool:
        self._require_writable(path)
        self._walker.split(path)
        if path.endswith("/"):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        with self.locked(path), self._walker.place(path, writing=True, make=True) as place:
            before = _writable(place, path)
            _replace(place, data, before, mode)
            return before is None

    def change(self, path: str, edit: Callable[[bytes], bytes]) -> tuple[bytes, bytes]:
        self._require_writable(path)
        with self.locked(path):
            before = self.read(path)
            after = edit(before)
            if after != before:
                self.write(path, after)
            return before, after

    def delete(self, path: str) -> None:
        self._require_writable(path)
        with self._held_end(path), self._walker.place(path, writing=True, follow=False) as place:
            if stat.S_ISDIR(_look(place).st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            os.unlink(place.name, dir_fd=place.parent)

    def entries(self, path: str) -> list[FileStat]:
        with self._walker.place(path) as place:
            folder = os.open(place.name, FOLDER, dir_fd=place.parent)
            prefix = "" if place.relative == "." else f"{place.relative}/"
        try:
            with os.scandir(folder) as listing:
                names = sorted(entry.name for entry in listing)
            return [found for name in names if (found := self._entry(folder, prefix, name))]
        finally:
            os.close(folder)

    def locked(self, *paths: str) -> AbstractContextManager[None]:
        return self._locks.holding(*(f"{self._walker.root}\0{self.relative(path)}" for path in paths))

    def _require_writable(self, path: str) -> None:
        if not self._writable:
            raise PathRefused(f"{path!r} was not changed: this workspace is read-only here.")

    def _held_end(self, path: str) -> AbstractContextManager[None]:
        """The lock for removing `path`, which may be a link that leads outside and still be removed."""
        with self._walker.place(path, writing=True, follow=False) as place:
            return self._locks.holding(f"{self._walker.root}\0{place.relative}")

    def _entry(self, folder: int, prefix: str, name: str) -> FileStat | None:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None  # removed since the folder was listed
        if not stat.S_ISLNK(found.st_mode):
            return _describe(prefix + name, found)
        try:
            with self._walker.place(prefix + name) as place:
                return _describe(prefix + name, _look(place))
        except (PathRefused, OSError):
            return _describe(prefix + name, found)


def _look(place: Place) -> os.stat_result:
    return os.stat(place.name, dir_fd=place.parent, follow_symlinks=False)


def _describe(path: str, found: os.stat_result) -> FileStat:
    return FileStat(path, _kind(found.st_mode), found.st_size, found.st_mtime, stat.S_IMODE(found.st_mode))


def _kind(mode: int) -> Literal["file", "folder", "other"]:
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


@contextmanager
def _opened(place: Place, path: str) -> Iterator[int]:
    _refuse_odd(_look(place), path)  # opening a device can do things; the check after opening is the one that counts
    handle = os.open(place.name, READ, dir_fd=place.parent)
    try:
        _refuse_odd(os.fstat(handle), path)
        yield handle
    finally:
        os.close(handle)


def _refuse_odd(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(found.st_mode):
        raise PathRefused(f"{path!r} is a pipe, socket or device; only plain files can be read and written.")


def _writable(place: Place, path: str) -> os.stat_result | None:
    try:
        found = _look(place)
    except FileNotFoundError:
        return None
    _refuse_odd(found, path)
    return found


def _replace(place: Place, data: bytes, before: os.stat_result | None, mode: int | None) -> None:
    beside = f".countersign-{secrets.token_hex(8)}"
    handle = os.open(beside, CREATE, 0o666, dir_fd=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            _keep_nature(file.fileno(), before, mode)
        os.replace(beside, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=place.parent)
        raise


def _keep_nature(handle: int, before: os.stat_result | None, mode: int | None) -> None:
    """Give the new file the owner and mode of the one it replaces."""
    if before is not None:
        with suppress(PermissionError):
            os.fchown(handle, before.st_uid, before.st_gid)
        mode = stat.S_IMODE(before.st_mode) if mode is None else mode
    if mode is not None:
        os.fchmod(handle, mode & 0o777)
