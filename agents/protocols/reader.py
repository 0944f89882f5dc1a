"""What a protocol is made of: how it is explained, how what was said is retold in it, and how a reply is read while it comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agents.events import Call
from agents.providers.provider import ToolDefinition

StopReason = Literal["", "continue", "done", "fail"]


class Unreadable(Exception):
    """A reply is none in its protocol. The text is the reason, in a sentence or two that a model can act on."""


@dataclass(frozen=True)
class Piece:
    """What a reply grew by. `part` is the reader's own number of the text or call it belongs to; a call's text is raw argument JSON."""

    part: int
    text: str
    kind: Literal["text", "call"] = "text"
    tool: str = ""


class Reader(Protocol):
    """Reads one reply.

    Contract: `feed` raises nothing, shows a call as soon as it has begun, and gives the same pieces, joined, however the text is cut.
    What was shown stands only if `close` raises nothing.
    """

    stop_reason: StopReason

    def feed(self, text: str) -> Iterator[Piece]:
        """Read on. The text holds no half of a surrogate pair."""

    def close(self, whole: bool) -> Iterator[Piece]:
        """The reply is over; not `whole` when it was cut or reached its limit. Raises Unreadable."""


class Speech(Protocol):
    """A protocol's words. All but `reader` give the same for the same, in every worker."""

    def instructions(self, tools: Sequence[ToolDefinition]) -> str:
        """What stands behind the system prompt: the form, and the tools in it."""

    def reply(self, words: str, calls: Sequence[Call], stop_reason: StopReason) -> str:
        """An earlier reply that was read, in this form."""

    def reader(self, tools: Sequence[ToolDefinition]) -> Reader: ...


TOO_LONG = "Say less at once: write a long file in several smaller steps, one reply each."
"""What a reply that was cut off is told."""
