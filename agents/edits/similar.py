"""Finding the run of whole lines that is most like a given text, in bounded time, and whether another is about as like it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz.distance import Indel

from agents.edits.source import Span
from agents.errors import ToolError

LONGEST = 30_000
"""Characters of a text that is looked for by likeness; above it, a single comparison takes too long."""
LARGEST = 4_000_000
"""Characters of a file that is searched by likeness."""
BUDGET = 100_000_000
"""How much comparing one search may do, in machine words: about half a second."""
SPREAD = 3
"""How many lines more or fewer than the text looked for a window may have."""
_WORD = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Match:
    """The best window. `rival` is where another one begins that is nearly as good, None when there is none."""

    span: Span
    likeness: float
    rival: int | None


@dataclass(frozen=True)
class Window:
    """A run of whole lines and its likeness (0…1) to the text that is looked for. `bend` is how much its height differs."""

    span: Span
    bend: int
    likeness: float

    def apart(self, other: Window) -> bool:
        return self.span[1] <= other.span[0] or other.span[1] <= self.span[0]

    def around(self, other: Window) -> bool:
        return self.span[0] <= other.span[0] and other.span[1] <= self.span[1]


def windows_like(text: str, old: str, floor: float) -> list[Window]:
    """The windows at least `floor` like `old` that could matter beside the best. Raises ToolError when a text is too long for this."""
    if len(old) > LONGEST or len(text) > LARGEST:
        raise ToolError(
            "old_string was not found exactly, and the text is too long to look for near matches. Quote it as it stands in the file."
        )
    if not old.strip():
        return []
    lines, height = _LINE.findall(text), len(_LINE.findall(old))
    ends = [0, *accumulate(map(len, lines))]
    quoted, found = old.removesuffix("\n"), []
    for first in _promising(lines, old, height):
        for last in _ends_by_bend(first + height, first, len(lines)):
            body = text[ends[first] : ends[last]].removesuffix("\n")
            likeness = Indel.normalized_similarity(quoted, body, score_cutoff=floor)
            if likeness >= floor:
                window = Window((ends[first], ends[last]), abs(last - first - height), likeness)
                found.append(window)
                floor = max(floor, _rival_from(likeness)) if window.bend < SPREAD else floor
    return found


def _ends_by_bend(middle: int, first: int, most: int) -> list[int]:
    """The last lines of the windows from `first`, those nearest to the height looked for first."""
    around = range(max(first + 1, middle - SPREAD), min(most, middle + SPREAD) + 1)
    return sorted(around, key=lambda last: abs(last - middle))


def _promising(lines: list[str], old: str, height: int) -> list[int]:
    """The starting lines behind which most words of `old` stand: as many as the budget allows to compare."""
    cost = (len(old) // 64 + 1) * (len(old) + 1) * (2 * SPREAD + 1)
    shared = list(_words_shared(lines, old, height))
    return sorted(range(len(lines)), key=lambda first: -shared[first])[: max(4, BUDGET // cost)]


def _words_shared(lines: list[str], old: str, height: int) -> Iterator[int]:
    """For each starting line how many words the `height` lines from it have in common with `old`; the count slides along."""
    wanted, inside, shared = Counter(_WORD.findall(old)), Counter[str](), 0
    words = [Counter(word for word in _WORD.findall(line) if word in wanted) for line in lines]

    def shift(line: int, sign: int) -> int:
        change = 0
        for word, count in words[line].items() if line < len(words) else ():
            before, after = inside[word], inside[word] + sign * count
            change += min(after, wanted[word]) - min(before, wanted[word])
            inside[word] = after
        return change

    for line in range(height):
        shared += shift(line, +1)
    for first in range(len(lines)):
        yield shared
        shared += shift(first, -1) + shift(first + height, +1)


def best_of(windows: list[Window]) -> Match | None:
    """The best window, and whether another place rivals it."""
    best = max(windows, key=lambda window: (window.likeness, -window.bend, -window.span[0]), default=None)
    if best is None:
        return None
    rival = next((window for window in windows if _rivals(window, best)), None)
    return Match(best.span, best.likeness, None if rival is None else rival.span[0])


def _rivals(window: Window, best: Window) -> bool:
    """One elsewhere rivals the best when it differs by less than half as much again; an overlapping one only when it is as good."""
    if window.apart(best):
        return window.likeness > _rival_from(best.likeness)
    return window.likeness >= best.likeness and not window.around(best) and not best.around(window)


def _rival_from(likeness: float) -> float:
    """Above this another place is too near: it differs by less than half as much again."""
    return 1 - max(1.5 * (1 - likeness), 0.01)
