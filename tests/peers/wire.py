"""What one wire format can do: read a request as a transcript, and write a reply as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from agents.events import Usage
from agents.providers.provider import Message
from agents.providers.script import ScriptedCall, ScriptedError

PIECE = 64
"""Characters in one streamed piece when the script names no speed."""


@dataclass(frozen=True)
class Said:
    """A part of a reply, variables filled in. `whole` is False where the stream breaks off inside it."""

    kind: str
    text: str
    call: ScriptedCall | None = None
    whole: bool = True

    def pieces(self, size: int = PIECE) -> Iterator[str]:
        for start in range(0, max(1, len(self.text)), size):
            yield self.text[start : start + size]


class Reply(Protocol):
    """Writes one reply. Every method gives bytes of the response body."""

    def start(self) -> bytes: ...

    def part(self, said: Said, size: int) -> Iterator[bytes]: ...

    def error(self, error: ScriptedError) -> bytes:
        """An error in the middle of the stream."""

    def end(self, finish: str, usage: Usage) -> bytes: ...


class Wire(Protocol):
    """One format."""

    def messages(self, body: dict[str, Any]) -> list[Message]: ...

    def reply(self, model: str) -> Reply: ...

    def refusal(self, error: ScriptedError, status: int) -> dict[str, Any]:
        """The JSON body of an HTTP error."""


def event(data: Any, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, separators=(',', ':'), ensure_ascii=False)}\n\n".encode()
