"""The SQLite side of `read`, `write` and `search`; each gives None where the path means no database."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import json5

from agents.errors import PathRefused, ToolError
from agents.events import FileChange
from agents.reading.apart import Work, apart
from agents.reading.databases import ENDINGS
from agents.reading.guarded import MAGIC
from agents.reading.texts import Text
from agents.sandboxes.sandbox import Limits
from agents.tools.atomic.holders import beginnings, opened_file
from agents.tools.atomic.seen import display
from agents.tools.tool import ToolContext, ToolResult

LIMITS = Limits(seconds=30, cpu_seconds=30, memory=2**29, output=64 * 2**20, file_size=2**32)
LARGEST_ROW = 2**20
"""Bytes of a row that is written as JSON; of one that is not, as JSON5, whose reading is slow."""
LARGEST_JSON5 = 32 * 1024
SAFE_NUMBER = 2**53
"""The page's numbers are exact up to here."""


@dataclass(frozen=True)
class Spot:
    """`database` from the workspace's root, and all that stood behind it, with its first sign."""

    database: str
    asked: str

    @property
    def shown(self) -> str:
        return f"{self.database}{self.asked}"


async def read_database(path: str, context: ToolContext) -> ToolResult | None:
    """The list of tables, a table's beginning, rows, or a query's result. Raises ToolError."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None:
        return None
    told = await _asked(spot, context, "read")
    columns, rows = told["rows"]["columns"], told["rows"]["rows"]
    meta: dict[str, Any] = {"source": spot.shown, "sourcePath": spot.database}
    if told["limited"]:
        meta["limits"] = {"resultLimit": told["limited"]}
    table = {"columns": columns, "rows": [[_exact(cell) for cell in row] for row in rows]}
    return ToolResult(f"Read: {spot.shown}", told["text"], {"kind": "sqlite", "path": spot.shown, "meta": meta, "table": table})


async def write_database(path: str, content: str, context: ToolContext) -> ToolResult | None:
    """Insert, change or delete one row. Raises ToolError, and then nothing was changed."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None:
        _refuse_missing(path, await asyncio.to_thread(_missing, path, context))
        return None
    _demand_writable(spot, context)
    row = await asyncio.to_thread(parsed_row, content)
    told = await _asked(spot, context, "write", row)
    metadata = {
        "kind": "sqlite", "resolvedPath": spot.database, "path": spot.shown,
        "meta": {"source": spot.shown, "sourcePath": spot.database},
    }  # fmt: skip
    change = FileChange(path=spot.database, change="modified", diff=f"Database {spot.shown}: {told['said']}\n")
    return ToolResult(f"Write: {spot.shown}", told["said"], metadata, changes=(change,))


async def searchable_database(path: str, context: ToolContext) -> list[Text] | None:
    """The rows of one table, a query, or all tables, a JSON object a line. Raises ToolError."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None:
        return None
    told = await _asked(spot, context, "search")
    return [Text(f"{spot.database}{inner}", text) for inner, text in told["texts"]]


def located(path: str, context: ToolContext) -> Spot | None:
    """The SQLite database that a path begins with. Another file that really has this name is meant itself. Raises PathRefused."""
    held = opened_file(path, context, _is_ours)
    if held is None or not _is_ours(held[0]):
        return None
    try:
        is_database = context.sandbox.files.read(held[0], len(MAGIC)) == MAGIC
    except OSError:
        return None
    return Spot(display(context, held[0]), held[1]) if is_database else None


def _is_ours(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


def _missing(path: str, context: ToolContext) -> str | None:
    """The database that a path goes into, where there is nothing of that name."""
    if "://" in path or opened_file(path, context, _is_ours):
        return None
    return next((name for name, rest in beginnings(path) if rest and _is_ours(name)), None)


def _refuse_missing(path: str, database: str | None) -> None:
    if database:
        raise ToolError(f"There is no database {database} to write {path} to. Make it and its tables with bash first.")


def _demand_writable(spot: Spot, context: ToolContext) -> None:
    if not context.sandbox.writable:
        raise PathRefused(f"{spot.database!r} was not changed: this workspace is read-only here.")
    if ".git" in spot.database.casefold().split("/"):
        raise PathRefused(f"{spot.database!r} is inside .git, which only git itself may change; run a git command instead.")


async def _asked(spot: Spot, context: ToolContext, do: str, row: dict[str, Any] | None = None) -> dict[str, Any]:
    order = {"do": do, "path": spot.database, "asked": spot.asked, "row": row}
    told, _ = await apart(context.sandbox, Work("databases", f"The database {spot.database}", LIMITS), order)
    return told


def parsed_row(content: str) -> dict[str, Any] | None:
    """The object that is to be written, None for nothing at all. Raises ToolError."""
    if not content.strip():
        return None
    if len(content) > LARGEST_ROW:
        raise ToolError(f"The row has more than {LARGEST_ROW // 2**20} MB; write it with bash.")
    row = _value(content)
    if not isinstance(row, dict):
        kind = "an array" if isinstance(row, list) else "a single value"
        raise ToolError(f"The content must be an object, such as {{name: 'Ada', age: 36}}, not {kind}. Write one row at a time.")
    return row


def _value(content: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        pass
    if len(content) > LARGEST_JSON5:
        raise ToolError(
            f"The content is no JSON, and too long to be read as JSON5 ({LARGEST_JSON5 // 1024} KB is the most). Write plain JSON."
        )
    try:
        return json5.loads(content, allow_duplicate_keys=False)
    except (ValueError, RecursionError) as wrong:
        raise ToolError(f"The content is not an object in JSON or JSON5: {str(wrong)[:200]}.") from None


def _exact(cell: Any) -> Any:
    """A number that the page would round, as text."""
    return str(cell) if isinstance(cell, int) and abs(cell) > SAFE_NUMBER else cell
