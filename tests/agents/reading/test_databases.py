from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ToolError
from agents.reading.databases import answer, parsed
from tests.agents.reading import samples

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
SCRIPT = f"""
CREATE TABLE codes(k TEXT PRIMARY KEY, v);
INSERT INTO codes VALUES('x', 1);
CREATE TABLE notes(n);
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age INT);
INSERT INTO users(name) VALUES('Ada');
CREATE TABLE pairs(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE VIEW endless AS {ENDLESS};
CREATE TRIGGER hangs AFTER DELETE ON codes BEGIN INSERT INTO notes SELECT ({ENDLESS}); END;
"""


@pytest.fixture(autouse=True)
def at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    samples.database(tmp_path / "a.db", SCRIPT)


def asked(do: str, selector: str, row: Any = None) -> dict[str, Any]:
    return answer({"do": do, "path": "a.db", "asked": selector, "row": row, "seconds": 0.2}, b"")[0]


@pytest.mark.parametrize("selector", [":endless", "?q=SELECT * FROM endless"])
def test_what_has_no_end_is_stopped(selector: str) -> None:
    with pytest.raises(ToolError, match="took too long"):
        asked("read", selector)


def test_a_trigger_that_has_no_end_is_stopped_and_nothing_is_changed() -> None:
    with pytest.raises(ToolError, match="took too long"):
        asked("write", ":codes:x")
    assert asked("read", ":codes:x")["rows"]["rows"] == (("x", 1),)


def test_a_list_of_tables_comes_even_where_counting_takes_too_long() -> None:
    assert [row[0] for row in asked("read", "")["rows"]["rows"]] == ["codes", "endless", "notes", "pairs", "users"]


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("", {}),
        ("limit=5&offset=2", {"limit": "5", "offset": "2"}),
        ("where=a & b = 'x&y'&limit=1", {"where": "a & b = 'x&y'", "limit": "1"}),
        ("where=name%20%3D%20'x'", {"where": "name = 'x'"}),
        ("where=name LIKE '%20%'", {"where": "name LIKE '%20%'"}),
        ("where=name='%ff'", {"where": "name='%ff'"}),
        ("where=a+1>2", {"where": "a+1>2"}),
        ("q=SELECT+1", {"q": "SELECT 1"}),
        ("q=SELECT 1+1", {"q": "SELECT 1+1"}),
    ],
)
def test_parameters_are_taken_as_they_were_meant(query: str, parameters: dict[str, str]) -> None:
    assert parsed(query) == parameters


@pytest.mark.parametrize("query", ["limit", "colour=red", "=5"])
def test_unknown_parameters_are_named(query: str) -> None:
    with pytest.raises(ToolError, match="Unknown parameter"):
        parsed(query)


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (":users?limit=x", "limit must be a whole number from 1"),
        (":users?limit=0", "limit must be a whole number from 1"),
        (":users?offset=-1", "offset must be a whole number"),
        (":users?order=name; DROP TABLE users", "order must be a column"),
        (":users?order=nope", "order must be a column"),
        (":users?order=1", "order must be a column"),
        (":users?colour=red", "Unknown parameter 'colour'"),
        (":users?where=1) OR (1", "invalid where filter"),
        (":users?where=id IN (SELECT 1)", "invalid where filter"),
        (":users?where=nope = 1", "no such column: nope"),
        (":users?q=SELECT 1", "behind the database's name"),
        ("?limit=5", "?q=SELECT"),
        ("?q=DELETE FROM users", "invalid raw query"),
        ("?q=SELECT 1; DELETE FROM users", "invalid raw query"),
        ("?q=SELECT * FROM sqlite_master", "invalid raw query"),
        ('?q=SELECT * FROM "sqlite_master" AS m', "invalid raw query"),
        ("?q=SELECT * FROM 'sqlite_schema' AS m", "invalid raw query"),
        ("?q=SELECT name FROM pragma_table_info('users')", "invalid raw query"),
        ("?q=SELECT * FROM dbstat", "dbstat"),
        ("?q=SELECT writefile('x', 'y')", "no such function"),
        ("?q=SELECT fts3_tokenizer('simple')", "invalid raw query"),
        ("?q=SELECT hex(zeroblob(900000000))", "larger than 16 MB"),
        ("?q=SELECT", "SQLite says"),
    ],
)
def test_what_may_not_be_asked_is_refused_in_words(selector: str, words: str) -> None:
    with pytest.raises(ToolError, match=re.escape(words)):
        asked("read", selector)


@pytest.mark.parametrize(
    ("selector", "row", "words"),
    [
        (":users", None, "Nothing to write"),
        (":users:1", {}, "The object is empty"),
        (":users", {"id": 1, "ID": 2}, "given twice"),
        (":users", {"nope": 1}, "has no column named 'nope'"),
        (":users", {'name"=1; --': 1}, "has no column named"),
        (":users", {"name": ["x"]}, "must be a text"),
        (":users", {"name": {"a": 1}}, "must be a text"),
        (":users", {"age": float("inf")}, "must be a text"),
        (":users", {"age": 10**20}, "must be a text"),
        (":users", {"id": 1}, "UNIQUE"),
        (":users?limit=1", {}, "query parameters have no meaning"),
        ("", {}, "Name the table"),
        (":nope", {}, "There is no table"),
        (":endless", {"name": "x"}, "is a view"),
        (":pairs:1", {"b": 1}, "no single column"),
        (":sqlite_master", {}, "There is no table"),
    ],
)
def test_what_cannot_be_written_is_refused_in_words(selector: str, row: Any, words: str) -> None:
    with pytest.raises(ToolError, match=re.escape(words)):
        asked("write", selector, row)
