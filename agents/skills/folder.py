"""Skills that lie in folders: each a folder with a SKILL.md in one of a few places of a file tree."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from agents.errors import PathRefused, TooLarge, ToolError
from agents.ports import SkillEntry, SkillSource
from agents.reading.frontmatter import MOST
from agents.sandboxes.sandbox import Files, FileStat
from agents.skills.telling import SKILL, told

MOST_SKILLS = 200
MOST_FILES = 500
MOST_FOLDERS = 200
LARGEST = 10 * 2**20
"""Bytes of a file that can be read."""
_UNSAID = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Found:
    """A skill and where it lies in its tree. `text` is its SKILL.md, however that is spelled."""

    entry: SkillEntry
    folder: str
    text: str

    @property
    def names(self) -> tuple[str, str]:
        """By which it may be called: its own name, and its folder's."""
        return self.entry.name, self.folder.rpartition("/")[2]


class FolderSkills:
    """`Skills` over a file tree; `places` are the folders that skills lie in, that which counts most first.

    `shared` says that agents see this tree as their workspace too, so that entries tell where they lie.
    """

    def __init__(self, files: Files, places: Sequence[str], source: SkillSource, *, shared: bool = False) -> None:
        self._files, self._places, self._source, self._shared = files, tuple(places), source, shared

    async def all(self) -> Sequence[SkillEntry]:
        return [one.entry for one in await asyncio.to_thread(self.found)]

    async def files(self, name: str) -> Sequence[str]:
        return await asyncio.to_thread(self._paths, name)

    async def read(self, name: str, path: str = SKILL) -> bytes:
        return await asyncio.to_thread(self._read, name, path)

    def found(self) -> list[Found]:
        """By name. Blocking."""
        by_name: dict[str, Found] = {}
        for folder in self._folders():
            one = self._skill(folder)
            if one is not None and len(by_name) < MOST_SKILLS:
                by_name.setdefault(one.entry.name, one)
        return sorted(by_name.values(), key=lambda one: one.entry.name)

    def _folders(self) -> Iterator[str]:
        for place in self._places:
            with suppress(OSError, PathRefused):
                yield from [one.path for one in self._files.entries(place) if one.kind == "folder"][: 2 * MOST_SKILLS]

    def _skill(self, folder: str) -> Found | None:
        for text in (SKILL, SKILL.lower()):
            with suppress(OSError, PathRefused):
                said = told(self._files.read(f"{folder}/{text}", MOST + 16).decode(errors="replace"))
                name = said.name or _UNSAID.sub("-", folder.rpartition("/")[2]).strip("-")[:64]
                where = folder if self._shared else ""
                return Found(SkillEntry(name, said.description, self._source, where, said.complaint), folder, text) if name else None
        return None

    def named(self, name: str) -> Found:
        """The skill of this name, else that in a folder of this name. Blocking. Raises ToolError with those there are."""
        found = self.found()
        for which in (0, 1):
            for one in found:
                if one.names[which] == name:
                    return one
        raise ToolError(f"There is no skill {name!r}. Skills: {', '.join(one.entry.name for one in found[:20]) or 'none'}.")

    def _paths(self, name: str) -> list[str]:
        return self._below(self.named(name))

    def _below(self, one: Found) -> list[str]:
        """Every file's path from the skill's folder; no folder that is reached by a link."""
        paths: list[str] = []
        ahead = deque([one.folder])
        for _ in range(MOST_FOLDERS):
            if not ahead or len(paths) >= MOST_FILES:
                break
            for entry in self._entries(ahead.popleft()):
                path = entry.path.removeprefix(f"{one.folder}/")
                if entry.kind == "folder" and self._is_plain(entry.path, one.folder):
                    ahead.append(entry.path)
                elif entry.kind == "file" and self._lies_in(one.folder, entry.path):
                    paths.append(SKILL if path == one.text else path)
        return sorted(paths[:MOST_FILES])

    def _entries(self, folder: str) -> list[FileStat]:
        with suppress(OSError, PathRefused):
            return self._files.entries(folder)
        return []

    def _is_plain(self, path: str, folder: str) -> bool:
        with suppress(OSError, PathRefused):
            return self._files.relative(path) == path.replace(folder, self._files.relative(folder), 1)
        return False

    def _lies_in(self, folder: str, path: str) -> bool:
        with suppress(OSError, PathRefused):
            return self._files.relative(path).startswith(f"{self._files.relative(folder)}/")
        return False

    def _read(self, name: str, path: str) -> bytes:
        one = self.named(name)
        place = self.place(one, path)
        try:
            data = self._files.read(place, LARGEST + 1)
        except IsADirectoryError:
            raise ToolError(f"{path} is a folder of the skill {name}; name a file in it.") from None
        except OSError as wrong:
            raise ToolError(f"{path}: {wrong.strerror or wrong}. Files of the skill {name}: {_few(self._below(one))}.") from None
        if len(data) > LARGEST:
            raise TooLarge(f"{path} of the skill {name} has more than {LARGEST // 2**20} MiB")
        return data

    def place(self, one: Found, path: str) -> str:
        """Where in the tree a file of the skill lies. Blocking. Raises ToolError for a path that leaves the folder, by a link too."""
        names = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
        if path.startswith(("/", "~")) or ".." in names or not names:
            raise ToolError(f"{path!r} is no path in the folder of the skill {one.entry.name}; only files of that folder can be read so.")
        place = "/".join([one.folder, one.text if names == [SKILL] else "/".join(names)])
        if not self._lies_in(one.folder, place):
            raise ToolError(f"{path!r} leads out of the folder of the skill {one.entry.name}; only what lies in it can be read so.")
        return place


def _few(paths: Sequence[str]) -> str:
    return ", ".join(paths[:20]) + (", …" if len(paths) > 20 else "")
