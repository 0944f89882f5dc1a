"""Finding files by name: patterns as `pathlib` reads them, with braces, newest files first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import translate

from agents.errors import PathRefused, ToolError
from agents.sandboxes.sandbox import Sandbox
from agents.search.ripgrep import ripgrep

MOST_FILES = 500
MOST_OUTPUT = 64 * 2**20
MOST_BRACES = 64
_BRACES = re.compile(r"\{([^{}]*)\}")
ANY_FOLDERS = None
Names = list[re.Pattern[str] | None]
"""A pattern name by name; None stands for `**`, any number of folders."""


@dataclass
class Listing:
    """Paths relative to the workspace, the last changed first. `ignored` when only files that .gitignore excludes fit."""

    paths: list[str] = field(default_factory=list)
    total: int = 0
    ignored: bool = False


async def glob(sandbox: Sandbox, pattern: str, base: str = ".") -> Listing:
    """The files below `base` (a folder relative to the workspace) whose path from there fits the pattern."""
    fits = compiled(pattern)
    listing = await _listing(sandbox, fits, base, ())
    if not listing.total:
        listing = await _listing(sandbox, fits, base, ("--no-ignore",))
        listing.ignored = listing.total > 0
    return listing


async def _listing(sandbox: Sandbox, fits: Callable[[str], bool], base: str, options: tuple[str, ...]) -> Listing:
    listing = Listing()
    prefix = "" if base == "." else f"{base}/"

    def take(path: str) -> bool:
        if fits(path.removeprefix(prefix)):
            listing.total += 1
            if listing.total <= MOST_FILES:
                listing.paths.append(path)
        return True

    arguments = ["--files", "--null", "--sortr=modified", *options, "--", f"./{prefix}"]
    answer = await ripgrep(sandbox, arguments, take, end=b"\0", output=MOST_OUTPUT)
    if answer.code == 2 and answer.complaint:
        raise ToolError(f"The files could not be listed: {answer.complaint}")
    return listing


def compiled(pattern: str) -> Callable[[str], bool]:
    """A test for paths: `*`, `?` and `[…]` stay within a name, `**` is any number of folders, `{a,b}` either."""
    if pattern.startswith("/") or ".." in pattern.split("/"):
        raise PathRefused(f"The pattern {pattern!r} leaves the folder it is looked for in; give that folder as path.")
    wanted = [_names(one) for one in _alternatives(pattern.removeprefix("./"))]

    def fits(path: str) -> bool:
        names = path.split("/")
        return any(_fit(each, names) for each in wanted)

    return fits


def _alternatives(pattern: str) -> list[str]:
    patterns = [pattern]
    while any(found := [_BRACES.search(each) for each in patterns]):
        patterns = [
            each[: brace.start()] + choice + each[brace.end() :] if brace else each
            for each, brace in zip(patterns, found, strict=True)
            for choice in (brace[1].split(",") if brace else ("",))
        ]
        if len(patterns) > MOST_BRACES:
            raise ToolError(f"The pattern {pattern!r} has too many alternatives in braces (more than {MOST_BRACES}).")
    return patterns


def _names(pattern: str) -> Names:
    return [ANY_FOLDERS if name == "**" else re.compile(translate(name)) for name in pattern.split("/")]


def _fit(wanted: Names, names: list[str]) -> bool:
    """Go along both; where they part, let the last `**` take one name more. Never more than len × len steps."""
    at = want = 0
    star, star_at = -1, 0
    while at < len(names):
        one = wanted[want] if want < len(wanted) else _NOTHING
        if one is ANY_FOLDERS:
            star, star_at = want, at
            want += 1
        elif one.match(names[at]):
            at, want = at + 1, want + 1
        elif star >= 0:
            star_at += 1
            at, want = star_at, star + 1
        else:
            return False
    return all(one is ANY_FOLDERS for one in wanted[want:])


_NOTHING = re.compile(r"(?!)")
