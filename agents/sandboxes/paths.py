"""Walking to a place in the workspace one folder at a time, so that no link and no race can lead out of it."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from agents.errors import PathRefused

MOST_LINKS = 40
LONGEST_PATH = 4096
LONGEST_NAME = 255
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Place:
    """Where a path ends: an open parent folder and a name in it that is no link, or was none a moment ago."""

    parent: int
    name: str
    relative: str


class Walker:
    """Finds places below one root. `mount` is the other name by which paths and links may call that root."""

    def __init__(self, root: str, mount: str) -> None:
        self.root = os.path.realpath(root)
        self._homes = sorted({self.root, root.rstrip("/"), mount.rstrip("/")}, key=len, reverse=True)

    @contextmanager
    def place(self, path: str, *, writing: bool = False, make: bool = False, follow: bool = True) -> Iterator[Place]:
        """The place `path` means, its parent held open. `make` creates missing folders; `writing` refuses `.git`."""
        walk = _Walk(self, path, writing)
        try:
            yield walk.to_place(make, follow)
        except OSError as wrong:
            if wrong.errno == errno.ENOENT:
                walk.rest()
            wrong.filename, wrong.filename2 = path, None
            raise
        finally:
            os.close(walk.folder)

    def relative(self, path: str) -> str:
        """The path from the root with its links resolved, whether or not its end exists."""
        walk = _Walk(self, path, writing=False)
        try:
            return walk.to_place(make=False, follow=True).relative
        except FileNotFoundError:
            return walk.rest()
        finally:
            os.close(walk.folder)

    def split(self, path: str) -> list[str]:
        """The path's parts from the root. Raises PathRefused for what cannot lie in the workspace."""
        _check_text(path)
        if path.startswith("/"):
            path = self._below_home(path)
        elif path.startswith("~") and (path == "~" or "/" in path):
            raise PathRefused(f"{path!r} starts with a home folder; give a path relative to the workspace.")
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if any(len(os.fsencode(part)) > LONGEST_NAME for part in parts):
            raise PathRefused(f"The path has a name longer than {LONGEST_NAME} bytes: {path[:60]!r}…")
        return parts

    def _below_home(self, path: str) -> str:
        for home in self._homes:
            if path == home or path.startswith(f"{home}/"):
                return path[len(home) :]
        raise outside(path)


def _check_text(path: str) -> None:
    if not path:
        raise PathRefused("The path is empty; name a file in the workspace.")
    if "\0" in path:
        raise PathRefused("The path holds a NUL byte, which no file name can.")
    try:
        size = len(os.fsencode(path))
    except UnicodeEncodeError as wrong:
        raise PathRefused(f"The path is not valid text: {path!r}.") from wrong
    if size > LONGEST_PATH:
        raise PathRefused(f"The path is {size} bytes long; {LONGEST_PATH} is the most a path may have.")


def outside(path: str) -> PathRefused:
    return PathRefused(f"{path!r} is outside the workspace; only files inside it may be touched.")


class _Walk:
    """One way from the root: the folder reached so far (open), its names, and the parts still to go."""

    def __init__(self, walker: Walker, path: str, writing: bool) -> None:
        self.walker, self.path, self.writing = walker, path, writing
        self.ahead = deque(walker.split(path))
        for name in self.ahead:
            self._guard(name)
        self.names: list[str] = []
        self.links = 0
        self.folder = os.open(walker.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def to_place(self, make: bool, follow: bool) -> Place:
        while self.ahead:
            name = self.ahead.popleft()
            if name == "..":
                self._up()
                continue
            self._guard(name)
            target = self._end_link(name) if not self.ahead and follow else None
            if target is not None:
                self._turn(target)
            elif not self.ahead:
                return Place(self.folder, name, "/".join([*self.names, name]))
            else:
                self._down(name, make)
        return Place(self.folder, ".", ".")

    def rest(self) -> str:
        """Where the path would end if what is missing were plain folders."""
        names = list(self.names)
        for name in self.ahead:
            if name != "..":
                names.append(name)
            elif names:
                names.pop()
            else:
                raise outside(self.path)
        return "/".join(names) or "."

    def _guard(self, name: str) -> None:
        if self.writing and name.casefold() == ".git":
            raise PathRefused(f"{self.path!r} is inside .git, which only git itself may change; run a git command instead.")

    def _end_link(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self.folder)
        except FileNotFoundError:
            return None
        except OSError as wrong:
            if wrong.errno == errno.EINVAL:
                return None
            raise

    def _down(self, name: str, make: bool) -> None:
        try:
            inner = os.open(name, FOLDER, dir_fd=self.folder)
        except FileNotFoundError:
            if not make:
                self.ahead.appendleft(name)
                raise
            _make_folder(name, self.folder)
            self.ahead.appendleft(name)
        except OSError as wrong:
            if wrong.errno not in (errno.ENOTDIR, errno.ELOOP):
                raise
            self._turn(self._link_or_fail(name))
        else:
            self._enter(inner, [*self.names, name])

    def _link_or_fail(self, name: str) -> str:
        target = self._end_link(name)
        if target is not None:
            return target
        if stat.S_ISDIR(os.stat(name, dir_fd=self.folder, follow_symlinks=False).st_mode):
            return name  # it was a link when we opened it and is a folder now: look again
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), self.path)

    def _turn(self, target: str) -> None:
        """Go where a link points instead."""
        self.links += 1
        if self.links > MOST_LINKS:
            raise PathRefused(f"{self.path!r} goes through more than {MOST_LINKS} symbolic links.")
        if target.startswith("/"):
            self._to_root()
            self.ahead.extendleft(reversed(self._split_link(target)))
        else:
            self.ahead.extendleft(reversed([part for part in target.split("/") if part not in ("", ".")]))

    def _split_link(self, target: str) -> list[str]:
        try:
            return self.walker.split(target)
        except PathRefused as wrong:
            raise PathRefused(f"{self.path!r} goes through a symbolic link that leads outside the workspace.") from wrong

    def _up(self) -> None:
        if not self.names:
            raise outside(self.path)
        self.ahead.extendleft(reversed(self.names[:-1]))
        self._to_root()

    def _to_root(self) -> None:
        self._enter(os.open(self.walker.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), [])

    def _enter(self, folder: int, names: Iterable[str]) -> None:
        os.close(self.folder)
        self.folder, self.names = folder, list(names)


def _make_folder(name: str, parent: int) -> None:
    with suppress(FileExistsError):  # someone else may be quicker
        os.mkdir(name, dir_fd=parent)
