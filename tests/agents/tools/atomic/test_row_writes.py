from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.errors import ToolError
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.atomic.databases import parsed_row
from tests.agents.reading import samples
from tests.agents.tools.atomic.people import SCRIPT, read, refused, rows
from tests.agents.tools.hands import Hands


@pytest.fixture
def db(hands: Hands) -> Path:
    return samples.database(hands.root / "a.db", SCRIPT)


async def test_rows_are_inserted_changed_and_deleted(hands: Hands, db: Path) -> None:
    said = await hands.call("write", path="a.db:users", content="{name: 'Ada', /* years */ age: +0x24,} // done")
    assert said.output == "Inserted a row into users (id = 61)"
    assert said.metadata["resolvedPath"] == "a.db"
    assert said.metadata["meta"]["sourcePath"] == "a.db"
    assert [change.path for change in said.changes] == ["a.db"]
    assert rows(db, "SELECT name, age FROM users WHERE id = 61") == [("Ada", 36)]
    said = await hands.call("write", path="a.db:users:61", content='{"name": null, "age": 1.5}')
    assert said.output == "Updated the row of users with id = '61'"
    assert rows(db, "SELECT name, age FROM users WHERE id = 61") == [(None, 1.5)]
    said = await hands.call("write", path="a.db:users:61", content=" \n")
    assert said.output == "Deleted the row of users with id = '61'"
    said = await hands.call("write", path="a.db:users:61", content="")
    assert said.output.startswith("No row matched")


async def test_an_empty_object_inserts_defaults_and_id_means_the_key(hands: Hands, db: Path) -> None:
    assert (await hands.call("write", path="a.db:users", content="{}")).error is None
    assert rows(db, "SELECT * FROM users WHERE id = 61") == [(61, None, None)]
    assert (await hands.call("write", path="a.db:codes", content="{id: 'new', V: true}")).error is None
    assert rows(db, "SELECT v FROM codes WHERE k = 'new'") == [(1,)]


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("a.db:users", "", "Nothing to write"),
        ("a.db:users", "{nope: 1}", "has no column named 'nope'"),
        ("a.db:users", "{id: 1}", "UNIQUE"),
        ("a.db", "{}", "Name the table"),
        ("missing.db:users", "{}", "There is no database missing.db"),
    ],
)
async def test_what_cannot_be_written_changes_nothing(hands: Hands, db: Path, path: str, content: str, words: str) -> None:
    assert words in await refused(hands, "write", path=path, content=content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[{name: 'x'}]", "not an array"),
        ("'x'", "not a single value"),
        ("{name: 'x'", "not an object in JSON or JSON5"),
        ("{name: 'x', name: 'y'}", "Duplicate key"),
        ("[" * 10_000, "not an object in JSON or JSON5"),
        ("{a: '" + "x" * 40_000 + "'}", "too long to be read as JSON5"),
        ('"' + "x" * 2**20 + '"', "more than 1 MB"),
    ],
)
def test_what_is_no_row_is_refused(content: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        parsed_row(content)


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (" ", None),
        ("{}", {}),
        (
            "{a: .5, 'b': -0x10, \"c\": +1, d: 'it\\'s', /* e */ f: null, g: true,} // end",
            {"a": 0.5, "b": -16, "c": 1, "d": "it's", "f": None, "g": True},
        ),
    ],
)
def test_a_row_is_written_as_json5(content: str, row: dict[str, Any] | None) -> None:
    assert parsed_row(content) == row


async def test_what_triggers_did_is_counted_and_odd_ones_do_nothing(hands: Hands, db: Path) -> None:
    samples.database(db, "CREATE TRIGGER told AFTER INSERT ON codes BEGIN INSERT INTO notes VALUES(new.k); END;")
    said = await hands.call("write", path="a.db:codes", content="{k: 'x'}")
    assert said.output == "Inserted a row into codes (k = 'x'); its triggers changed 1 more"
    samples.database(db, "CREATE TRIGGER odd AFTER UPDATE ON codes BEGIN SELECT load_extension('x'); END;")
    await refused(hands, "write", path="a.db:codes:x", content="{v: 2}")


async def test_a_database_of_a_read_only_workspace_or_in_the_git_folder_is_not_written(hands: Hands, db: Path) -> None:
    (hands.root / ".git").mkdir()
    shutil.copy(db, hands.root / ".git" / "a.db")
    assert "only git itself" in await refused(hands, "write", path=".git/a.db:users", content="{}")
    hands.sandbox = open_sandbox(SandboxWish(str(hands.root), level="local", writable=False))
    assert "read-only" in await refused(hands, "write", path="a.db:users", content="{}")


async def test_full_text_tables_are_read_and_written(hands: Hands) -> None:
    samples.database(hands.root / "f.db", "CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES('hello world')")
    assert await read(hands, "f.db?q=SELECT a FROM f WHERE f MATCH 'hello'") == [{"a": "hello world"}]
    assert (await hands.call("write", path="f.db:f", content="{a: 'bye'}")).error is None
    assert await read(hands, "f.db?q=SELECT a FROM f WHERE f MATCH 'bye'") == [{"a": "bye"}]
