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
    """A conflict that was shown. `first` is the line where it began then, `digest` of the whole region."""

    number: int
    path: str
    first: int
    digest: str


def register(context: ToolContext, path: str, regions: Sequence[Region]) -> list[int]:
    """The numbers under which `conflict://N` finds these regions from now on. Blocking; for threads.

    `path` is as `Files.relative` gives it. What was known of this file is forgotten; numbers of other files' conflicts stay taken.
    """
    with _numbering:
        others = [one for one in registered(context) if one.path != path]
        start = max((one.number for one in others), default=0) + 1
        fresh = [Numbered(number, path, one.lines.start, _digest(one)) for number, one in enumerate(regions, start)]
        _keep(context, [*others, *fresh])
    return [one.number for one in fresh]


def registered(context: ToolContext) -> list[Numbered]:
    return [Numbered(**one) for one in context.reach.snapshots.noted(KEY) or ()]


def _keep(context: ToolContext, known: Sequence[Numbered]) -> None:
    context.reach.snapshots.note(KEY, [asdict(one) for one in known] or None)


def _digest(region: Region) -> str:
    return hashlib.sha256("\n".join(region.rows).encode("utf-8", "surrogatepass")).hexdigest()
