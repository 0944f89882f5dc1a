"""search over what is more than lines of a plain file: notebooks, archives, databases and internal URLs."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from typing import Any

from agents.edits.hashline.tags import tag_of
from tests.agents.tools.hands import Hands

APP = "main()\n"
CELLS = [
    {"cell_type": "code", "source": ["needle = 1\n", "x = 2"], "outputs": [], "metadata": {}, "execution_count": None},
    {"cell_type": "markdown", "source": "no\nneedle here", "metadata": {}},
]


def tagged(path: str, text: str) -> str:
    return f"[{path}#{tag_of(text)}]"


async def lines(hands: Hands, pattern: str, paths: str | list[str] = "", **args: Any) -> list[str]:
    result = await hands.call("search", pattern=pattern, paths=paths, **args)
    assert result.error is None
    return result.output.splitlines()


async def test_notebooks_are_searched_as_they_are_read(hands: Hands) -> None:
    hands.put({"n.ipynb": json.dumps({"cells": CELLS, "metadata": {"needle": 1}, "nbformat": 4}), "bad.ipynb": "needle {"})
    shown = await lines(hands, "needle")
    assert shown[0] == tagged("bad.ipynb", "needle {")
    rows = [line for line in shown if line.startswith("*")]
    assert rows == ["*1:needle {", "*2:needle = 1", "*6:needle here"]
    (snapshot,) = hands.reach.snapshots.versions("n.ipynb")
    assert snapshot.text.split("\n")[1] == "needle = 1"


async def test_archives_are_searched_member_by_member(hands: Hands) -> None:
    with zipfile.ZipFile(hands.root / "z.zip", "w") as archive:
        archive.writestr("a/m.txt", "one\nmain two\nthree\n")
        archive.writestr("raw", "main\n")
        archive.writestr("none.txt", "nothing\n")
    member = ["z.zip:a/m.txt-1- one", "z.zip:a/m.txt:2: main two", "z.zip:a/m.txt-3- three"]
    assert await lines(hands, "main", "z.zip:a/m.txt") == member
    assert await lines(hands, "main", "z.zip:") == [*member, "z.zip:raw:1: main"]
    assert await lines(hands, "main", "z.zip:a/m.txt:2-2") == member
    assert await lines(hands, "main", "z.zip:a/m.txt:3-3") == ["No matches found"]
    assert await lines(hands, "(?i)MAIN\\n", "z.zip:raw") == ["z.zip:raw:1: main"]
    hands.put({"src/app.py": APP})
    both = await hands.call("search", pattern="main", paths=["z.zip:raw", "src/app.py"])
    assert both.metadata["files"] == ["src/app.py", "z.zip:raw"]


async def test_several_members_are_told_apart_by_their_archives(hands: Hands) -> None:
    for name in ("y.zip", "z.zip"):
        with zipfile.ZipFile(hands.root / name, "w") as archive:
            archive.writestr("a.txt", "main\nmain\n")
            archive.writestr("a b.txt", "main blank\n")
    hands.put({"b.txt": "main beside\n"})
    both = ["y.zip:a.txt:1: main", "y.zip:a.txt:2: main", "z.zip:a.txt:1: main", "z.zip:a.txt:2: main"]
    for given in ("y.zip:a.txt z.zip:a.txt", "y.zip:a.txt, z.zip:a.txt"):
        assert await lines(hands, "main", given) == both
    ranged = await lines(hands, "main", "y.zip:a.txt:1-1 z.zip:a.txt:2-2")
    assert [line for line in ranged if ": main" in line] == [both[0], both[3]]
    assert await lines(hands, "main", "z.zip:a b.txt") == ["z.zip:a b.txt:1: main blank"]


async def test_tables_of_a_database_are_searched(hands: Hands) -> None:
    base = sqlite3.connect(hands.root / "d.db")
    base.execute("create table people(id integer primary key, name text)")
    base.executemany("insert into people(name) values(?)", [("main",), ("other",)])
    base.commit()
    base.close()
    shown = await lines(hands, "main", "d.db:people")
    assert any("main" in line and line.startswith("d.db:people:") for line in shown)


async def test_internal_urls_are_searched(hands: Hands) -> None:
    hands.put({"src/app.py": APP, "AGENTS.md": "Be kind.\nUse main.\n"})
    assert (await lines(hands, "kind", "local://AGENTS.md"))[0] == tagged("AGENTS.md", "Be kind.\nUse main.\n")
    assert any("AGENTS.md" in line for line in await lines(hands, "AGENTS", "rule://"))
    assert (await lines(hands, "^main", "local://src"))[0] == "# src/"
