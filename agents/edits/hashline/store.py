"""The snapshots of one session, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from agents.edits.hashline.tags import normal, tag_of
from agents.ports import Snapshot


@dataclass(frozen=True)
class Room:
    """How much a session keeps: paths, versions of each, and characters in all."""

    paths: int = 30
    versions: int = 4
    characters: int = 64 * 2**20


class MemorySnapshots:
    """`Snapshots` for as long as this object lives."""

    def __init__(self, room: Room = Room()) -> None:
        self._room = room
        self._kept: OrderedDict[str, list[Snapshot]] = OrderedDict()
        self._notes: dict[str, Any] = {}
        self._lock = Lock()

    def versions(self, path: str) -> Sequence[Snapshot]:
        with self._lock:
            if path in self._kept:
                self._kept.move_to_end(path)
            return tuple(self._kept.get(path, ()))

    def record(self, path: str, text: str) -> Snapshot:
        text = normal(text)
        snapshot = Snapshot(path, tag_of(text), text)
        with self._lock:
            older = [one for one in self._kept.pop(path, []) if one.text != text]
            self._kept[path] = [snapshot, *older][: self._room.versions]
            self._make_room()
        return snapshot

    def noted(self, key: str) -> Any:
        return self._notes.get(key)

    def note(self, key: str, value: Any) -> None:
        if value is None:
            self._notes.pop(key, None)
        else:
            self._notes[key] = value

    def texts(self) -> list[tuple[str, list[str]]]:
        """All of it as (path, texts): recorded in this order they make this store again."""
        with self._lock:
            return [(path, [one.text for one in reversed(versions)]) for path, versions in self._kept.items()]

    def notes(self) -> dict[str, Any]:
        with self._lock:
            return dict(self._notes)

    def _make_room(self) -> None:
        while len(self._kept) > 1 and (len(self._kept) > self._room.paths or self._size() > self._room.characters):
            self._kept.popitem(last=False)

    def _size(self) -> int:
        return sum(len(one.text) for versions in self._kept.values() for one in versions)
