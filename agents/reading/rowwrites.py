"""One row of a table inserted, changed or removed; columns and values are looked at before anything happens."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agents.errors import ToolError
from agents.reading.sql import quoted
from agents.reading.tables import Table, demand_key

SMALLEST, LARGEST = -(2**63), 2**63 - 1


def written(connection: sqlite3.Connection, table: Table, key: str | None, row: dict[str, Any] | None) -> str:
    """Insert `row`, change the row that has this `key`, or remove that one where `row` is None; what was done, in words."""
    if table.kind == "view":
        raise ToolError(f"{table.name} is a view; write to the tables behind it.")
    if row is None and key is None:
        raise ToolError("Nothing to write: give an object such as {name: 'Ada'}. To delete a row, name it and write nothing: db:table:key.")
    values = checked(table, row or {})
    if key is None:
        return inserted(connection, table, values)
    if row is not None and not values:
        raise ToolError("The object is empty: name the columns to change. To delete the row write nothing at all.")
    return changed(connection, table, key, values) if values else deleted(connection, table, key)


def checked(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """The values by the columns' real names."""
    known = {column.lower(): column for column in table.columns}
    if table.key:
        known.setdefault("id", table.key)
        known.setdefault(table.key.lower(), table.key)
    values = {}
    for name, value in row.items():
        column = known.get(str(name).lower())
        if column is None:
            raise ToolError(f"The table {table.name} has no column named {name!r}. Its columns are: {', '.join(table.columns)}.")
        if column in values:
            raise ToolError(f"The column {column} is given twice.")
        values[column] = _scalar(str(name), value)
    return values


def _scalar(name: str, value: Any) -> Any:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int) and SMALLEST <= value <= LARGEST:
        return value
    if isinstance(value, float) and value - value == 0:
        return value
    raise ToolError(f"The value of {name} must be a text, a number SQLite can hold, true, false or null, not {str(value)[:80]}.")


def inserted(connection: sqlite3.Connection, table: Table, values: dict[str, Any]) -> str:
    into = f"INSERT INTO {quoted(table.name)}"
    columns, marks = ", ".join(map(quoted, values)), ", ".join("?" * len(values))
    sql = f"{into} ({columns}) VALUES ({marks})" if values else f"{into} DEFAULT VALUES"
    with _whole(connection):
        cursor = connection.execute(sql, tuple(values.values()))
    key = f" ({table.key} = {values.get(table.key, cursor.lastrowid)!r})" if table.key else ""
    return f"Inserted a row into {table.name}{key}{_besides(connection, 1)}"


def changed(connection: sqlite3.Connection, table: Table, key: str, values: dict[str, Any]) -> str:
    name = demand_key(table)
    parts = ", ".join(f"{quoted(column)} = ?" for column in values)
    sql = f"UPDATE {quoted(table.name)} SET {parts} WHERE {quoted(name)} = ?"  # noqa: S608 - quoted
    return _told(connection, "Updated", table, key, sql, (*values.values(), key))


def deleted(connection: sqlite3.Connection, table: Table, key: str) -> str:
    sql = f"DELETE FROM {quoted(table.name)} WHERE {quoted(demand_key(table))} = ?"  # noqa: S608 - quoted
    return _told(connection, "Deleted", table, key, sql, (key,))


def _told(connection: sqlite3.Connection, did: str, table: Table, key: str, sql: str, values: tuple[Any, ...]) -> str:
    with _whole(connection):
        count = connection.execute(sql, values).rowcount
    if not count:
        return f"No row matched: {table.name} has none with {table.key} = {key!r}, and nothing was changed."
    return f"{did} the row of {table.name} with {table.key} = {key!r}{_besides(connection, count)}"


def _besides(connection: sqlite3.Connection, count: int) -> str:
    """What the database's own triggers and keys did."""
    others = connection.total_changes - count
    return f"; its triggers changed {others} more" if others > 0 else ""


@contextmanager
def _whole(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.set_progress_handler(None, 0)
            connection.execute("ROLLBACK")
        raise
