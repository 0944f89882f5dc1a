"""A page's whole text as markdown, element by element: for pages in which no main text stands out."""

from __future__ import annotations

import importlib
import re
from typing import Any
from urllib.parse import urljoin

SKIPPED = frozenset({"head", "script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea", "button"})
BLOCKS = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption", "figure",
        "footer", "form", "header", "hr", "html", "legend", "main", "nav", "ol", "p", "section", "summary", "table", "tbody", "tfoot",
        "thead", "tr", "ul",
    )
)  # fmt: skip
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`"}


def plain(html: str, url: str) -> tuple[str, str]:
    """(title, markdown). Links are made absolute by the page's address."""
    page = importlib.import_module("lxml.html")
    if not html.strip():
        return "", ""
    try:
        tree = page.document_fromstring(html.encode("utf-8", "replace"), parser=page.HTMLParser(encoding="utf-8", remove_comments=True))
    except (importlib.import_module("lxml.etree").ParserError, ValueError):
        return "", html
    return title_of(tree), Writer(_base(tree, url)).write(tree)


def title_of(tree: Any) -> str:
    """In one line."""
    found = tree.find(".//title")
    return " ".join(found.text_content().split())[:300] if found is not None else ""


def _base(tree: Any, url: str) -> str:
    found = tree.find(".//base[@href]")
    return _joined(url, found.get("href")) if found is not None else url


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return ""


class Writer:
    """Walks the tree without recursion, however deep it is, and writes down what it meets."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.parts: list[str] = []
        self.preformatted = 0
        self.links: list[int] = []
        """Where in `parts` the links being written began."""

    def write(self, tree: Any) -> str:
        skipping = None
        for event, element in importlib.import_module("lxml.etree").iterwalk(tree, events=("start", "end")):
            if skipping is None and event == "start":
                skipping = element if element.tag in SKIPPED or not isinstance(element.tag, str) else None
                self._begin(element) if skipping is None else None
            elif event == "end" and (skipping is None or skipping is element):
                self._end(element, skipping is not None)
                skipping = None
        return tidy("".join(self.parts))

    def _begin(self, element: Any) -> None:
        tag = element.tag
        if tag == "pre":
            self.parts.append("\n\n```\n")
            self.preformatted += 1
        elif tag == "a":
            self.links.append(len(self.parts))
        self.parts.append(self._opening(tag))
        self._text(element.text)

    def _opening(self, tag: str) -> str:
        if tag in HEADINGS:
            return f"\n\n{HEADINGS[tag]} "
        if tag == "li":
            return "\n- "
        if tag == "br":
            return "\n"
        if tag in ("td", "th"):
            return " | "
        return self._mark(tag) or ("\n" if tag == "tr" else "\n\n" if tag in BLOCKS else "")

    def _mark(self, tag: str) -> str:
        return "" if self.preformatted else MARKS.get(tag, "")

    def _end(self, element: Any, skipped: bool) -> None:
        if not skipped:
            self._close(element)
        self._text(element.tail)

    def _close(self, element: Any) -> None:
        tag = element.tag
        if tag == "pre":
            self.preformatted -= 1
            self.parts.append("```\n\n" if self.parts[-1].endswith("\n") else "\n```\n\n")
        elif tag == "a":
            self._link(element)
        else:
            self.parts.append(self._mark(tag) or ("\n\n" if tag in HEADINGS or tag in BLOCKS - {"tr"} else ""))

    def _link(self, element: Any) -> None:
        began = self.links.pop()
        said = " ".join("".join(self.parts[began:]).split())
        href = _joined(self.base, element.get("href") or "")
        if said and href.startswith(("http://", "https://")):
            self.parts[began:] = [f"[{said}]({href})"]

    def _text(self, text: str | None) -> None:
        if text:
            self.parts.append(text if self.preformatted else re.sub(r"\s+", " ", text))


def tidy(markdown: str) -> str:
    """No spaces at the ends of lines, no more than one empty line, and what stands in code fences as it is."""
    pieces = markdown.split("```\n")
    for place in range(0, len(pieces), 2):
        text = re.sub(r"[ \t\xa0]*\n[ \t\xa0]*", "\n", pieces[place])
        text = re.sub(r"\n{3,}", "\n\n", re.sub(r"\*{4}|``(?!`)(?<!```)", "", text))
        pieces[place] = "\n" + text.lstrip("\n") if place else text
    return "```\n".join(pieces).strip()
