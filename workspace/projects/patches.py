"""Reading what `git diff` says: which files changed, and each one's patch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from agents.events import FileChange

PATCH_OF_A_FILE = 100_000
"""Characters of one file's diff; the rest is left out, and the last line says so."""
FILES_LIMIT = 2000
Kind = Literal["created", "modified", "deleted", "renamed"]
KINDS: dict[str, Kind] = {"A": "created", "D": "deleted", "R": "renamed", "C": "created"}
_FILE_STARTS = re.compile(r"^diff --git ", re.MULTILINE)


def read_changes(listing: bytes) -> list[FileChange]:
    """The output of `--raw --numstat -z`: first every file's kind of change, then every file's counted lines."""
    fields = iter(listing.decode(errors="replace").split("\0"))
    kinds: dict[str, Kind] = {}
    changes: list[FileChange] = []
    for field in fields:
        if field.startswith(":"):
            letter = field.rsplit(" ", 1)[-1][:1]
            kinds[_last_path(fields, letter in "RC")] = KINDS.get(letter, "modified")
        elif field:
            added, removed, path = field.split("\t", 2)
            path = path or _last_path(fields, True)
            changes.append(FileChange(path=path, change=kinds.get(path, "modified"), added=_count(added), removed=_count(removed)))
    return changes[:FILES_LIMIT]


def _last_path(fields: Iterator[str], pair: bool) -> str:
    """The path that follows; of a renamed file, which has two, the new one."""
    if pair:
        next(fields)
    return next(fields)


def _count(number: str) -> int:
    return int(number) if number.isdigit() else 0


def with_patches(changes: list[FileChange], patch: bytes) -> list[FileChange]:
    """The same changes with their diffs. Both lists are in git's order; where the patch was cut short, the last ones have none."""
    text = patch.decode(errors="replace")
    starts = [found.start() for found in _FILE_STARTS.finditer(text)]
    patches = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    patches += [""] * (len(changes) - len(patches))
    return [change.model_copy(update={"diff": _cut(patch)}) for change, patch in zip(changes, patches, strict=False)]


def _cut(patch: str) -> str:
    if len(patch) <= PATCH_OF_A_FILE:
        return patch
    return patch[: patch.rindex("\n", 0, PATCH_OF_A_FILE) + 1] + "… (the rest of this diff is left out)\n"
