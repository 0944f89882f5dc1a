"""What is growing in a run right now, kept by its worker for whoever begins to watch in the middle of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from agents import events as e

MOST = 128 * 1024
"""Characters kept of one growing thing: its last ones."""


class Growing:
    """One growing text as the pieces it came in."""

    def __init__(self, note: e.AnyNote) -> None:
        self._first = note
        self._pieces: deque[str] = deque()
        self._start, self._size = note.at, 0

    def add(self, note: e.AnyNote) -> None:
        if note.at != self._start + self._size:  # it began anew
            self._pieces.clear()
            self._start, self._size = note.at, 0
        self._pieces.append(note.text)
        self._size += len(note.text)
        while self._size > MOST and len(self._pieces) > 1:
            gone = len(self._pieces.popleft())
            self._start, self._size = self._start + gone, self._size - gone

    @property
    def note(self) -> e.AnyNote:
        """All that is kept of it as one note."""
        return self._first.model_copy(update={"at": self._start, "text": "".join(self._pieces)})


class Showing:
    """Every text that grew and whose fact has not landed yet."""

    def __init__(self) -> None:
        self._growing: dict[tuple[object, ...], Growing] = {}

    def add(self, note: e.AnyNote) -> None:
        place = place_of(note)
        if place not in self._growing:
            self._growing[place] = Growing(note)
        self._growing[place].add(note)

    def landed(self, facts: Sequence[e.AnyFact]) -> None:
        """Drop what these facts say in full."""
        ended = {fact.reply_id for fact in facts if isinstance(fact, e.AgentSpoke | e.ProviderFailed)}
        ended |= {fact.call_id for fact in facts if isinstance(fact, e.ToolFinished)}
        if ended:
            self._growing = {place: text for place, text in self._growing.items() if not ended & {place[1], place[3]}}

    @property
    def notes(self) -> list[e.AnyNote]:
        return [growing.note for growing in self._growing.values()]


def place_of(note: e.AnyNote) -> tuple[object, ...]:
    """Which growing thing the note is about: its type, reply, part and call."""
    return (note.type, getattr(note, "reply_id", ""), getattr(note, "part", 0), getattr(note, "call_id", ""))
