"""The in-memory host: everything `ports.py` asks for, in one process and for its lifetime. Tests and the shell door use it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from agents.events import AnyFact, AnyNote, Entry, MemoryScope, MemoryType
from agents.history import History
from agents.ports import Artifact, Memory
from agents.shell.secrets import redact
from agents.words import placed, root_of, words_of

NAMED = 4
"""What a word in a memory's title or tags counts."""


class InMemoryRecorder:
    """Keeps facts in a list and tells the history of them at once. `by` of every entry is None: the engine spoke."""

    def __init__(self, history: History | None = None) -> None:
        self.history = history or History()
        self.entries: list[Entry] = []
        self.notes: list[AnyNote] = []

    async def keep(self, *facts: AnyFact) -> tuple[Entry, ...]:
        return tuple(self.add(fact) for fact in facts)

    def add(self, fact: AnyFact, by: str | None = None) -> Entry:
        """Append one fact, as a person when `by` names one."""
        entry = Entry(seq=len(self.entries) + 1, at=datetime.now(UTC), fact=fact, by=by)
        self.entries.append(entry)
        self.history.apply(entry)
        return entry

    def show(self, note: AnyNote) -> None:
        self.notes.append(note)


class InMemoryArtifacts:
    """Artifacts in a list."""

    def __init__(self) -> None:
        self.kept: list[tuple[Artifact, bytes]] = []

    async def keep(self, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> Artifact:
        if media_type.startswith("text/"):
            data = redact(data.decode(errors="replace"))[0].encode()
        artifact = Artifact(len(self.kept) + 1, name, media_type, len(data))
        self.kept.append((artifact, data))
        return artifact

    async def read(self, number: int) -> tuple[Artifact, bytes] | None:
        return self.kept[number - 1] if 0 < number <= len(self.kept) else None

    async def all(self) -> Sequence[Artifact]:
        return [artifact for artifact, _ in self.kept]


class InMemoryMemories:
    """Memories in a dict, by id."""

    def __init__(self) -> None:
        self.by_id: dict[str, Memory] = {}

    async def find(self, query: str, type: MemoryType | None = None, limit: int = 50) -> list[Memory]:
        words = {root_of(word) for word in words_of(query)}
        kept = [memory for memory in self.by_id.values() if type in (None, memory.type)]
        kept.sort(key=lambda memory: (weight(memory, words), memory.updated), reverse=True)
        return [memory for memory in kept if not words or weight(memory, words)][:limit]

    async def write(self, *, title: str, content: str, type: MemoryType, scope: MemoryScope, tags: tuple[str, ...]) -> Memory:
        now = datetime.now(UTC)
        same = next((m for m in self.by_id.values() if (m.title, m.scope) == (title, scope)), None)
        memory = Memory(
            memory_id=same.memory_id if same else str(uuid.uuid4()),
            title=title, content=content, scope=scope, type=type, tags=tags,
            created=same.created if same else now, updated=now,
        )  # fmt: skip
        self.by_id[memory.memory_id] = memory
        return memory

    async def matching(self, id_prefix: str) -> list[Memory]:
        return [memory for memory in self.by_id.values() if memory.memory_id.startswith(id_prefix)]

    async def delete(self, memory_id: str) -> bool:
        return self.by_id.pop(memory_id, None) is not None


def weight(memory: Memory, roots: set[str]) -> int:
    """How many of the words the memory holds, in whatever form; one in its title or tags counts as much as several others."""
    named = roots.intersection(root for text in (memory.title, *memory.tags) for _, _, root in placed(text))
    held = roots.intersection(root for _, _, root in placed(memory.content))
    return NAMED * len(named) + len(held)
