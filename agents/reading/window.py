"""A window of numbered lines of a text file."""

from __future__ import annotations

from dataclasses import dataclass

from agents.errors import ToolError

LINES = 2000
LONGEST_LINE = 2000
LARGEST = 64 * 2**20
"""Bytes of a file that are looked at; of what lies behind them the reader is told."""


@dataclass(frozen=True)
class Window:
    """`text` has one numbered line a line; `first` and `last` count from 1, both 0 when the window is empty."""

    text: str
    first: int
    last: int
    total: int

    @property
    def shown(self) -> int:
        return self.last - self.first + 1 if self.last else 0


def window(data: bytes, offset: int = 1, limit: int = LINES) -> Window:
    """`limit` lines from line `offset` on. A newline at the end shows as an empty last line, as an editor shows it.

    Bytes that are no UTF-8 become U+FFFD. Raises ToolError for binary data.
    """
    if b"\0" in data:
        raise ToolError(f"The file is binary (it holds NUL bytes, {len(data)} bytes in all) and cannot be shown as text.")
    lines = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    first = max(offset, 1)
    chosen = lines[first - 1 : first - 1 + limit]
    text = "\n".join(f"{number:6}\t{_cut(line)}" for number, line in enumerate(chosen, first))
    return Window(text, first if chosen else 0, first + len(chosen) - 1 if chosen else 0, len(lines))


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}..."
