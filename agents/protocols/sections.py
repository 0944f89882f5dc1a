"""Contents that follow a JSON reply, each behind a line that names it: `---(FILE_CONTENT_#1)---`.

A marker opens its section; the next marker, the same one again, or the end of the reply closes it. The line break behind the opening
marker and the one before the closing marker belong to the markers; everything between is taken as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

NAME = re.compile(r"FILE_CONTENT_#([0-9]{1,9})")
MARKER = re.compile(r"---\(FILE_CONTENT_#([0-9]{1,9})\)---[ \t\r]{0,9}")
_SHAPE = re.compile(r"---\(FILE_CONTENT_#[0-9]{0,9}(?:\)-{0,3})?")
_HEAD = "---(FILE_CONTENT_#"


def marker(number: int) -> str:
    return f"---(FILE_CONTENT_#{number})---"


@dataclass
class Section:
    """`closed` by a marker; the last one may be open when the reply ends."""

    number: int
    pieces: list[str] = field(default_factory=list)
    closed: bool = False

    @property
    def body(self) -> str:
        return "".join(self.pieces)


class Sections:
    """Follows what stands behind the JSON. `aside` is the text that stands in no section, in order."""

    def __init__(self) -> None:
        self.all: list[Section] = []
        self.aside: list[str] = []
        self.open: Section | None = None
        self._line = ""
        """The line so far, while it may be a marker."""
        self._starts = False
        """Whether what comes next begins a line."""
        self._owed = ""
        """A line break that belongs to the body only if no marker follows."""

    def feed(self, text: str) -> Iterator[Section]:
        """Read on. Gives a section whenever it has begun, grown or closed."""
        for line in re.findall(r"[^\n]+|\n", text):
            if line == "\n":
                yield from self._end_line()
            elif self._starts:
                yield from self._begin_line(self._line + line)
            else:
                yield from self._keep(line)

    def close(self) -> Iterator[Section]:
        """The reply is over: a last line without its end may be a marker, and the last section reaches to here."""
        line, self._line = self._line, ""
        if self._starts and (found := MARKER.fullmatch(line)):
            yield from self._mark(int(found[1]))
        else:
            yield from self._keep(line)

    def _begin_line(self, line: str) -> Iterator[Section]:
        if may_be_marker(line):
            self._line = line
        else:
            self._line, self._starts = "", False
            yield from self._keep(line)

    def _end_line(self) -> Iterator[Section]:
        line, starts = self._line, self._starts
        self._line, self._starts = "", True
        if starts and (found := MARKER.fullmatch(line)):
            yield from self._mark(int(found[1]))
            return
        if line:
            yield from self._keep(line)
        elif self._owed:
            yield from self._keep("")
        self._owed = "\n"

    def _mark(self, number: int) -> Iterator[Section]:
        closing = self.open is not None and self.open.number == number
        self._owed = ""
        if self.open is not None:
            self.open.closed = True
            yield self.open
        self.open = None if closing else Section(number)
        if self.open is not None:
            self.all.append(self.open)
            yield self.open

    def _keep(self, text: str) -> Iterator[Section]:
        text, self._owed = self._owed + text, ""
        if not text:
            return
        if self.open is None:
            self.aside.append(text)
        else:
            self.open.pieces.append(text)
            yield self.open


def may_be_marker(line: str) -> bool:
    """Whether the line, or what it may still become, is a marker."""
    return _HEAD.startswith(line) or _SHAPE.fullmatch(line) is not None or MARKER.fullmatch(line) is not None


def can_be_section(text: str) -> bool:
    """Whether a section can hold the text as it is: not empty, and no line of it a marker."""
    return bool(text) and not any(MARKER.fullmatch(line) for line in text.split("\n"))
