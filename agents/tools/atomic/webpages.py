"""The side of `read` that goes to the web: what an address gives, the beginning of it or the lines that are asked for."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from time import monotonic
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from agents.errors import ToolError
from agents.ports import Artifact, Web
from agents.reading.images import media_type_of, shrunk
from agents.reading.rows import MOST_BYTES, Page, below, page
from agents.reading.selectors import Selector, split
from agents.tools.atomic.documents import converted
from agents.tools.atomic.showing import told
from agents.tools.online import web_of
from agents.tools.tool import ToolContext, ToolResult
from agents.web.addresses import ANYWHERE, PUBLIC
from agents.web.fence import fenced
from agents.web.fetcher import Fetcher
from agents.web.reading import SECONDS, WebText, read

LINES = 300
"""Shown of a page of which no lines were asked for."""
LINE_END = "\n"
WEB = re.compile(r"\s*(?:https?:/+|www\.)[^/\s]", re.IGNORECASE)


@dataclass(frozen=True)
class Kept:
    """A page as it was at `since`, and the artifact its whole text was kept as."""

    text: WebText
    since: float
    artifact: Artifact | None = None


class Pages:
    """The pages that were read last, each for one session: at most 100, 32 Mi characters, and a quarter of an hour old."""

    MOST, CHARACTERS, SECONDS = 100, 32 * 2**20, 900.0

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, bool, str], Kept] = OrderedDict()
        self._lock = Lock()

    def find(self, session_id: str, raw: bool, url: str) -> Kept | None:
        with self._lock:
            found = self._kept.get((session_id, raw, url))
            if found is None or monotonic() - found.since > self.SECONDS:
                return None
            self._kept.move_to_end((session_id, raw, url))
            return found

    def keep(self, session_id: str, raw: bool, urls: set[str], kept: Kept) -> None:
        """By the address that was asked for and by the one it came from."""
        with self._lock:
            for url in urls:
                self._kept.pop((session_id, raw, url), None)
                self._kept[session_id, raw, url] = kept
            while len(self._kept) > self.MOST or self._size() > self.CHARACTERS:
                self._kept.popitem(last=False)

    def _size(self) -> int:
        return sum(len(one.text.text) + len(one.text.data) for one in self._kept.values())


PAGES = Pages()


def is_web(path: str) -> bool:
    """Whether this is a web address; one whose slashes were run together (https:/x) too."""
    return WEB.match(path) is not None


def address_of(path: str) -> tuple[str, Selector | None]:
    """(the address, what of it is asked for). Raises ToolError for a wrong selector."""
    whole = re.sub(r"^(https?):/+", r"\1://", path.strip(), flags=re.IGNORECASE)
    url, selector = split(whole, lambda name: False)
    return (f"https://{url}" if url.lower().startswith("www.") else url), selector


async def read_page(path: str, context: ToolContext, *, stays: bool, fetcher: Fetcher | None = None) -> ToolResult:
    """What is there. Raises ToolError; with `stays` no other server is asked. `fetcher` is what asks, the product's own by default."""
    url, selector = address_of(path)
    if selector and selector.conflicts:
        raise ToolError(":conflicts is for files of the workspace; a web page has none.")
    asks = replace(fetcher or _fetcher(web_of(context)), stays=stays)
    raw = bool(selector and selector.raw)
    kept = PAGES.find(context.session_id, raw, url)
    if kept is None:
        text = await read(url, asks, lambda data, suffix: converted(data, suffix, context), raw=raw)
        kept = Kept(text, monotonic())
    if kept.text.data:
        return await _image(kept.text, url, context)
    if selector and selector.spans:
        result = await asyncio.to_thread(_selected, kept.text, url, selector)
    else:
        kept, result = await _beginning(kept, url, raw, context)
    if kept.text.ok:
        PAGES.keep(context.session_id, raw, {url, kept.text.url}, kept)
    return result


def _fetcher(web: Web) -> Fetcher:
    return Fetcher(ANYWHERE if web.allow_private or web.reads_private else PUBLIC, seconds=SECONDS)


async def _image(found: WebText, url: str, context: ToolContext) -> ToolResult:
    if not media_type_of(found.data):
        raise ToolError(f"{found.url} is {found.content_type} ({len(found.data)} bytes), which is of no kind of image that can be shown.")
    name = urlsplit(found.url).path.rpartition("/")[2] or "image"
    picture = await shrunk(found.data, name, context.sandbox)
    output = f"{_head(found)}\n\n---\n\n{picture.in_words}"
    return ToolResult(_title(found), output, _facts(found, url), attachments=(picture.attachment,))


def _selected(found: WebText, url: str, selector: Selector) -> ToolResult:
    shown = page(found.text, selector, url, "resource")
    metadata = _facts(found, url, shown)
    if selector.raw or not shown.rows:
        return ToolResult(_title(found), shown.plain, metadata)
    head = f"URL: {found.url}\nStatus: {found.status}\nContent-Type: {found.content_type or 'unknown'}"
    rows = replace(shown, footer="").numbered
    return ToolResult(_title(found), below(f"{head}\n\n{fenced(rows)}", shown.footer), metadata)


async def _beginning(kept: Kept, url: str, raw: bool, context: ToolContext) -> tuple[Kept, ToolResult]:
    """The first lines below a few about it; where that is not all, the whole is kept as an artifact."""
    found = kept.text
    head = "" if raw else f"{_head(found)}\n\n---\n\n"
    lines = f"{head}{found.text}".split("\n")
    visible = "\n".join(lines[:LINES])
    by_bytes = len(visible.encode("utf-8", "replace")) > MOST_BYTES
    if by_bytes:
        visible = visible.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")
    footer, more = "", dict[str, Any]()
    if by_bytes or len(lines) > LINES:
        kept = await _with_artifact(kept, "\n".join(lines), context)
        footer = _footer(visible, len(lines), by_bytes, kept.artifact)
        more = _cut(visible, lines, by_bytes, kept.artifact)
    body = visible if raw else head + (fenced(visible[len(head) :]) if found.text.strip() else "(The page has no readable text.)")
    markdown = {"markdown": True} if found.markdown and not raw else {}
    return kept, ToolResult(_title(found), below(body, footer), _facts(found, url, more={**more, **markdown}))


async def _with_artifact(kept: Kept, whole: str, context: ToolContext) -> Kept:
    artifacts = context.reach.artifacts
    if artifacts is None or kept.artifact is not None:
        return kept
    place = urlsplit(kept.text.url)
    name = f"{place.hostname}{place.path}".strip("/").replace("/", "-")[:100]
    return replace(kept, artifact=await artifacts.keep(f"{name}.txt", whole.encode("utf-8", "replace")))


def _footer(visible: str, total: int, by_bytes: bool, artifact: Artifact | None) -> str:
    limit = f" ({MOST_BYTES / 1024:.1f}KB limit)" if by_bytes else ""
    rest = f" Full output: {artifact.url}" if artifact else " Name the lines you want behind the address, such as :301-600."
    return f"[Showing first {visible.count(LINE_END) + 1} of {total} lines{limit}.{rest}]"


def _cut(visible: str, lines: list[str], by_bytes: bool, artifact: Artifact | None) -> dict[str, Any]:
    truncation = {
        "truncated": True, "truncatedBy": "bytes" if by_bytes else "lines", "totalLines": len(lines),
        "totalBytes": len("\n".join(lines).encode("utf-8", "replace")), "outputLines": visible.count(LINE_END) + 1,
        "outputBytes": len(visible.encode("utf-8", "replace")), "maxLines": LINES, "maxBytes": MOST_BYTES,
    }  # fmt: skip
    kept = {"artifact": artifact.number} if artifact else {}
    meta = {"truncation": truncation, **({"artifactId": str(artifact.number)} if artifact else {})}
    return {"truncation": truncation, "meta": meta, **kept}


def _head(found: WebText) -> str:
    lines = [f"URL: {found.url}", f"Content-Type: {found.content_type or 'unknown'}", f"Method: {found.method}"]
    if not found.ok:
        lines.append(f"Status: {found.status}")
    return "\n".join([*lines, *([f"Notes: {'; '.join(found.notes)}"] if found.notes else [])])


def _facts(found: WebText, url: str, page: Page | None = None, more: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    about = {"finalUrl": found.url, "status": found.status, "contentType": found.content_type, "method": found.method}
    return told("url", url, page, {**about, **more})


def _title(found: WebText) -> str:
    return f"Read: {urlsplit(found.url).hostname}"
