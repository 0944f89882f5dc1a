"""Places in text as people and as servers count them: lines and characters from 1, lines and UTF-16 units from 0; paths and URIs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote, urlsplit

Position = Mapping[str, int]

_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines as the protocol counts them, without their ends."""
    return _LINE_END.split(text)


def to_position(lines: Sequence[str], line: int, column: int) -> Position:
    """The protocol's name for a place in these lines; a column behind the end of the line means its end."""
    return {"line": line - 1, "character": _units(lines[line - 1][: column - 1])}


def to_column(lines: Sequence[str], position: Position) -> int:
    """The character, from 1, at which a position lies."""
    units, number = position["character"], position["line"]
    line = lines[number] if 0 <= number < len(lines) else ""
    if line.isascii():
        return units + 1
    passed = 0
    for column, character in enumerate(line, 1):
        if passed >= units:
            return column
        passed += _units(character)
    return len(line) + 1


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def to_uri(mount: str, path: str) -> str:
    return f"file://{quote(mount if path == '.' else f'{mount}/{path}')}"


def to_path(mount: str, uri: str) -> str:
    """The path from the workspace's root; as the server sees it where it lies elsewhere."""
    parts = urlsplit(uri)
    path = unquote(parts.path) if parts.scheme == "file" else uri
    return path.removeprefix(f"{mount}/") or "."
