"""Finding files by name: patterns as `pathlib` reads them, with braces, newest files first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.errors import PathRefused, ToolError
from agents.sandboxes.sandbox import Sandbox
from agents.search.names import fit, names_of
from agents.search.ripgrep import Room, ripgrep

MOST_FILES = 500
MOST_OUTPUT = 64 * 2**20
MOST_BRACES = 64
LONGEST = 1000
"""Characters of a pattern; making a test of one takes longer with the square of its length."""
_BRACES = re.compile(r"\{([^{}]*)\}")


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
    answer = await ripgrep(sandbox, arguments, take, end=b"\0", room=Room(MOST_OUTPUT))
    answer.require("The files could not be listed")
    return listing


def compiled(pattern: str) -> Callable[[str], bool]:
    """A test for paths: `*`, `?` and `[…]` stay within a name, `**` is any number of folders, `{a,b}` either."""
    if len(pattern) > LONGEST:
        raise ToolError(f"A pattern of {len(pattern)} characters is too long, {LONGEST} are the most: {pattern[:60]!r}…")
    if pattern.startswith("/") or ".." in pattern.split("/"):
        raise PathRefused(f"The pattern {pattern!r} leaves the folder it is looked for in; give that folder as path.")
    wanted = [names_of(one) for one in _alternatives(pattern.removeprefix("./"))]

    def fits(path: str) -> bool:
        names = path.split("/")
        return any(fit(each, names) for each in wanted)

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
