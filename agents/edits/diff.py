"""What a change did to a file, as people read it: counts and a unified diff."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from agents.edits.source import lines_of
from agents.events import FileChange

LONGEST = 64 * 1024
"""Characters of a diff that are kept; the rest is counted in its last line."""
HARDEST = 4_000_000
"""Pairs of lines that are compared; a larger change is shown as all removed, all added."""
Opcode = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]


class _Compared(SequenceMatcher[bytes]):
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
    groups = grouped(lines_of(before or b""), lines_of(after or b""))
    added = sum(group[4] - group[3] for hunk in groups for group in hunk if group[0] != "equal")
    removed = sum(group[2] - group[1] for hunk in groups for group in hunk if group[0] != "equal")
    return FileChange(path=path, change=change, added=added, removed=removed, diff=_cut(unified(path, before, after, was)))


def unified(path: str, before: bytes | None, after: bytes | None, was: str = "") -> str:
    """The unified diff, whole; "" when the bytes are the same and both exist."""
    old, new = lines_of(before or b""), lines_of(after or b"")
    body = [line for hunk in grouped(old, new) for line in _hunk(hunk, old, new)]
    head = [f"--- {'/dev/null' if before is None else f'a/{was or path}'}\n", f"+++ {'/dev/null' if after is None else f'b/{path}'}\n"]
    return "".join(head + body) if body or before is None or after is None or was else ""


def grouped(old: list[bytes], new: list[bytes]) -> list[list[tuple[str, int, int, int, int]]]:
    """The differing runs of lines with three lines around them, as `SequenceMatcher` names them."""
    groups = _Compared(_opcodes(old, new)).get_grouped_opcodes(3)
    return [group for group in groups if any(kind != "equal" for kind, *_ in group)]


def _opcodes(old: list[bytes], new: list[bytes]) -> list[Opcode]:
    """Equal ends are set aside first: they are most of a file, and what is left is compared only when it is not too much."""
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    opcodes: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    opcodes += [(kind, a + head, b + head, c + head, d + head) for kind, a, b, c, d in middle]
    if tail:
        opcodes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return opcodes


def _compared(old: list[bytes], new: list[bytes]) -> list[Opcode]:
    if not old and not new:
        return []
    if not old or not new or len(old) * len(new) > HARDEST:
        return [("replace" if old and new else "delete" if old else "insert", 0, len(old), 0, len(new))]
    return list(SequenceMatcher(None, old, new).get_opcodes())


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
