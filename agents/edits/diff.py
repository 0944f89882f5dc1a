"""What a change did to a file, as people read it: counts and a unified diff."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Literal

from agents.edits.source import lines_of
from agents.events import FileChange

LONGEST = 64 * 1024
"""Characters of a diff that are kept; the rest is counted in its last line."""
HARDEST = 1_000_000
"""Pairs of lines that are compared one with the other; a larger stretch is split first, or shown as all removed, all added."""
MOST_LINES = 1_000_000
"""Of both sides together; of more only the numbers are told, as each line costs many times its own bytes."""
Opcode = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]

Compare = Callable[[list[bytes], list[bytes]], list[Opcode]]


class _Given(SequenceMatcher[bytes]):
    """Opcodes that are known already, for the sake of what `SequenceMatcher` can do with them."""

    def __init__(self, known: list[Opcode]) -> None:
        super().__init__(None, [], [])
        self._known = known

    def get_opcodes(self) -> list[Opcode]:
        return self._known


def file_change(path: str, before: bytes | None, after: bytes | None, was: str = "") -> FileChange:
    """The change from `before` to `after` (None = no such file); `was` is the path it had before a rename."""
    change: Literal["created", "modified", "deleted", "renamed"]
    change = "created" if before is None else "deleted" if after is None else "renamed" if was else "modified"
    if _is_binary(before) or _is_binary(after):
        return FileChange(path=path, change=change, diff=f"Binary file {path}: {_size(before)} before, {_size(after)} after\n")
    fewer, more = ((data or b"").count(b"\n") for data in (before, after))
    if fewer + more > MOST_LINES:
        told = f"{path} is too long to be compared: {_size(before)} before, {_size(after)} after\n"
        return FileChange(path=path, change=change, added=max(0, more - fewer), removed=max(0, fewer - more), diff=told)
    groups = grouped(lines_of(before or b""), lines_of(after or b""))
    added = sum(group[4] - group[3] for hunk in groups for group in hunk if group[0] != "equal")
    removed = sum(group[2] - group[1] for hunk in groups for group in hunk if group[0] != "equal")
    return FileChange(path=path, change=change, added=added, removed=removed, diff=_cut(unified(path, before, after, was)))


def unified(path: str, before: bytes | None, after: bytes | None, was: str = "", around: int = 3) -> str:
    """The unified diff, whole; "" when the bytes are the same and both exist."""
    old, new = lines_of(before or b""), lines_of(after or b"")
    body = [line for hunk in grouped(old, new, around) for line in _hunk(hunk, old, new)]
    head = [f"--- {'/dev/null' if before is None else f'a/{was or path}'}\n", f"+++ {'/dev/null' if after is None else f'b/{path}'}\n"]
    return "".join(head + body) if body or before is None or after is None or was else ""


def grouped(old: list[bytes], new: list[bytes], around: int = 3) -> list[list[tuple[str, int, int, int, int]]]:
    """The differing runs of lines with some lines around them, as `SequenceMatcher` names them."""
    groups = _Given(_merged(_opcodes(old, new, _middle))).get_grouped_opcodes(around)
    return [group for group in groups if any(kind != "equal" for kind, *_ in group)]


def _opcodes(old: list[bytes], new: list[bytes], rest: Compare) -> list[Opcode]:
    """Equal ends are set aside first, as they are most of a file; `rest` compares what is left."""
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    opcodes = [*_equal(0, 0, head)]
    opcodes += _shifted(rest(old[head : len(old) - tail], new[head : len(new) - tail]), head, head)
    return [*opcodes, *_equal(len(old) - tail, len(new) - tail, tail)]


def _middle(old: list[bytes], new: list[bytes]) -> list[Opcode]:
    """Compare what is left: at once when it is little, else piece by piece between lines that each side has only once."""
    if len(old) * len(new) <= HARDEST:
        return _compared(old, new)
    opcodes: list[Opcode] = []
    done_old = done_new = 0
    for at_old, at_new in [*_anchors(old, new), (len(old), len(new))]:
        opcodes += _shifted(_opcodes(old[done_old:at_old], new[done_new:at_new], _compared), done_old, done_new)
        opcodes += _equal(at_old, at_new, int(at_old < len(old)))
        done_old, done_new = at_old + 1, at_new + 1
    return opcodes


def _compared(old: list[bytes], new: list[bytes]) -> list[Opcode]:
    if old and new and len(old) * len(new) <= HARDEST:
        return list(SequenceMatcher(None, old, new).get_opcodes())
    return [("replace" if old and new else "delete" if old else "insert", 0, len(old), 0, len(new))] if old or new else []


def _anchors(old: list[bytes], new: list[bytes]) -> list[tuple[int, int]]:
    """The longest run of places (not side by side) where a line stands that both sides have exactly once, in both orders."""
    once_old, once_new = ({line: at for at, line in enumerate(side)} for side in (old, new))
    count_old, count_new = Counter(old), Counter(new)
    pairs = [(at, once_new[line]) for line, at in once_old.items() if count_old[line] == 1 == count_new[line]]
    ends: list[int] = []
    chains: list[tuple[tuple[int, int], int]] = []  # each pair with the index of the one before it in the best chain
    last: list[int] = []
    for pair in sorted(pairs):
        length = bisect_left(ends, pair[1])
        ends[length : length + 1] = [pair[1]]
        chains.append((pair, last[length - 1] if length else -1))
        last[length : length + 1] = [len(chains) - 1]
    return _followed(chains, last[-1] if last else -1)


def _followed(chains: list[tuple[tuple[int, int], int]], at: int) -> list[tuple[int, int]]:
    found = []
    while at >= 0:
        pair, at = chains[at]
        found.append(pair)
    return found[::-1]


def _equal(old: int, new: int, length: int) -> list[Opcode]:
    return [("equal", old, old + length, new, new + length)] if length else []


def _shifted(opcodes: list[Opcode], old: int, new: int) -> list[Opcode]:
    return [(kind, a + old, b + old, c + new, d + new) for kind, a, b, c, d in opcodes]


def _merged(opcodes: list[Opcode]) -> list[Opcode]:
    """Neighbouring equal pieces as one, as the grouping into hunks expects it."""
    merged: list[Opcode] = []
    for opcode in opcodes:
        if merged and merged[-1][0] == opcode[0] == "equal":
            opcode = ("equal", merged[-1][1], opcode[2], merged.pop()[3], opcode[4])
        merged.append(opcode)
    return merged


def _hunk(group: list[tuple[str, int, int, int, int]], old: list[bytes], new: list[bytes]) -> Iterator[str]:
    first, last = group[0], group[-1]
    yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
    for kind, a, b, c, d in group:
        if kind == "equal":
            yield from (_line(" ", line) for line in old[a:b])
            continue
        yield from (_line("-", line) for line in old[a:b])
        yield from (_line("+", line) for line in new[c:d])


def _range(start: int, stop: int) -> str:
    length = stop - start
    return f"{start + 1}" if length == 1 else f"{start if not length else start + 1},{length}"


def _line(sign: str, line: bytes) -> str:
    text = sign + line.decode(errors="replace")
    return text if text.endswith("\n") else f"{text}\n\\ No newline at end of file\n"


def _cut(diff: str) -> str:
    if len(diff) <= LONGEST:
        return diff
    end = diff.rfind("\n", 0, LONGEST) + 1
    return f"{diff[:end]}… {diff.count(chr(10), end)} more lines of this diff are not kept\n"


def _is_binary(data: bytes | None) -> bool:
    return data is not None and b"\0" in data[:8192]


def _size(data: bytes | None) -> str:
    return "no file" if data is None else f"{len(data)} bytes"
