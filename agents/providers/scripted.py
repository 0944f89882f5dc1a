"""A provider that replays a script: the demo, the tests' model, and what a team without a key gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Literal
from weakref import WeakKeyDictionary

from agents.events import Call, Part, Reasoning, Usage
from agents.providers.places import Cue, Place
from agents.providers.provider import Delta, Ended, Failed, Grew, Prompt, Transcript
from agents.providers.script import Script, ScriptedError, ScriptedPart, filled

TICK = 0.04
"""Seconds between two pieces of a streamed part."""


class ScriptedProvider:
    """Plays `script`. Holds no state of its own: where it stands follows from the transcript (see `Place`).

    `pace` stretches every wait of the script: 0 plays it at once, 2 at half speed.
    """

    name = "scripted"
    context_window = 128_000

    def __init__(self, script: Script, pace: float = 1.0) -> None:
        self.script, self.pace = script, pace
        self._places: WeakKeyDictionary[Transcript, Place] = WeakKeyDictionary()

    async def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        place = self._places.setdefault(prompt.transcript, Place(self.script)).follow(prompt.transcript)
        cue = place.cue()
        reply = _Reply(cue, self.script.speed if cue.turn.speed is None else cue.turn.speed, self.pace)
        for part in cue.turn.parts:
            async for delta in reply.play(part):
                yield delta
            if reply.over:
                break
        if reply.over != "failed":
            yield reply.end(prompt, place.characters)


class _Reply:
    """One reply in the making. `over` says that nothing of the turn follows any more."""

    def __init__(self, cue: Cue, speed: float, pace: float) -> None:
        self.cue, self.speed, self.pace = cue, speed, pace
        self.parts: list[Part] = []
        self.over: Literal["", "failed", "cut"] = ""
        self.attempt = 1

    async def play(self, part: ScriptedPart) -> AsyncGenerator[Delta, None]:
        if part.error is not None:
            yield await self._fail(part.error)
            await asyncio.sleep((part.error.retry_in or 0) * self.pace)
        elif part.delay is not None:
            await asyncio.sleep(part.delay * self.pace)
        elif part.hang:
            await asyncio.Event().wait()
        elif part.cut:
            self.over = "cut"
        else:
            async for piece in self._say(part.written(self.cue.variables)):
                yield piece

    async def _fail(self, error: ScriptedError) -> Failed:
        self.parts.clear()
        self.over = "" if error.retry_in is not None else "failed"
        self.attempt += 1
        return Failed(error.kind, filled(error.message, self.cue.variables), error.status, self.attempt - 1, error.retry_in)

    async def _say(self, part: Part) -> AsyncGenerator[Grew, None]:
        number = len(self.parts)
        self.parts.append(part)
        whole = part.arguments if isinstance(part, Call) else part.text
        size = max(1, round(self.speed * TICK)) if self.speed else max(1, len(whole))
        for start in range(0, max(1, len(whole)), size):
            piece = whole[start : start + size]
            if isinstance(part, Call):
                yield Grew("call", number, piece, part.call_id, part.tool)
            else:
                yield Grew(part.type, number, piece)
            await asyncio.sleep(len(piece) / self.speed * self.pace if self.speed else 0)

    def end(self, prompt: Prompt, characters: int) -> Ended:
        finish = self.cue.turn.finish or ("calls" if any(isinstance(part, Call) for part in self.parts) else "stop")
        usage = self.cue.turn.usage or self._estimate(characters + len(prompt.system))
        return Ended(tuple(self.parts), "cut" if self.over else finish, usage, prompt.model)

    def _estimate(self, read: int) -> Usage:
        """Four characters a token; a script costs nothing."""
        written = sum(len(part.arguments if isinstance(part, Call) else part.text) for part in self.parts)
        thought = sum(len(part.text) for part in self.parts if isinstance(part, Reasoning))
        return Usage(input=-(-read // 4), output=-(-written // 4), reasoning=-(-thought // 4), cost=0.0)
