"""Putting many files into a workspace so that all of them change or none."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Self

from agents.sandboxes.paths import Place, Walker


class Swap:
    """Files of `stage`, a folder of ours on the same disk, take their places below `root`; an error takes all of them back.

    Every path is walked by open folders, as tools walk it, and may not lead into `.git`.
    """

    def __init__(self, root: Path, stage: Path) -> None:
        self._walker = Walker(str(root), str(root))
        self._stage = stage
        self._backups = stage.with_name(f"{stage.name}-before")
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        self._backups.mkdir()
        return self

    def __exit__(self, kind: object, wrong: object, trace: object) -> None:
        if wrong is not None:
            for undo in reversed(self._undo):
                with suppress(OSError):
                    undo()

    def take_out(self, path: str) -> None:
        """Remove the file, and the folders it leaves empty."""
        backup = self._backup()
        with self._walker.place(f"./{path}", writing=True, follow=False) as place:
            os.rename(place.name, backup, src_dir_fd=place.parent)
        self._undo.append(lambda: self._put_back(backup, path))
        with suppress(OSError):  # the first that is not empty ends it
            for folder in PurePosixPath(path).parents[:-1]:
                with self._walker.place(f"./{folder}", writing=True, follow=False) as place:
                    os.rmdir(place.name, dir_fd=place.parent)

    def put_in(self, path: str) -> None:
        """Make the file, or replace the one there is, which is at no moment missing."""
        new, backup = self._stage / path, self._backup()
        with self._walker.place(f"./{path}", writing=True, make=True, follow=False) as place:
            before = _what_stands_at(place)
            if before is not None:
                os.link(place.name, backup, src_dir_fd=place.parent, follow_symlinks=False)
                _keep_nature(new, before)
            os.replace(new, place.name, dst_dir_fd=place.parent)
        self._undo.append(lambda: self._put_back(backup, path) if before is not None else self._remove(path))

    def _backup(self) -> Path:
        return self._backups / str(len(self._undo))

    def _put_back(self, backup: Path, path: str) -> None:
        with self._walker.place(f"./{path}", writing=True, make=True, follow=False) as place:
            os.replace(backup, place.name, dst_dir_fd=place.parent)

    def _remove(self, path: str) -> None:
        with self._walker.place(f"./{path}", writing=True, follow=False) as place:
            os.unlink(place.name, dir_fd=place.parent)


def _what_stands_at(place: Place) -> os.stat_result | None:
    """What will be replaced. An empty folder, of which git knows nothing, makes room."""
    try:
        found = os.stat(place.name, dir_fd=place.parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return found
    os.rmdir(place.name, dir_fd=place.parent)
    return None


def _keep_nature(new: Path, before: os.stat_result) -> None:
    """Give the new file the owner and rights of the one it replaces; whether it can be run is the new one's own."""
    mode = new.lstat().st_mode
    if not (stat.S_ISREG(mode) and stat.S_ISREG(before.st_mode)):
        return
    with suppress(PermissionError):
        os.chown(new, before.st_uid, before.st_gid)
    readers = before.st_mode & 0o444
    new.chmod((before.st_mode & 0o666) | (readers >> 2 if mode & 0o100 else 0))
