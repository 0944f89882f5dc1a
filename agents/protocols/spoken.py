"""A provider that is spoken to in a protocol: for models, and servers of models, that have no function calling."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from weakref import WeakKeyDictionary

from agents.events import Call, Part, Reasoning, Text
from agents.protocols.explaining import template
from agents.protocols.listening import Listening
from agents.protocols.reader import Speech, Unreadable
from agents.protocols.retelling import Retold
from agents.providers.provider import Delta, Ended, Failed, Grew, Prompt, Provider, ToolDefinition, Transcript
from agents.shell.secrets import redact

LONG = 50_000
"""Characters from which on a reply is read in a thread, so that others in this worker go on meanwhile."""
LONGEST_REASON = 600
"""Characters of a reason, which may quote the reply."""
_retold: WeakKeyDictionary[Transcript, dict[Speech, Retold]] = WeakKeyDictionary()
"""What was made of a conversation so far. It is kept for all providers, for one is wrapped anew for every run."""


class Spoken:
    """See `Provider`. What is sent holds no tools: they are explained in the system prompt, and calls and results are text.

    A prompt without tools is sent without explanations, and its reply is plain text.
    """

    def __init__(self, provider: Provider, speech: Speech) -> None:
        self.name = provider.name
        self.provider, self.speech = provider, speech

    @property
    def context_window(self) -> int:
        return self.provider.context_window

    async def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        reply = _Reply(self.speech, prompt.tools)
        async with aclosing(self.provider.ask(self._told(prompt))) as deltas:
            async for delta in deltas:
                for more in await _taken(reply, delta):
                    yield more

    def _told(self, prompt: Prompt) -> Prompt:
        kept = _retold.setdefault(prompt.transcript, {})
        retold = kept.setdefault(self.speech, Retold(self.speech)).follow(prompt.transcript)
        system = f"{prompt.system}\n\n{self.speech.instructions(prompt.tools)}" if prompt.tools else prompt.system
        return replace(prompt, system=system, transcript=retold.transcript, tools=())


class _Reply:
    """The reply that is being streamed. A request that is sent again begins a new one."""

    def __init__(self, speech: Speech, tools: tuple[ToolDefinition, ...]) -> None:
        self.speech, self.tools = speech, tools
        self._begin()

    def _begin(self) -> None:
        self.token = uuid.uuid4().hex[:12]
        self.live = self._listening()

    def _listening(self) -> Listening:
        return Listening(self.speech.reader(self.tools), self.token)

    def take(self, delta: Delta) -> list[Delta]:
        match delta:
            case Failed():
                self._begin()
            case Grew(kind="text") if self.tools:
                return list(self.live.text(delta.text))
            case Grew() if self.tools:
                return [self.live.other(delta)]
            case Ended() if self.tools:
                return [self._ended(delta)]
        return [delta]

    def _ended(self, end: Ended) -> Ended:
        """The whole reply, read anew from its parts: what was shown before is a part of it."""
        listening = self._listening()
        try:
            parts = listening.read(end.parts, end.finish not in ("length", "cut"))
        except Unreadable as reason:
            return _unreadable(end, redact(str(reason)[: 4 * LONGEST_REASON])[0][:LONGEST_REASON])
        calls = any(isinstance(part, Call) for part in parts)
        finish = "calls" if calls and end.finish == "stop" else end.finish
        return replace(end, parts=parts, finish=finish, stop_reason=listening.reader.stop_reason)


async def _taken(reply: _Reply, delta: Delta) -> list[Delta]:
    said = sum(len(part.text) for part in delta.parts if isinstance(part, Text)) if isinstance(delta, Ended) else 0
    long = said >= LONG or (isinstance(delta, Grew) and len(delta.text) >= LONG)
    return await asyncio.to_thread(reply.take, delta) if long else reply.take(delta)


def _unreadable(end: Ended, reason: str) -> Ended:
    """The reply in its own words, and what the model is told of it. Calls of the provider's own are refused with it."""
    said = "".join(part.text for part in end.parts if isinstance(part, Text))
    thoughts = [part for part in end.parts if isinstance(part, Reasoning)]
    parts: tuple[Part, ...] = (*thoughts, Text(text=said))
    return replace(end, parts=parts, unreadable=reason, correction=template("correction").replace("{reason}", reason))
