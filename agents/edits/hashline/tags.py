"""The four hex digits by which a file's text is named. They are a key to look up, not a proof."""

from __future__ import annotations

import re

import xxhash

_LINE_ENDS = re.compile("\r\n?")


def normal(text: str) -> str:
    """The text as snapshots keep it: without a byte order mark, every line end "\\n"."""
    return _LINE_ENDS.sub("\n", text.removeprefix("\ufeff"))


def tag_of(text: str) -> str:
    """The tag of a text: the low 16 bits of its xxHash32, blanks at line ends left out."""
    bare = "\n".join(line.rstrip(" \t\r") for line in normal(text).split("\n"))
    digest: int = xxhash.xxh32_intdigest(bare.encode("utf-8", "surrogatepass"), seed=0)
    return f"{digest & 0xFFFF:04X}"
