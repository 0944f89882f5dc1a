"""Internal URLs taken apart, once: scheme, what follows it, and a query where a scheme has one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote_to_bytes

from agents.errors import ToolError

LONGEST = 4096
"""Characters of a URL."""
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
WEB = frozenset({"http", "https"})
UNSPEAKABLE = re.compile(r"[\x00-\x1f\x7f]")
QUERIED = frozenset({"issue", "pr"})
"""Schemes with a query; in the others a question mark is a letter like any other."""


@dataclass(frozen=True)
class Address:
    """`rest` is what stands behind the slashes, `path` the same without percent encoding and without the query."""

    url: str
    scheme: str
    rest: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_root(self) -> bool:
        return not self.path.strip("/")

    @property
    def parts(self) -> list[str]:
        """The names of the path. Raises ToolError for one that climbs (`..`), however it is spelled."""
        names = [name for name in self.path.replace("\\", "/").split("/") if name not in ("", ".")]
        if ".." in names:
            raise ToolError(f"{self.url} leaves what it names: '..' has no place in a {self.scheme}:// address.")
        return names


def scheme_of(path: str) -> str:
    """Of an internal URL, in small letters; "" for anything else, web addresses included."""
    found = SCHEME.match(path.strip())
    scheme = found[1].lower() if found else ""
    return "" if scheme in WEB else scheme


def parse(url: str) -> Address:
    """Raises ToolError for what is no internal URL, or one that cannot be meant."""
    url = url.strip()
    scheme = scheme_of(url)
    if not scheme:
        raise ToolError(f"{_short(url)} is no internal address. One looks like skill://name or artifact://3.")
    if len(url) > LONGEST:
        raise ToolError(f"The address {_short(url)} has more than {LONGEST} characters.")
    rest = url.partition("://")[2]
    named, mark, asked = rest.partition("?") if scheme in QUERIED else (rest, "", "")
    path = plain(named, url)
    _refuse_host(named, url, scheme)
    return Address(url, scheme, rest, path, dict(parse_qsl(asked, keep_blank_values=True)) if mark else {})


def plain(text: str, url: str) -> str:
    """Percent encoding taken away, once. Raises ToolError where that gives no text, or one with control characters."""
    try:
        path = unquote_to_bytes(text).decode()
    except UnicodeError as wrong:
        raise ToolError(f"{_short(url)} is not valid UTF-8 behind its percent signs.") from wrong
    if UNSPEAKABLE.search(path):
        raise ToolError(f"{_short(url)} has control characters, which no address may have.")
    return path


def _refuse_host(named: str, url: str, scheme: str) -> None:
    """Names of schemes other than local:// and mcp:// are plain: no user, no password."""
    if scheme not in ("local", "mcp", "rule", "memory") and "@" in named.partition("/")[0]:
        raise ToolError(f"{_short(url)}: a {scheme}:// address has no user or password in it. Leave out what stands before the @.")


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else f"{text[:99]}…")
