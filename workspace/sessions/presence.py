"""Who has a session open now, by gossip: every socket says that it is there, and forgets whom it has not heard of for long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from workspace.sessions.protocol import Person

BEAT = 20.0
EXPIRY = 45.0
"""Seconds: how often a socket says that it is there, and when the others stop believing it."""


@dataclass
class Presence:
    """One socket's view of the room. `channel` is its own name in the channel layer."""

    me: Person
    channel: str
    clock: Callable[[], float] = monotonic
    _last_beat: float = 0.0
    _others: dict[str, tuple[Person, float]] = field(default_factory=dict)

    def hello(self) -> dict[str, Any]:
        """To everybody: here I am; who are you?"""
        self._last_beat = self.clock()
        return self._message(self.me, answer=True)

    def here(self) -> dict[str, Any]:
        """To everybody now and then, or to whoever said hello."""
        self._last_beat = self.clock()
        return self._message(self.me)

    def bye(self) -> dict[str, Any]:
        return self._message(None)

    def _message(self, person: Person | None, answer: bool = False) -> dict[str, Any]:
        return {"type": "presence", "channel": self.channel, "person": person.model_dump() if person else None, "answer": answer}

    def heard(self, message: dict[str, Any]) -> bool:
        """Take in what another socket said. True when the list of people changed."""
        channel, before = message["channel"], self.people
        if channel != self.channel:
            self._others.pop(channel, None)
            if message["person"]:
                self._others[channel] = (Person(**message["person"]), self.clock())
        return self.people != before

    def forget_silent(self) -> bool:
        """Drop whoever has said nothing for long. True when the list of people changed."""
        before, now = self.people, self.clock()
        self._others = {channel: other for channel, other in self._others.items() if now - other[1] < EXPIRY}
        return self.people != before

    @property
    def beat_is_due(self) -> bool:
        return self.clock() - self._last_beat >= BEAT

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody once, by name, however many tabs he has open."""
        everybody = {person.id: person for person, _ in self._others.values()} | {self.me.id: self.me}
        return tuple(sorted(everybody.values(), key=lambda person: (person.name, person.id)))
