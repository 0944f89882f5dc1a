"""Filling a new workspace with files from elsewhere, within bounds and without a way out of it.

Files are written first, into a folder that holds no links yet, so that nothing can be written through one. Links come
last and are kept only where they end inside.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from workspace.errors import Invalid

FILES_LIMIT = 50_000
BYTES_LIMIT = 2**30
CHUNK = 2**20


def steps_of(name: str) -> list[str]:
    """The folders and the file that a name means, none for the root. Raises Invalid for one that leads out, or is too long."""
    name = name.replace("\\", "/")
    steps = [step for step in name.split("/") if step not in ("", ".")]
    if name.startswith("/") or ".." in steps or "\0" in name:
        raise Invalid("This cannot be unpacked safely", f"It holds a file whose name leads out of the folder: {name[:200]!r}.")
    if any(len(os.fsencode(step)) > 255 for step in steps):
        raise Invalid("This cannot be unpacked", f"It holds a file whose name is too long: {name[:60]!r}…")
    return steps


@dataclass
class Filling:
    """One workspace being filled. Raises Invalid for a name that leads out, and when a bound is reached."""

    root: Path
    bytes_limit: int = BYTES_LIMIT
    files_limit: int = FILES_LIMIT
    files: int = 0
    written: int = 0
    links: list[tuple[str, str]] = field(default_factory=list)

    def folder(self, name: str) -> None:
        if path := self._place(name):
            self._count()
            path.mkdir(parents=True, exist_ok=True)

    def file(self, name: str, source: IO[bytes], executable: bool = False) -> None:
        """Bytes are counted as they are written, whatever the archive says its sizes are."""
        path = self._place(name)
        if path is None:
            return
        self._count()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as target:
                while chunk := source.read(CHUNK):
                    self._count_bytes(len(chunk))
                    target.write(chunk)
        except (FileExistsError, IsADirectoryError, NotADirectoryError) as wrong:
            raise Invalid("The files contradict each other", f"{name!r} is both a file and a folder.") from wrong
        path.chmod(0o755 if executable else 0o644)

    def link(self, name: str, target: str) -> None:
        if path := self._place(name):
            self._count()
            self.links.append((path.relative_to(self.root).as_posix(), target))

    def unwrap(self) -> None:
        """Where all lies in one folder, as in most archives of a repository, take it out of it. Comes before `finish`."""
        tops = {path.name for path in self.root.iterdir()} | {name.split("/")[0] for name, _ in self.links}
        wrapper = self.root / next(iter(tops), "")
        if len(tops) != 1 or not wrapper.is_dir():
            return
        aside = wrapper.rename(self.root.with_name(f"{self.root.name}.wrapper"))
        for inner in aside.iterdir():
            inner.rename(self.root / inner.name)
        aside.rmdir()
        self.links = [(name.partition("/")[2], target) for name, target in self.links]

    def finish(self) -> None:
        """Make the links that stay inside; the others are left out."""
        made = [path for name, target in self.links if (path := self._make_link(name, target))]
        inside = os.path.realpath(self.root)
        for path in made:
            if not os.path.realpath(path).startswith(inside + os.sep):
                path.unlink()

    def _make_link(self, name: str, target: str) -> Path | None:
        path = self._place(name)
        if path is None or target.startswith("/") or os.path.lexists(path):
            return None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not os.path.realpath(path.parent).startswith(os.path.realpath(self.root)):
                return None
            path.symlink_to(target)
        except (OSError, ValueError):
            return None
        return path

    def _place(self, name: str) -> Path | None:
        """Where the name belongs; None for the root itself and for anything of a repository's own (`.git`)."""
        steps = steps_of(name)
        if not steps or any(step.lower() == ".git" for step in steps):
            return None
        return self.root.joinpath(*steps)

    def _count(self) -> None:
        self.files += 1
        if self.files > self.files_limit:
            raise Invalid("This is too much for one project", f"It holds more than {self.files_limit:,} files and folders.")

    def _count_bytes(self, more: int) -> None:
        self.written += more
        if self.written > self.bytes_limit:
            raise Invalid("This is too much for one project", f"Unpacked it is larger than {self.bytes_limit / 2**20:,.0f} MiB.")
