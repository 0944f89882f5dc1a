"""Which SQL from outside is run at all: one plain SELECT, or one plain condition. What it may touch, `guarded` says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agents.errors import ToolError

LONGEST = 20_000
"""Characters of a query or a condition."""
CHANGING = frozenset(
    ("attach", "detach", "pragma", "insert", "update", "delete", "drop", "alter", "create", "replace", "vacuum", "reindex")
) | {"load_extension"}
COMBINING = frozenset(("union", "intersect", "except"))
IN_QUERIES = CHANGING | COMBINING
IN_CONDITIONS = IN_QUERIES | {"select", "limit", "offset"}
INTERNAL = ("sqlite_", "pragma_")
PIECE = re.compile(
    r"(?P<text>'(?:[^']|'')*')|(?P<name>\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\[[^\]]*\])|(?P<comment>--|/\*)"
    r"|(?P<word>[^\W\d]\w*)|(?P<sign>[();])|(?P<open>['\"`\[])"
)


def demand_query(query: str) -> str:
    """The query without the semicolon at its end. Raises ToolError for all but one SELECT."""
    query = query.strip().removesuffix(";").rstrip()
    if not re.match(r"select\b", query, re.IGNORECASE):
        raise _refused("raw query", "it must be one SELECT")
    _demand("raw query", query, IN_QUERIES)
    return query


def demand_condition(condition: str) -> str:
    """Raises ToolError for all that is no condition by itself."""
    if not condition.strip():
        raise _refused("where filter", "it is empty")
    _demand("where filter", condition, IN_CONDITIONS)
    return condition


def _demand(kind: str, sql: str, forbidden: frozenset[str]) -> None:
    if len(sql) > LONGEST or "\0" in sql:
        raise _refused(kind, f"it has more than {LONGEST} characters, or a NUL")
    depth = 0
    for piece, text in _pieces(sql):
        if wrong := _wrong(piece, text, forbidden):
            raise _refused(kind, wrong)
        depth += (text == "(") - (text == ")")
        if depth < 0:
            break
    if depth:
        raise _refused(kind, "its parentheses do not match")


def _pieces(sql: str) -> Iterator[tuple[str, str]]:
    """(what it is, its text) of all that has a meaning of its own; quotes are off names."""
    for found in PIECE.finditer(sql):
        kind = found.lastgroup or ""
        yield kind, found[0][1:-1] if kind in ("text", "name") else found[0]


def _wrong(piece: str, text: str, forbidden: frozenset[str]) -> str:
    """Why this piece may not be there, "" where it may. A word within quotes is a value or a name, and nothing is done by it."""
    if piece == "comment":
        return "comments are not allowed"
    if piece == "open":
        return f"the quote {text} is never closed"
    if piece == "sign" and text == ";":
        return "it must be one statement"
    if piece == "word" and text.lower() in forbidden:
        return f"{text.upper()} is not allowed"
    if piece in ("word", "name") and text.lower().startswith(INTERNAL):
        return f"{text} is internal to SQLite"
    return ""


def _refused(kind: str, why: str) -> ToolError:
    return ToolError(f"Not run, invalid {kind}: {why}.")


def quoted(name: str) -> str:
    """An identifier as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
