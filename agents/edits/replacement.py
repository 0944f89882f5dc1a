"""Replacing a piece of a text that a model quoted from memory: exactly, else nearly, else by what stands in its place.

Whatever is not the only such place is refused: a wrong edit costs more than a second try.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.edits.similar import Match, best_of, windows_like
from agents.edits.source import Source, Span, plain
from agents.errors import ToolError

Strategy = Literal["exact_match", "fuzzy_match", "write_swap"]
FUZZY = 0.80
"""A near match must be more alike than this; nothing but slips of the pen."""
SWAP = 0.50
"""A block may be swapped for its rewritten self from this likeness on."""


@dataclass(frozen=True)
class Replacement:
    """What came of it. `confidence` is the likeness (1.0 = exact), `lines` where each replaced place began, from 1."""

    data: bytes
    strategy: Strategy
    confidence: float
    lines: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.lines)


def replace(data: bytes, old: str, new: str, every: bool = False) -> Replacement:
    """Put `new` in place of `old`. Raises ToolError, saying what was found, where there is not exactly one place for it."""
    source, old, new = Source(data), plain(old), plain(new)
    if spans := occurrences(source.text, old):
        if len(spans) > 1 and not every:
            raise ToolError(several(source, spans))
        return _replaced(source, spans, new, "exact_match", 1.0)
    windows = windows_like(source.text, old, SWAP / 2)
    near = [window for window in windows if window.bend <= 2]
    if (found := best_of(near)) and found.likeness > FUZZY:
        return _swapped(source, found, old, new, "fuzzy_match")
    if (found := best_of(windows)) and found.likeness >= SWAP:
        return _swapped(source, found, old, new, "write_swap")
    raise ToolError(
        "old_string was not found: not exactly, not as a near match (more than 80% alike) and not as a block to swap"
        " (at least 50% alike). Read the file again and quote the lines as they stand; nothing was changed."
    )


def occurrences(text: str, piece: str) -> list[Span]:
    """Every place where `piece` stands, none overlapping; nothing stands nowhere."""
    spans, at = [], text.find(piece) if piece else -1
    while at >= 0:
        spans.append((at, at + len(piece)))
        at = text.find(piece, at + len(piece))
    return spans


def several(source: Source, spans: list[Span]) -> str:
    """The sentence that refuses a text found more than once."""
    lines = ", ".join(str(source.line_of(start)) for start, _ in spans[:10])
    more = ", …" if len(spans) > 10 else ""
    return (
        f"old_string occurs {len(spans)} times (at lines {lines}{more}). Quote more of the lines around the one you mean,"
        " or set replace_all; nothing was changed."
    )


def _swapped(source: Source, match: Match, old: str, new: str, strategy: Strategy) -> Replacement:
    if match.rival is not None:
        first, second = (source.line_of(at) for at in (match.span[0], match.rival))
        raise ToolError(
            f"old_string was not found exactly, and two places are about as near ({match.likeness:.0%}): lines {first} and {second}."
            " Quote the lines you mean as they stand in the file; nothing was changed."
        )
    span, new = _whole_lines(source.text, match.span, old, new)
    return _replaced(source, [span], new, strategy, match.likeness)


def _whole_lines(text: str, span: Span, old: str, new: str) -> tuple[Span, str]:
    """Fit `new` to a span of whole lines, so that no line is joined to another and the file's last end stays as it is."""
    start, end = span
    if not new:
        return span, new
    if text[start:end].endswith("\n"):
        return ((start, end - 1), new) if not old.endswith("\n") else (span, new if new.endswith("\n") else new + "\n")
    return span, new.removesuffix("\n") if old.endswith("\n") else new


def _replaced(source: Source, spans: list[Span], new: str, strategy: Strategy, confidence: float) -> Replacement:
    lines = tuple(source.line_of(start) for start, _ in spans)
    return Replacement(source.spliced(spans, new), strategy, confidence, lines)
