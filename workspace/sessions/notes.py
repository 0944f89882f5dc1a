"""Notes on their way to one tab: joined where they adjoin, and dropped rather than piled up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PILE = 256 * 1024
"""Characters that wait at most; what comes on top is dropped, and the fact that ends it all has the whole text."""


class NotePile:
    def __init__(self) -> None:
        self._notes: list[dict[str, Any]] = []
        self._size = 0

    def add(self, notes: Iterable[dict[str, Any]]) -> None:
        for note in notes:
            if self._size + len(note["text"]) > PILE:
                continue
            self._size += len(note["text"])
            if self._notes and _adjoin(self._notes[-1], note):
                self._notes[-1] = {**self._notes[-1], "text": self._notes[-1]["text"] + note["text"]}
            else:
                self._notes.append(note)

    def take(self) -> list[dict[str, Any]]:
        """Everything that waits."""
        taken, self._notes, self._size = self._notes, [], 0
        return taken


def _adjoin(first: dict[str, Any], second: dict[str, Any]) -> bool:
    grown = {key: value for key, value in first.items() if key not in ("at", "text")}
    return grown.items() <= second.items() and first["at"] + len(first["text"]) == second["at"]
