"""Skills of several sources as one: of two with one name, that of the source nearer to the work counts."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from agents.errors import ToolError
from agents.ports import SkillEntry, Skills
from agents.skills.telling import SKILL


class MergedSkills:
    """`Skills` of others, the weakest first (builtin, user, team, project). Those named in `off` are as if there were none."""

    def __init__(self, *sources: Skills, off: Collection[str] = ()) -> None:
        self._sources, self._off = sources, frozenset(off)

    async def all(self) -> Sequence[SkillEntry]:
        return [entry for entry, _ in (await self._owned()).values()]

    async def files(self, name: str) -> Sequence[str]:
        return await (await self._owner(name)).files(name)

    async def read(self, name: str, path: str = SKILL) -> bytes:
        return await (await self._owner(name)).read(name, path)

    async def _owner(self, name: str) -> Skills:
        owned = await self._owned()
        if name not in owned:
            raise ToolError(f"There is no skill {name!r}. Skills: {', '.join(owned) or 'none'}.")
        return owned[name][1]

    async def _owned(self) -> dict[str, tuple[SkillEntry, Skills]]:
        """Each skill and whose it is, by name."""
        listed = await asyncio.gather(*(source.all() for source in self._sources))
        owned = {
            entry.name: (entry, source)
            for source, entries in zip(self._sources, listed, strict=True)
            for entry in entries
            if entry.name not in self._off
        }
        return dict(sorted(owned.items()))
