"""What a language server answers, in words: places, texts, trees of symbols, complaints.

Whatever a server sends may be misshapen: everything here raises KeyError, TypeError, ValueError or AttributeError for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from agents.code.places import to_column, to_path
from agents.ports import Diagnostic

MOST_PLACES, MOST_SYMBOLS, MOST_WORKSPACE_SYMBOLS, SHOWN_DIAGNOSTICS = 200, 500, 100, 5
MOST_TEXT, MOST_LINE = 20_000, 500
"""Characters of a hover text, and of one line of a list."""

SEVERITIES: dict[Any, Literal["error", "warning", "information", "hint"]] = {1: "error", 2: "warning", 3: "information", 4: "hint"}

LinesOf = Callable[[str], Sequence[str]]
"""A file's lines by its path, none where it cannot be read; for counting characters."""


def locations(answer: Any, mount: str, lines_of: LinesOf) -> list[str]:
    """Each place as path:line:column, in order and once."""
    found = [answer] if isinstance(answer, dict) else answer or []
    told = (_told(one.get("uri") or one["targetUri"], one.get("range") or one["targetSelectionRange"], mount, lines_of) for one in found)
    return list(dict.fromkeys(told))


def _told(uri: str, span: Any, mount: str, lines_of: LinesOf) -> str:
    path = to_path(mount, uri)
    return f"{path}:{span['start']['line'] + 1}:{to_column(lines_of(path), span['start'])}"


def hover(answer: Any) -> str:
    contents = answer["contents"] if answer else ""
    parts = contents if isinstance(contents, list) else [contents]
    return "\n\n".join(filter(None, (_plain(part).strip() for part in parts)))


def _plain(part: Any) -> str:
    if isinstance(part, str):
        return part
    return f"```{part['language']}\n{part['value']}\n```" if "language" in part else str(part["value"])


def symbol_tree(answer: Any) -> list[str]:
    """One line a symbol, indented by its depth."""
    return [f"{'  ' * depth}- {name} (kind={kind}, line={line + 1})" for depth, name, kind, line in _symbols(answer or [], 0)]


def _symbols(symbols: Sequence[Any], depth: int) -> Iterator[tuple[int, str, int, int]]:
    for symbol in symbols:
        span = symbol.get("selectionRange") or symbol["location"]["range"]
        yield depth, str(symbol["name"]), int(symbol["kind"]), int(span["start"]["line"])
        yield from _symbols(symbol.get("children") or [], depth + 1)


def workspace_symbols(answer: Any, mount: str, lines_of: LinesOf) -> list[str]:
    return [f"- {one['name']} (kind={one['kind']}) {_symbol_place(one['location'], mount, lines_of)}" for one in answer or []]


def _symbol_place(location: Any, mount: str, lines_of: LinesOf) -> str:
    return _told(location["uri"], location["range"], mount, lines_of) if "range" in location else to_path(mount, location["uri"])


def diagnostics(items: Sequence[Any], lines: Sequence[str]) -> tuple[Diagnostic, ...]:
    """As our own values, the worst first, then by place."""
    found = (_diagnostic(item, lines) for item in items)
    order = list(SEVERITIES.values())
    return tuple(sorted(found, key=lambda one: (order.index(one.severity), one.line, one.column)))


def _diagnostic(item: Any, lines: Sequence[str]) -> Diagnostic:
    start = item["range"]["start"]
    message = item["message"] if isinstance(item["message"], str) else item["message"]["value"]
    severity = SEVERITIES.get(item.get("severity"), "error")
    return Diagnostic(int(start["line"]) + 1, to_column(lines, start), severity, " ".join(message.split()), str(item.get("source") or ""))


def told(path: str, found: Sequence[Diagnostic], most: int = SHOWN_DIAGNOSTICS) -> str:
    """The first few under a heading; "" where there are none."""
    if not found:
        return ""
    lines = [f"- {one.severity} at {one.line}:{one.column}: {one.message[:MOST_LINE]}" for one in found[:most]]
    return "\n".join([f"LSP diagnostics for {path}:", *lines, *rest(len(found), most)])


def rest(count: int, most: int) -> list[str]:
    return [f"… and {count - most} more"] if count > most else []


def new_ones(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The errors and warnings that were not there before, wherever those stand by now."""
    old = Counter(_nature(one) for one in before)
    fresh = []
    for one in after:
        if old[_nature(one)]:
            old[_nature(one)] -= 1
        elif one.severity in ("error", "warning"):
            fresh.append(one)
    return fresh


def _nature(one: Diagnostic) -> tuple[str, str, str]:
    return one.severity, one.message, one.source
