"""One page of a text file: whole lines, as many as lines and bytes allow, and how to get the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import NotText, ToolError

LINES = 2000
BYTES = 50 * 2**10


@dataclass(frozen=True)
class Wish:
    """Which lines are wanted: from `offset` (from 1), `limit` of them or, with None, all; and what a page may hold at most."""

    offset: int = 1
    limit: int | None = None
    max_lines: int = LINES
    max_bytes: int = BYTES


@dataclass(frozen=True)
class Page:
    """`text` with a notice below it where lines are left; `first` and `last` count from 1, `last` is `first` - 1 for no line."""

    text: str
    first: int
    last: int
    total: int


def page(data: bytes, wish: Wish) -> Page:
    """Raises ToolError for an offset behind the end, NotText for what is no text."""
    if b"\0" in data:
        raise NotText(f"it is no text (it holds NUL bytes, {len(data)} bytes in all)")
    lines = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    total = len(lines) - (not lines[-1])
    if not total:
        return Page("(empty file)", 1, 0, 0)
    if wish.offset > total:
        raise ToolError(f"offset {wish.offset} is past the end: the file has {total} lines.")
    wanted = lines[wish.offset - 1 : total][: wish.limit]
    number, text = _fitting(wanted, wish)
    last = wish.offset + number - 1
    return Page(text + _notice(wish, last, total, asked=len(wanted), shown=number), wish.offset, last, total)


def _fitting(wanted: Sequence[str], wish: Wish) -> tuple[int, str]:
    """(how many lines, their text). A first line that is too long by itself is shown in part."""
    size, number = 0, 0
    for line in wanted[: wish.max_lines]:
        size += len(line.encode(errors="replace")) + 1
        if size - 1 > wish.max_bytes:
            break
        number += 1
    if number:
        return number, "\n".join(wanted[:number])
    begun = wanted[0].encode(errors="replace")[: wish.max_bytes].decode(errors="ignore")
    return 1, f"{begun}\n[This line is cut: it is longer than {wish.max_bytes} bytes]"


def _notice(wish: Wish, last: int, total: int, *, asked: int, shown: int) -> str:
    if last == total:
        return ""
    if shown == asked:
        left = total - last
        return f"\n\n[{left} more line{'s' * (left != 1)} in file. Use offset={last + 1} to continue.]"
    why = "" if shown == wish.max_lines else " (byte limit)"
    return f"\n\n[Showing lines {wish.offset}-{last} of {total}{why}. Use offset={last + 1} to continue.]"
