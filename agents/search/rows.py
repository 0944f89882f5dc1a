"""Matches as rows of the text they are in, with some lines around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from agents.search.matching import Match

LONGEST_LINE = 512
MOST_ROWS = 20_000
"""Of one text: more than any answer has room for."""
CUT = "…"
_LONE = re.compile(r"\r(?!\n|$)")


@dataclass(frozen=True)
class Around:
    """How many lines are shown before and after each match."""

    before: int = 1
    after: int = 3


@dataclass(frozen=True)
class Row:
    """A line by its number; `hit` when it belongs to a match. What is longer than 512 characters is cut, and ends with a mark."""

    number: int
    text: str
    hit: bool


def rows(lines: Sequence[str], matches: Iterable[Match], around: Around) -> list[Row]:
    """The rows of a text to show, in order, none twice."""
    hit: set[int] = set()
    shown: set[int] = set()
    for match in matches:
        if len(shown) > MOST_ROWS:
            break
        last = min(match.last, len(lines), match.first + MOST_ROWS)
        hit.update(range(match.first, last + 1))
        shown.update(range(max(1, match.first - around.before), min(last + around.after, len(lines)) + 1))
    return [Row(number, cut(lines[number - 1]), number in hit) for number in sorted(shown | hit)]


def cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + CUT


def renumbered(raw: str, matches: Sequence[Match]) -> list[Match]:
    """The same matches where a "\\r" by itself ends a line too; ripgrep ends one with "\\n" only."""
    if not _LONE.search(raw):
        return list(matches)
    ends = [0, *accumulate(1 + len(_LONE.findall(line)) for line in raw.split("\n"))]
    return [Match(ends[match.first - 1] + 1, ends[match.last], match.line) for match in matches if match.last < len(ends)]
