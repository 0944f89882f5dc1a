"""The regions that a merge left for people to decide, by the markers git writes around them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: .*)?")


@dataclass(frozen=True)
class Region:
    """One conflict. Ranges are numbers of lines, from 1; a side may be empty, and `base` is None where the merge kept none.

    `rows` are all its lines, the markers included.
    """

    lines: range
    ours: range
    base: range | None
    theirs: range
    rows: tuple[str, ...]

    def side(self, lines: range | None) -> tuple[str, ...]:
        """The lines of one side."""
        return () if lines is None else tuple(self.rows[number - self.lines.start] for number in lines)


def regions(text: str) -> list[Region]:
    """The whole regions of a text whose lines end in "\\n", in order. A marker without its partners is text like any other."""
    rows = text.split("\n")
    found: list[Region] = []
    opened: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        marker = row[:1] if row[:1] in "<|=>" and _MARKER.fullmatch(row) else ""
        if marker == "<":
            opened = {"<": number}
        elif marker == "|" and set(opened) == {"<"}:
            opened["|"] = number
        elif marker == "=" and opened and "=" not in opened:
            opened["="] = number
        elif marker == ">" and "=" in opened:
            found.append(_region(opened, number, rows))
            opened = {}
    return found


def _region(opened: dict[str, int], last: int, rows: list[str]) -> Region:
    first, base, middle = opened["<"], opened.get("|"), opened["="]
    return Region(
        lines=range(first, last + 1),
        ours=range(first + 1, base or middle),
        base=None if base is None else range(base + 1, middle),
        theirs=range(middle + 1, last),
        rows=tuple(rows[first - 1 : last]),
    )
