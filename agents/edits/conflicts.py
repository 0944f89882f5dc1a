"""The regions that a merge left for people to decide, by the markers git writes around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARKER = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: .*)?")


@dataclass(frozen=True)
class Region:
    """One conflict. Numbers of lines count from 1; a side's range may be empty; `base` is None where the merge kept none.

    `lines` is the region as a whole, its markers included.
    """

    lines: range
    ours: range
    base: range | None
    theirs: range

    def text(self, rows: Sequence[str], side: range | None = None) -> str:
        """The lines of one side, or of all of it, out of the file's rows; each ends in a newline."""
        chosen = self.lines if side is None else side
        return "".join(f"{rows[number - 1]}\n" for number in chosen)


def regions(text: str) -> list[Region]:
    """The whole regions of a text whose lines end in "\\n", in order. A marker without its partners is text like any other."""
    found: list[Region] = []
    opened: dict[str, int] = {}
    for number, row in enumerate(text.split("\n"), start=1):
        marker = row[:1] if _MARKER.fullmatch(row) else ""
        if marker == "<":
            opened = {"<": number}
        elif marker == "|" and set(opened) == {"<"}:
            opened["|"] = number
        elif marker == "=" and opened and "=" not in opened:
            opened["="] = number
        elif marker == ">" and "=" in opened:
            found.append(_region(opened, number))
            opened = {}
    return found


def _region(opened: dict[str, int], last: int) -> Region:
    first, base, middle = opened["<"], opened.get("|"), opened["="]
    return Region(
        lines=range(first, last + 1),
        ours=range(first + 1, base or middle),
        base=None if base is None else range(base + 1, middle),
        theirs=range(middle + 1, last),
    )
