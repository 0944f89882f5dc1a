"""Reads a reply in JSON: an object with actions, and behind it the sections that hold their long contents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from agents.protocols.drafts import Draft
from agents.protocols.judging import MOST_NAMED, judge_sections, judged, parsed
from agents.protocols.prose import Prose, behind
from agents.protocols.reader import TOO_LONG, Piece, StopReason, Unreadable
from agents.protocols.scanner import Scanner, Token, said
from agents.protocols.sections import MARKER, Section, Sections, marker
from agents.protocols.walk import Walk

_KEYS = "actions|stop_reason|thought_summary|plan|result_message|tool|args"
_BEGINS = re.compile(rf"""\{{\s{{0,200}}["']?(?:{_KEYS})["']?\s{{0,200}}:""")
_MAY_BEGIN = re.compile(r"""\{\s{0,200}["']?[a-z_]{0,15}["']?\s{0,200}""")


class ActionReader:
    """See `Reader`. Words before the object are shown as they are; a reply without an object is nothing but words."""

    def __init__(self) -> None:
        self.stop_reason: StopReason = ""
        self._prose = Prose()
        self._probe = ""
        self._words: list[str] = []
        self._object: _Object | None = None
        self._sections = Sections()

    def feed(self, text: str) -> Iterator[Piece]:
        if self._object is None:
            yield from self._search(self._probe + text)
        elif not self._object.over:
            yield from self._read(self._object, text)
        else:
            yield from self._fill(self._object, self._sections.feed(text))

    def _search(self, text: str) -> Iterator[Piece]:
        """Words, until the object begins: at the reply's first character, or where one of its keys follows a brace."""
        at, self._probe = 0, ""
        while (brace := text.find("{", at)) >= 0:
            yield from self._show(text[at:brace])
            if self._prose.bare or _BEGINS.match(text, brace):
                yield from self._begin(text[brace:])
                return
            if _MAY_BEGIN.fullmatch(text, brace):
                self._probe = text[brace:]
                return
            yield from self._show("{")
            at = brace + 1
        yield from self._show(text[at:])

    def _show(self, text: str) -> Iterator[Piece]:
        self._words.append(text)
        if shown := self._prose.feed(text):
            yield Piece(0, shown)

    def _begin(self, text: str) -> Iterator[Piece]:
        if left := self._prose.call_begins():
            yield Piece(0, left)
        self._object = _Object()
        yield from self._read(self._object, text)

    def _read(self, value: _Object, text: str) -> Iterator[Piece]:
        yield from value.feed(text)
        if value.over:
            yield from self._fill(value, self._sections.feed(value.rest))

    def _fill(self, value: _Object, grown: Iterator[Section]) -> Iterator[Piece]:
        for section in grown:
            yield from value.fill(section)

    def close(self, whole: bool) -> Iterator[Piece]:
        if self._object is None:
            yield from self._close_words(whole)
        else:
            yield from self._close_object(self._object, whole)

    def _close_words(self, whole: bool) -> Iterator[Piece]:
        if self._probe and not whole:
            raise Unreadable(f"The reply was cut off at the beginning of its JSON object. {TOO_LONG}")
        yield from self._show(self._probe)
        if rest := self._prose.rest():
            yield Piece(0, rest)
        if any(MARKER.fullmatch(line) for line in "".join(self._words).split("\n")):
            raise Unreadable("There are sections, but no JSON object with actions in front of them.")

    def _close_object(self, value: _Object, whole: bool) -> Iterator[Piece]:
        if not value.over and not whole:
            raise Unreadable(f"The reply was cut off in the middle of its JSON object. {TOO_LONG}")
        if not value.over:
            parsed(value.text)
            raise Unreadable("The JSON object is not closed.")
        yield from self._fill(value, self._sections.close())
        if self._sections.open is not None and not whole:
            raise Unreadable(f"The reply was cut off in the middle of the section {marker(self._sections.open.number)}. {TOO_LONG}")
        self.stop_reason = judged(parsed(value.text))
        aside = behind("".join(self._sections.aside), self._prose.fenced)
        self._judge_fence()
        if _BEGINS.search(aside):
            raise Unreadable("There is more than one JSON object. Put all actions into one.")
        judge_sections(value.named, self._sections.all, aside)
        yield from value.close()
        if aside:
            yield Piece(value.next_part(), aside)

    def _judge_fence(self) -> None:
        """The last section may hold the end of the fence that the object stands in."""
        last, shut = self._sections.open, "```" in "".join(self._sections.aside)
        if self._prose.fenced and not shut and last is not None and last.body.rstrip().endswith("\n```"):
            raise Unreadable(f"Whether the last ``` belongs to {marker(last.number)} is not clear: close the section with its marker.")


class _Object:
    """The object while it comes: its words are shown, its actions are drafted."""

    def __init__(self) -> None:
        self._scanner, self._walk = Scanner(), Walk()
        self._written: list[str] = []
        self._drafts: dict[int, Draft] = {}
        self._parts: dict[str | int, int] = {}
        self._sections: dict[int, Section] = {}

    @property
    def over(self) -> bool:
        return self._scanner.over

    @property
    def rest(self) -> str:
        return self._scanner.rest

    @property
    def text(self) -> str:
        return "".join(self._written)

    @cached_property
    def named(self) -> dict[int, list[int]]:
        """For each section that is named the actions that name it, as often as they do; known once the object is over."""
        found: dict[int, list[int]] = {}
        for number, draft in self._drafts.items():
            for section in draft.sections:
                found.setdefault(section, []).append(number)
        return found

    def next_part(self) -> int:
        return len(self._parts) + 1

    def feed(self, text: str) -> Iterator[Piece]:
        for token in self._scanner.feed(text):
            self._written.append(token.text)
            self._walk.step(token)
            yield from self._take(token)

    def _take(self, token: Token) -> Iterator[Piece]:
        match self._walk.path:
            case ("thought_summary" | "result_message" | "plan" as key,) | ("plan" as key, int()):
                yield from self._say(str(key), token)
            case ("actions", int() as number) if token == ("sign", "}"):
                yield from self._end(number)
            case ("actions", int() as number, "tool") if not self._walk.naming:
                yield from self._name(number, token)
            case ("actions", int() as number, "args", *inner) if not self._walk.naming or inner:
                yield from self._argue(number, token)

    def _say(self, key: str, token: Token) -> Iterator[Piece]:
        if self._walk.naming or token.kind not in ("open", "piece"):
            return
        listed = self._walk.depth > 1
        if token.kind == "piece":
            yield Piece(self._part(key), said(token.text))
        elif listed:
            dash = "\n- " if key in self._parts else "- "
            yield Piece(self._part(key), dash)

    def _part(self, key: str | int) -> int:
        return self._parts.setdefault(key, self.next_part())

    def _name(self, number: int, token: Token) -> Iterator[Piece]:
        draft = self._drafts.setdefault(number, Draft())
        draft.name(token)
        if token.kind == "shut":
            yield Piece(self._part(number), "", "call", draft.tool)
            yield from self._due(number, draft)

    def _argue(self, number: int, token: Token) -> Iterator[Piece]:
        if self._walk.depth == 3 and token.text == ":" and token.kind == "sign":
            return
        draft = self._drafts.setdefault(number, Draft())
        draft.argue(token, self._walk.naming)
        yield from self._due(number, draft)

    def _end(self, number: int) -> Iterator[Piece]:
        draft = self._drafts.setdefault(number, Draft())
        draft.end()
        yield from self._due(number, draft)

    def _due(self, number: int, draft: Draft) -> Iterator[Piece]:
        if draft.named:
            for text in draft.due(self._sections):
                yield Piece(self._part(number), text, "call", draft.tool)

    def fill(self, section: Section) -> Iterator[Piece]:
        """The section has grown or is closed: its text goes to the actions that name it."""
        actions = self.named.get(section.number, [])
        if len(actions) <= MOST_NAMED and self._sections.setdefault(section.number, section) is section:
            for number in dict.fromkeys(actions):
                yield from self._due(number, self._drafts[number])

    def close(self) -> Iterator[Piece]:
        """The end of the reply closes the last section too."""
        for section in self._sections.values():
            section.closed = True
        for number, draft in self._drafts.items():
            yield from self._due(number, draft)
