"""What tables a database has, and what one table is like: its columns, its key, its rows as text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agents.errors import ToolError
from agents.reading.sql import quoted

MOST_TABLES = 500
MOST_KNOWN = 20_000
MOST_COUNTED = 50_001
LONGEST_CELL = 2000
MOST_TEXT = 48 * 1024
GENERATED = (2, 3)
ALL_TABLES = """SELECT name, type, sql FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT ?"""
ROWIDS = ("rowid", "_rowid_", "oid")

Cell = str | int | float | bool | None


@dataclass(frozen=True)
class Table:
    """`columns` that can be written, in order; `key` is the column that names a row: a primary key of one column, else the rowid."""

    name: str
    kind: str
    schema: str
    columns: tuple[str, ...] = ()
    key: str | None = None


@dataclass(frozen=True)
class Rows:
    """`more` says that there were others; `full` that they would have been too much text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: bool = False
    full: bool = False

    @property
    def lines(self) -> list[str]:
        return [as_json(self.columns, row) for row in self.rows]


def as_json(columns: Sequence[str], row: Sequence[Cell]) -> str:
    return json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)


def all_tables(connection: sqlite3.Connection) -> dict[str, Table]:
    """By name, those of SQLite itself left out."""
    return {name: Table(name, kind, sql or "") for name, kind, sql in connection.execute(ALL_TABLES, (MOST_KNOWN,))}


def counted(connection: sqlite3.Connection, table: Table) -> int | str | None:
    """How many rows; "50000+" beyond that; None where it cannot be told."""
    with suppress(sqlite3.Error):
        asked = f"SELECT count(*) FROM (SELECT 1 FROM {quoted(table.name)} LIMIT {MOST_COUNTED})"  # noqa: S608 - quoted
        (count,) = connection.execute(asked).fetchone()
        return f"{MOST_COUNTED - 1}+" if count >= MOST_COUNTED else int(count)
    return None


def described(connection: sqlite3.Connection, table: Table) -> Table:
    """The table with its columns and key."""
    infos = connection.execute(f"PRAGMA table_xinfo({quoted(table.name)})").fetchall()
    columns = tuple(str(info[1]) for info in infos if info[6] not in GENERATED)
    keys = [str(info[1]) for info in infos if info[5]]
    key = keys[0] if len(keys) == 1 else _rowid(connection, table, [str(info[1]).lower() for info in infos])
    return Table(table.name, table.kind, table.schema, columns, key)


def _rowid(connection: sqlite3.Connection, table: Table, taken: Sequence[str]) -> str | None:
    if table.kind == "view":
        return None
    for name in ROWIDS:
        if name not in taken:
            with suppress(sqlite3.Error):
                connection.execute(f"SELECT {name} FROM {quoted(table.name)} LIMIT 0")  # noqa: S608 - quoted
                return name
    return None


def demand_key(table: Table) -> str:
    if table.key is None:
        raise ToolError(f"{table.name} has no single column that names a row. Use {table.name}?where=… instead.")
    return table.key


def taken(cursor: Iterable[tuple[Any, ...]], columns: Iterable[str], most: int, room: int = MOST_TEXT) -> Rows:
    """The first `most` rows, as far as their text has `room`; one at least."""
    names = _distinct(columns)
    kept: list[tuple[Cell, ...]] = []
    for row in cursor:
        if len(kept) == most:
            return Rows(names, tuple(kept), more=True)
        cells = tuple(map(cell, row))
        room -= len(as_json(names, cells).encode(errors="replace")) + 1
        if room < 0 and kept:
            return Rows(names, tuple(kept), more=True, full=True)
        kept.append(cells)
    return Rows(names, tuple(kept))


def cell(value: object) -> Cell:
    """A value as JSON and people can have it; what is long is cut, of what is binary only the size is told."""
    if isinstance(value, bytes):
        return f"<blob of {len(value)} bytes>"
    if isinstance(value, str):
        return value if len(value) <= LONGEST_CELL else f"{value[:LONGEST_CELL]}… ({len(value)} characters)"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value if isinstance(value, int | float) else None


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Columns of one name are told apart by a number."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}:{seen[name]}")
    return tuple(result)
