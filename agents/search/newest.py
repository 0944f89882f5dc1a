"""The files and folders last changed, out of however many there are, in little memory."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agents.sandboxes.sandbox import Files, FileStat
from agents.search.walking import Wanted, below


@dataclass
class Newest:
    """Takes any number, keeps the `most` that were changed last; `total` is how many it was shown."""

    most: int
    total: int = 0
    _kept: list[tuple[float, int, FileStat]] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def take(self, found: FileStat) -> bool:
        """False for one that it was shown before."""
        if found.path in self._seen:
            return False
        self._seen.add(found.path)
        self.total += 1
        put = heapq.heappush if len(self._kept) < self.most else heapq.heappushpop
        put(self._kept, (found.modified, -self.total, found))
        return True

    @property
    def found(self) -> list[FileStat]:
        """The newest first, those of the same time as they came."""
        return [found for _, _, found in sorted(self._kept, reverse=True)]


def newest(files: Files, wanted: Sequence[Wanted], into: Newest, going: Callable[[], bool], told: Callable[[FileStat], None]) -> bool:
    """Go through all of it, `told` each that is new; False when it was ended by `going` before. Blocking."""
    for found in below(files, wanted, going):
        if into.take(found):
            told(found)
    return going()
