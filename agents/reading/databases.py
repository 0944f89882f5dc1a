"""SQLite databases by what stands behind their name: the tables, one table, one row, a query; and one row written. Answers to `apart`."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import unquote, unquote_plus

from agents.errors import ToolError
from agents.reading.guarded import SECONDS, Guard, database, told
from agents.reading.rowwrites import written
from agents.reading.sql import demand_condition, demand_query, quoted
from agents.reading.tables import MOST_TABLES, MOST_TEXT, Rows, Table, all_tables, as_json, counted, demand_key, described, taken

ENDINGS = (".sqlite", ".sqlite3", ".db", ".db3")
SAMPLE, MOST_SAMPLE, USUAL, MOST_ROWS, MOST_QUERIED = 5, 100, 20, 500, 1000
MOST_SEARCHED = 8 * 2**20
MOST_VIRTUAL = 100
FUNCTION_TABLES = ("json_each", "json_tree")
PARAMETERS = ("limit", "offset", "where", "order", "schema", "sampleRows", "q")
BETWEEN = re.compile(rf"&(?=(?:{'|'.join(PARAMETERS)})=)")
ORDER = re.compile(r"(\w+)(?::(asc|desc))?", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What a selector names. Without a table it is the list of tables, or the query `q`; with a `key` it is one row."""

    table: Table | None = None
    key: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """`text` for the model, `rows` for people."""

    text: str
    rows: Rows
    limited: int = 0


def answer(order: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """`do` is read, search or write; `path` from the workspace's root, `asked` all that stood behind it; to write, `row` is an object."""
    path = order["path"]
    with database(path, "rw" if order["do"] == "write" else "ro", order.get("seconds", SECONDS)) as connection:
        tables = all_tables(connection)
        asked = parse(order["asked"], tables)
        if asked.table:
            asked = Asked(described(connection, asked.table), asked.key, asked.parameters)
        if order["do"] == "search":
            return {"texts": list(texts(connection, asked, tables, order["asked"]))}, b""
        if order["do"] == "write":
            return _written(connection, asked, tables, order["row"]), b""
        return asdict(show(connection, asked, tables)), b""


def parse(asked: str, tables: dict[str, Table]) -> Asked:
    """`:table`, `:table:key`, `:table?…`, `?q=…`. A table's real name wins, whatever it holds."""
    body = asked.removeprefix(":")
    if not body or body.startswith("?"):
        parameters = parsed(body[1:])
        if parameters and "q" not in parameters:
            raise ToolError(
                "Behind a database's name stands ?q=SELECT … or nothing; other parameters go behind a table: db:table?limit=10."
            )
        return Asked(parameters=parameters)
    table = _named(body, tables)
    rest = body[len(table.name) :]
    if rest.startswith(":"):
        return Asked(table, key=rest[1:])
    parameters = parsed(rest[1:])
    if "q" in parameters:
        raise ToolError("A query goes behind the database's name, not behind a table: db?q=SELECT ….")
    return Asked(table, parameters=parameters)


def _named(body: str, tables: dict[str, Table]) -> Table:
    for fold in (str, str.lower):
        for name in sorted(tables, key=len, reverse=True):
            if fold(body).startswith(fold(name)) and body[len(name) : len(name) + 1] in ("", ":", "?"):
                return tables[name]
    wanted = re.split("[:?]", body, maxsplit=1)[0]
    known = ", ".join(list(tables)[:20]) or "none"
    raise ToolError(f"There is no table {wanted!r}. The tables are: {known}{', …' if len(tables) > 20 else ''}.")


def parsed(query: str) -> dict[str, str]:
    """Parameters by name. An `&` within a value stays, if nothing that is known follows it."""
    found = {}
    for part in BETWEEN.split(query) if query else []:
        name, equals, value = part.partition("=")
        if name not in PARAMETERS or not equals:
            raise ToolError(f"Unknown parameter {name!r}. There are: {', '.join(PARAMETERS)}.")
        found[name] = _decoded(value, unquote_plus if name == "q" else unquote)
    return found


def _decoded(value: str, decode: Callable[..., str]) -> str:
    """As it was meant: what holds blanks was not encoded, and its percent signs are its own."""
    try:
        return value if re.search(r"\s", value) else decode(value, errors="strict")
    except UnicodeDecodeError:
        return value


def show(connection: sqlite3.Connection, asked: Asked, tables: dict[str, Table]) -> Shown:
    if asked.table is None:
        return queried(connection, asked.parameters["q"], tables) if asked.parameters else listed(connection, tables)
    hold_to(connection, tables)
    if asked.key is not None:
        return one_row(connection, asked.table, asked.key)
    if not asked.parameters or {"schema", "sampleRows"} & set(asked.parameters):
        return sampled(connection, asked.table, asked.parameters)
    return selected(connection, asked.table, asked.parameters)


def hold_to(connection: sqlite3.Connection, tables: dict[str, Table], *, changes: bool = False) -> None:
    """From now on only these may be used. Virtual tables are met before: on that occasion they do what would be refused later."""
    virtual = [table.name for table in tables.values() if table.schema.upper().startswith("CREATE VIRTUAL")]
    for name in (*FUNCTION_TABLES, *virtual[:MOST_VIRTUAL]):
        with suppress(sqlite3.Error):
            connection.execute(f"SELECT 1 FROM {quoted(name)} LIMIT 0")  # noqa: S608 - quoted
    connection.set_authorizer(Guard(frozenset(name.lower() for name in tables), changes=changes))


def listed(connection: sqlite3.Connection, tables: dict[str, Table]) -> Shown:
    """One JSON row a table; views have no count, which could be any work."""
    hold_to(connection, tables)
    shown = list(tables.values())[:MOST_TABLES]
    counts = [(table.name, None if table.kind == "view" else counted(connection, table)) for table in shown]
    lines = [as_json(("table", "rows"), row) if tables[row[0]].kind == "table" else as_json(("view",), row[:1]) for row in counts]
    if len(tables) > MOST_TABLES:
        lines.append(f"[{MOST_TABLES} tables are shown; there are more. Name one of the others to see it.]")
    rows = Rows(("table", "rows"), tuple(counts), more=len(tables) > MOST_TABLES)
    return Shown("\n".join(lines) or "(no tables)", rows, MOST_TABLES if rows.more else 0)


def queried(connection: sqlite3.Connection, query: str, tables: dict[str, Table]) -> Shown:
    query = demand_query(query)
    hold_to(connection, tables)
    try:
        cursor = connection.execute(query)
    except sqlite3.Error as wrong:
        raise told(wrong, "The query") from wrong
    rows = taken(cursor, (column[0] for column in cursor.description), MOST_QUERIED)
    return _with_footer(rows, 0, "add LIMIT and OFFSET to the query", MOST_QUERIED)


def one_row(connection: sqlite3.Connection, table: Table, key: str) -> Shown:
    name = demand_key(table)
    rows = _rows(connection, _select(table, f"WHERE {quoted(name)} = ?"), (key,), 1)
    if not rows.rows:
        raise ToolError(f"No row of {table.name} has {name} = {key!r}.")
    return Shown("\n".join(rows.lines), rows)


def sampled(connection: sqlite3.Connection, table: Table, parameters: dict[str, str]) -> Shown:
    """The schema and the first few rows."""
    if wrong := set(parameters) - {"schema", "sampleRows"}:
        raise ToolError(f"schema and sampleRows show a table's beginning; they do not go with {', '.join(sorted(wrong))}.")
    most = min(_number(parameters, "sampleRows", SAMPLE, 0), MOST_SAMPLE)
    rows = _rows(connection, _select(table), (), most)
    head = [f"# {table.name}", "", "Schema:", table.schema, "", "Rows:"]
    return Shown("\n".join([*head, *(rows.lines or ["(none)"])]), rows)


def selected(connection: sqlite3.Connection, table: Table, parameters: dict[str, str]) -> Shown:
    most = min(_number(parameters, "limit", USUAL, 1), MOST_ROWS)
    offset = _number(parameters, "offset", 0, 0)
    clauses = []
    if "where" in parameters:
        clauses.append(f"WHERE ({demand_condition(parameters['where'])})")
    if "order" in parameters:
        clauses.append(_ordered(table, parameters["order"]))
    rows = _rows(connection, f"{_select(table, ' '.join(clauses))} OFFSET {offset}", (), most)
    return _with_footer(rows, offset, f"continue with offset={offset + len(rows.rows)}", most)


def _number(parameters: dict[str, str], name: str, usual: int, least: int) -> int:
    value = parameters.get(name, str(usual))
    if not re.fullmatch(r"\d{1,15}", value) or int(value) < least:
        raise ToolError(f"{name} must be a whole number from {least}, not {value!r}.")
    return int(value)


def _ordered(table: Table, order: str) -> str:
    found = ORDER.fullmatch(order)
    column = next((column for column in table.columns if found and column.lower() == found[1].lower()), None)
    if not found or column is None:
        raise ToolError(f"order must be a column of {table.name}, with :asc or :desc if wanted, not {order!r}: {', '.join(table.columns)}.")
    return f"ORDER BY {quoted(column)} {found[2] or 'asc'}"


def _select(table: Table, clauses: str = "") -> str:
    return f"SELECT * FROM {quoted(table.name)} {clauses} LIMIT ?"  # noqa: S608 - quoted and checked


def _rows(connection: sqlite3.Connection, sql: str, values: tuple[str, ...], most: int, room: int = MOST_TEXT) -> Rows:
    """One more than wanted is asked for, to tell whether there are others."""
    cursor = connection.execute(sql, (*values, most + 1))
    return taken(cursor, (column[0] for column in cursor.description), most, room)


def _with_footer(rows: Rows, offset: int, how: str, most: int) -> Shown:
    lines = rows.lines or ["(no rows)"]
    if rows.more:
        why = " (48 KB limit)" if rows.full else ""
        lines.append(f"\n[Rows {offset + 1}-{offset + len(rows.rows)}{why}; there are more: {how}.]")
    return Shown("\n".join(lines), rows, most if rows.more else 0)


def texts(connection: sqlite3.Connection, asked: Asked, tables: dict[str, Table], written: str) -> Iterator[tuple[str, str]]:
    """(what stands behind the database's name, rows as JSON lines) of the table or query, or of every table."""
    if asked.parameters or asked.key is not None:
        yield written, "\n".join(show(connection, asked, tables).rows.lines)
        return
    hold_to(connection, tables)
    room = MOST_SEARCHED
    for table in [asked.table] if asked.table else [table for table in tables.values() if table.kind == "table"][:MOST_TABLES]:
        with suppress(*(() if asked.table else (sqlite3.Error,))):  # one table that cannot be read is no reason to search none
            rows = _rows(connection, _select(table), (), MOST_ROWS, room)
            yield f":{table.name}", "\n".join(rows.lines)
            room -= sum(map(len, rows.lines))
        if room <= 0:
            return


def _written(connection: sqlite3.Connection, asked: Asked, tables: dict[str, Table], row: Any) -> dict[str, Any]:
    if asked.table is None:
        raise ToolError("Name the table to write to: db:table, or db:table:key for one row.")
    if asked.parameters:
        raise ToolError("What is written goes to db:table or db:table:key; query parameters have no meaning there.")
    hold_to(connection, tables, changes=True)
    return {"said": written(connection, asked.table, asked.key, row)}
