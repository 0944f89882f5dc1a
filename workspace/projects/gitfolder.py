"""Writing into a workspace's `.git` without running git there: an agent may have changed its configuration, hooks and links.

Every path is walked from the workspace's root by open folders, so that no link in it can lead us outside.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from agents.sandboxes.paths import Walker
from workspace.errors import Unavailable

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNKNOWN_FORMAT = re.compile(rb"^\s*(objectformat|refstorage)\s*=\s*(sha256|reftable)", re.IGNORECASE | re.MULTILINE)


class GitFolder:
    """The `.git` of one workspace. Methods raise OSError and PathRefused as files do."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._walker = Walker(str(root), str(root))

    def check(self) -> None:
        """Raises Unavailable unless worktrees can be made of it."""
        folder, objects = self._root / ".git", self._root / ".git" / "objects"
        if not all(place.is_dir() and not place.is_symlink() for place in (folder, objects)):
            raise Unavailable("This project has no git repository that works", "A worktree needs one: run `git init` in the project.")
        with suppress(OSError):
            if _UNKNOWN_FORMAT.search(self._read("config")):
                raise Unavailable("This project's git repository is of a newer kind", "Worktrees need SHA-1 objects and plain refs.")

    def add_packs(self, packs: Mapping[str, bytes]) -> None:
        for name, data in packs.items():
            self._write(f"objects/pack/{name}", data, 0o444)

    def add_branch(self, branch: str, commit: str) -> None:
        self._write(f"refs/heads/{branch}", f"{commit}\n".encode())

    def add_worktree(self, name: str, place: Path, branch: str, index: bytes) -> None:
        """Register the folder as git itself would, locked: to commands in the project's sandbox it seems to be missing."""
        for file, data in {
            "HEAD": f"ref: refs/heads/{branch}\n".encode(),
            "commondir": b"../..\n",
            "gitdir": f"{place}/.git\n".encode(),
            "locked": b"An agent works here.\n",
            "index": index,
        }.items():
            self._write(f"worktrees/{name}/{file}", data)

    def remove_worktree(self, name: str) -> None:
        with suppress(FileNotFoundError, NotADirectoryError), self._walker.place(f".git/worktrees/{name}", follow=False) as place:
            shutil.rmtree(place.name, dir_fd=place.parent)

    def remove_branch(self, branch: str) -> None:
        for path in (f"refs/heads/{branch}", f"logs/refs/heads/{branch}"):
            with suppress(FileNotFoundError, NotADirectoryError), self._walker.place(f".git/{path}", follow=False) as place:
                os.unlink(place.name, dir_fd=place.parent)
        with suppress(FileNotFoundError):
            self._unpack_branch(f" refs/heads/{branch}".encode())

    def _unpack_branch(self, name: bytes) -> None:
        if name not in self._read("packed-refs"):
            return
        with self._walker.place(".git/packed-refs.lock", follow=False) as place:
            os.close(os.open(place.name, NEW, 0o644, dir_fd=place.parent))  # as git itself does, so that both wait for each other
            try:
                lines = self._read("packed-refs").splitlines(keepends=True)
                self._write("packed-refs", b"".join(line for line in lines if not line.rstrip(b"\n").endswith(name)))
            finally:
                os.unlink(place.name, dir_fd=place.parent)

    def _read(self, path: str) -> bytes:
        with self._walker.place(f".git/{path}", follow=False) as place:
            handle = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place.parent)
            with os.fdopen(handle, "rb") as file:
                return file.read(16 * 2**20)

    def _write(self, path: str, data: bytes, mode: int = 0o644) -> None:
        with self._walker.place(f".git/{path}", make=True, follow=False) as place:
            beside = f".countersign-{secrets.token_hex(8)}"
            try:
                with os.fdopen(os.open(beside, NEW, mode, dir_fd=place.parent), "wb") as file:
                    file.write(data)
                os.replace(beside, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(beside, dir_fd=place.parent)
                raise
