"""The readable text of an answer: markdown from web pages, anything else that is text as it is."""

from __future__ import annotations

import asyncio
import importlib
import logging
import re
from dataclasses import dataclass
from typing import Any

from agents.web.decoding import Kind, kind_of, text_of
from agents.web.fetcher import Answer
from agents.web.plain import plain

MOST_EXTRACTED, MOST_TAGS = 1_500_000, 40_000
"""Characters and tags of a page in which the main text is looked for, some seconds' work; a longer one is converted as a whole."""
MOST_CONVERTED = 3_000_000
"""Characters of a page that are looked at."""
LITTLE = 200
SHARE = 0.1
"""An extract shorter than `LITTLE` characters, or than this share of all the page's text, has missed what the page is about."""


@dataclass(frozen=True)
class Readable:
    """What can be read. `kind` says what it was."""

    title: str
    text: str
    kind: Kind


async def readable(answer: Answer) -> Readable:
    """Raises FetchFailed for PDF and other binary bodies. Works in a thread: a large page takes seconds."""
    return await asyncio.to_thread(read_answer, answer)


def read_answer(answer: Answer) -> Readable:
    kind = kind_of(answer)
    text = text_of(answer)
    if kind == "text":
        return Readable("", text, kind)
    html = text[:MOST_CONVERTED]
    title, everything = plain(html, answer.url)
    main = _main_text(html, answer.url) if len(html) <= MOST_EXTRACTED and html.count("<") <= MOST_TAGS else ""
    return Readable(title, everything if everything and _has_missed(main, everything) else main, kind)


def _has_missed(main: str, everything: str) -> bool:
    """Whether the extract is too little, or made of links that it does not give: then the page is a list of links."""
    if len(main) < max(LITTLE, SHARE * len(everything)):
        return True
    labels = set(re.findall(r"\[([^\[\]\n]+)\]\(http", everything))
    lines = [line.strip(" #*-|") for line in main.splitlines() if line.strip()]
    return sum(line in labels for line in lines) > len(lines) / 2


def _main_text(html: str, url: str) -> str:
    """The page without menus, advertisements and the like; "" where none is found."""
    extractor: Any = importlib.import_module("trafilatura")
    for name in ("trafilatura", "htmldate", "courlan", "justext"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        found = extractor.extract(
            html, url=url, output_format="markdown", include_links=True, include_formatting=True, include_tables=True,
            include_comments=False, favor_recall=True,
        )  # fmt: skip
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return ""  # it does not bear every page; the plain conversion does
    return str(found or "").strip()
