"""`read_file`, `write_to_file` and `replace_in_file`."""

from __future__ import annotations

from typing import Any

import pytest

from agents.errors import InvalidArguments
from agents.plan import PlanState
from agents.tools.alfredo import read_file
from tests.agents.tools.hands import Hands

LINES = "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("content", "args", "shown"),
    [
        (LINES, {}, LINES),
        ("", {}, ""),
        ("", {"offset": 0}, ""),
        ("one", {}, "one"),
        ("\n\n", {}, "\n\n"),
        (LINES, {"offset": 1}, "[Showing lines 2-3 of 3 total lines]\n\ntwo\nthree\n"),
        (LINES, {"offset": "1", "limit": "1"}, "[Showing lines 2-2 of 3 total lines]\n\ntwo\n"),
        (LINES, {"limit": 100}, "[Showing lines 1-3 of 3 total lines]\n\none\ntwo\nthree\n"),
        (LINES, {"offset": "", "limit": ""}, LINES),
        ("one\ntwo", {"offset": 1}, "[Showing lines 2-2 of 2 total lines]\n\ntwo"),
        (LINES, {"limit_bytes": 5}, "[Showing first 5 bytes of 14 total bytes]\n\none\nt"),
        (LINES, {"limit_bytes": 14}, LINES),
        ("aé€😀", {"limit_bytes": 2}, "[Showing first 1 bytes of 10 total bytes]\n\na"),
        ("aé€😀", {"limit_bytes": 9}, "[Showing first 6 bytes of 10 total bytes]\n\naé€"),
        (b"\xef\xbb\xbfone\r\ntwo\r\n", {}, "one\ntwo\n"),
        (b"caf\xe9\n", {}, "caf\N{REPLACEMENT CHARACTER}\n"),
    ],
)
async def test_a_file_is_read_whole_or_in_part(hands: Hands, content: str | bytes, args: dict[str, Any], shown: str) -> None:
    hands.put({"a.txt": content})
    result = await hands.call("read_file", path="a.txt", **args)
    assert (result.error, result.output) == (None, shown)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"path": "gone.txt"}, "File not found: gone.txt. Look for it with list_files."),
        ({"path": "folder"}, "folder is a folder, not a file"),
        ({"path": "../x"}, "outside"),
        ({"path": "b.bin"}, "b.bin is a binary file of 3 bytes"),
        ({"path": "a.txt", "offset": 3}, "Offset 3 exceeds total lines (3) in file: a.txt"),
        ({"path": "empty", "offset": 1}, "Offset 1 exceeds total lines (0)"),
        ({"path": "a.txt", "limit": 1, "limit_bytes": 1}, "cannot be used together"),
        ({"path": "a.txt", "offset": 1, "limit_bytes": 1}, "cannot be used together"),
    ],
)
async def test_what_cannot_be_read_is_said(hands: Hands, args: dict[str, Any], said: str) -> None:
    hands.put({"a.txt": LINES, "folder/x": "", "b.bin": b"a\0b", "empty": ""})
    result = await hands.call("read_file", **args)
    assert said in (result.error or "")


@pytest.mark.parametrize("args", [{"offset": -1}, {"limit": 0}, {"limit_bytes": -5}, {"limit": "ten"}, {"path": ""}])
def test_numbers_that_make_no_sense_are_refused(hands: Hands, args: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments, match=next(iter(args))):
        hands.tool("read_file", {"path": "a.txt"} | args)


async def test_a_long_file_is_cut_and_says_how_to_go_on(hands: Hands) -> None:
    line = "x" * 99 + "\n"
    hands.put({"long.txt": line * 5000, "wide.txt": "y" * (read_file.MOST + 9)})
    long, wide = await hands.call("read_file", path="long.txt"), await hands.call("read_file", path="wide.txt")
    assert long.output.startswith("[Showing lines 1-4000 of 5000 total lines]")
    assert long.output.endswith(f"[Cut at {read_file.MOST} characters: go on with offset=4000]")
    assert long.metadata["lines_shown"] == 4000
    assert wide.output.endswith(f"[Cut at {read_file.MOST} characters, within line 1]")
    rest = await hands.call("read_file", path="long.txt", offset=4000)
    assert rest.output.startswith("[Showing lines 4001-5000 of 5000 total lines]")


async def test_a_file_is_created_with_its_folders_and_updated_and_may_be_empty(hands: Hands) -> None:
    created = await hands.call("write_to_file", path="docs/api/README.md", content="# Ünder\n")
    assert created.output == "Created file: docs/api/README.md (8 characters)"
    updated = await hands.call("write_to_file", path="docs/api/README.md", content="")
    assert updated.output == "Updated file: docs/api/README.md (0 characters)"
    assert hands.files() == {"docs/api/README.md": b""}
    assert [change.change for result in (created, updated) for change in result.changes] == ["created", "modified"]


async def test_what_is_written_stays_to_the_letter(hands: Hands) -> None:
    text = "a\r\n$(rm -rf /) `x` &lt; \\n ${HOME}\n\n  no end"
    await hands.call("write_to_file", path="a.txt", content=text)
    assert hands.files() == {"a.txt": text.encode()}


async def test_nothing_is_written_outside_or_over_a_folder(hands: Hands) -> None:
    hands.put({"folder/x": ""})
    assert "outside" in str((await hands.call("write_to_file", path="../a.txt", content="x")).error)
    assert "is a folder" in str((await hands.call("write_to_file", path="folder", content="x")).error)
    assert hands.files() == {"folder/x": b""}


def block(search: str, replace: str) -> str:
    return f"------- SEARCH\n{search}\n=======\n{replace}\n+++++++ REPLACE\n"


async def test_blocks_change_a_file_and_say_where_more_than_one_place_fitted(hands: Hands) -> None:
    hands.put({"a.py": b"x = 1\r\ny = 2\r\nx = 1\r\n"})
    result = await hands.call("replace_in_file", path="a.py", diff=block("x = 1", "x = 9") + block("y = 2", "y = 3"))
    assert result.output == "Successfully updated file: a.py\nBlock 1 fits 2 places; the first, at line 1, was changed."
    assert hands.files()["a.py"] == b"x = 9\r\ny = 3\r\nx = 1\r\n"
    (change,) = result.changes
    assert (change.added, change.removed, result.metadata["blocks"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("path", "diff", "said"),
    [
        ("gone.py", block("a", "b"), "File not found: gone.py. Look for it with list_files"),
        ("a.py", "Please change it.", "No valid SEARCH/REPLACE block"),
        ("a.py", block("one", "1") + block("four", "4"), "Block 2: the SEARCH text was not found: 'four'"),
        ("b.bin", block("a", "b"), "binary"),
        ("folder", block("a", "b"), "is a folder"),
    ],
)
async def test_nothing_is_written_where_a_block_does_not_fit(hands: Hands, path: str, diff: str, said: str) -> None:
    hands.put({"a.py": "one\ntwo\n", "b.bin": b"a\0b", "folder/x": ""})
    before = hands.files()
    result = await hands.call("replace_in_file", path=path, diff=diff)
    assert said in (result.error or "")
    assert hands.files() == before


async def test_a_change_to_the_same_is_no_change(hands: Hands) -> None:
    hands.put({"a.py": "one\n"})
    result = await hands.call("replace_in_file", path="a.py", diff=block("one", "one"))
    assert (result.output, result.changes) == ("a.py reads so already; nothing was changed.", ())


async def test_a_missing_end_is_told(hands: Hands) -> None:
    hands.put({"a.py": "one\n"})
    result = await hands.call("replace_in_file", path="a.py", diff="------- SEARCH\none\n=======\ntwo")
    assert "Block 1 had no REPLACE line at its end" in result.output
    assert hands.files() == {"a.py": b"two\n"}


def test_people_see_what_would_be_changed_before_they_allow_it(hands: Hands) -> None:
    hands.put({"a.py": "one\n"})
    edit = hands.tool("replace_in_file", {"path": "./a.py", "diff": block("one", "two")})
    write = hands.tool("write_to_file", {"path": "b/c.py", "content": "new\n"})
    context = hands.context()
    assert (edit.subject(context), edit.prompt(context), edit.requires_permission(context)) == (
        "a.py", "Edit file: a.py", "Edit file: a.py",
    )  # fmt: skip
    assert "-one\n+two\n" in edit.preview(context)
    assert (write.prompt(context), "+new\n" in write.preview(context)) == ("Write file: b/c.py", True)
    assert hands.tool("replace_in_file", {"path": "gone", "diff": "x"}).preview(context) == ""


def test_in_plan_mode_only_the_plan_may_be_written(hands: Hands) -> None:
    hands.plan = PlanState(stage="planning", plan_file=".coder/plan.md")
    for path, allowed in ((".coder/plan.md", True), ("a.py", False)):
        assert hands.tool("write_to_file", {"path": path, "content": "x"}).plan_file(hands.context()) is allowed
        assert hands.tool("replace_in_file", {"path": path, "diff": "x"}).plan_file(hands.context()) is allowed
