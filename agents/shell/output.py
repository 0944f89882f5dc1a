"""A command's output as a model reads it: the first lines, as many as it may have, and a notice of what is left out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass


@dataclass(frozen=True)
class Window:
    """`text` ends with a notice when `truncated`. `lines` are those there were in what was kept of the output."""

    text: str
    truncated: bool
    lines: int


def window(output: bytes, *, lines: int = 5000, size: int = 2**20, dropped: int = 0) -> Window:
    """The first `lines` lines and `size` bytes of `output`; `dropped` more bytes are known to be missing at its end.

    Invalid UTF-8 becomes U+FFFD; a character cut in half by the limit is left out.
    """
    kept = _first_lines(output[:size], lines)
    missing = len(output) - len(kept) + dropped
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(kept, final=not missing)
    total = _count_lines(output)
    if not missing:
        return Window(text, False, total)
    notice = f"[Output cut: {_count_lines(kept)} lines shown, {missing} bytes left out. Narrow the command, or send its output to a file.]"
    return Window(f"{text}{'' if text.endswith(chr(10)) else chr(10)}{notice}", True, total)


def _first_lines(output: bytes, lines: int) -> bytes:
    end = -1
    for _ in range(lines):
        end = output.find(b"\n", end + 1)
        if end < 0:
            return output
    return output[: end + 1]


def _count_lines(output: bytes) -> int:
    return output.count(b"\n") + (output != b"" and not output.endswith(b"\n"))
