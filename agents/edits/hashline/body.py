"""A text file as hashline edits see it, and its bytes again with the byte order mark and the line ends it had."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Literal

from agents.edits.hashline.tags import normal
from agents.edits.source import encoded
from agents.errors import NotText

Newline = Literal["\n", "\r\n", "\r"]


@dataclass(frozen=True)
class Body:
    """`text` has no byte order mark and "\\n" line ends only; `newline` is how the first line of the file really ends."""

    text: str
    bom: bool = False
    newline: Newline = "\n"

    @classmethod
    def of(cls, data: bytes) -> Body:
        """Raises NotText for bytes that are not UTF-8 or hold NUL."""
        raw = _decoded(data.removeprefix(codecs.BOM_UTF8))
        return cls(normal(raw), data.startswith(codecs.BOM_UTF8), _first_newline(raw))

    def bytes_of(self, text: str) -> bytes:
        """A new text in this file's manner: one kind of line end throughout. Raises ToolError for half characters."""
        mark = codecs.BOM_UTF8 if self.bom else b""
        return mark + encoded(text.replace("\n", self.newline))


def _decoded(data: bytes) -> str:
    if b"\0" in data:
        raise NotText("The file is binary (it holds NUL bytes); it is not text.")
    try:
        return data.decode()
    except UnicodeDecodeError as wrong:
        raise NotText(f"The file is not UTF-8 text: byte {wrong.start} does not fit.") from None


def _first_newline(raw: str) -> Newline:
    at = raw.find("\n")
    if at < 0:
        return "\r" if "\r" in raw else "\n"
    return "\r\n" if raw[at - 1 : at] == "\r" else "\n"
