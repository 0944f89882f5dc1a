"""How numbered text looks: the header that names file and tag, and one row for each line."""

from __future__ import annotations

from collections.abc import Iterable


def header(path: str, tag: str) -> str:
    """The line by which an edit names what it was made for: `[path#TAG]`."""
    return f"[{path}#{tag}]"


def shown_lines(text: str) -> list[str]:
    """The lines that have a number to see; what stands behind a final newline is none."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def numbered(lines: Iterable[str], first: int = 1) -> str:
    """`N:text` rows. Give it lines of `shown_lines`."""
    return "\n".join(f"{number}:{line}" for number, line in enumerate(lines, first))
