"""Which file a path into an archive or a database opens: the longest beginning of it that is there, as rules see it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agents.errors import PathRefused
from agents.tools.tool import ToolContext

LONGEST = 4096
"""Characters of a path in which a file's name may end."""


def opened_file(path: str, context: ToolContext, ours: Callable[[str], object]) -> tuple[str, str] | None:
    """(the file's name, what stands behind it), None where nothing is there or a folder is. Blocking.

    Raises PathRefused where what would be opened is outside, if its name is one of `ours`.
    """
    refused: PathRefused | None = None
    if "://" in path:
        return None
    for name, rest in reversed(list(beginnings(path))):
        try:
            return (name, rest) if context.sandbox.files.stat(name).kind == "file" else None
        except OSError:
            continue
        except PathRefused as wrong:
            refused = wrong if ours(name) else refused
    if refused:
        raise refused
    return None


def beginnings(path: str) -> Iterator[tuple[str, str]]:
    """Where the name of a file may end, the shortest first, the whole last."""
    ends = [at for at, sign in enumerate(path[:LONGEST]) if sign in ":?" and at]
    return ((path[:end], path[end:]) for end in (*ends, len(path)))
