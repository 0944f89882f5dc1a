"""Real models: one library for all vendors, asked with the history that is kept ready (see `splice`)."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import cached_property
from typing import Any

from agents.providers.clients import SETTINGS, open_model, preload
from agents.providers.failures import failure, is_break
from agents.providers.mapping import DIALECTS
from agents.providers.pricing import context_window
from agents.providers.provider import Delta, Ended, Failed, Prompt
from agents.providers.replies import Reply
from agents.providers.sight import sees_images
from agents.providers.splice import Envelope, Letters, Post

DIALECT = {"openai": "openai", "openai-compatible": "openai", "anthropic": "anthropic", "google": "google"}
PRICED = {"openai": "openai", "anthropic": "anthropic", "google": "google", "openai-compatible": ""}


class VendorProvider:
    """Asks `name`'s API. Long-lived: it keeps connections, and each transcript's messages as they went over the wire."""

    def __init__(self, name: str, *, key: str, base_url: str, model: str, timeout: float) -> None:
        self.name, self.base_url, self.model, self.timeout = name, base_url, model, timeout
        self._key = key
        self._letters = Letters(DIALECTS[DIALECT[name]])
        self._line: _Line | None = None

    def __repr__(self) -> str:
        return f"VendorProvider({self.name!r}, base_url={self.base_url!r})"

    @cached_property
    def context_window(self) -> int:
        return context_window(self.model, PRICED[self.name], self.base_url)

    async def warm(self) -> None:
        """Make ready for the first request, without sending one."""
        line = await self._open_line()
        line.open(self.name, self.model)

    async def close(self) -> None:
        """Close the connections; asking again opens new ones."""
        if self._line is not None:
            line, self._line = self._line, None
            await line.post.client.aclose()

    async def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        attempt, wait = 1, None
        while attempt == 1 or wait is not None:
            await asyncio.sleep(wait or 0)
            wait = None
            async with aclosing(self._attempt(prompt, attempt)) as deltas:
                async for delta in deltas:
                    wait = delta.retry_in if isinstance(delta, Failed) else None
                    yield delta
            attempt += 1

    async def _attempt(self, prompt: Prompt, attempt: int) -> AsyncGenerator[Delta, None]:
        """One request: Grew as it comes, then Ended or Failed."""
        written = self._letters.written(prompt.transcript, sees_images(self.name, prompt.model))
        reply, stream = Reply(self.name, written.calls), None
        try:
            async with self._stream(prompt, written.joined) as stream:
                async for event in stream:
                    for grew in reply.grew(event):
                        yield grew
            last: Delta = self._ended(reply, stream, prompt)
        except Exception as problem:
            broken = stream is not None and reply.begun and is_break(problem)
            last = self._ended(reply, stream, prompt, broken=True) if broken else failure(problem, attempt, self._key)
        yield last

    def _ended(self, reply: Reply, stream: Any, prompt: Prompt, *, broken: bool = False) -> Ended:
        """Raises Unreadable for an answer that holds no reply; never for one that broke off."""
        return reply.ended(stream.get(), prompt.model, PRICED[self.name], self.base_url, broken=broken)

    @asynccontextmanager
    async def _stream(self, prompt: Prompt, messages: bytearray) -> AsyncIterator[Any]:
        """The library's stream for this prompt. Left early, it drops the connection."""
        line = await self._open_line()
        wanted = Envelope(prompt.model, prompt.system, prompt.tools, prompt.temperature, prompt.max_tokens)
        envelope = self._letters.envelope(wanted)
        letter = line.post.announce(envelope, messages)
        try:
            async with line.request(self.name, envelope, letter.marker) as stream:
                try:
                    yield stream
                finally:
                    await stream.cancel()
        finally:
            await line.post.finish(letter)

    async def _open_line(self) -> _Line:
        """The connections of this event loop; the SDK is imported in a thread, for it takes its time."""
        loop = asyncio.get_running_loop()
        if self._line is None or self._line.loop is not loop:
            await asyncio.to_thread(preload, self.name)
        if self._line is None or self._line.loop is not loop:
            self._line = _Line(loop, Post(self._letters.dialect, self.timeout), self._key, self.base_url)
        return self._line


class _Line:
    """What belongs to one event loop: the HTTP client and the library's models, by name."""

    def __init__(self, loop: asyncio.AbstractEventLoop, post: Post, key: str, base_url: str) -> None:
        self.loop, self.post = loop, post
        self._key, self._base_url = key, base_url
        self._models: dict[str, Any] = {}

    @asynccontextmanager
    async def request(self, name: str, envelope: Envelope, marker: str) -> AsyncIterator[Any]:
        """Ask the library for a reply to the placeholder; once the envelope is known, with nothing else around it."""
        model = self.open(name, envelope.model)
        library: Any = importlib.import_module("pydantic_ai.direct")
        said: Any = importlib.import_module("pydantic_ai.messages")
        asked: Any = importlib.import_module("pydantic_ai.models")
        known = bool(envelope.head)
        message = said.ModelRequest(parts=[said.UserPromptPart(marker)], instructions=None if known else envelope.system or None)
        tools = [] if known else _tools(envelope)
        settings = {**SETTINGS.get(name, {}), **_settings(envelope)}
        parameters = asked.ModelRequestParameters(function_tools=tools)
        async with library.model_request_stream(
            model, [message], model_settings=settings, model_request_parameters=parameters, instrument=False
        ) as stream:
            yield stream

    def open(self, name: str, model: str) -> Any:
        """The library's model of this name."""
        if model not in self._models:
            self._models[model] = open_model(name, model, key=self._key, base_url=self._base_url, client=self.post.client)
        return self._models[model]


def _settings(envelope: Envelope) -> dict[str, Any]:
    wanted = {"temperature": envelope.temperature, "max_tokens": envelope.max_tokens}
    return {name: value for name, value in wanted.items() if value is not None}


def _tools(envelope: Envelope) -> list[Any]:
    definition = importlib.import_module("pydantic_ai.tools").ToolDefinition
    return [
        definition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters, strict=tool.strict)
        for tool in envelope.tools
    ]
