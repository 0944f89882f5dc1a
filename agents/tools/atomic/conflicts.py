"""The conflicts of a workspace by number: those that `read FILE:conflicts` showed, else those that a walk finds now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from threading import Lock
from time import monotonic

from agents.edits.conflicts import Region, regions
from agents.edits.source import Source
from agents.errors import PathRefused, ToolError
from agents.search.walking import Manner, walk
from agents.tools.atomic.seen import LARGEST_TAGGED
from agents.tools.tool import ToolContext

KEY = "conflicts"
MOST = 100
"""Conflicts that a walk finds."""
SECONDS = 20.0
"""How long a walk may take."""
_numbering = Lock()
"""The calls of one session run in one process, side by side."""


@dataclass(frozen=True)
class Numbered:
    """A conflict that was shown. `first` is the line where it began then, `digest` of the whole region."""

    number: int
    path: str
    first: int
    digest: str


@dataclass(frozen=True)
class Standing:
    """A conflict as it stands in its file now."""

    number: int
    path: str
    region: Region


def register(context: ToolContext, path: str, regions: Sequence[Region]) -> list[int]:
    """The numbers under which `conflict://N` finds these regions from now on. Blocking; for threads.

    `path` is as `Files.relative` gives it. What was known of this file is forgotten; numbers of other files' conflicts stay taken.
    """
    with _numbering:
        others = [one for one in _registered(context) if one.path != path]
        start = max((one.number for one in others), default=0) + 1
        fresh = [_numbered(number, path, one) for number, one in enumerate(regions, start)]
        _keep(context, [*others, *fresh])
    return [one.number for one in fresh]


def forget(context: ToolContext, resolved: Iterable[Standing], standing: Iterable[Standing]) -> None:
    """From now on the conflicts of `standing` have their numbers, without those that are resolved. Blocking."""
    gone = {one.number for one in resolved}
    with _numbering:
        _keep(context, [_numbered(one.number, one.path, one.region) for one in standing if one.number not in gone])


def standing(context: ToolContext) -> list[Standing]:
    """Those that were shown and are still in their files; where there is none, what a walk finds. Blocking. Raises ToolError."""
    by_path: dict[str, list[Numbered]] = {}
    for one in _registered(context):
        by_path.setdefault(one.path, []).append(one)
    shown = chain.from_iterable(_still_there(known, in_file(context, path)) for path, known in by_path.items())
    return sorted(shown, key=lambda one: one.number) or list(islice(_walked(context), MOST))


def in_file(context: ToolContext, path: str) -> list[Region]:
    """What there is in the file now; nothing where it cannot be read as text."""
    try:
        data = context.sandbox.files.read(path, LARGEST_TAGGED)
        return regions(Source(data).text) if b"<<<<<<<" in data else []
    except (ToolError, OSError):
        return []


def _still_there(known: Sequence[Numbered], found: Sequence[Region]) -> Iterator[Standing]:
    """Regions that look the same are told apart by their order, or their line where there are fewer or more than there were."""
    alike: dict[str, list[Region]] = {}
    for region in found:
        alike.setdefault(_digest(region), []).append(region)
    for digest in dict.fromkeys(one.digest for one in known):
        before = sorted((one for one in known if one.digest == digest), key=lambda one: one.first)
        now = alike.get(digest, [])
        at_line = {region.lines.start: region for region in now}
        pairs = zip(before, now, strict=True) if len(before) == len(now) else ((one, at_line.get(one.first)) for one in before)
        yield from (Standing(one.number, one.path, region) for one, region in pairs if region is not None)


def _walked(context: ToolContext) -> Iterator[Standing]:
    files, until = context.sandbox.files, monotonic() + SECONDS
    number = 0
    for entry in walk(files, ".", Manner(gitignore=False)):
        if monotonic() > until:
            raise ToolError("The workspace is too large to look everywhere for conflicts. Read FILE:conflicts of a file that has some.")
        if entry.kind != "file" or entry.size > LARGEST_TAGGED or _is_link(context, entry.path):
            continue
        for region in in_file(context, entry.path):
            number += 1
            yield Standing(number, entry.path, region)


def _is_link(context: ToolContext, path: str) -> bool:
    """What it leads to is in the workspace, and is found there."""
    try:
        return context.sandbox.files.relative(path) != path
    except (PathRefused, OSError):
        return True


def _registered(context: ToolContext) -> list[Numbered]:
    return [Numbered(**one) for one in context.reach.snapshots.noted(KEY) or ()]


def _keep(context: ToolContext, known: Sequence[Numbered]) -> None:
    context.reach.snapshots.note(KEY, [asdict(one) for one in known] or None)


def _numbered(number: int, path: str, region: Region) -> Numbered:
    return Numbered(number, path, region.lines.start, _digest(region))


def _digest(region: Region) -> str:
    """Of its text with line ends "\\n", as it was shown."""
    return hashlib.sha256("\n".join(region.rows).replace("\r", "\n").encode("utf-8", "surrogatepass")).hexdigest()
