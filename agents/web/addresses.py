"""Which web addresses the product may be sent to: one judgement for fetching, searching, cloning and models' servers.

A URL is taken apart here once, and what is asked is built from the parts, so that no second reader can understand it otherwise.
"""

from __future__ import annotations

import asyncio
import importlib
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from urllib.parse import quote, urlsplit

from agents.errors import AddressRefused, FetchFailed
from agents.web.networks import is_perilous, is_public, plain

PORTS = {"http": 80, "https": 443}
LONGEST = 8_000
"""Characters of a URL."""
LOOK_UP_SECONDS = 5.0
INTERNAL = ("localhost", "localdomain", "local", "internal", "home.arpa")
"""Names, and the ends of names, that never mean a server on the public web (metadata.google.internal is one)."""
AUTHORITY = re.compile(r"(?:(?P<user>[^@]*)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^@:\[\]]+)(?::(?P<port>[0-9]{0,5}))?")
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
SAFE = "%/:=&?~#+!$,;'@()*[]|"


@dataclass(frozen=True)
class WebAddress:
    """An http(s) URL taken apart. `host` is ASCII in small letters, without brackets or trailing dot; `target` is path and query."""

    scheme: str
    host: str
    port: int
    target: str
    user_info: str = ""

    @property
    def authority(self) -> str:
        """Host, and the port where it is not the scheme's own, as a URL and the Host header write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """Without user info and fragment."""
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def url_with_user(self) -> str:
        user = f"{self.user_info}@" if self.user_info else ""
        return f"{self.scheme}://{user}{self.authority}{self.target}"

    @property
    def is_literal(self) -> bool:
        return plain(self.host) is not None


def parse(url: str, *, user_info: bool = False) -> WebAddress:
    """Raises AddressRefused for what is no plain http(s) URL, and for one with a user or password in it unless these are welcome."""
    if len(url) > LONGEST or any(ord(letter) < 32 or ord(letter) == 127 for letter in url.strip()):
        raise AddressRefused(f"This is no web address: it has control characters, or more than {LONGEST} characters.")
    try:
        parts = urlsplit(url.strip())
    except ValueError as wrong:
        raise AddressRefused(f"{_short(url)} is no web address: {wrong}.") from wrong
    if parts.scheme not in PORTS:
        raise AddressRefused(f"Only http and https addresses can be asked, and {_short(url)} is neither.")
    found = AUTHORITY.fullmatch(parts.netloc)
    if found is None or re.search(r"[\s\\]", parts.netloc):
        raise AddressRefused(f"{_short(url)} names no host in a way that can only mean one. It should look like https://example.org/page.")
    if found["user"] is not None and not user_info:
        raise AddressRefused("An address with a user or password in it (user:password@host) is not asked. Leave that part out.")
    port = int(found["port"] or PORTS[parts.scheme])
    if not 0 < port < 65536:
        raise AddressRefused(f"{_short(url)} names no port there could be.")
    target = quote(parts.path or "/", safe=SAFE) + (f"?{quote(parts.query, safe=SAFE)}" if parts.query else "")
    return WebAddress(parts.scheme, _host(found["host"]), port, target, found["user"] or "")


def _host(written: str) -> str:
    if written.startswith("["):
        return _literal_6(written[1:-1])
    host = (written if written.isascii() else _ascii(written)).lower().removesuffix(".")
    labels = host.split(".")
    if NUMBER.fullmatch(labels[-1]):
        return _literal_4(written, host)
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise AddressRefused(f"{_short(written)} is no name of a server.")
    return host


def _literal_6(written: str) -> str:
    ip = plain(written)
    if ip is None:
        raise AddressRefused(f"[{_short(written)}] is no IPv6 address.")
    return str(ip)


def _ascii(host: str) -> str:
    """The name as DNS has it. Letters that only look different, full-width digits among them, become what they stand for."""
    try:
        return str(importlib.import_module("idna").encode(host, uts46=True).decode("ascii"))
    except UnicodeError as wrong:
        raise AddressRefused(f"{_short(host)} is no name of a server.") from wrong


def _literal_4(written: str, host: str) -> str:
    """Four decimal numbers, and nothing else that some reader takes for an IPv4 address."""
    try:
        ip = IPv4Address(host)
    except AddressValueError:
        ip = None
    if ip is not None and written.isascii():
        return str(ip)
    try:
        meant = f" of {socket.inet_ntoa(socket.inet_aton(host))}"
    except OSError:
        meant = ""
    raise AddressRefused(f"{_short(written)} is a disguised spelling{meant}. Write an address as four decimal numbers.")


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else f"{text[:99]}…")


@dataclass(frozen=True)
class Policy:
    """Where a part of the product may go: `allows` judges one IP address, `internal` says whether names of internal hosts are tried."""

    allows: Callable[[str], bool]
    internal: bool = False

    def check_name(self, place: WebAddress) -> None:
        """Raises AddressRefused for a name that needs no looking up."""
        if not self.internal and any(place.host == name or place.host.endswith(f".{name}") for name in INTERNAL):
            raise AddressRefused(f"{place.host} is private: a name within a server's own network, which is not asked.")

    def checked(self, place: WebAddress, found: Sequence[str]) -> tuple[str, ...]:
        """The addresses the host has, each of which may be asked. Raises AddressRefused if a single one may not."""
        if not found:
            raise FetchFailed(f"{place.host} has no address.")
        refused = next((address for address in found if not self.allows(address)), None)
        if refused is not None:
            leads = "" if refused == place.host else f" leads to {refused}, which"
            raise AddressRefused(f"{place.host}{leads} is private: an address within a server's own network, which is not asked.")
        return tuple(dict.fromkeys(found))


PUBLIC = Policy(is_public)
MODELS = Policy(lambda address: not is_perilous(address), internal=True)
"""Models often live in the server's own network; where cloud machines tell their secrets none does."""
ANYWHERE = Policy(lambda address: True, internal=True)
"""What the operator's switch for private addresses makes of PUBLIC."""

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""(host, port) → every IP address it has. Raises OSError."""


async def look_up(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


async def resolved(place: WebAddress, policy: Policy, resolve: Resolver = look_up, seconds: float = LOOK_UP_SECONDS) -> tuple[str, ...]:
    """The IP addresses to connect to, looked up once. Raises FetchFailed where there are none, AddressRefused where one is private."""
    policy.check_name(place)
    if place.is_literal:
        return policy.checked(place, [place.host])
    try:
        async with asyncio.timeout(seconds):
            found = await resolve(place.host, place.port)
    except TimeoutError as wrong:
        raise FetchFailed(f"{place.host} could not be looked up within {seconds:g} seconds.") from wrong
    except (OSError, UnicodeError) as wrong:
        raise FetchFailed(f"No server is called {place.host}.") from wrong
    return policy.checked(place, found)


def resolved_now(place: WebAddress, policy: Policy) -> tuple[str, ...]:
    """The same for callers without an event loop; the system's own limits bound the look-up."""
    policy.check_name(place)
    if place.is_literal:
        return policy.checked(place, [place.host])
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as wrong:
        raise FetchFailed(f"No server is called {place.host}.") from wrong
    return policy.checked(place, [str(entry[4][0]) for entry in found])
