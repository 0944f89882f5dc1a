"""The regions that a merge left for people to decide, by the markers git writes around them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.edits.source import encoded, lines_of, plain

SIDES = ("@ours", "@theirs", "@base")
"""What a resolution may say instead of its text."""

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


def resolved(data: bytes, chosen: Iterable[Region], content: str) -> bytes:
    """The file with these of its regions resolved: by the side that the content names, else by the content, whose last newline is none.

    The regions are of the text that `Source` sees in the file. Raises ToolError for half characters.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    lines = lines_of(data.removeprefix(mark))
    done, pieces = 0, [mark]
    for region in sorted(chosen, key=lambda one: one.lines.start):
        pieces += lines[done : region.lines.start - 1]
        pieces += _resolution(region, lines, content)
        done = region.lines.stop - 1
    return b"".join([*pieces, *lines[done:]])


def _resolution(region: Region, lines: list[bytes], content: str) -> list[bytes]:
    """The lines for the region's place; where the file ends with it and without a newline, so do they."""
    last = lines[region.lines.stop - 2]
    sides = dict(zip(SIDES, (region.ours, region.theirs, region.base), strict=True))
    if (said := content.strip()) in sides:
        side = sides[said]
        new = [] if side is None else lines[side.start - 1 : side.stop - 1]
    else:
        end = b"\r\n" if lines[region.lines.start - 1].endswith(b"\r\n") else b"\n"
        text = plain(content).removesuffix("\n")
        new = [encoded(row) + end for row in text.split("\n")] if text else []
    return new if last.endswith(b"\n") or not new else [*new[:-1], new[-1].rstrip(b"\r\n")]
