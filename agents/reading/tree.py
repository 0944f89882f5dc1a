"""A folder as a tree two levels deep, what changed last first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from agents.errors import PathRefused
from agents.pieces import in_line
from agents.sandboxes.sandbox import Files, FileStat

LEFT_OUT = (".git", "node_modules")
MOST_ENTRIES = 12
"""Shown of a folder within the folder; of the one asked for all are."""
AGES = ((60, 1, "s"), (3600, 60, "m"), (86_400, 3600, "h"), (30 * 86_400, 86_400, "d"), (360 * 86_400, 30 * 86_400, "mo"))
EMPTY = "(empty directory)"


@dataclass(frozen=True)
class Tree:
    """`lines` to show; `cut` says whether some folder has more than it shows."""

    lines: tuple[str, ...]
    cut: bool


def tree(files: Files, folder: str, now: float) -> Tree:
    """Blocking. Raises what `Files.entries` raises for the folder itself; one within it that cannot be listed shows as empty.

    `now` in seconds since the epoch.
    """
    entries = _newest_first(files, folder)
    if not entries:
        return Tree((EMPTY,), cut=False)
    lines, cut = ["."], False
    for entry in entries:
        lines.append(_line(entry, 1, now))
        if entry.kind == "folder":
            with suppress(OSError, PathRefused):
                inner = _newest_first(files, entry.path)
                lines += _within(inner, now)
                cut = cut or len(inner) > MOST_ENTRIES
    return Tree(tuple(lines), cut)


def _newest_first(files: Files, folder: str) -> list[FileStat]:
    kept = [entry for entry in files.entries(folder) if _name(entry) not in LEFT_OUT]
    return sorted(kept, key=lambda entry: (-entry.modified, _name(entry)))


def _within(entries: Sequence[FileStat], now: float) -> Iterator[str]:
    """The newest, how many are left out, and the oldest."""
    fits = len(entries) <= MOST_ENTRIES
    for entry in entries if fits else entries[: MOST_ENTRIES - 1]:
        yield _line(entry, 2, now)
    if not fits:
        yield f"    - … {len(entries) - MOST_ENTRIES} more"
        yield _line(entries[-1], 2, now)


def _line(entry: FileStat, depth: int, now: float) -> str:
    begin = f"{'  ' * depth}- {in_line(_name(entry))}"
    if entry.kind == "folder":
        return f"{begin}/"
    return f"{begin}  {size_of(entry.size):<8}  {age(now - entry.modified)}"


def _name(entry: FileStat) -> str:
    return entry.path.rpartition("/")[2]


def size_of(count: int) -> str:
    """Bytes for people: 812B, 1.2KB, 3.4MB."""
    if count < 1024:
        return f"{count}B"
    return f"{count / 1024:.1f}KB" if count < 2**20 else f"{count / 2**20:.1f}MB"


def age(seconds: float) -> str:
    """How long ago, in its largest unit; never less than nothing."""
    whole = max(0, int(seconds))
    for below, unit, name in AGES:
        if whole < below:
            return f"{whole // unit}{name}"
    return f"{max(1, whole // (365 * 86_400))}y"
