"""From hunks to changes: blocks become lines, every line that is named must exist, and no line is removed twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.edits.hashline.blocks import Find
from agents.edits.hashline.closers import is_closer
from agents.edits.hashline.grammar import wrong
from agents.edits.hashline.hunks import Change, Hunk, Range, lines
from agents.errors import ToolError

AROUND = 2
"""Lines shown above and below one that could not be used."""
WIDEST = 200
"""Characters shown of each."""


@dataclass(frozen=True)
class Resolved:
    """`blocks` tells of each block that was found, by the place of its change."""

    changes: tuple[Change, ...]
    blocks: dict[int, Range]
    warnings: tuple[str, ...] = ()


def resolved(text_lines: Sequence[str], text: str, hunks: Sequence[Hunk], find: Find) -> Resolved:
    """Raises ToolError, naming the line, where the hunks do not fit the text or each other."""
    refuse_overlaps([Change(hunk, hunk.act, hunk.first, hunk.last, ()) for hunk in hunks if hunk.removes and not hunk.block])
    changes: list[Change] = []
    blocks: dict[int, Range] = {}
    warnings: list[str] = []
    for hunk in hunks:
        span = find(text, hunk.first) if hunk.block and hunk.first <= len(text_lines) else None
        if span:
            blocks[len(changes)] = span
        elif hunk.block and hunk.removes:
            raise _no_block(hunk, text_lines)
        elif hunk.block:
            warnings.append(_lowered(hunk, text_lines))
        changes.append(_placed(hunk, span, len(text_lines)))
    refuse_overlaps([changes[at] for at in blocks if changes[at].removes])
    return Resolved(tuple(changes), blocks, tuple(dict.fromkeys(warnings)))


def refuse_overlaps(changes: Sequence[Change]) -> None:
    """Raise ToolError where two of them remove the same line."""
    widest: Change | None = None
    for change in sorted(changes, key=lambda change: change.first):
        if widest and change.first <= widest.last:
            one, other = sorted((widest.hunk, change.hunk), key=lambda hunk: hunk.line)
            raise wrong(
                other.line,
                f"anchor line {change.first} is already targeted by another hunk on line {one.line}. "
                "Write one hunk for each range; its rows are only what shall stand there in the end.",
            )
        widest = change if widest is None or change.last > widest.last else widest


def _placed(hunk: Hunk, span: Range | None, count: int) -> Change:
    if span:
        first, last = span if hunk.removes else (span[1], span[1])
    elif hunk.at_end:
        first = last = 0
    else:
        first, last = hunk.first, hunk.last
        if last > count:
            raise ToolError(f"Line {max(first, count + 1)} does not exist (file has {lines(count)}).")
    return Change(hunk, hunk.act, first, last, hunk.rows)


def _no_block(hunk: Hunk, text_lines: Sequence[str]) -> ToolError:
    told = wrong(
        hunk.line,
        f"`{hunk.said}` could not resolve a syntactic block beginning on line {hunk.first}: the language may be unsupported, the line "
        f"blank, a closing one or no beginning, or the block may not parse. Name the lines: `{hunk.act} {hunk.first}..M`.",
    )
    return ToolError("\n\n".join([str(told), around(text_lines, [hunk.first])]).rstrip())


def around(text_lines: Sequence[str], anchors: Sequence[int]) -> str:
    """The numbered lines about these, which are marked with *; "" where there are none of these."""
    shown = sorted({n for anchor in anchors for n in range(anchor - AROUND, anchor + AROUND + 1) if 1 <= anchor <= len(text_lines)})
    rows = []
    for before, n in zip([0, *shown], shown, strict=False):
        if 1 <= n <= len(text_lines):
            rows += ["..."] * (before not in (0, n - 1)) + [f"{'*' if n in anchors else ' '}{n}:{text_lines[n - 1][:WIDEST]}"]
    return "\n".join(rows)


def _lowered(hunk: Hunk, text_lines: Sequence[str]) -> str:
    plain = f"it was applied as plain `insert after {hunk.first}`"
    if hunk.first <= len(text_lines) and is_closer(text_lines[hunk.first - 1]):
        return f"`{hunk.said}` names a closing line, so {plain}. Name the line that opens the block."
    return f"`{hunk.said}`: no syntactic block was found to begin there, so {plain}. Check where it landed."
