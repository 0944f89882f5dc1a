"""What an agent needs from its host. An in-memory host ships with the library (`agents/host.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agents.events import AnyFact, AnyNote, Entry, MemoryScope, MemoryType


class Recorder(Protocol):
    """Where a step puts what happens.

    Contract: `keep` returns once the facts are durable, in order, with nothing in between, and gives their entries; the
    history the step works on has been told of them, and of anything others wrote before them. Once called it is
    carried out, even if the caller is canceled meanwhile. `show` never blocks and
    never raises; what it is given may be lost.
    """

    async def keep(self, *facts: AnyFact) -> tuple[Entry, ...]: ...

    def show(self, note: AnyNote) -> None: ...


@dataclass(frozen=True)
class Memory:
    """One remembered thing. `created` and `updated` in UTC; `source` says where it came from, for people."""

    memory_id: str
    title: str
    content: str
    scope: MemoryScope
    type: MemoryType
    tags: tuple[str, ...]
    created: datetime
    updated: datetime
    source: str = ""


class Memories(Protocol):
    """The memories this session may see: its project's, its team's and those of the person it acts for.

    Contract: writing an existing title in the same scope updates that memory and keeps its id. `find` ranks by how many words match; an
    empty query returns everything, newest first. Raises nothing but host failures.
    """

    async def find(self, query: str, type: MemoryType | None = None, limit: int = 50) -> list[Memory]: ...

    async def write(self, *, title: str, content: str, type: MemoryType, scope: MemoryScope, tags: tuple[str, ...]) -> Memory: ...

    async def matching(self, id_prefix: str) -> list[Memory]:
        """The memories whose id starts so (so that a tool can say "ambiguous" rather than delete the first)."""

    async def delete(self, memory_id: str) -> bool: ...
