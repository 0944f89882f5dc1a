"""Text cut at its tags, as it comes. A tag is a name in angle brackets and nothing else: one with attributes is text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NAME = r"[^\s<>/]{1,128}+"
"""As JSON Schema allows nearly any: a parameter may be called `-C` or `$filter`."""
_TAG = re.compile(rf"<(/?)({NAME})\s{{0,9}}(/?)>")
_MAY_BE = re.compile(rf"<(?:/?(?:{NAME}(?:\s{{0,9}}/?)?)?)?")


@dataclass(frozen=True)
class Tag:
    """`text` is the tag as it stands."""

    name: str
    text: str
    ends: bool = False
    alone: bool = False
    """`<name/>`."""

    @property
    def starts(self) -> bool:
        return not self.ends and not self.alone


class Tags:
    """What may become a tag is `held` back until more is known."""

    def __init__(self) -> None:
        self.held = ""

    def feed(self, text: str) -> Iterator[Tag | str]:
        text, at, self.held = self.held + text, 0, ""
        while (bracket := text.find("<", at)) >= 0:
            if bracket > at:
                yield text[at:bracket]
            if found := _TAG.match(text, bracket):
                yield Tag(found[2], found[0], bool(found[1]), bool(found[3]) and not found[1])
                at = found.end()
            elif _MAY_BE.fullmatch(text, bracket):
                self.held = text[bracket:]
                return
            else:
                yield "<"
                at = bracket + 1
        if at < len(text):
            yield text[at:]
