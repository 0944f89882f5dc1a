"""The end of a long output, within what a model should read at once, and the line that says what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOST_LINES = 3000
MOST_BYTES = 50 * 1024


@dataclass(frozen=True)
class Tail:
    """The last lines of a text. `first` and `lines` count from 1; `part` is set where even the last line had to be cut."""

    text: str
    first: int
    lines: int
    by: str = ""
    part: str = ""

    @property
    def cut(self) -> bool:
        return bool(self.by)

    def footer(self, where: str) -> str:
        """`where` says how to get at the whole."""
        if self.part:
            return f"[Showing last {size(len(self.text.encode()))} of line {self.lines} (line is {self.part}). {where}]"
        limit = f" ({size(MOST_BYTES)} limit)" if self.by == "bytes" else ""
        return f"[Showing lines {self.first}-{self.lines} of {self.lines}{limit}. {where}]"

    @property
    def metadata(self) -> dict[str, Any]:
        return {"by": self.by, "firstLine": self.first, "totalLines": self.lines, "partialLine": bool(self.part)}


def tail(text: str) -> Tail:
    """The whole text where it fits."""
    lines = text.removesuffix("\n").split("\n")
    kept, room = [], MOST_BYTES + 1
    for line in reversed(lines[-MOST_LINES:]):
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    if not kept:
        last = lines[-1].encode()
        return Tail(last[-MOST_BYTES:].decode(errors="ignore"), len(lines), len(lines), "bytes", size(len(last)))
    first = len(lines) - len(kept) + 1
    by = "" if first == 1 else "lines" if len(kept) == MOST_LINES else "bytes"
    return Tail("\n".join(reversed(kept)) if by else text, first, len(lines), by)


def size(count: int) -> str:
    return f"{count / 1024:.1f}KB" if count < 2**20 else f"{count / 2**20:.1f}MB"
