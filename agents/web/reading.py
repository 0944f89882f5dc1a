"""A web address as text that is good to read: its own Markdown where a site offers some, else what can be made of the page."""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

from agents.errors import FetchFailed, ToolError
from agents.web.addresses import parse
from agents.web.decoding import kind_of, text_of
from agents.web.extract import readable
from agents.web.fetcher import Answer, Fetcher, Request

SECONDS = 10.0
"""For the page itself, and again for looking whether there is a better form of it."""
LITTLE = 100
"""Characters; a text that is no longer has nothing to say."""
MARKDOWN = {"Accept": "text/markdown, text/plain;q=0.9, text/html;q=0.8"}
DOCUMENTS = {
    "application/pdf": ".pdf", "application/msword": ".doc", "application/rtf": ".rtf", "text/rtf": ".rtf", "application/epub+zip": ".epub",
    "application/vnd.ms-powerpoint": ".ppt", "application/vnd.ms-excel": ".xls",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}  # fmt: skip
VAGUE = ("", "application/octet-stream", "binary/octet-stream", "application/zip")
SCRIPTED = re.compile(r"enable javascript|javascript (is )?required|turn on javascript|browser (is )?not supported", re.IGNORECASE)
HTML = re.compile(r"<(!doctype html|html|head|body)[\s>]", re.IGNORECASE)

Convert = Callable[[bytes, str], Awaitable[str]]
"""(bytes, suffix such as ".pdf") → Markdown. Raises ToolError."""


@dataclass(frozen=True)
class WebText:
    """`url` is where it came from in the end, `method` how the text was come by, `data` the bytes of what is no text."""

    url: str
    status: int
    content_type: str
    method: str
    text: str
    notes: tuple[str, ...] = ()
    markdown: bool = False
    data: bytes = field(default=b"", repr=False)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


async def read(url: str, fetcher: Fetcher, convert: Convert, *, raw: bool = False) -> WebText:
    """Whatever is there. Raises FetchFailed; an answer that is no success is a text too, its method "failed"."""
    answer = await fetcher.fetch(url)
    if not answer.whole:
        raise FetchFailed(f"{answer.url}: the response exceeds the limit of {fetcher.most_bytes // 2**20} MiB.")
    plain = WebText(answer.url, answer.status, answer.headers.get("content-type", ""), "text", "")
    if not plain.ok:
        return replace(plain, method="failed", text=await _failed(answer))
    if answer.media_type.startswith("image/") and answer.media_type != "image/svg+xml":
        return replace(plain, method="image", data=answer.body)
    if raw:
        kind_of(answer)
        return replace(plain, method="raw", text=text_of(answer))
    if suffix := document_suffix(answer):
        return await _document(answer, suffix, plain, convert)
    if kind_of(answer) == "html":
        return await _page(answer, fetcher, plain)
    return replace(plain, text=text_of(answer), markdown="markdown" in answer.media_type)


async def _failed(answer: Answer) -> str:
    with suppress(FetchFailed):
        if text := (await readable(answer)).text.strip():
            return text
    return f"(The request failed with status {answer.status} {answer.reason})".replace(" )", ")")


def document_suffix(answer: Answer) -> str:
    """Of a document by what the server says it is, or where that says nothing by the address; "" for what is none."""
    if known := DOCUMENTS.get(answer.media_type):
        return known
    found = re.search(r"\.[a-z]+$", urlsplit(answer.url).path.lower())
    suffix = found[0] if found else ""
    return suffix if suffix in DOCUMENTS.values() and answer.media_type in VAGUE else ""


async def _document(answer: Answer, suffix: str, plain: WebText, convert: Convert) -> WebText:
    try:
        return replace(plain, method="document", text=await convert(answer.body, suffix), markdown=True)
    except ToolError as wrong:
        return replace(plain, method="document-error", text=str(wrong))


async def _page(answer: Answer, fetcher: Fetcher, plain: WebText) -> WebText:
    """A page in the best form there is; the site is asked for others no longer than `SECONDS`."""
    search = Search(answer, fetcher, monotonic() + SECONDS)
    html = text_of(answer)
    for link in alternates(html, answer.url):
        if (found := await search.text(link)) is not None:
            return replace(plain, url=found[0], content_type="text/markdown", method="alternate-markdown", text=found[1], markdown=True)
        plain = replace(plain, notes=(*plain.notes, "its alternate markdown link cannot be used"))
    for twin in twins(answer.url):
        if (found := await search.text(twin)) is not None:
            return replace(plain, content_type="text/markdown", method="md-suffix", text=found[1], markdown=True)
    if (found := await search.text(answer.url, MARKDOWN)) is not None:
        return replace(plain, content_type="text/markdown", method="content-negotiation", text=found[1], markdown=True)
    return await _converted(answer, plain, search)


async def _converted(answer: Answer, plain: WebText, search: Search) -> WebText:
    page = await readable(answer)
    text = f"# {page.title}\n\n{page.text}" if page.title and page.title not in page.text[:1000] else page.text
    made = replace(plain, method="html-to-markdown", text=text, markdown=True)
    if not is_poor(page.text):
        return made
    for guide in guides(answer.url):
        if (found := await search.text(guide)) is not None:
            return replace(plain, content_type="text/plain", method=f"llms-txt ({guide})", text=found[1], markdown=True)
    return replace(made, notes=(*made.notes, "little could be read, and no other form of the page was found"))


@dataclass(frozen=True)
class Search:
    """Asks for other forms of a page until `until` (by time.monotonic), where a fetcher stays only at the same server."""

    answer: Answer
    fetcher: Fetcher
    until: float

    async def text(self, url: str, headers: dict[str, str] | None = None) -> tuple[str, str] | None:
        """(where it came from, the text) if that is a good one; None for anything else, a refusal too."""
        left = self.until - monotonic()
        try:
            if left <= 0 or (self.fetcher.stays and parse(url).authority != parse(self.answer.url).authority):
                return None
            found = await replace(self.fetcher, seconds=min(5.0, left)).fetch(Request(url, headers=headers or {}))
            if found.status != 200 or not found.whole or kind_of(found) == "html":
                return None
        except FetchFailed:
            return None
        text = await asyncio.to_thread(text_of, found)
        return None if len(text.strip()) <= LITTLE or HTML.search(text[:5000]) else (found.url, text)


def alternates(html: str, url: str) -> Iterator[str]:
    """Where the page itself says that it is to be had as Markdown; the first such place."""
    page: Any = importlib.import_module("lxml.html")
    head = html[:200_000].partition("</head>")[0]
    try:
        tree = page.document_fromstring(head.encode("utf-8", "replace"), parser=page.HTMLParser(encoding="utf-8"))
    except (importlib.import_module("lxml.etree").ParserError, ValueError):
        return
    for link in tree.iter("link"):
        rel, kind, href = (str(link.get(name) or "") for name in ("rel", "type", "href"))
        if "alternate" in rel.lower().split() and href and ("markdown" in kind.lower() or (not kind and href.endswith(".md"))):
            with suppress(ValueError):
                yield urljoin(url, href.strip())
            return


def twins(url: str) -> Iterator[str]:
    """Where sites for agents keep the Markdown of a page."""
    parts = urlsplit(url)
    path, bare = parts.path or "/", f"{parts.scheme}://{parts.netloc}"
    if path.endswith("/"):
        yield f"{bare}{path}index.html.md"
    elif not path.endswith(".md"):
        yield f"{bare}{path}.md"
        if "." not in path.rpartition("/")[2]:
            yield f"{bare}{path}/index.html.md"


def guides(url: str) -> Iterator[str]:
    """Where a site's guide for language models would be, the nearest first."""
    parts = urlsplit(url)
    bare = f"{parts.scheme}://{parts.netloc}"
    folders = [name for name in parts.path.rpartition("/")[0].split("/") if name]
    for depth in range(min(len(folders), 3), 0, -1):
        yield f"{bare}/{'/'.join(folders[:depth])}/llms.txt"
    if not folders:
        yield f"{bare}/.well-known/llms.txt"
    yield f"{bare}/llms.txt"


def is_poor(text: str) -> bool:
    """Whether what was made of a page is hardly what the page says: too little, a plea for JavaScript, or menus alone."""
    if len(text.strip()) <= LITTLE or (len(text) < 2000 and SCRIPTED.search(text)):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 10 and sum(len(line.strip()) < 40 for line in lines) > 0.7 * len(lines)
