"""Where inserted rows land when their indentation says that another place near by was meant, with a warning for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.edits.hashline.closers import indent_of, is_closer, shallower
from agents.edits.hashline.hunks import Change, Range, lines

FARTHEST = 200
"""Lines that are looked at on the way; nobody means a place farther away."""


def landed(change: Change, text: Sequence[str], block: Range | None, targeted: Callable[[int], bool]) -> tuple[Change, str]:
    """The change where its rows belong, and the warning ("" where it stays). `targeted`: whether another hunk names a line."""
    depth = _depth(change.rows) if change.act == "after" else None
    if depth is None:
        return change, ""
    if block and is_closer(text[block[1] - 1]) and shallower(indent_of(text[block[1] - 1]), depth):
        return _inside(change, text, block, depth, targeted)
    if text[change.first - 1].strip() and shallower(depth, indent_of(text[change.first - 1])):
        return _outside(change, text, depth, targeted)
    return change, ""


def _depth(rows: Sequence[str]) -> str | None:
    """The least indentation of the rows; None where they have none in common, or begin by closing what stands above."""
    body = [row for row in rows if row.strip()]
    if not body or is_closer(body[0]):
        return None
    least = min((indent_of(row) for row in body), key=len)
    return least if all(row.startswith(least) for row in body) else None


def _inside(change: Change, text: Sequence[str], block: Range, depth: str, targeted: Callable[[int], bool]) -> tuple[Change, str]:
    """Back over the lines that close the block, to the last content as deep as the rows are."""
    at = block[1]
    while at > max(block[0], block[1] - FARTHEST) and _closes_above(text[at - 1], depth):
        if targeted(at):
            return change, ""
        at -= 1
    return replace(change, first=at, last=at), (
        f"`{change.hunk.said}`: the body is indented deeper than the block's closing line {block[1]}, so it was placed inside the block, "
        f"after line {at}. For a place behind the block, indent it like that line."
    )


def _closes_above(line: str, depth: str) -> bool:
    return not line.strip() or (is_closer(line) and shallower(indent_of(line), depth))


def _outside(change: Change, text: Sequence[str], depth: str, targeted: Callable[[int], bool]) -> tuple[Change, str]:
    """Forward over directly following lines that only close, until one stands as deep as the rows."""
    at, crossed = change.first, 0
    for number in range(change.first + 1, min(change.first + FARTHEST, len(text)) + 1):
        line = text[number - 1]
        if not line.strip():
            continue
        if not is_closer(line) or not indent_of(line).startswith(depth):
            break
        if targeted(number):
            return change, ""
        at, crossed = number, crossed + 1
        if indent_of(line) == depth:
            break
    if not crossed:
        return change, ""
    return replace(change, first=at, last=at), (
        f"`{change.hunk.said}`: the body is indented less than line {change.first}, so it was moved past {crossed} closing "
        f"{lines(crossed).split()[1]} to after line {at}. For the deeper place, indent it like the lines there."
    )
