from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.agents.reading import samples
from tests.agents.tools.atomic.people import SCRIPT, read, refused, rows
from tests.agents.tools.hands import Hands


@pytest.fixture
def db(hands: Hands) -> Path:
    return samples.database(hands.root / "a.db", SCRIPT)


async def test_a_database_is_a_list_of_its_tables(hands: Hands, db: Path) -> None:
    result = await hands.call("read", path="a.db")
    assert '{"table": "users", "rows": 60}' in result.output
    assert '{"view": "names"}' in result.output
    assert result.metadata["kind"] == "sqlite"
    assert result.metadata["table"]["columns"] == ["table", "rows"]
    assert result.metadata["meta"] == {"source": "a.db", "sourcePath": "a.db"}


async def test_a_table_shows_its_schema_and_five_rows(hands: Hands, db: Path) -> None:
    output = (await hands.call("read", path="a.db:users")).output
    assert output.startswith("# users\n\nSchema:\nCREATE TABLE users(")
    assert "\nRows:\n" in output
    assert len(await read(hands, "a.db:users")) == 5
    assert len(await read(hands, "a.db:users?schema=true&sampleRows=7")) == 7
    assert len(await read(hands, "a.db:users?sampleRows=5000")) == 60


async def test_a_row_is_found_by_its_key(hands: Hands, db: Path) -> None:
    assert await read(hands, "a.db:users:3") == [{"id": 3, "name": "u2", "age": 2}]
    assert await read(hands, "a.db:codes:a:b") == [{"k": "a:b", "v": "x"}]
    assert "No row of users has id = '99'" in await refused(hands, "read", path="a.db:users:99")
    assert "no single column" in await refused(hands, "read", path="a.db:pairs:1")


async def test_a_table_without_a_key_is_read_by_rowid(hands: Hands, db: Path) -> None:
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("INSERT INTO notes VALUES('first')")
        connection.commit()
    assert await read(hands, "a.db:notes:1") == [{"n": "first"}]


async def test_rows_are_paged_ordered_and_filtered(hands: Hands, db: Path) -> None:
    assert len(await read(hands, "a.db:users?offset=0")) == 20
    assert [row["age"] for row in await read(hands, "a.db:users?limit=2&offset=3&order=age:desc")] == [56, 55]
    assert [row["id"] for row in await read(hands, "a.db:users?where=age > 57 AND name LIKE '%5%'")] == [59, 60]
    assert [row["id"] for row in await read(hands, "a.db:users?where=age&1%20AND%20age%3E57")] == [60]
    output = (await hands.call("read", path="a.db:users?limit=2&offset=3")).output
    assert output.endswith("[Rows 4-5; there are more: continue with offset=5.]")


async def test_a_query_is_run_and_its_columns_are_told_apart(hands: Hands, db: Path) -> None:
    assert await read(hands, "a.db?q=SELECT count(*) AS n FROM users WHERE name <> 'delete'") == [{"n": 60}]
    assert await read(hands, "a.db?q=SELECT+max(age)+AS+n+FROM+users") == [{"n": 59}]
    assert await read(hands, "a.db?q=SELECT 1 AS a, 2 AS a") == [{"a": 1, "a:2": 2}]
    assert len(await read(hands, "a.db?q=SELECT 1 FROM users a, users b")) == 1000


async def test_a_table_with_an_odd_name_is_found(hands: Hands, db: Path) -> None:
    assert "# odd:name?x" in (await hands.call("read", path="a.db:odd:name?x")).output
    assert "# users" in (await hands.call("read", path="a.db:USERS")).output
    assert "There is no table 'nope'. The tables are: codes," in await refused(hands, "read", path="a.db:nope")


async def test_what_may_not_be_asked_is_refused_in_words(hands: Hands, db: Path) -> None:
    assert "invalid raw query" in await refused(hands, "read", path="a.db?q=SELECT * FROM sqlite_master")
    assert "invalid where filter" in await refused(hands, "read", path="a.db:users?where=id IN (SELECT 1)")


async def test_views_that_look_at_internals_are_refused_and_do_not_spoil_a_search(hands: Hands, db: Path) -> None:
    samples.database(db, "CREATE VIEW spy AS SELECT sql AS s FROM sqlite_master; CREATE VIEW odd AS SELECT load_extension('x') AS s")
    assert "prohibited" in await refused(hands, "read", path="a.db:spy")
    assert "unsafe use" in await refused(hands, "read", path="a.db:odd")
    assert "a.db:users:6: " in (await hands.call("search", pattern='"u5"', paths="a.db")).output


async def test_long_values_are_cut_and_binary_ones_counted(hands: Hands) -> None:
    script = "CREATE TABLE t(a, b, c, d); INSERT INTO t VALUES(printf('%.*c', 5000, 'x'), zeroblob(7), 9007199254740993, 9e999)"
    samples.database(hands.root / "a.sqlite", script)
    (row,) = await read(hands, "a.sqlite:t?limit=1")
    assert row["a"].endswith("xx… (5000 characters)")
    assert len(row["a"]) < 2100
    assert (row["b"], row["c"], row["d"]) == ("<blob of 7 bytes>", 9007199254740993, "inf")
    result = await hands.call("read", path="a.sqlite:t?limit=1")
    assert result.metadata["table"]["rows"][0][2] == "9007199254740993"


async def test_rows_stop_where_a_result_has_no_more_room(hands: Hands) -> None:
    numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)"
    script = f"CREATE TABLE t(a); {numbers} INSERT INTO t SELECT printf('%.*c', 1000, 'x') FROM n"  # noqa: S608
    samples.database(hands.root / "a.sqlite3", script)
    result = await hands.call("read", path="a.sqlite3:t?limit=400")
    assert len(result.output) < 51_200
    assert "48 KB limit" in result.output
    assert "continue with offset=" in result.output


async def test_many_tables_and_many_rows_are_counted_to_a_limit(hands: Hands) -> None:
    path = hands.root / "many.db3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "".join(["BEGIN;", *(f"CREATE TABLE t{number:04}(a INTEGER PRIMARY KEY AUTOINCREMENT);" for number in range(505)), "COMMIT"])
        )
        connection.execute("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001) INSERT INTO t0000 SELECT i FROM n")
        connection.commit()
    result = await hands.call("read", path="many.db3")
    assert result.output.startswith('{"table": "t0000", "rows": "50000+"}\n')
    assert "sqlite_sequence" not in result.output
    assert result.output.count('"table"') == 500
    assert result.metadata["meta"]["limits"] == {"resultLimit": 500}


async def test_a_database_of_two_gigabytes_is_read_in_no_time(hands: Hands, db: Path) -> None:
    size = 2 * 2**30
    os.truncate(db, size)
    with db.open("r+b") as file:
        file.seek(28)
        file.write(struct.pack(">I", size // 4096))
    began = time.monotonic()
    assert await read(hands, "a.db:users:3") == [{"id": 3, "name": "u2", "age": 2}]
    assert {"table": "users", "rows": 60} in await read(hands, "a.db")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("end", [16, 99, 100, 3000, 5000])
async def test_a_database_that_is_cut_off_is_told_of(hands: Hands, db: Path, end: int) -> None:
    os.truncate(db, end)
    said = await refused(hands, "read", path="a.db:users?limit=100")
    assert "cut off" in said or "malformed" in said or "not a database" in said


async def test_other_files_of_that_name_stay_plain_files(hands: Hands) -> None:
    hands.put({"plain.db": "just words\n", "empty.sqlite": ""})
    assert "just words" in (await hands.call("read", path="plain.db")).output
    assert (await hands.call("write", path="plain.db", content="others\n")).error is None
    assert hands.files()["plain.db"] == b"others\n"
    assert (await hands.call("read", path="empty.sqlite")).error is None


async def test_a_database_outside_the_workspace_is_refused_also_behind_a_link(hands: Hands, tmp_path: Path) -> None:
    outer = samples.database(tmp_path / "out.db", SCRIPT)
    (hands.root / "link.db").symlink_to(outer)
    for path in ("../out.db:users", "link.db:users", f"{outer}:users"):
        assert "outside the workspace" in await refused(hands, "read", path=path)
        assert "outside the workspace" in await refused(hands, "write", path=path, content="{name: 'x'}")
    assert rows(outer, "SELECT count(*) FROM users") == [(60,)]


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
async def test_links_beside_a_database_are_not_followed(hands: Hands, db: Path, tmp_path: Path, ending: str) -> None:
    (tmp_path / "victim").write_bytes(b"precious")
    (hands.root / f"a.db{ending}").symlink_to(tmp_path / "victim")
    assert "no plain file" in await refused(hands, "read", path="a.db:users")
    assert "no plain file" in await refused(hands, "write", path="a.db:users", content="{}")
    assert (tmp_path / "victim").read_bytes() == b"precious"


@contextmanager
def another_program(path: Path, script: str) -> Iterator[None]:
    """It runs the script and holds the database open; a process that also opened the file elsewhere would lose its locks."""
    begin = "import sqlite3, sys; held = sqlite3.connect(sys.argv[1], isolation_level=None); held.executescript(sys.argv[2])"
    argv = [sys.executable, "-c", f"{begin}; print('done', flush=True); input()", str(path), script]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == b"done\n"
        yield
        program.stdin.write(b"\n")


def names(hands: Hands) -> set[str]:
    return {path.name for path in hands.root.iterdir()}


async def test_what_another_program_just_committed_to_its_log_is_read(hands: Hands) -> None:
    path = hands.root / "wal.db"
    with another_program(path, f"PRAGMA journal_mode=WAL; {SCRIPT}; INSERT INTO notes VALUES('fresh')"):
        before = names(hands)
        assert before == {"wal.db", "wal.db-wal", "wal.db-shm"}
        assert await read(hands, "wal.db:notes?limit=1") == [{"n": "fresh"}]
        assert (await hands.call("write", path="wal.db:notes", content="{n: 'ours'}")).error is None
        assert names(hands) == before
    assert rows(path, "SELECT n FROM notes") == [("fresh",), ("ours",)]


async def test_reading_a_database_that_nobody_has_open_leaves_no_trace(hands: Hands) -> None:
    samples.database(hands.root / "wal.db", f"PRAGMA journal_mode=WAL; {SCRIPT}")
    assert names(hands) == {"wal.db"}
    assert len(await read(hands, "wal.db:users")) == 5
    assert names(hands) == {"wal.db"}


async def test_a_log_that_a_crash_left_is_read_too(hands: Hands) -> None:
    with another_program(hands.root / "wal.db", f"PRAGMA journal_mode=WAL; {SCRIPT}"):
        for ending in ("", "-wal"):
            shutil.copy(hands.root / f"wal.db{ending}", hands.root / f"crash.db{ending}")
    assert len(await read(hands, "crash.db:users")) == 5


async def test_a_database_that_is_locked_says_so(hands: Hands, db: Path) -> None:
    with another_program(db, "BEGIN EXCLUSIVE"):
        assert "locked by another program" in await refused(hands, "read", path="a.db:users")
        assert "locked by another program" in await refused(hands, "write", path="a.db:users", content="{}")


async def test_an_interrupted_change_is_left_to_its_own_program(hands: Hands, db: Path) -> None:
    hands.put({"a.db-journal": bytes.fromhex("d9d505f920a163d7") + bytes(600)})
    assert "in the middle of a change" in await refused(hands, "write", path="a.db:users", content="{}")
