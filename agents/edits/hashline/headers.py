"""The line that begins a section, `[path#TAG]`, with the noise that models put into it taken away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import ToolError

EXAMPLE = "[src/app.py#1A2B]"

_BRACKETED = re.compile(r"\[(.*)\]")
_TAG = re.compile(r"[0-9A-Fa-f]{4}")
_NOISE = re.compile(r"(?:[*\s]|(?:update|add|delete|move)[^a-z0-9:]*(?:(?:file|to)[^a-z0-9:]*)?:)*", re.IGNORECASE)


@dataclass(frozen=True)
class Header:
    """`tag` is "" where none was given."""

    path: str
    tag: str


def could_be_header(line: str) -> bool:
    """Whether an unprefixed row claims to be a header: closed brackets, or a tag's # in open ones."""
    return line.startswith("[") and (_BRACKETED.fullmatch(line.rstrip()) is not None or "#" in line.split("]", 1)[0])


def header_of(line: str, roots: Sequence[str] = ()) -> Header:
    """Read the line; a path below one of `roots` becomes relative to it. Raises ToolError for what is no header."""
    bracketed = _BRACKETED.fullmatch(line.rstrip())
    if bracketed is None:
        raise _malformed(line)
    path, *tags = bracketed[1].rstrip().split("#")
    if len(tags) > 1 or (tags and not _TAG.fullmatch(tags[0])):
        raise _malformed(line)
    path = _bare(path, roots)
    if not path:
        raise ToolError(f"The input header {shown(line)} names no file; it reads like {EXAMPLE}.")
    return Header(path, tags[0].upper() if tags else "")


def _bare(path: str, roots: Sequence[str]) -> str:
    path = _NOISE.sub("", path.strip(), count=1)
    if len(path) > 1 and path[0] == path[-1] and path[0] in "\"'":
        path = path[1:-1]
    inside = next((path.removeprefix(root) for root in roots if path.startswith(root)), path)
    return inside or path


def _malformed(line: str) -> ToolError:
    return ToolError(f"The input header must be [PATH#HASH] with a 4-hex tag, like {EXAMPLE}; got {shown(line)}. A body row begins with +.")


def shown(line: str) -> str:
    """The line for a message, quoted and cut."""
    return repr(line if len(line) <= 120 else f"{line[:119]}…")
