"""The conflicts of a workspace by number: those that `read FILE:conflicts` showed, else those that a walk finds now."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from threading import Lock

from agents.edits.conflicts import Region
from agents.tools.tool import ToolContext

KEY = "conflicts"
_numbering = Lock()
"""The calls of one session run in one process, side by side."""


@dataclass(frozen=True)
class Numbered:
    """A conflict that was shown. `digest` is of the region's whole text, `first` the line where it began then."""

    number: int
    path: str
    first: int
    digest: str


def register(context: ToolContext, path: str, text: str, regions: Sequence[Region]) -> list[int]:
    """The numbers under which `conflict://N` finds these regions of the text from now on. Blocking; for threads.

    `path` is as `Files.relative` gives it, `text` the file's, with line ends "\\n". What was known of this file is forgotten;
    the numbers of other files stay taken while they are known.
    """
    rows = text.split("\n")
    with _numbering:
        others = [one for one in registered(context) if one.path != path]
        numbers = _free(len(regions), {one.number for one in others})
        fresh = [
            Numbered(number, path, region.lines.start, _digest(region.text(rows)))
            for number, region in zip(numbers, regions, strict=True)
        ]
        keep(context, [*others, *fresh])
    return numbers


def registered(context: ToolContext) -> list[Numbered]:
    return [Numbered(**one) for one in context.reach.snapshots.noted(KEY) or ()]


def keep(context: ToolContext, known: Sequence[Numbered]) -> None:
    context.reach.snapshots.note(KEY, [asdict(one) for one in known] or None)


def _free(count: int, taken: set[int]) -> list[int]:
    start = max(taken, default=0) + 1
    return list(range(start, start + count))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
