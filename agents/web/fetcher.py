"""Asks web servers, safely: each address is looked up once, judged, and then held to, at every redirect anew.

Nothing of ours goes along: no cookies, no passwords, no proxies of the environment. What comes back is bounded in bytes and time.
"""

from __future__ import annotations

import asyncio
import importlib
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import Message
from functools import cache
from typing import Any
from urllib.parse import urljoin

from agents.errors import FetchFailed
from agents.web.addresses import PUBLIC, Policy, Resolver, WebAddress, look_up, parse, resolved
from agents.web.inflating import ACCEPTED, Inflater

SECONDS = 30.0
CONNECT_SECONDS = 10.0
MOST_BYTES = 10 * 2**20
MOST_REDIRECTS = 5
MOST_TRIED = 3
"""Addresses of one host that are tried until one lets us connect."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; Countersign/0.1)",
    "Accept": "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.5",
    "Accept-Language": "en;q=0.9,*;q=0.5",
}


@dataclass(frozen=True)
class Answer:
    """What a server answered. `url` is where it came from after all redirects; `body` is cut where `whole` is False."""

    url: str
    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    whole: bool
    redirects: int

    @property
    def media_type(self) -> str:
        """Such as text/html; "" where the server does not say."""
        return self._content_type.get_content_type() if self.headers.get("content-type") else ""

    @property
    def charset(self) -> str:
        return str(self._content_type.get_param("charset") or "")

    @property
    def _content_type(self) -> Message:
        message = Message()
        message["Content-Type"] = self.headers.get("content-type", "")
        return message


@dataclass(frozen=True)
class Request:
    """One thing to ask. Only a GET is sent on by redirects, and to another host without its `headers`: keys may be in them."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Fetcher:
    """With `stays` a redirect to another host is told, not followed. `tls` overrides which certificates are trusted, `resolve` how

    names are looked up: for tests.
    """

    policy: Policy = PUBLIC
    seconds: float = SECONDS
    most_bytes: int = MOST_BYTES
    most_redirects: int = MOST_REDIRECTS
    stays: bool = False
    resolve: Resolver = look_up
    tls: ssl.SSLContext | None = None

    async def fetch(self, request: Request | str) -> Answer:
        """The answer, of whatever status. Raises AddressRefused, or FetchFailed with a sentence that names the host."""
        asked = Request(request) if isinstance(request, str) else request
        place = parse(asked.url)
        try:
            async with asyncio.timeout(self.seconds):
                return await self._followed(asked, place)
        except TimeoutError as wrong:
            raise FetchFailed(f"{place.host} did not give its whole answer within {self.seconds:g} seconds.") from wrong

    async def _followed(self, asked: Request, place: WebAddress) -> Answer:
        for redirects in range(self.most_redirects + 1):
            answer = await self._asked(asked, place, redirects)
            location = answer.headers.get("location", "")
            if answer.status not in REDIRECTS or not location:
                return answer
            there = parse(urljoin(place.url, location))
            if self.stays and _site(there) != _site(place):
                raise FetchFailed(f"{place.host} sends on to another server, {there.url}. Ask for that address if you want it.")
            asked, place = _sent_on(asked, place, there)
        raise FetchFailed(f"{place.host} sends on and on: more than {self.most_redirects} redirects.")

    async def _asked(self, asked: Request, place: WebAddress, redirects: int) -> Answer:
        addresses = await resolved(place, self.policy, self.resolve)
        try:
            async with self._transport() as transport:
                response = await self._sent(transport, asked, place, addresses)
                try:
                    body, whole = await self._read(response)
                finally:
                    await response.aclose()
        except FetchFailed as wrong:
            raise FetchFailed(f"{place.host}: {wrong}.") from wrong
        except (_library().InvalidURL, _library().LocalProtocolError, UnicodeError) as wrong:
            raise FetchFailed(f"{place.host} cannot be asked so: the address or a key has letters that HTTP does not allow.") from wrong
        except _library().HTTPError as wrong:
            raise FetchFailed(f"{place.host} could not be asked: {_why(wrong)}.") from wrong
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(place.url, response.status_code, response.reason_phrase, headers, body, whole, redirects)

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        transport = _library().AsyncHTTPTransport(verify=self.tls or _tls(), trust_env=False, retries=0)
        try:
            yield transport
        finally:
            await transport.aclose()

    async def _sent(self, transport: Any, asked: Request, place: WebAddress, addresses: tuple[str, ...]) -> Any:
        """Connect to one of the addresses that were judged; the name is only spoken, to the server and in the certificate's check."""
        refused: Exception | None = None
        for address in addresses[:MOST_TRIED]:
            try:
                return await transport.handle_async_request(_request(asked, place, address))
            except (_library().ConnectError, _library().ConnectTimeout) as wrong:
                refused = refused or wrong
        raise refused or FetchFailed("no address")

    async def _read(self, response: Any) -> tuple[bytes, bool]:
        """The body as far as there is room, and whether that is all. A redirect's is left unread."""
        if response.status_code in REDIRECTS and "location" in response.headers:
            return b"", True
        inflater = Inflater(response.headers.get("content-encoding", ""))
        body, sent = bytearray(), 0
        async for piece in response.aiter_raw():
            sent += len(piece)
            body += inflater.feed(piece, self.most_bytes + 1 - len(body))
            if max(len(body), sent) > self.most_bytes:
                return bytes(body[: self.most_bytes]), False
        return bytes(body), True


def _site(place: WebAddress) -> tuple[str, int]:
    """What a redirect may stay within: the host with or without www, and its port, going over to https at the usual ones."""
    return place.host.removeprefix("www."), 443 if place.port == 80 else place.port


def _sent_on(asked: Request, place: WebAddress, there: WebAddress) -> tuple[Request, WebAddress]:
    if asked.method != "GET":
        raise FetchFailed(f"{place.host} sends on to {there.host}, which is not told what was sent here.")
    trusted = there.authority == place.authority and there.scheme in (place.scheme, "https")  # never on to a line anybody can read
    return (asked if trusted else Request(asked.url)), there


def _request(asked: Request, place: WebAddress, address: str) -> Any:
    at = f"[{address}]" if ":" in address else address
    headers = {**HEADERS, **asked.headers, "Host": place.authority, "Accept-Encoding": ACCEPTED, "Connection": "close"}
    waits = {"connect": CONNECT_SECONDS, "read": SECONDS, "write": CONNECT_SECONDS, "pool": CONNECT_SECONDS}
    extensions = {"timeout": waits, "sni_hostname": place.host}
    url = f"{place.scheme}://{at}:{place.port}{place.target}"
    return _library().Request(asked.method, url, headers=headers, content=asked.body or None, extensions=extensions)


def _why(wrong: Exception) -> str:
    said = str(wrong).strip().rstrip(".")
    return said[:300] or type(wrong).__name__


@cache
def _tls() -> ssl.SSLContext:
    """One context for all: reading the certificates takes a while."""
    context: ssl.SSLContext = _library().create_ssl_context()
    return context


def _library() -> Any:
    """Imported when first needed: it takes a quarter of a second."""
    return importlib.import_module("httpx2")
