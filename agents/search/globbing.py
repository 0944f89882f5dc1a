"""Finding files by name: patterns as `pathlib` reads them, with braces, newest files first."""

from __future__ import annotations

import asyncio
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
    """Paths relative to the workspace. `ignored` when only files that .gitignore excludes fit, `passed` how many were barred."""

    paths: list[str] = field(default_factory=list)
    total: int = 0
    ignored: bool = False
    passed: int = 0


@dataclass(frozen=True)
class Terms:
    """How files are listed: at most so many, the last changed first or by path, without a word of those that are `barred`."""

    most: int = MOST_FILES
    by_path: bool = False
    barred: Callable[[str], bool] | None = None


async def glob(sandbox: Sandbox, pattern: str, base: str = ".", terms: Terms = Terms()) -> Listing:
    """The files below `base` (a folder relative to the workspace) whose path from there fits the pattern."""
    fits = compiled(pattern)
    paths, ignored = await _fitting(sandbox, fits, base, ()), False
    if not paths:
        paths = await _fitting(sandbox, fits, base, ("--no-ignore",))
        ignored = bool(paths)
    return await asyncio.to_thread(_listed, paths, ignored, terms)


async def _fitting(sandbox: Sandbox, fits: Callable[[str], bool], base: str, options: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    prefix = "" if base == "." else f"{base}/"

    def take(path: str) -> bool:
        if fits(path.removeprefix(prefix)):
            found.append(path)
        return True

    arguments = ["--files", "--null", "--sortr=modified", *options, "--", f"./{prefix}"]
    answer = await ripgrep(sandbox, arguments, take, end=b"\0", room=Room(MOST_OUTPUT))
    answer.require("The files could not be listed")
    return found


def _listed(paths: list[str], ignored: bool, terms: Terms) -> Listing:
    allowed = [path for path in paths if terms.barred is None or not terms.barred(path)]
    shown = sorted(allowed) if terms.by_path else allowed
    return Listing(shown[: terms.most], len(allowed), ignored and bool(allowed), len(paths) - len(allowed))


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
