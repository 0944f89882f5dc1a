"""One reply in a protocol's words, made into the parts and deltas of a reply with calls of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.events import Call, Part, Reasoning, Text
from agents.pieces import well_formed
from agents.protocols.reader import Piece, Reader, Unreadable
from agents.protocols.thinking import Thinking
from agents.providers.provider import Grew

Kind = Literal["text", "reasoning", "call"]
_HALF = re.compile("[\ud800-\udbff]\\Z")


@dataclass
class Growing:
    """A part of the reply as it is told. `call_id` and `tool` are a call's."""

    kind: Kind
    number: int
    call_id: str = ""
    tool: str = ""
    pieces: list[str] = field(default_factory=list)

    def part(self) -> Part:
        whole = "".join(self.pieces)
        if self.kind == "call":
            return Call(call_id=self.call_id, tool=self.tool, arguments=whole)
        return Text(text=whole) if self.kind == "text" else Reasoning(text=whole)


class Listening:
    """Follows one stream of text through a reader. Thoughts and calls of the provider's own keep their places among what is read.

    `token` makes the ids of the calls: the same for the same reply, read again.
    """

    def __init__(self, reader: Reader, token: str) -> None:
        self.reader, self.token = reader, token
        self.parts: dict[tuple[str, int], Growing] = {}
        self._own: dict[int, Part] = {}
        self._thinking = Thinking()
        self._half = ""
        self._calls = 0

    def text(self, text: str) -> Iterator[Grew]:
        """Read on. Half of a surrogate pair waits for the other."""
        text, self._half = self._half + text, ""
        if _HALF.search(text):
            text, self._half = text[:-1], text[-1]
        yield from self._told(*self._thinking.feed(well_formed(text)))

    def _told(self, thoughts: str, words: str) -> Iterator[Grew]:
        if thoughts:
            yield self._grow(("thoughts", 0), "reasoning", thoughts)
        if words:
            yield from map(self._piece, self.reader.feed(words))

    def _piece(self, piece: Piece) -> Grew:
        return self._grow(("read", piece.part), piece.kind, piece.text, piece.tool)

    def _grow(self, key: tuple[str, int], kind: Kind, text: str, tool: str = "") -> Grew:
        part = self.parts.get(key)
        if part is None:
            self._calls += kind == "call"
            call_id = f"call_{self.token}_{self._calls}" if kind == "call" else ""
            part = self.parts[key] = Growing(kind, len(self.parts), call_id, tool)
        part.pieces.append(text)
        return Grew(kind, part.number, text, part.call_id, part.tool)

    def other(self, grew: Grew) -> Grew:
        """A thought or a call of the provider's own grew: it passes, under its number among our parts."""
        return replace(self._grow(("own", grew.part), grew.kind, grew.text), call_id=grew.call_id, tool=grew.tool)

    def rest(self, whole: bool) -> Iterator[Grew]:
        """The text is over. Raises Unreadable."""
        yield from self._told(*self._thinking.feed(well_formed(self._half)))
        yield from self._told(*self._thinking.rest())
        if self._thinking.open and not whole:
            raise Unreadable("The reply was cut off before its thoughts had ended. Think less at once.")
        yield from map(self._piece, self.reader.close(whole))

    def read(self, parts: tuple[Part, ...], whole: bool) -> tuple[Part, ...]:
        """The parts of a whole reply. Raises Unreadable."""
        own: dict[int, Part] = {}
        for number, part in enumerate(parts):
            if isinstance(part, Text):
                for _ in self.text(part.text):
                    pass
            else:
                own[self.other(Grew(part.type, number, "")).part] = part
        for _ in self.rest(whole):
            pass
        return tuple(own.get(growing.number) or growing.part() for growing in self.parts.values())
