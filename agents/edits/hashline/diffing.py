"""What an edit changed, as its result shows it: numbered rows for the model, and a patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.edits.diff import grouped, unified
from agents.edits.hashline.rows import shown_lines

AROUND = 4
"""Unchanged lines shown above and below."""

Group = list[tuple[str, int, int, int, int]]


def groups(old: Sequence[str], new: Sequence[str], around: int) -> list[Group]:
    """The differing runs of lines with `around` lines on both sides, as `SequenceMatcher` names them."""
    return grouped(_encoded(old), _encoded(new), around)


def _encoded(lines: Sequence[str]) -> list[bytes]:
    return [line.encode("utf-8", "surrogatepass") for line in lines]


def numbered_diff(before: str, after: str) -> str:
    """Rows of sign, number and text; removed lines have their old number, all others their new one."""
    old, new = shown_lines(before), shown_lines(after)
    width = len(str(max(len(old), len(new))))
    rows: list[str] = []
    for group in groups(old, new, AROUND):
        rows += [" ..."] * bool(rows)
        rows += (f"{sign}{number:>{width}} {text}" for sign, number, text in _rows(group, old, new))
    return "\n".join(rows).strip()


def _rows(group: Group, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    for kind, a, b, c, d in group:
        if kind != "equal":
            yield from (("-", number, old[number - 1]) for number in range(a + 1, b + 1))
        yield from ((" " if kind == "equal" else "+", number, new[number - 1]) for number in range(c + 1, d + 1))


def first_changed_line(before: str, after: str) -> int:
    """The number, in the new text, of the first line that differs; 0 where none does."""
    changed = (opcode for group in groups(shown_lines(before), shown_lines(after), 0) for opcode in group if opcode[0] != "equal")
    return next((opcode[3] + 1 for opcode in changed), 0)


def patch(path: str, before: bytes, after: bytes) -> str:
    """A unified diff with the bare path on both sides."""
    body = unified(path, before, after, around=AROUND).split("\n", 2)
    return f"--- {path}\n+++ {path}\n{body[2]}" if len(body) > 2 else ""
