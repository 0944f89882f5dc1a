"""Carrying a change over to a text that has moved on, where it can be shown that nothing of the two overlaps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from agents.edits.hashline.diffing import groups
from agents.edits.hashline.rows import shown_lines

AROUND = 3
"""Lines above and below each changed one that must be as they were."""


def merged(seen: str, wanted: str, live: str) -> str | None:
    """`live` with what makes `wanted` of `seen`; None where the text about a change is not the same in `live`. It may have moved."""
    old, new, now = shown_lines(seen), shown_lines(wanted), shown_lines(live)
    moves = _Moves(old, now)
    result: list[str] = []
    done = 0
    for group in groups(old, new, AROUND):
        first, last = group[0][1], group[-1][2]
        at = moves.place(first, last)
        if at is None:
            return None
        result += now[done:at] + new[group[0][3] : group[-1][4]]
        done = at + last - first
    result += now[done:]
    return "\n".join(result) + "\n" * (bool(result) and _ends(seen, wanted, live))


def _ends(seen: str, wanted: str, live: str) -> bool:
    """Whether there is a newline at the end: as in `live`, unless the change was about that."""
    deciding = wanted if wanted and wanted.endswith("\n") != seen.endswith("\n") else live
    return deciding.endswith("\n")


class _Moves:
    """Where lines of the old text stand in the new one: between two places that differ they have only moved."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        differing = [opcode for group in groups(old, new, 0) for opcode in group if opcode[0] != "equal"]
        self._starts = [0, *(b for _, _, b, _, _ in differing)]
        self._ends = [*(a for _, a, _, _, _ in differing), len(old)]
        self._shifts = [0, *(d - b for _, _, b, _, d in differing)]

    def place(self, first: int, last: int) -> int | None:
        """The index at which the old lines [first, last) stand, if there are any and all of them stand one below the other."""
        run = bisect_right(self._starts, first) - 1
        return first + self._shifts[run] if first < last <= self._ends[run] else None
