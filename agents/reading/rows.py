"""Which lines of a text are shown at once: what a selector asks for, as far as one result has room, and how to go on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

from agents.edits.hashline.rows import shown_lines
from agents.reading.selectors import Selector, Span, beyond_end

MOST_LINES = 3000
MOST_BYTES = 50 * 1024
MOST_SELECTED = 50_000
"""Characters that one range may name; whoever asks for more is told how to ask for less."""
MOST_ROWS = 4_000_000
"""Lines of a text that are counted through; each takes a hundred bytes of memory and more."""
LIMIT = f"{MOST_BYTES / 1024:.1f}KB limit"

Row = tuple[int, str]
"""A line's number in its text, from 1, and the line."""


@dataclass(frozen=True)
class Page:
    """`rows` to show and a `footer` below them; or, without rows, a `message` in their place.

    `truncation` says what was cut, `oversized` why nothing is shown; both go into a result's metadata as they are.
    """

    rows: tuple[Row, ...] = ()
    footer: str = ""
    message: str = ""
    truncation: dict[str, Any] = field(default_factory=dict)
    oversized: dict[str, Any] = field(default_factory=dict)

    @property
    def plain(self) -> str:
        """Without numbers."""
        return self.message or below("\n".join(line for _, line in self.rows), self.footer)

    @property
    def numbered(self) -> str:
        """`N:text` rows. Several ranges stand one below the other; the numbers tell where lines are left out."""
        return self.message or below("\n".join(f"{number}:{line}" for number, line in self.rows), self.footer)

    @property
    def details(self) -> dict[str, Any]:
        """What of it belongs into a result's metadata."""
        told = {"truncation": self.truncation, "oversizedRead": self.oversized}
        lines = {"lines": [self.rows[0][0], self.rows[-1][0]]} if self.rows else {}
        return {**lines, **{name: value for name, value in told.items() if value}}


def below(text: str, footer: str) -> str:
    return "\n\n".join(part for part in (text, footer) if part)


def all_rows(text: str) -> list[Row]:
    return list(enumerate(shown_lines(text), start=1))


def page(text: str, selector: Selector | None, path: str, kind: str = "file") -> Page:
    """The lines to show of a text with "\\n" line ends, for a path as it was asked for."""
    if text.count("\n") > MOST_ROWS:
        return Page(message=f"[Not shown: {path} has more than {MOST_ROWS} lines. Bring a part of it into a file with bash and read that.]")
    return page_of(all_rows(text), len(shown_lines(text)), selector, path, kind)


def page_of(rows: Sequence[Row], total: int, selector: Selector | None, path: str, kind: str = "file") -> Page:
    """The same of some of a text's lines only; `total` counts all it has."""
    spans = selector.shown(total) if selector else ()
    if selector and selector.spans and not spans:
        return Page(message=f"[{beyond_end(selector, total, path, kind)}]")
    chosen = _within(rows, spans) if selector and selector.spans else list(rows)
    if selector and selector.bounded and _size(chosen) > MOST_SELECTED:
        return oversized(chosen, total, path)
    return _cut(chosen, total, selector, path)


def _within(rows: Sequence[Row], spans: Sequence[Span]) -> list[Row]:
    """The rows in one of these spans, which stand in order and apart from each other."""
    starts = [span.first for span in spans]
    return [row for row in rows if (place := bisect_right(starts, row[0])) and spans[place - 1].has(row[0])]


def whole(text: str, selector: Selector | None, path: str, kind: str) -> Page:
    """Like `page`, for what is no file that could be paged through cheaply: too much at once is refused, not cut."""
    found = page(text, selector, path, kind)
    if found.truncation or found.oversized:
        spans = selector.shown(len(shown_lines(text))) if selector and selector.spans else None
        chosen = all_rows(text) if spans is None else _within(all_rows(text), spans)
        return oversized(chosen, len(shown_lines(text)), path)
    return found


def oversized(chosen: Sequence[Row], total: int, path: str) -> Page:
    """Nothing of it, and how to read it in pieces."""
    first, line = chosen[0]
    size, longest = _size(chosen), len(line.encode("utf-8", "replace"))
    by_bytes = len(chosen) == 1 or longest > MOST_BYTES
    told = {
        "blocked": True, "path": path, "chars": size, "maxChars": MOST_SELECTED, "startLine": first, "totalFileLines": total,
        "firstLineBytes": longest, "byteGuidance": by_bytes,
    }  # fmt: skip
    ways = _by_bytes(path, first) if by_bytes else _by_lines(path, first)
    message = f"[Not shown: {size} characters were asked for at once, and {MOST_SELECTED} is the most. {ways}]"
    return Page(message=message, oversized=told)


def _by_bytes(path: str, first: int) -> str:
    return (
        f"Line {first} is so long that ranges of lines do not help. See a part of it with bash: "
        f"sed -n '{first}p' {quote(path)} | head -c {MOST_BYTES}"
    )


def _by_lines(path: str, first: int) -> str:
    return f"Read fewer lines, such as {path}:{first}+200, or find the place with search first."


def _cut(chosen: list[Row], total: int, selector: Selector | None, path: str) -> Page:
    shown = list(_fitting(chosen))
    if len(shown) == len(chosen):
        return Page(tuple(shown), _more(shown, total, selector))
    by_bytes = len(shown) < MOST_LINES
    told = {
        "truncated": True, "truncatedBy": "bytes" if by_bytes else "lines", "totalLines": total, "totalBytes": _bytes(chosen),
        "outputLines": len(shown), "outputBytes": _bytes(shown), "maxLines": MOST_LINES, "maxBytes": MOST_BYTES,
        "firstLineExceedsLimit": not shown,
    }  # fmt: skip
    if not shown:
        first = chosen[0][0]
        size = f"Line {first} alone has {_bytes(chosen[:1]) / 1024:.1f}KB, more than the {LIMIT}."
        return Page(message=f"[{size} {_by_bytes(path, first)}]", truncation=told)
    limit = f" ({LIMIT})" if by_bytes else ""
    span = f"{shown[0][0]}-{shown[-1][0]} of {total}{limit}"
    return Page(tuple(shown), f"[Showing lines {span}. Continue with path selector :{chosen[len(shown)][0]}.]", truncation=told)


def _fitting(rows: Sequence[Row]) -> Iterator[Row]:
    """From the first on, whole lines only."""
    room = MOST_BYTES
    for row in rows[:MOST_LINES]:
        room -= len(row[1].encode("utf-8", "replace")) + 1
        if room < -1:  # the last line's end is not shown
            return
        yield row


def _more(shown: Sequence[Row], total: int, selector: Selector | None) -> str:
    """What is said below a range that stops before the end."""
    if not shown or selector is None or selector.raw or not selector.bounded or shown[-1][0] >= total:
        return ""
    left, following = total - shown[-1][0], shown[-1][0] + 1
    return f"[{left} more {'line' if left == 1 else 'lines'} in file. Continue with path selector :{following}.]"


def _size(rows: Sequence[Row]) -> int:
    return max(0, sum(len(line) + 1 for _, line in rows) - 1)


def _bytes(rows: Sequence[Row]) -> int:
    return max(0, sum(len(line.encode("utf-8", "replace")) + 1 for _, line in rows) - 1)
