"""The memories of one session, kept in the database: `agents.ports.Memories` for the host."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, Protocol, TypeVar, cast

from channels.db import DatabaseSyncToAsync
from django.db.models import F
from django.utils import timezone

from agents import ports
from agents.events import MemoryScope, MemoryType
from workspace.accounts.models import User
from workspace.errors import Unavailable
from workspace.memories.actions import Belonging, write_memory
from workspace.memories.models import Memory, MemoryQuerySet
from workspace.projects.models import Project

P = ParamSpec("P")
T = TypeVar("T")


class Source(Protocol):
    """The session that writes: where a memory came from."""

    @property
    def public_id(self) -> str: ...

    @property
    def head(self) -> int: ...

    @property
    def shared(self) -> bool:
        """Whether others than the person it acts for speak in it: then nothing of that person's own is told or kept."""


class DatabaseMemories:
    """What the agent of this session may see and change: memories of its project, of the team, and of whom it acts for."""

    def __init__(self, project: Project, acting_for: User | None, session: Source) -> None:
        self.project, self.acting_for, self.session = project, acting_for, session

    async def find(self, query: str, type: MemoryType | None = None, limit: int = 50) -> list[ports.Memory]:
        return await _in_thread(self._find, query, type, limit)

    async def write(self, *, title: str, content: str, type: MemoryType, scope: MemoryScope, tags: tuple[str, ...]) -> ports.Memory:
        return await _in_thread(self._write, title, content, type, scope, tags)

    async def matching(self, id_prefix: str) -> list[ports.Memory]:
        return await _in_thread(self._matching, id_prefix)

    async def delete(self, memory_id: str) -> bool:
        return await _in_thread(self._delete, memory_id)

    def _find(self, query: str, type: MemoryType | None, limit: int) -> list[ports.Memory]:
        found = self._visible().matching(query)
        rows = list((found.filter(type=type) if type else found)[:limit])
        Memory.objects.filter(pk__in=[row.pk for row in rows]).update(used_count=F("used_count") + 1, last_used=timezone.now())
        return [_as_port(row) for row in rows]

    def _write(self, title: str, content: str, type: MemoryType, scope: MemoryScope, tags: tuple[str, ...]) -> ports.Memory:
        row = write_memory(
            self._belonging(scope), title=title, content=content, type=type, tags=list(tags),
            by=self.acting_for, session=self.session.public_id, seq=self.session.head or None,
        )  # fmt: skip
        return _as_port(row)

    def _matching(self, id_prefix: str) -> list[ports.Memory]:
        return [_as_port(row) for row in self._visible().filter(public_id__startswith=id_prefix)[:20]]

    def _delete(self, memory_id: str) -> bool:
        gone, _ = self._visible().filter(public_id=memory_id).delete()
        return gone > 0

    def _visible(self) -> MemoryQuerySet:
        return Memory.objects.of_session(self.project, None if self.session.shared else self.acting_for)

    def _belonging(self, scope: MemoryScope) -> Belonging:
        if scope == "project":
            return Belonging(project=self.project)
        if scope == "team":
            return Belonging(team=self.project.team)
        if self.acting_for is None:
            raise Unavailable("There is nobody to remember this for", "The person this run acts for is gone; use the project's scope.")
        if self.session.shared:
            raise Unavailable("Several people speak in this run", "One person's own memories are closed to it; use the project's scope.")
        return Belonging(owner=self.acting_for)


async def _in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do it beside the event loop, on a connection that is good."""
    done: T = await DatabaseSyncToAsync(partial(work, *args, **kwargs), thread_sensitive=False)()
    return done


def _as_port(row: Memory) -> ports.Memory:
    return ports.Memory(
        memory_id=row.public_id, title=row.title, content=row.content, tags=tuple(row.tags), created=row.created, updated=row.updated,
        scope=cast("MemoryScope", row.scope), type=cast("MemoryType", row.type),
        source=f"session {row.source_session}" if row.source_session else "",
    )  # fmt: skip
