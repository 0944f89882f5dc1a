"""Search engines' result pages: where they are, and the hits in their HTML."""

from __future__ import annotations

import base64
import binascii
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit

from agents.web.hits import Hit, hit


@dataclass(frozen=True)
class Engine:
    """`results` is the CSS selector that is there once the page has its results."""

    name: str
    place: str
    path: str
    results: str
    read: Callable[[str], list[Hit | None]]

    def address(self, query: str, place: str = "") -> str:
        return (place or self.place).rstrip("/") + self.path.format(query=quote_plus(query))


def _having(name: str) -> str:
    """The XPath condition of having a class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def _tree(html: str) -> Any:
    page = importlib.import_module("lxml.html")
    return page.document_fromstring(html.encode("utf-8", "replace") or b"<p>", parser=page.HTMLParser(encoding="utf-8"))


def _read_bing(html: str) -> list[Hit | None]:
    return list(_bing(_tree(html)))


def _bing(tree: Any) -> Iterator[Hit | None]:
    for entry in tree.xpath(f"//li[{_having('b_algo')}]"):
        links = entry.xpath(".//h2//a[@href]")
        said = entry.xpath(f".//div[{_having('b_caption')}]//p") or entry.xpath(".//p")
        if links:
            yield hit(links[0].text_content(), straight(links[0].get("href")), said[0].text_content() if said else "")


def _read_duckduckgo(html: str) -> list[Hit | None]:
    return list(_duckduckgo(_tree(html)))


def _duckduckgo(tree: Any) -> Iterator[Hit | None]:
    for entry in tree.xpath(f"//div[{_having('result')} and not({_having('result--ad')})]"):
        links = entry.xpath(f".//a[{_having('result__a')} and @href]")
        said = entry.xpath(f".//*[{_having('result__snippet')}]")
        if links:
            yield hit(links[0].text_content(), straight(links[0].get("href")), said[0].text_content() if said else "")


def straight(href: str) -> str:
    """Where a result leads, without the engine's own counting redirect in between."""
    address = f"https:{href}" if href.startswith("//") else href
    try:
        parts = urlsplit(address)
        asked = parse_qs(parts.query)
    except ValueError:
        return ""
    host = parts.hostname or ""
    if host.endswith("bing.com") and parts.path.startswith("/ck/") and asked.get("u", [""])[0].startswith("a1"):
        return _decoded(asked["u"][0][2:]) or address
    if host.endswith("duckduckgo.com") and parts.path.startswith("/l/") and asked.get("uddg"):
        return asked["uddg"][0]
    return address


def _decoded(text: str) -> str:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


BING = Engine("bing", "https://www.bing.com", "/search?q={query}&setlang=en", "li.b_algo", _read_bing)
DUCKDUCKGO = Engine("duckduckgo_html", "https://html.duckduckgo.com", "/html/?q={query}", "div.result", _read_duckduckgo)
ENGINES = (BING, DUCKDUCKGO)
