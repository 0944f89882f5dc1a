"""Going through a workspace's folders in the order of paths, without what nobody wants to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from agents.errors import PathRefused
from agents.sandboxes.sandbox import Files, FileStat
from agents.search.ignoring import MOST_BYTES, Ignoring

PRUNED = frozenset({".git", "node_modules"})


@dataclass(frozen=True)
class Manner:
    """What a walk passes over. `pruned` are names of folders that are not gone into, nor shown."""

    hidden: bool = True
    gitignore: bool = True
    pruned: frozenset[str] = PRUNED


@dataclass(frozen=True)
class Wanted:
    """What lies below the folder `base` and whose path from there `fits`."""

    base: str
    fits: Callable[[str], bool]
    manner: Manner


def below(files: Files, wanted: Sequence[Wanted], going: Callable[[], bool]) -> Iterator[FileStat]:
    """All that is wanted; a folder is gone through once, however many patterns are about it. Blocking; ends early as `walk` does."""
    tests: dict[tuple[str, Manner], list[Callable[[str], bool]]] = {}
    for each in wanted:
        tests.setdefault((each.base, each.manner), []).append(each.fits)
    for (base, manner), fitting in tests.items():
        prefix = "" if base == "." else f"{base}/"
        for found in walk(files, base, manner, going):
            if any(fits(found.path[len(prefix) :]) for fits in fitting):
                yield found
            if not going():
                return


def walk(files: Files, base: str, manner: Manner, going: Callable[[], bool] = lambda: True) -> Iterator[FileStat]:
    """All files and folders below the folder `base`, a folder before what it holds. Blocking.

    Links are shown when they stay in the workspace, and never gone into. Ends early when `going` is false before a folder.
    What cannot be read is passed over. An excluded `base` is gone into all the same: somebody named it.
    """
    levels = [_level(files, base, _rules_above(files, base) if manner.gitignore else Ignoring(), manner)]
    while levels:
        step = next(levels[-1], None)
        if step is None:
            levels.pop()
            continue
        found, ignoring = step
        yield found
        if found.kind == "folder" and not _is_link(files, found.path):
            if not going():
                return
            levels.append(_level(files, found.path, ignoring, manner))


def _level(files: Files, folder: str, ignoring: Ignoring, manner: Manner) -> Iterator[tuple[FileStat, Ignoring]]:
    """What one folder holds, each with the rules that hold there."""
    try:
        entries = files.entries(folder)
    except (OSError, PathRefused):
        return
    if manner.gitignore and any(entry.path.rpartition("/")[2] == ".gitignore" for entry in entries):
        ignoring = _with_rules(files, folder, ignoring)
    for entry in entries:
        name = entry.path.rpartition("/")[2]
        if entry.kind == "other" or name in manner.pruned or (not manner.hidden and name.startswith(".")):
            continue
        if not ignoring.excludes(entry.path, entry.kind == "folder"):
            yield entry, ignoring


def _rules_above(files: Files, base: str) -> Ignoring:
    """Those of the folders that `base` lies in, and of the repository itself; none of them where they exclude `base`."""
    ignoring = _with_rules(files, ".", Ignoring(), ".git/info/exclude")
    if base == ".":
        return ignoring
    above = "."
    for folder in accumulate(base.split("/"), "{}/{}".format):
        ignoring = _with_rules(files, above, ignoring)
        if ignoring.excludes(folder, is_folder=True):
            return Ignoring()
        above = folder
    return ignoring


def _with_rules(files: Files, folder: str, ignoring: Ignoring, name: str = ".gitignore") -> Ignoring:
    try:
        return ignoring.within(folder, files.read(f"{folder}/{name}", MOST_BYTES))
    except (OSError, PathRefused):
        return ignoring


def _is_link(files: Files, path: str) -> bool:
    try:
        return files.relative(path) != path
    except (OSError, PathRefused):
        return True
