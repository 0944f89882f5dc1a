"""A parameter's value between its tags: told as it grows where it is text, else once it is whole."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from agents.protocols.drafts import inside
from agents.protocols.reader import Unreadable
from agents.protocols.tags import NAME
from agents.protocols.typed import Schema, is_text, typed

_ANY_TAG = re.compile(rf"<(/?)({NAME})([^<>]*?)(/?)>")
_BLANK = re.compile(r"\s*")
ONCE = "Give each parameter once, and a content with such tags as the last one."


@dataclass
class Value:
    """The line break behind the start tag and the one before the end tag belong to the tags."""

    name: str
    schema: Schema
    root: Schema
    pieces: list[str] = field(default_factory=list)
    _owed: str = ""

    @cached_property
    def is_text(self) -> bool:
        return is_text(self.schema, self.root)

    def begin(self) -> str:
        quote = '"' if self.is_text else ""
        return f"{json.dumps(self.name)}: {quote}"

    def grow(self, text: str) -> str:
        """What can be told of it now, as JSON."""
        if not self.pieces and text.startswith("\n"):
            self.pieces.append("")
            text = text[1:]
        if not text:
            return ""
        self.pieces.append(text)
        if not self.is_text:
            return ""
        text = self._owed + text
        self._owed = "\n" if text.endswith("\n") else ""
        return inside(text.removesuffix("\n"))

    def end(self) -> str:
        """The rest of it. Raises Unreadable where it is none of its type."""
        if self.is_text:
            return '"'
        try:
            return typed(self.text, self.schema, self.root)
        except ValueError as form:
            raise Unreadable(f"<{self.name}> must be {form}; it is {inside(self.text.strip())[:60] or 'empty'}.") from form

    @property
    def text(self) -> str:
        return "".join(self.pieces).removesuffix("\n")


def judge_value(value: Value, parameters: Collection[str], tool: str, tools: Collection[str]) -> None:
    """Refuse a value that may be more than one: an end tag in it ends nothing, and a start tag follows. Raises Unreadable.

    Tags inside a value are otherwise text, in pairs or alone.
    """
    open_tags: Counter[str] = Counter()
    text, tool_ended, ended_at = value.text, False, -1
    for found in _ANY_TAG.finditer(text):
        ends, name, attributes, alone = found.groups()
        if alone or (name not in parameters and name not in tools):
            continue
        if ends and open_tags[name]:
            open_tags[name] -= 1
        elif ends:
            tool_ended, ended_at = tool_ended or name == tool, found.end() if name in parameters else -1
        else:
            if tool_ended and name in tools:
                raise Unreadable("There is more than one call. Make one call a reply; its result comes before your next.")
            if ended_at >= 0 and not attributes and name in parameters and _follows(text, ended_at, found.start()):
                raise Unreadable(f"Where the value of <{value.name}> ends is not clear: in it, <{name}> follows an end tag. {ONCE}")
            open_tags[name], ended_at = open_tags[name] + 1, -1


def _follows(text: str, end: int, start: int) -> bool:
    found = _BLANK.match(text, end)
    return found is not None and found.end() >= start
