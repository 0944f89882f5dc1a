"""Searching file after file, in their order, until there is enough or no more time."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agents.sandboxes.sandbox import FileStat, Sandbox
from agents.search.matching import LARGEST, MOST_MATCHES, Hits, Regex, in_files
from agents.search.ripgrep import SECONDS

FIRST_BATCH, LARGEST_BATCH = 1000, 8000
LEAST_SECONDS = 0.1
MOST_BYTES = 2**19
"""Of the names in one batch: a command line holds so much."""


@dataclass
class Collection:
    """What was found so far, of `most` matches at most. `full` when there may be more, `late` when time ran out before the end."""

    most: int = MOST_MATCHES
    searched: int = 0
    hits: list[Hits] = field(default_factory=list)
    matches: int = 0
    full: bool = False
    late: bool = False
    oversized: list[str] = field(default_factory=list)

    def add(self, hits: Hits) -> None:
        """Hits without a match are none; those beyond the ceiling are left out."""
        room = self.most - self.matches
        self.full = self.full or len(hits.matches) > room
        if hits.matches and room > 0:
            self.hits.append(replace(hits, matches=hits.matches[:room], more=hits.more or len(hits.matches) > room))
            self.matches += min(len(hits.matches), room)


@dataclass
class Deadline:
    """When a search has to come to its end; whoever does not want it any more ends it at once."""

    at: float = field(default_factory=lambda: time.monotonic() + SECONDS)

    @property
    def left(self) -> float:
        return self.at - time.monotonic()

    def going(self) -> bool:
        return self.left > 0

    def end(self) -> None:
        self.at = 0.0


async def collect(
    sandbox: Sandbox, regex: Regex, files: Iterator[FileStat], into: Collection, deadline: Deadline, told: Callable[[Sequence[Hits]], None]
) -> None:
    """Search these files; `told` the hits of every batch. Raises ToolError for a pattern that is none."""
    size = FIRST_BATCH
    while not into.full and (batch := await asyncio.to_thread(_batch, files, size, into.oversized)):
        hits, whole = await _searched(sandbox, regex, batch, deadline)
        for each in hits:
            into.add(each)
        told(hits)
        into.searched += len(batch)
        into.full |= into.matches >= into.most or not whole
        size = min(2 * size, LARGEST_BATCH)
    into.late = not deadline.going()


async def _searched(sandbox: Sandbox, regex: Regex, batch: Sequence[str], deadline: Deadline) -> tuple[list[Hits], bool]:
    """The hits in these files, by halves where the answer for all at once is too long; False when time ran out."""
    hits, whole = await in_files(sandbox, regex, batch, max(deadline.left, LEAST_SECONDS))
    if whole or len(batch) < 2 or not deadline.going():
        return hits, whole
    half = len(batch) // 2
    first, first_whole = await _searched(sandbox, regex, batch[:half], deadline)
    second, second_whole = await _searched(sandbox, regex, batch[half:], deadline)
    return [*first, *second], first_whole and second_whole


def _batch(files: Iterator[FileStat], size: int, oversized: list[str]) -> list[str]:
    """The paths of the next few; those too large to be searched are put aside."""
    batch: list[str] = []
    room = MOST_BYTES
    for file in files:
        if file.size > LARGEST:
            oversized.append(file.path)
            continue
        batch.append(file.path)
        room -= len(os.fsencode(file.path)) + 3
        if len(batch) >= size or room <= 0:
            break
    return batch
