"""What the documentation of the atloop tools promises: probe by probe, and what the original promises without keeping it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.skills.sources import of_project
from agents.tools.registry import TOOLSETS
from tests.agents.tools.hands import Hands
from tests.agents.tools.test_probes import PROBES, check, files_of, placed

OURS = [probe for probe in PROBES if probe["system"] == "atloop"]
BIG = "".join(f"line {number:07d} of a long log\n" for number in range(1, 440_001))


def test_every_probe_is_of_a_tool_that_there_is() -> None:
    assert len(OURS) == 10
    assert {probe["tool"] for probe in OURS} <= set(TOOLSETS["atloop"])


@pytest.mark.parametrize("probe", OURS, ids=lambda probe: probe["id"])
async def test_a_probe_holds(probe: dict[str, Any], hands: Hands) -> None:
    hands.put(files_of(probe["files"]))
    for name, files in probe.get("skills", {}).items():
        hands.put({f".atloop/skills/{name}/{path}": text for path, text in files.items()})
    hands.reach = replace(hands.reach, skills=of_project(hands.sandbox.files))
    check(probe["expect"], await hands.call(probe["tool"], **placed(probe["args"], hands)), hands)


async def test_11_what_is_in_progress_is_read_as_in_progress(hands: Hands) -> None:
    todos = [
        {"content": "Set up", "activeForm": "Setting up", "status": "in_progress"},
        {"content": "Test", "activeForm": "Testing", "status": "pending"},
    ]
    assert (await hands.call("todo_write", todos=todos)).error is None
    result = await hands.call("todo_read")
    assert result.output.startswith("# TODO List (2 task(s))\n\n## In Progress\n1. Set up (Setting up)\n\n## Pending\n1. Test (Testing)")
    assert result.metadata["in_progress"] == 1


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("src/**/*.py", ["src/a.py", "src/x/deep/b.py"]),
        ("src/x/*/b.py", ["src/x/deep/b.py"]),
        ("src/x/deep/*.py", ["src/x/deep/b.py"]),
        ("**/deep/*.py", ["src/x/deep/b.py"]),
        ("./src/*.py", ["src/a.py"]),
        ("*.py", ["top.py"]),
    ],
)
async def test_12_nested_patterns_find_their_files(pattern: str, found: list[str], hands: Hands) -> None:
    hands.put({"src/a.py": "", "src/x/deep/b.py": "", "src/x/deep/c.txt": "", "top.py": ""})
    assert (await hands.call("glob", pattern=pattern)).metadata["matched_files"] == found


async def test_13_an_11_mb_file_is_read_by_lines(hands: Hands) -> None:
    hands.put({"big.log": BIG})
    assert len(BIG) > 11 * 2**20
    result = await hands.call("read_file", path="big.log", offset=400_000, limit=2)
    assert (result.error, result.output) == (None, "line 0400000 of a long log\nline 0400001 of a long log\n")
    whole = await hands.call("read_file", path="big.log")
    assert (whole.error, whole.metadata["file_type"], whole.metadata["file_size"]) == (None, "large", len(BIG))
    assert "offset" in whole.output


async def test_14_what_is_not_there_is_not_appended_to(hands: Hands) -> None:
    result = await hands.call("append_file", path="a.txt", content="x")
    assert "File not found: a.txt" in str(result.error)
    assert hands.files() == {}


async def test_16_a_write_that_fails_leaves_all_files_as_they_were(hands: Hands) -> None:
    hands.put({"a.txt": "one\n", "folder/b.txt": "two\n"})
    before = hands.files()
    edits = [
        {"path": "a.txt", "old_string": "one", "new_string": "1"},
        {"path": "a.txt/below.txt", "old_string": "", "new_string": "x"},
    ]
    result = await hands.call("multi_edit_file", edits=edits)
    assert result.error is not None
    assert hands.files() == before


LITERAL = "first\nFILE_EOF\nTODO_EOF\n$(touch owned) `touch owned` \\ ' \" %s\n"


async def test_18_what_would_end_a_here_document_is_kept_as_it_is(hands: Hands) -> None:
    assert (await hands.call("write_file", path="a.txt", content=LITERAL)).error is None
    assert hands.files() == {"a.txt": LITERAL.encode()}
    content = "<old>first</old><new>EDIT_EOF\nFILE_EOF\ntouch owned</new>"
    assert (await hands.call("edit_file", path="a.txt", content=content)).error is None
    assert hands.files() == {"a.txt": LITERAL.replace("first", "EDIT_EOF\nFILE_EOF\ntouch owned").encode()}
    todos = [{"content": "Do\nTODO_EOF\ntouch owned", "activeForm": "Doing", "status": "in_progress"}]
    assert (await hands.call("todo_write", todos=todos)).error is None
    assert "TODO_EOF" in (hands.root / "TODO.md").read_text()
    assert hands.todos[0].content == "Do\nTODO_EOF\ntouch owned"
    assert set(hands.files()) == {"a.txt", "TODO.md"}


@pytest.mark.parametrize("pattern", ["$(touch owned)", "; touch owned", "`touch owned`", "' ; touch owned ; '"])
async def test_no_argument_reaches_a_shell(pattern: str, hands: Hands) -> None:
    hands.put({"a.txt": "one\n"})
    assert (await hands.call("glob", pattern=pattern)).error is None
    await hands.call("search", query="one", glob=pattern)
    await hands.call("search", query=pattern)
    await hands.call("read_file", path=pattern)
    await hands.call("edit_file", path=pattern, content="<old>a</old><new>b</new>")
    assert hands.files() == {"a.txt": b"one\n"}


def test_the_cases_are_those_of_the_specification() -> None:
    assert json.loads((Path(__file__).parents[3] / "cases/compat-probes.json").read_text()) == PROBES
