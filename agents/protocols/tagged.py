"""Reads a reply with XML tags: words, and one call, whose parameters stand in tags inside the tool's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from agents.protocols.prose import Prose, behind
from agents.protocols.reader import TOO_LONG, Piece, StopReason, Unreadable
from agents.protocols.tags import NAME, Tag, Tags
from agents.protocols.typed import Schema
from agents.protocols.values import Value, judge_value
from agents.providers.provider import ToolDefinition

SEARCHES = "tool_search"
"""The tool by which a model gets those that it is only told by name."""
_FENCED = re.compile(r"^```.*?(?:^```|\Z)", re.DOTALL | re.MULTILINE)
_LIKE_A_CALL = re.compile(rf"^[ \t]*<({NAME})>", re.MULTILINE)
_ENDS = re.compile(rf"</({NAME})>")
_TAG_FOLLOWS = re.compile(r"\s*<")


class TagReader:
    """See `Reader`. A tool's start tag begins a call where another tag follows it; elsewhere it is text, as every other tag is."""

    stop_reason: StopReason = ""

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._tags = Tags()
        self._prose = Prose()
        self._words: list[str] = []
        self._started: list[str] = []
        """A tool's start tag and the blanks behind it, while it is not clear whether it begins a call."""
        self._candidate: ToolDefinition | None = None
        self._call: _Call | None = None

    def feed(self, text: str) -> Iterator[Piece]:
        for token in self._tags.feed(text):
            yield from self._call.feed(token) if self._call else self._search(token)

    def _search(self, token: Tag | str) -> Iterator[Piece]:
        if self._candidate is not None:
            yield from self._decide(self._candidate, token)
            return
        tool = self._tools.get(token.name) if isinstance(token, Tag) and not token.ends else None
        if tool is None or not isinstance(token, Tag):
            yield from self._show(token.text if isinstance(token, Tag) else token)
        elif token.starts:
            self._candidate, self._started = tool, [token.text]
        elif tool.parameters.get("required"):
            yield from self._show(token.text)
        else:
            yield from self._begin(tool, Tag(tool.name, token.text, ends=True))

    def _decide(self, tool: ToolDefinition, token: Tag | str) -> Iterator[Piece]:
        if isinstance(token, str) and token.isspace():
            self._started.append(token)
        elif isinstance(token, Tag) and (token.starts or (token.ends and token.name == tool.name)):
            yield from self._begin(tool, token)
        else:
            self._candidate = None
            yield from self._show("".join(self._started))
            yield from self._search(token)

    def _begin(self, tool: ToolDefinition, token: Tag) -> Iterator[Piece]:
        if left := self._prose.call_begins():
            yield Piece(0, left)
        self._call = _Call(tool, self._tools)
        yield Piece(1, "{", "call", tool.name)
        yield from self._call.feed(token)

    def _show(self, text: str) -> Iterator[Piece]:
        self._words.append(text)
        if shown := self._prose.feed(text):
            yield Piece(0, shown)

    def close(self, whole: bool) -> Iterator[Piece]:
        if self._call is None:
            yield from self._close_words(whole)
            return
        if self._tags.held:
            yield from self._call.feed(self._tags.held)
        yield from self._call.close(whole)
        if rest := behind(self._call.behind, self._prose.fenced):
            yield Piece(2, rest)

    def _close_words(self, whole: bool) -> Iterator[Piece]:
        held = self._tags.held
        begun = self._candidate is not None or (len(held) > 1 and any(f"<{name}>".startswith(held) for name in self._tools))
        if begun and not whole:
            raise Unreadable(f"The reply was cut off at the beginning of a call. {TOO_LONG}")
        if self._candidate is not None and not "".join(self._words).strip():
            raise Unreadable(f"The call of {self._candidate.name} ends with its start tag.")
        yield from self._show("".join(self._started if self._candidate else ()) + held)
        if rest := self._prose.rest():
            yield Piece(0, rest)
        self._judge_words(_FENCED.sub("", "".join(self._words)))

    def _judge_words(self, words: str) -> None:
        """Words that look like a call but are none must not end a run without a word."""
        last_ends = {found[1]: found.start() for found in _ENDS.finditer(words)}
        last_words = words.rstrip()
        for found in _LIKE_A_CALL.finditer(words):
            name = found[1]
            if last_ends.get(name, -1) < found.end():
                continue
            if name in self._tools:
                raise Unreadable(f"The call of {name} could not be read: every parameter stands in tags of its own inside <{name}>.")
            if "_" in name or (last_words.endswith(f"</{name}>") and _TAG_FOLLOWS.match(words, found.end())):
                searched = f" If you were only told its name, look it up with {SEARCHES} first." if SEARCHES in self._tools else ""
                raise Unreadable(f"There is no tool {name} here.{searched} If <{name}> is no call, put it into a block of code.")


class _Call:
    """The call while it comes. A value ends where the next parameter begins, the last one at its last end tag."""

    def __init__(self, tool: ToolDefinition, tools: Mapping[str, ToolDefinition]) -> None:
        self.tool, self.tools = tool, tools
        self.behind = ""
        self._schemas: Mapping[str, Schema] = tool.parameters.get("properties") or {}
        self._values: list[Value] = []
        self._value: Value | None = None
        self._held: list[str] = []
        """From the last end tag that may be the value's own."""
        self._wrong = ""
        self._ended = False
        self._after: list[str] = []

    def feed(self, token: Tag | str) -> Iterator[Piece]:
        if self._ended:
            self._after.append(token if isinstance(token, str) else token.text)
        elif self._value is not None:
            yield from self._grow(self._value, token)
        elif isinstance(token, Tag) and token.ends and token.name == self.tool.name:
            self._ended = True
        elif isinstance(token, Tag) and token.starts:
            yield from self._begin(token.name)
        elif isinstance(token, Tag) or not token.isspace():
            self._refuse(f"Inside <{self.tool.name}> there is something between the parameters: {_short(token)}.")

    def _begin(self, name: str) -> Iterator[Piece]:
        self._refuse(self._out_of_place(name))
        self._value = Value(name, self._schemas.get(name, {}), self.tool.parameters)
        self._held = []
        yield self._piece((", " if self._values else "") + self._value.begin())

    def _out_of_place(self, name: str) -> str:
        """Why no parameter of this name can begin; "" where it can."""
        if any(value.name == name for value in self._values):
            return f"<{name}> is given twice in {self.tool.name}."
        known = ", ".join(self._schemas) or "none"
        takes_any = not self._schemas and self.tool.parameters.get("additionalProperties", True)
        return "" if name in self._schemas or takes_any else f"{self.tool.name} has no parameter <{name}>. Its parameters are: {known}."

    def _grow(self, value: Value, token: Tag | str) -> Iterator[Piece]:
        text = token if isinstance(token, str) else token.text
        if isinstance(token, Tag) and token.ends and token.name == value.name:
            yield from self._absorb(value)
            self._held = [text]
        elif not self._held:
            yield from self._say(value.grow(text))
        elif isinstance(token, Tag) and token.starts and self._next(value, token.name):
            yield from self._end(value)
            yield from self._begin(token.name)
        else:
            self._held.append(text)

    def _next(self, value: Value, name: str) -> bool:
        """Whether this tag, right behind an end tag of the value, begins the next parameter."""
        given = {value.name, *(each.name for each in self._values)}
        return name in self._schemas and name not in given and all(each.isspace() for each in islice(self._held, 1, None))

    def _absorb(self, value: Value) -> Iterator[Piece]:
        """What was held back is part of the value after all."""
        for text in self._held:
            yield from self._say(value.grow(text))

    def _end(self, value: Value) -> Iterator[Piece]:
        self._values.append(value)
        self._value = None
        try:
            yield from self._say(value.end())
        except Unreadable as reason:
            self._refuse(f"In {self.tool.name}: {reason}")

    def _say(self, text: str) -> Iterator[Piece]:
        if text:
            yield self._piece(text)

    def _piece(self, text: str) -> Piece:
        return Piece(1, text, "call", self.tool.name)

    def _refuse(self, reason: str) -> None:
        self._wrong = self._wrong or reason

    def close(self, whole: bool) -> Iterator[Piece]:
        if self._value is not None and self._held:
            yield from self._close_value(self._value, whole)
        elif not self._ended:
            raise Unreadable(self._unclosed(self._value.name if self._value else self.tool.name, whole))
        else:
            self.behind = "".join(self._after)
        self._judge()
        yield self._piece("}")

    def _close_value(self, value: Value, whole: bool) -> Iterator[Piece]:
        rest = "".join(self._held[1:])
        found = re.match(rf"\s*</{re.escape(self.tool.name)}\s*>", rest)
        yield from self._end(value)
        if found is not None:
            self.behind = rest[found.end() :]
        elif not whole or not rest.strip():
            raise Unreadable(self._wrong or self._unclosed(self.tool.name, whole))
        else:
            if begun := re.match(rf"\s*<({NAME})>", rest):
                self._refuse(self._out_of_place(begun[1]))
            self._judge()
            raise Unreadable(f"Behind </{value.name}> must come the next parameter or </{self.tool.name}>; there is {_short(rest)}.")

    def _unclosed(self, name: str, whole: bool) -> str:
        if whole:
            return self._wrong or f"The end tag </{name}> is missing in the call of {self.tool.name}."
        return f"The reply was cut off in the middle of a call of {self.tool.name}. {TOO_LONG}"

    def _judge(self) -> None:
        """Raises Unreadable."""
        for value in self._values:
            judge_value(value, self._schemas.keys(), self.tool.name, self.tools.keys())
        for found in re.finditer(rf"<({NAME})>\s*<", self.behind):
            if found[1] in self.tools:
                raise Unreadable("There is more than one call. Make one call a reply; its result comes before your next.")
        if self._wrong:
            raise Unreadable(self._wrong)


def _short(token: Tag | str) -> str:
    text = token if isinstance(token, str) else token.text
    return f"`{' '.join(text.split())[:40]}`"
