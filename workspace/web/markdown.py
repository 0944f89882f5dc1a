"""Markdown made into HTML that can be shown to anybody: the only place that calls bleach."""

from __future__ import annotations

import bleach
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = frozenset({
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
})  # fmt: skip
ATTRIBUTES = {"a": ["href", "title"], "code": ["class"], "ol": ["start"]}
PROTOCOLS = frozenset({"http", "https", "mailto"})

_markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def to_html(text: str) -> SafeString:
    """HTML of a markdown text, pictures and raw HTML left out. What bleach lets through is safe; the parser is not relied upon."""
    cleaned: str = bleach.clean(_markdown.render(text), tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS, strip=True, strip_comments=True)
    linked: str = bleach.linkify(cleaned, callbacks=[_away], skip_tags=["pre", "code"])
    return mark_safe(linked)  # noqa: S308 — it has just been cleaned


def _away(attributes: dict[tuple[str | None, str], str], new: bool = False) -> dict[tuple[str | None, str], str] | None:
    """Links tell nobody where they were followed from. Addresses that nobody made a link stay text."""
    return None if new else {**attributes, (None, "rel"): "nofollow noopener noreferrer"}
