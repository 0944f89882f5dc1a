"""A text file as an editor needs it: line ends made equal to look at, and every one kept as it was when written back."""

from __future__ import annotations

import codecs
from bisect import bisect_left
from io import BytesIO

from agents.errors import ToolError

Span = tuple[int, int]
"""Where a piece of text stands: first character and the one behind the last."""


class Source:
    """One file's text. `text` has "\\n" line ends only; spans count its characters, `spliced` gives the file's own bytes."""

    def __init__(self, data: bytes) -> None:
        self._bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        self._raw = _decoded(data.removeprefix(self._bom))
        self.text = plain(self._raw)
        self._crlf = _crlf_positions(self._raw)

    def spliced(self, spans: list[Span], new: str) -> bytes:
        """The file with `new` in place of each span (in ascending order, none overlapping); its lines end as their neighbours do."""
        pieces, done = [], 0
        for start, end in spans:
            pieces += [self._raw[self._at(done) : self._at(start)], self._with_ends(new, start, end)]
            done = end
        pieces.append(self._raw[self._at(done) :])
        return self._bom + encoded("".join(pieces))

    def line_of(self, at: int) -> int:
        """The number, from 1, of the line that holds character `at`."""
        return self.text.count("\n", 0, at) + 1

    def _at(self, at: int) -> int:
        return at + bisect_left(self._crlf, at)

    def _with_ends(self, new: str, start: int, end: int) -> str:
        new = plain(new)
        return new.replace("\n", "\r\n") if self._crlf and self._ends_in_crlf(start, end) else new

    def _ends_in_crlf(self, start: int, end: int) -> bool:
        newline = self.text.find("\n", start, end)
        if newline < 0:
            newline = self.text.find("\n", end)
        if newline < 0:
            newline = self.text.rfind("\n", 0, start)
        index = bisect_left(self._crlf, newline)
        return index < len(self._crlf) and self._crlf[index] == newline


def plain(text: str) -> str:
    """The text with "\\r\\n" turned into "\\n"; a lone "\\r" is not a line end and stays."""
    return text.replace("\r\n", "\n")


def encoded(text: str) -> bytes:
    """The text as UTF-8. Raises ToolError for half characters, which no file can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as wrong:
        raise ToolError(
            f"The new text has half a character (a lone surrogate) at its character {wrong.start + 1}; send it whole."
        ) from None


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends; only "\\n" ends one."""
    return BytesIO(data).readlines()


def _decoded(data: bytes) -> str:
    if b"\0" in data:
        raise ToolError("The file is binary (it holds NUL bytes) and cannot be edited as text.")
    try:
        return data.decode()
    except UnicodeDecodeError as wrong:
        raise ToolError(f"The file is not UTF-8 text (byte {wrong.start} does not fit) and cannot be edited as text.") from None


def _crlf_positions(raw: str) -> list[int]:
    """Where in the plain text the line ends stand that were "\\r\\n"."""
    positions: list[int] = []
    at = raw.find("\r\n")
    while at >= 0:
        positions.append(at - len(positions))
        at = raw.find("\r\n", at + 2)
    return positions
