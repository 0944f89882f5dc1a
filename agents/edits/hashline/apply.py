"""Applying hunks to the text they were written for: resolve, check, mend, place, and only then put the lines together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import get_args

from agents.edits.hashline.blocks import Find
from agents.edits.hashline.hunks import Act, Change, Hunk, Range, lines
from agents.edits.hashline.landing import landed
from agents.edits.hashline.repairs import repaired
from agents.edits.hashline.resolve import resolved


@dataclass(frozen=True)
class Applied:
    """The new text; what was mended or moved on the way; one line for each block that was found."""

    text: str
    warnings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


def applied(text: str, hunks: Sequence[Hunk], find: Find) -> Applied:
    """Every number counts lines of `text` ("\\n" ends one), whatever the other hunks do. Raises ToolError; linear in text and hunks."""
    before = text.split("\n")
    fitting = resolved(before, text, hunks, find)
    warnings = list(fitting.warnings)
    changes = []
    removed, named = (_Owners(fitting.changes, len(before), removals=only) for only in (True, False))
    for at, change in enumerate(fitting.changes):
        mended, warning = repaired(change, before, removed.but(change))
        placed, moved = landed(mended, before, fitting.blocks.get(at), named.but(change))
        warnings += [said for said in (warning, moved) if said]
        changes.append(placed)
    told = tuple(_told(changes[at], span) for at, span in fitting.blocks.items())
    return Applied("\n".join(spliced(before, changes)), tuple(warnings), told)


class _Owners:
    """How many changes name each line: all of them, or only those that remove it."""

    def __init__(self, changes: Sequence[Change], count: int, *, removals: bool) -> None:
        steps = [0] * (count + 2)
        for change in changes:
            if change.first and (change.removes or not removals):
                steps[change.first] += 1
                steps[change.last + 1] -= 1
        self._owners = list(accumulate(steps))

    def but(self, change: Change) -> Callable[[int], bool]:
        """Tells whether a change other than this one names the line."""
        return lambda line: self._owners[line] > (change.first <= line <= change.last)


def spliced(before: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """The lines after all changes. What follows a final newline is no line: it is never removed, and the tail stands above it."""
    ended = len(before) > 1 and before[-1] == ""
    rows: dict[str, dict[int, list[str]]] = {act: defaultdict(list) for act in get_args(Act)}
    kept = bytearray(b"\1" * (len(before) + 1))
    for change in changes:
        rows[change.act][change.first] += change.rows
        if change.removes and change.first <= change.last:
            kept[change.first : change.last + 1] = bytes(change.last + 1 - change.first)
    kept[-1] |= ended
    head, tail = rows["head"][0], rows["tail"][0]
    if before == [""] and all(change.hunk.at_end for change in changes):
        return head + tail
    after = list(head)
    for number, line in enumerate(before, 1):
        after += rows["before"].get(number, ())
        after += rows["replace"].get(number, ())
        if ended and number == len(before):
            after += tail
        if kept[number]:
            after.append(line)
        after += rows["after"].get(number, ())
    return after if ended else after + tail


def _told(change: Change, span: Range) -> str:
    lands = "" if change.removes else f"; body lands after line {change.first}"
    return f"{change.hunk.said} → resolved lines {span[0]}-{span[1]} ({lines(span[1] - span[0] + 1)}){lands}"
