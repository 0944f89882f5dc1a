"""The line to a server at an address: streamable HTTP, connected only to addresses that were judged and are then held to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from agents.mcp.server import Server
from agents.web.addresses import Policy, parse, resolved

SILENCE = 300.0
"""Seconds a stream may be quiet; each request has a limit of its own."""
REFUSED = -32603
MOST_TRIED = 3
"""Addresses of one host that are tried until one lets us connect."""
ANSWER_LIMIT = 8 * 2**20
"""Bytes of one answer; a stream of events may be longer, each event is bounded by the SDK."""


@asynccontextmanager
async def address_line(server: Server, policy: Policy, connect_seconds: float) -> AsyncIterator[TransportStreams]:
    """The streams that a client session reads and writes. Raises AddressRefused where the address may not be asked."""
    place = parse(server.url)
    addresses = await resolved(place, policy)
    limits = httpx2.Timeout(connect_seconds, read=SILENCE)
    pinned = Pinned(place.host, addresses[:MOST_TRIED])
    headers = {**server.headers, "Accept-Encoding": "identity"}
    client = httpx2.AsyncClient(transport=pinned, headers=headers, timeout=limits, trust_env=False)
    async with client, streamable_http_client(place.url, http_client=client) as streams:
        yield streams


class Pinned(httpx2.AsyncBaseTransport):
    """Connects to the addresses a host had when it was judged, whatever its name leads to by then, the one that answered last first.

    TLS and the Host header still name the host.
    """

    def __init__(self, host: str, addresses: Sequence[str]) -> None:
        self._host, self._addresses = host, list(addresses)
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != self._host:
            raise httpx2.UnsupportedProtocol(f"it leads to {request.url.host}, another server")
        response = await self._answered(request)
        if response.headers.get("content-encoding", "identity") != "identity":  # it could swell without bound
            await response.aclose()
            raise httpx2.ReadError("it answers compressed, which was not asked for")
        if request.method == "POST" and response.status_code >= 400:
            response = await _refusal(request, response)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = Bounded(response.stream)
        return response

    async def _answered(self, request: httpx2.Request) -> httpx2.Response:
        failure: Exception = httpx2.ConnectError(f"{self._host} has no address")
        for address in list(self._addresses):
            try:
                response = await self._inner.handle_async_request(self._held_to(address, request))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as wrong:
                failure = wrong
                continue
            self._addresses.sort(key=lambda known: known != address)
            return response
        raise failure

    def _held_to(self, address: str, request: httpx2.Request) -> httpx2.Request:
        extensions = {**request.extensions, "sni_hostname": self._host}
        url = request.url.copy_with(host=address)
        return httpx2.Request(request.method, url, headers=request.headers, stream=request.stream, extensions=extensions)

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _refusal(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """A refusal such that the SDK tells what it was: bare where our session is forgotten, else in the words of the protocol."""
    if response.status_code == 404 and "mcp-session-id" in request.headers:
        await response.aclose()
        return httpx2.Response(404)
    if str(response.headers.get("content-type", "")).startswith("application/json"):
        return response
    await response.aclose()
    error = {"code": REFUSED, "message": f"it answered with HTTP {response.status_code} {response.reason_phrase}"}
    return httpx2.Response(response.status_code, json={"jsonrpc": "2.0", "id": None, "error": error})


class Bounded(httpx2.AsyncByteStream):
    """An answer's bytes, as long as there are not too many of them."""

    def __init__(self, stream: httpx2.SyncByteStream | httpx2.AsyncByteStream) -> None:
        if not isinstance(stream, httpx2.AsyncByteStream):
            raise TypeError("an answer that cannot be awaited")
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = ANSWER_LIMIT
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise httpx2.ReadError(f"an answer of more than {ANSWER_LIMIT // 2**20} MB")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
