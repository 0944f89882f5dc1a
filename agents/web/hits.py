"""What a search finds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from agents.errors import AddressRefused
from agents.web.addresses import parse


@dataclass(frozen=True)
class Hit:
    """One result; all three in one line each. A hit without a web address is none."""

    title: str
    url: str
    snippet: str = ""


def hit(title: object, url: object, snippet: object = "") -> Hit | None:
    """Of what a backend said, which may be anything; markup and entities become the letters they stand for."""
    try:
        address = _address(url) if isinstance(url, str) else ""
    except AddressRefused:
        return None
    said = _line(title) or address
    return Hit(said, address, _line(snippet)) if address else None


def _address(url: str) -> str:
    fragment = quote(url.strip().partition("#")[2], safe="/:=&?~+!$,;'@()*-._%")
    return parse(url).url + (f"#{fragment}" if fragment else "")


def _line(text: object) -> str:
    if not isinstance(text, str):
        return ""
    return " ".join(html.unescape(re.sub(r"</?[a-zA-Z][^<>]{0,200}>", "", text)).split())


def unique(hits: Iterable[Hit | None], most: int) -> list[Hit]:
    """The first of each address, in their order."""
    found: dict[str, Hit] = {}
    for one in hits:
        if one is not None:
            found.setdefault(one.url.rstrip("/"), one)
    return list(found.values())[:most]


def listed(hits: Iterable[Hit], snippet: int, label: str = "") -> str:
    """Numbered, each with its address and the beginning of what it says; `snippet` in characters."""
    told = (f"**{one.title}**\n   {label}{one.url}\n   {_cut(one.snippet, snippet)}".rstrip() for one in hits)
    return "\n\n".join(f"{number}. {one}" for number, one in enumerate(told, 1))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
