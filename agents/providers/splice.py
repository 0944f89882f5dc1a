"""The long-lived HTTP client below the vendors' SDKs, which puts the kept history into each request.

The library is asked with one placeholder message. On its way out that message is replaced by the fragments of the real
ones, and what stands around it (model, system prompt, tools) is kept from the first request of its kind. So no step maps,
checks or serialises again what an earlier step has sent, and each request continues the one before it byte for byte.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from agents.events import Call
from agents.providers.mapping import Dialect, fragment
from agents.providers.provider import AssistantMessage, ToolDefinition, Transcript

if TYPE_CHECKING:
    import httpx2

CONNECT = 10.0
"""Seconds to open a connection."""
MARKER = re.compile(rb"countersign-placeholder-\d+")


@dataclass
class Envelope:
    """Everything of a request but its messages. `head` and `tail` are known once the library has written it."""

    model: str
    system: str
    tools: tuple[ToolDefinition, ...]
    temperature: float | None
    max_tokens: int | None
    head: bytes = b""
    tail: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def same(self, other: Envelope) -> bool:
        mine = (self.model, self.system, self.tools, self.temperature, self.max_tokens)
        return mine == (other.model, other.system, other.tools, other.temperature, other.max_tokens)


@dataclass
class Written:
    """The first `count` messages of a transcript, joined by commas, and the ids of the calls in them."""

    count: int = 0
    joined: bytearray = field(default_factory=bytearray)
    calls: set[str] = field(default_factory=set)


class Letters:
    """The fragments of each transcript, with its images and without, and the envelopes in use."""

    ENVELOPES = 32

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._written: WeakKeyDictionary[Transcript, dict[bool, Written]] = WeakKeyDictionary()
        self._envelopes: list[Envelope] = []

    def written(self, transcript: Transcript, images: bool = True) -> Written:
        """The whole transcript as fragments; only messages that are new are mapped."""
        written = self._written.setdefault(transcript, {}).setdefault(images, Written())
        fresh = transcript.messages[written.count :]
        for value in self.dialect.write(fresh, images):
            written.joined += b"," + fragment(value) if written.joined else fragment(value)
        replies = (message for message in fresh if isinstance(message, AssistantMessage))
        written.calls.update(part.call_id for reply in replies for part in reply.parts if isinstance(part, Call))
        written.count = len(transcript.messages)
        return written

    def envelope(self, wanted: Envelope) -> Envelope:
        """The known envelope that equals this one, or this one."""
        known = next((each for each in self._envelopes if each.same(wanted)), None)
        if known is None:
            self._envelopes = [*self._envelopes[-self.ENVELOPES + 1 :], wanted]
        return known or wanted


@dataclass
class Letter:
    """One request to be sent. `marker` is the placeholder's text; `response` is there once the vendor has answered."""

    envelope: Envelope
    messages: bytearray
    marker: str
    response: httpx2.Response | None = None

    def fill(self, placeholder: str, content: bytes, headers: Mapping[str, str]) -> tuple[bytes, Mapping[str, str]]:
        """Body and headers to send in place of these."""
        envelope = self.envelope
        if not envelope.head:
            head, between, tail = content.partition(placeholder.format(marker=self.marker).encode())
            if not between:
                raise RuntimeError("the library writes messages in a way this version does not know")
            envelope.tail, envelope.headers, envelope.head = tail, headers, head
        return b"".join((envelope.head, self.messages, envelope.tail)), envelope.headers


class Post:
    """The HTTP client. Letters are announced before the library is asked and are put in by their marker."""

    def __init__(self, dialect: Dialect, silence: float) -> None:
        self.dialect = dialect
        self._letters: dict[str, Letter] = {}
        self._numbers = count(1)
        self.client = _client(self, silence)

    def announce(self, envelope: Envelope, messages: bytearray) -> Letter:
        letter = Letter(envelope, messages, f"countersign-placeholder-{next(self._numbers)}")
        self._letters[letter.marker] = letter
        return letter

    async def finish(self, letter: Letter) -> None:
        """Drop the connection unless the answer was read to its end; not every SDK does that when its stream is left."""
        self._letters.pop(letter.marker, None)
        if letter.response is not None:
            await letter.response.aclose()

    def letter_in(self, content: bytes) -> Letter | None:
        """The letter whose placeholder this is, None when the request is not one of ours."""
        found = MARKER.search(content)
        return self._letters.get(found[0].decode()) if found else None


def _client(post: Post, silence: float) -> httpx2.AsyncClient:
    """Connections are kept for as long as the client lives; `silence` is seconds without a byte."""
    http: Any = importlib.import_module("httpx2")
    timeout = {"connect": CONNECT, "read": silence, "write": silence, "pool": silence}

    class Transport(http.AsyncHTTPTransport):  # type: ignore[misc]
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            content = await request.aread()
            letter = post.letter_in(content)
            if letter is not None:
                body, headers = letter.fill(post.dialect.placeholder, content, dict(request.headers))
                known = {name: value for name, value in headers.items() if name != "content-length"}
                request = http.Request(request.method, request.url, headers=known, content=body, extensions=request.extensions)
            request.extensions["timeout"] = timeout
            response: httpx2.Response = await super().handle_async_request(request)
            if letter is not None:
                letter.response = response
            return response

    limits = http.Limits(max_connections=None, max_keepalive_connections=64, keepalive_expiry=300.0)
    client: httpx2.AsyncClient = http.AsyncClient(
        transport=Transport(verify=tls(), limits=limits), timeout=http.Timeout(silence, connect=CONNECT), follow_redirects=False
    )
    return client


@cache
def tls() -> Any:
    """One TLS context for all clients: reading the certificates takes a while."""
    return importlib.import_module("httpx2").create_ssl_context()
