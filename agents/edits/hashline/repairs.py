"""Replacements that restate or leave out what borders their range, as models write them, set right, each with a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from agents.edits.hashline.closers import EVEN, balances, is_closer, minus, plus
from agents.edits.hashline.hunks import Change, lines

FINAL = "Send only what shall stand in place of the range in the end"


def repaired(change: Change, text: Sequence[str], taken: Callable[[int], bool]) -> tuple[Change, str]:
    """The change with its boundaries mended, and the warning ("" where nothing was).

    Lines of the text that another hunk removes (`taken`) cannot be what its rows restate.
    """
    count = len(text) - (text[-1] == "")  # what follows a final newline is no line
    if change.act != "replace" or change.first > count:
        return change, ""
    change = replace(change, last=min(change.last, count))
    mend = _Mend(change, text[:count], taken)
    return mend.without_echo() or mend.balanced() or (change, "")


class _Mend:
    """One replacement with the lines about it, and the bracket balances of both."""

    def __init__(self, change: Change, text: Sequence[str], taken: Callable[[int], bool]) -> None:
        self.change = change
        self.rows = change.rows
        most = len(self.rows)
        self.gone = text[change.first - 1 : change.last]
        self.above = _untaken(text, range(change.first - 1, max(change.first - 1 - most, 0), -1), taken)[::-1]
        self.below = _untaken(text, range(change.last + 1, min(change.last + most, len(text)) + 1), taken)
        self.sums = balances(self.rows)
        self.difference = minus(self.sums[-1], balances(self.gone)[-1])

    def without_echo(self) -> tuple[Change, str] | None:
        """Rows that repeat the lines on both sides of the range, dropped on both."""
        head = next(overlaps(self.above, self.rows), 0)
        tail = next(overlaps(self.rows, self.below), 0)
        inner = self.rows[head : len(self.rows) - tail]
        if not (inner and head + tail < len(self.rows) and _says(self.rows[:head]) and _says(self.rows[-tail:] if tail else ())):
            return None
        if plus(self.sums[head], self._of_last(tail)) not in (EVEN, self.difference):
            return None
        return replace(self.change, rows=inner), (
            f"Repaired a replacement boundary echo at line {self.change.first}: dropped {head} leading and {tail} trailing payload "
            f"row(s) that already stand around the range. {FINAL}, never the lines around it."
        )

    def balanced(self) -> tuple[Change, str] | None:
        """Where brackets would no longer match: drop repeated rows that explain it, or keep closing lines that do."""
        if self.difference == EVEN:
            return None
        for tail in overlaps(self.rows, self.below):
            if self._of_last(tail) == self.difference:
                rows = self.rows[: len(self.rows) - tail]
                return replace(self.change, rows=rows), self._said(f"dropped {tail} trailing payload row(s) that already stand below")
        for head in overlaps(self.above, self.rows):
            if self.sums[head] == self.difference:
                return replace(self.change, rows=self.rows[head:]), self._said(
                    f"dropped {head} leading payload row(s) that already stand above"
                )
        return self._spared()

    def _spared(self) -> tuple[Change, str] | None:
        """Closing lines at the range's end that were deleted without being restated stay."""
        kept = 0
        while kept < len(self.gone) and is_closer(self.gone[-1 - kept]):
            kept += 1
        sums = balances(self.gone[len(self.gone) - kept :])
        for few in range(1, kept + 1):
            if plus(minus(sums[-1], sums[kept - few]), self.difference) == EVEN:
                return replace(self.change, last=self.change.last - few), self._said(
                    f"kept {lines(few)} at the range's end that close a bracket"
                )
        return None

    def _of_last(self, count: int) -> tuple[int, int, int]:
        return minus(self.sums[-1], self.sums[len(self.rows) - count])

    def _said(self, what: str) -> str:
        return (
            f"Delimiter-balance repair in the replacement at line {self.change.first}: {what}. {FINAL}: closing brackets that border "
            "the range neither restated nor left out."
        )


def _untaken(text: Sequence[str], numbers: range, taken: Callable[[int], bool]) -> list[str]:
    """The lines of these numbers, up to the first that another hunk removes."""
    found = []
    for number in numbers:
        if taken(number):
            break
        found.append(text[number - 1])
    return found


def _says(rows: Sequence[str]) -> bool:
    return any(row.strip() for row in rows)


def overlaps(one: Sequence[str], other: Sequence[str]) -> Iterator[int]:
    """How many last lines of the one are the first lines of the other: every such number but 0, the largest first. Linear."""
    most = min(len(one), len(other))
    joined: list[str | None] = [*other[:most], None, *one[len(one) - most :]]
    borders = [0] * len(joined)
    for at in range(1, len(joined)):
        length = borders[at - 1]
        while length and joined[at] != joined[length]:
            length = borders[length - 1]
        borders[at] = length + (joined[at] == joined[length])
    length = borders[-1] if most else 0
    while length:
        yield length
        length = borders[length - 1]
