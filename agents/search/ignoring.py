"""What .gitignore files exclude, read as git reads them, whether or not there is a repository."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import translate

from agents.search.names import fit, names_of

MOST_BYTES = 2**18
"""Of one .gitignore; what lies behind them is not read."""
MOST_RULES = 2000
LONGEST_RULE = 1000
"""Characters; no path that longer ones could be about is worth the time it takes to make a test of them."""
_ESCAPED = re.compile(r"\\(.)|\[\^")


@dataclass(frozen=True)
class Rule:
    """One line: what it fits, whether it `excludes` that or takes it in again, and whether it is about folders only."""

    fits: Callable[[str, str], bool]
    """Given the path from the folder of the .gitignore, and the last name of it."""
    excludes: bool
    folders_only: bool


@dataclass(frozen=True)
class Ignoring:
    """The rules that hold at one place, the outermost folder's first."""

    rules: tuple[tuple[str, tuple[Rule, ...]], ...] = ()

    def within(self, folder: str, gitignore: bytes) -> Ignoring:
        """With those of a folder (its path from the root, "." for that) further in."""
        rules = tuple(_rules(gitignore[:MOST_BYTES].decode("utf-8", "surrogateescape")))
        prefix = "" if folder == "." else f"{folder}/"
        return Ignoring((*self.rules, (prefix, rules))) if rules else self

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether the last rule that fits excludes it; the folders it lies in are judged by themselves."""
        name = path.rpartition("/")[2]
        for prefix, rules in reversed(self.rules):
            below = path[len(prefix) :]
            for rule in reversed(rules):
                if (is_folder or not rule.folders_only) and rule.fits(below, name):
                    return rule.excludes
        return False


def _rules(text: str) -> Iterator[Rule]:
    for line in text.removeprefix("\ufeff").split("\n")[:MOST_RULES]:
        pattern = _trimmed(line.removesuffix("\r"))
        excludes = not pattern.startswith("!")
        pattern = pattern.removeprefix("!")
        if pattern.strip("/") and not line.startswith("#") and len(pattern) <= LONGEST_RULE:
            yield Rule(_test(pattern.rstrip("/")), excludes, pattern.endswith("/"))


def _trimmed(line: str) -> str:
    """Without the blanks at its end, but for one behind a backslash."""
    bare = line.rstrip(" \t")
    return f"{bare} " if bare.endswith("\\") and bare != line else bare


def _test(pattern: str) -> Callable[[str, str], bool]:
    """A pattern without a slash is about names anywhere below, any other about the path from the folder."""
    as_glob = _ESCAPED.sub(_spelt, pattern)
    if "/" not in as_glob:
        name_fits = re.compile(translate(as_glob)).match
        return lambda path, name: name_fits(name) is not None
    if as_glob.endswith("/**"):
        as_glob += "/*"
    wanted = names_of(as_glob.removeprefix("/"))
    return lambda path, name: fit(wanted, path.split("/"))


def _spelt(found: re.Match[str]) -> str:
    """A letter behind a backslash, or "not these", as `fnmatch` writes it."""
    if found[1] is None:
        return "[!"
    return found[1] if found[1] == "!" else f"[{found[1]}]"
