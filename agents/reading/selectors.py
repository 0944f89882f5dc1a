"""What may stand behind a path: `:5-16`, `:5+3`, `:5-16,90-99`, `:40`, `:raw`, `:conflicts`. A name that really has such an end wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agents.errors import ToolError

BEFORE, AFTER = 1, 3
"""Lines of context that a bounded range is shown with."""
NUMBER = re.compile(r"[Ll]?(\d{1,12})")
RANGE = re.compile(r"[Ll]?(\d{1,12})(?:(-|\.\.|\+)(?:[Ll]?(\d{1,12}))?)?")
WORDS = ("raw", "conflicts")
WEB = re.compile(r"(?:https?:/+|www\.)([^/?#]*)", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Span:
    """Lines `first` to `last`, counted from 1, both included; `last` None is the end, whatever it is."""

    first: int
    last: int | None = None

    def has(self, line: int) -> bool:
        return self.first <= line and (self.last is None or line <= self.last)


@dataclass(frozen=True)
class Selector:
    """What of a text is asked for. Without `spans` it is the whole; `raw` is without numbers, tag and context."""

    spans: tuple[Span, ...] = ()
    raw: bool = False
    conflicts: bool = False

    def has(self, line: int) -> bool:
        """Whether this line was asked for; context does not count."""
        return not self.spans or any(span.has(line) for span in self.spans)

    @property
    def bounded(self) -> bool:
        """Whether it says where to stop."""
        return bool(self.spans) and all(span.last is not None for span in self.spans)

    def shown(self, total: int) -> tuple[Span, ...]:
        """The spans to show of a text of so many lines: with their context, within the text, in order, none touching the next.

        Empty where all that was asked for lies behind the end.
        """
        spans = self.spans or (Span(1),)
        within = [span for span in spans if span.first <= total]
        return tuple(_merged(_clipped(span if self.raw else _with_context(span), total) for span in within))


def split(path: str, exists: Callable[[str], bool]) -> tuple[str, Selector | None]:
    """(path, what stood behind it). The longest name that exists wins; without one, all that reads as a selector is one.

    A port of a web address is a port. Raises ToolError for a selector that selects nothing, and says what was wrong.
    """
    if exists(path):
        return path, None
    rest, chunks = path, list[str]()
    while (cut := _cut(rest)) is not None:
        rest, chunk = cut
        chunks.insert(0, chunk)
        if exists(rest):
            break
    return (rest, _selector(chunks)) if chunks else (path, None)


def beyond_end(selector: Selector, total: int, path: str, kind: str = "file") -> str:
    """What is said where a selector's lines all lie behind the end."""
    first = min(span.first for span in selector.spans)
    lines = "1 line" if total == 1 else f"{total} lines"
    hint = f" Read {path}:{total} for the last line." if total else f" The {kind} is empty."
    return f"Line {first} is beyond end of {kind} ({lines} total).{hint}"


def _cut(path: str) -> tuple[str, str] | None:
    """The path without its last chunk, and that chunk, where it reads as a part of a selector."""
    rest, colon, chunk = path.rpartition(":")
    if not colon or not rest or not (chunk in WORDS or all(RANGE.fullmatch(part.strip()) for part in chunk.split(","))):
        return None
    return None if _is_port(rest, chunk) else (rest, chunk)


def _is_port(rest: str, chunk: str) -> bool:
    web = WEB.fullmatch(rest)
    return web is not None and chunk.isdigit() and ":" not in re.sub(r"^\[.*\]", "", web[1])


def _selector(chunks: list[str]) -> Selector:
    numbers = [chunk for chunk in chunks if chunk not in WORDS]
    spans = tuple(sorted(_spans(numbers), key=lambda span: span.first))
    return Selector(spans, raw="raw" in chunks, conflicts="conflicts" in chunks)


def _spans(chunks: list[str]) -> Iterator[Span]:
    """`5:16` is a range too; `16:5` is what compilers print, a line and a column in it."""
    if len(chunks) > 1 and all(NUMBER.fullmatch(chunk) for chunk in chunks):
        first, last = (_line(chunk.lstrip("Ll"), chunk) for chunk in chunks[:2])
        yield Span(first, last if last >= first else None)
        return
    for part in (part.strip() for chunk in chunks for part in chunk.split(",")):
        if found := RANGE.fullmatch(part):
            yield _span(part, *found.groups())


def _span(written: str, begin: str, sign: str | None, second: str | None) -> Span:
    first = _line(begin, written)
    if sign == "+":
        if not second or int(second) < 1:
            raise ToolError(f"The selector :{written} needs a count of at least 1 behind the plus, such as :{first}+10 for ten lines.")
        return Span(first, first + int(second) - 1)
    if not second:
        return Span(first)
    if (last := _line(second, written)) < first:
        raise ToolError(f"The selector :{written} ends before it begins. Write the smaller line first: :{last}-{first}.")
    return Span(first, last)


def _line(digits: str, written: str) -> int:
    if not (line := int(digits)):
        raise ToolError(f"The selector :{written} names line 0, but lines start at 1.")
    return line


def _with_context(span: Span) -> Span:
    return span if span.last is None else Span(max(1, span.first - BEFORE), span.last + AFTER)


def _clipped(span: Span, total: int) -> Span:
    return Span(span.first, total if span.last is None else min(span.last, total))


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Those that touch or overlap made one; every one must have an end."""
    held: Span | None = None
    for span in sorted(spans, key=lambda each: each.first):
        if held is not None and held.last is not None and span.last is not None and span.first <= held.last + 1:
            held = Span(held.first, max(held.last, span.last))
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held
