"""JSON as it comes: cut into tokens, without what models add to it and JSON does not know.

Comments (`//`, `/* */`), commas before a closing bracket and line breaks inside strings are taken out or escaped, for they can mean
only one thing. Whether the rest is JSON is for a real parser to say, once all of it is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from typing import Literal, NamedTuple

from agents.pieces import well_formed

_OUTSIDE = re.compile(r"(?P<blank>\s+)|(?P<line>//)|(?P<block>/\*)|(?P<quote>\")|(?P<sign>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,\"/]+|/(?!\Z))")
_WHOLE = re.compile(
    r"""(?: [^"\\]++ | \\[^u\x00-\x1f]
      | \\u(?![dD][89abAB])[0-9a-fA-F]{4}
      | \\u[dD][89abAB][0-9a-fA-F]{2}(?: \\u[dD][c-fC-F][0-9a-fA-F]{2} | (?= [^\\] | \\[^u] | \\u(?: [^dD] | [dD][^c-fC-F]))))++""",
    re.VERBOSE,
)
"""Text of a string up to its end, or to an escape of which a part is missing. The two halves of a surrogate pair stay together."""
_PART = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?")
_PART_AT_MOST = 12
_CONTROL = re.compile(r"[\x00-\x1f]")
NO_ESCAPE = r"\?"
"""Stands where a backslash begins nothing that JSON knows, and is refused by every parser of it."""

State = Literal["outside", "string", "line", "block"]


class Token(NamedTuple):
    """A string is its opening quote, pieces that are whole escapes, and its closing quote. A word may come in several tokens."""

    kind: Literal["sign", "word", "open", "piece", "shut"]
    text: str


class Scanner:
    """Follows one JSON value from its first bracket to its last; then it is `over`, and `rest` is what was fed behind it."""

    def __init__(self) -> None:
        self.over = False
        self.rest = ""
        self._state: State = "outside"
        self._depth = 0
        self._held = ""
        self._comma = False
        self._worded: Literal["", "word", "gap"] = ""

    def feed(self, text: str) -> Iterator[Token]:
        text, at = self._held + text, 0
        self._held = ""
        while at < len(text) and not self.over and not self._held:
            if self._state == "outside":
                at = yield from self._outside(text, at)
            elif self._state == "string":
                at = yield from self._string(text, at)
            else:
                at = self._comment(text, at)
        self.rest = text[at:] if self.over else ""

    def _outside(self, text: str, at: int) -> Generator[Token, None, int]:
        found = _OUTSIDE.match(text, at)
        if found is None:
            self._held = text[at:]  # a slash, which the next character makes a comment of
            return len(text)
        match found.lastgroup:
            case "line" | "block" as comment:
                self._state = "line" if comment == "line" else "block"
            case "blank":
                self._worded = self._worded and "gap"
            case "word":
                yield from self._word(found[0])
            case "quote":
                yield from self._due()
                self._state = "string"
                yield Token("open", '"')
            case _:
                yield from self._sign(found[0])
        return found.end()

    def _comment(self, text: str, at: int) -> int:
        mark = "\n" if self._state == "line" else "*/"
        end = text.find(mark, at)
        if end >= 0:
            self._state, self._worded = "outside", self._worded and "gap"
            return end + len(mark)
        self._held = "*" if self._state == "block" and text.endswith("*") else ""
        return len(text)

    def _word(self, word: str) -> Iterator[Token]:
        yield from self._due()
        if self._worded == "gap":
            yield Token("word", " ")
        self._worded = "word"
        yield Token("word", word)

    def _sign(self, sign: str) -> Iterator[Token]:
        if sign in "}]":
            self._comma = False
        yield from self._due()
        self._worded = ""
        self._depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign, 0)
        self.over = self._depth <= 0
        if sign == ",":
            self._comma = True
        else:
            yield Token("sign", sign)

    def _due(self) -> Iterator[Token]:
        """The comma before, now that something follows it."""
        if self._comma:
            self._comma, self._worded = False, ""
            yield Token("sign", ",")

    def _string(self, text: str, at: int) -> Generator[Token, None, int]:
        if text[at] == '"':
            self._state, self._worded = "outside", ""
            yield Token("shut", '"')
            return at + 1
        if found := _WHOLE.match(text, at):
            yield Token("piece", _CONTROL.sub(_escaped, found[0]))
            return found.end()
        if len(text) - at <= _PART_AT_MOST and _PART.fullmatch(text, at):
            self._held = text[at:]
            return len(text)
        yield Token("piece", NO_ESCAPE)
        return at + 1


def _escaped(control: re.Match[str]) -> str:
    return json.dumps(control[0])[1:-1]


def said(piece: str) -> str:
    """What a piece of a string says."""
    try:
        return well_formed(str(json.loads(f'"{piece}"')))
    except ValueError:
        return piece
