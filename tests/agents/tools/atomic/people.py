"""A small database, and what is asked of it through the tools."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.agents.tools.hands import Hands

SCRIPT = """
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INT);
INSERT INTO users(name, age) WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59) SELECT 'u' || i, i FROM n;
CREATE TABLE codes(k TEXT PRIMARY KEY, v);
INSERT INTO codes VALUES('a:b', 'x');
CREATE TABLE pairs(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE TABLE "odd:name?x"(a);
CREATE TABLE notes(n);
CREATE VIEW names AS SELECT name FROM users;
"""


async def read(hands: Hands, path: str) -> list[Any]:
    """The rows that are shown, each as an object."""
    result = await hands.call("read", path=path)
    assert result.error is None, result.error
    return [json.loads(line) for line in result.output.splitlines() if line.startswith("{")]


async def refused(hands: Hands, tool: str, **args: str) -> str:
    before = hands.files()
    result = await hands.call(tool, **args)
    assert result.error is not None, result.output
    assert hands.files() == before
    return result.error


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()
