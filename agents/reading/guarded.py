"""An SQLite database of unknown origin, opened so that it can do nothing but give or take rows, and not for long."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from agents.errors import ToolError
from agents.reading.inside import opened
from agents.reading.sql import INTERNAL

MAGIC = b"SQLite format 3\0"
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
WAL = 2
SECONDS = 10.0
"""What all statements of one order may usually take together."""
PATIENCE = 3.0
"""Seconds to wait for others that hold the database."""
STEPS = 2000
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16 * 2**20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**20,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
SETTINGS = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "cache_size=-8000")
ODD_FUNCTIONS = frozenset(("load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_compileoption_get", "sqlite_log"))
FREE = frozenset(("", "json_each", "json_tree"))
READING = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE))
CHANGING = frozenset((sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE))
BUSY = ("locked", "busy")


class Guard:
    """What SQLite asks before every statement; it allows reading `tables`, and changing them where `changes`."""

    def __init__(self, tables: frozenset[str], *, changes: bool) -> None:
        self._tables, self._changes = tables, changes

    def __call__(self, action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
        return sqlite3.SQLITE_OK if self._allows(action, first or "", second or "") else sqlite3.SQLITE_DENY

    def _allows(self, action: int, first: str, second: str) -> bool:
        if action == sqlite3.SQLITE_READ:
            return self._reads(first.lower(), second)
        if action == sqlite3.SQLITE_FUNCTION:
            return second.lower() not in ODD_FUNCTIONS
        if action == sqlite3.SQLITE_PRAGMA:
            return first.lower() == "data_version"  # full-text tables ask for it themselves
        if action in CHANGING:
            return self._changes and first.lower() in self._tables
        return action in READING or (self._changes and action in (sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT))

    def _reads(self, table: str, column: str) -> bool:
        """A name without a column may also be one that the statement itself gave to a subquery."""
        return table in self._tables or table in FREE or (not column and not table.startswith(INTERNAL))


@contextmanager
def database(path: str, mode: Literal["ro", "rw"] = "ro", seconds: float = SECONDS) -> Iterator[sqlite3.Connection]:
    """The open database; whatever SQLite complains of becomes a ToolError. `path` from the working folder, without links.

    `seconds` is what everything done with it may take.
    """
    try:
        with closing(_connected(path, mode, seconds)) as connection:
            yield connection
    except sqlite3.Error as wrong:
        raise told(wrong, path) from wrong


def _connected(path: str, mode: str, seconds: float) -> sqlite3.Connection:
    ways = _reading(path) if mode == "ro" else _writing(path)
    before = handles()
    connection = sqlite3.connect(f"file:{quote(os.fsencode(path))}?{ways}", uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        _demand_same(path, handles() - before)
        _hold_back(connection, mode, seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def handles() -> set[str]:
    """The open handles of this process, none where the system does not tell."""
    try:
        listed = os.listdir("/proc/self/fd")  # noqa: PTH208 - names are wanted
    except OSError:
        return set()
    return {handle for handle in listed if _is_open(handle)}


def _is_open(handle: str) -> bool:
    """Not so for the one by which the handles were listed: the next file that is opened gets its number."""
    try:
        os.fstat(int(handle))
    except OSError:
        return False
    return True


def _demand_same(path: str, fresh: set[str]) -> None:
    """SQLite goes by the name and follows links, which somebody may just have put there.

    No lock is held yet: closing a handle of ours would take it from SQLite.
    """
    with opened(path) as file:
        wanted = os.fstat(file.fileno())
        if any(not os.path.samestat(os.fstat(int(handle)), wanted) for handle in fresh):
            raise ToolError(f"{path} was replaced while it was opened. Try again.")


def _hold_back(connection: sqlite3.Connection, mode: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > deadline), STEPS)
    connection.text_factory = lambda data: data.decode(errors="replace")
    for limit, most in LIMITS.items():
        connection.setlimit(limit, most)
    for setting in (*SETTINGS, "query_only=ON" if mode == "ro" else "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _reading(path: str) -> str:
    """How to open it without leaving a trace.

    One that nobody has open (a write-ahead log would lie beside it) is taken as it is: SQLite would make such a log just to look.
    """
    sizes = _beside(path)
    if _header(path)[19] != WAL:
        return "mode=ro"
    if not sizes["-wal"]:
        return "mode=ro&immutable=1"
    return "mode=ro&readonly_shm=1" if sizes["-shm"] is not None else "mode=ro"


def _writing(path: str) -> str:
    """SQLite would undo an interrupted change first, and remove files that the journal names: that is left to its own program."""
    deadline = time.monotonic() + PATIENCE
    _header(path)
    while _beside(path)["-journal"] and _is_hot(f"{path}-journal"):
        if time.monotonic() > deadline:
            raise ToolError(f"{path} is in the middle of a change: {path}-journal lies beside it. Let its own program finish or undo that.")
        time.sleep(0.05)
    return "mode=rw"


def _header(path: str) -> bytes:
    with opened(path) as file:
        header = file.read(100)
    if not header.startswith(MAGIC) or len(header) < 100:
        raise ToolError(f"{path} is not a database: it is cut off, or no SQLite file.")
    return header


def _beside(path: str) -> dict[str, int | None]:
    """The sizes of the files that belong to it, None where there is none. Raises ToolError for a link or the like."""
    sizes: dict[str, int | None] = {}
    for ending in ("-wal", "-shm", "-journal"):
        try:
            found = os.lstat(path + ending)
        except FileNotFoundError:
            sizes[ending] = None
            continue
        if not stat.S_ISREG(found.st_mode):
            raise ToolError(f"{path}{ending} is no plain file, so {path} is not opened.")
        sizes[ending] = found.st_size
    return sizes


def _is_hot(journal: str) -> bool:
    try:
        with Path(journal).open("rb") as file:
            return file.read(8) == JOURNAL_MAGIC
    except FileNotFoundError:
        return False


def told(wrong: sqlite3.Error, path: str) -> ToolError:
    """What SQLite complains of, and what to do."""
    words = str(wrong)
    if words == "interrupted":
        return ToolError(f"{path}: this took too long (over {SECONDS:g} seconds) and was given up. Ask for less, by a key or an index.")
    if any(busy in words for busy in BUSY):
        return ToolError(f"{path} is locked by another program. Try again in a moment.")
    if "too big" in words:
        return ToolError(f"{path}: a value is larger than 16 MB. Choose other columns by ?q=SELECT …, or take it apart with substr().")
    if "not authorized" in words or "prohibited" in words:
        return ToolError(f"{path}: not run, invalid raw query: {words}. Only its own tables may be used, and no internals of SQLite.")
    return ToolError(f"{path}: SQLite says: {words}.")
