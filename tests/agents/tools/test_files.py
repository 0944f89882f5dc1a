"""read, write, edit and multiedit on real files."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents.plan import PlanState
from tests.agents.tools.hands import Hands

ARGUMENTS: dict[str, dict[str, Any]] = {
    "read": {},
    "write": {"content": "x"},
    "edit": {"old_string": "secret", "new_string": "x"},
    "multiedit": {"edits": [{"old_string": "secret", "new_string": "x"}]},
}


async def test_read_shows_a_window_and_says_what_it_left_out(hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo\nthree\n"})
    result = await hands.call("read", file_path="a.txt", offset="2", limit=1)
    assert (result.title, result.output) == ("Read: a.txt", "     2\ttwo\n\n[Showing lines 2-2 of 4]")
    assert result.metadata == {"file_path": f"{hands.sandbox.mount}/a.txt", "total_lines": 4, "lines_shown": 1, "offset": 2, "limit": 1}


async def test_read_gives_more_than_two_thousand_lines_when_asked(hands: Hands) -> None:
    hands.put({"long.txt": "x\n" * 3000})
    assert (await hands.call("read", file_path="long.txt")).metadata["lines_shown"] == 2000
    assert (await hands.call("read", file_path="long.txt", limit=5000)).metadata["lines_shown"] == 3001


async def test_read_past_the_end_says_where_the_end_is(hands: Hands) -> None:
    hands.put({"a.txt": "one\n"})
    result = await hands.call("read", file_path="a.txt", offset=50)
    assert (result.error, result.output) == (None, "[Line 50 is past the end: the file has 2 lines]")


@pytest.mark.parametrize(
    ("path", "reason"),
    [("gone.txt", "File not found: gone.txt"), ("folder", "is a folder"), ("bin", "binary"), ("a.txt/b", "not a folder|not found")],
)
async def test_read_says_why_it_cannot(path: str, reason: str, hands: Hands) -> None:
    hands.put({"folder/x": "x", "bin": b"a\0b", "a.txt": "a"})
    error = (await hands.call("read", file_path=path)).error or ""
    assert any(part in error for part in reason.split("|"))


@pytest.mark.parametrize("tool", ["read", "write", "edit", "multiedit"])
@pytest.mark.parametrize("path", ["../outside.txt", "/etc/hostname", "link/outside.txt", "link.txt"])
async def test_no_file_tool_leaves_the_workspace(tool: str, path: str, hands: Hands) -> None:
    outside = hands.root.parent / "outside.txt"
    outside.write_text("secret")
    (hands.root / "link").symlink_to(hands.root.parent)
    (hands.root / "link.txt").symlink_to(outside)
    args = ARGUMENTS[tool]
    result = await hands.call(tool, file_path=path, **args)
    assert result.error
    assert "secret" not in result.output
    assert outside.read_text() == "secret"
    assert hands.tool(tool, {"file_path": path, **args}).preview(hands.context()) == ""


async def test_write_makes_folders_and_tells_the_change(hands: Hands) -> None:
    result = await hands.call("write", file_path="n/e/w.txt", content="a\nb")
    assert result.output == f"Created {hands.sandbox.mount}/n/e/w.txt (2 lines)"
    assert (result.metadata["is_new"], result.metadata["line_count"], result.metadata["byte_count"]) == (True, 2, 3)
    assert [(change.path, change.change, change.added) for change in result.changes] == [("n/e/w.txt", "created", 2)]
    assert hands.files() == {"n/e/w.txt": b"a\nb"}


async def test_write_shows_beforehand_what_it_would_change(hands: Hands) -> None:
    hands.put({"a.txt": "old\n"})
    tool = hands.tool("write", {"file_path": "a.txt", "content": "new\n"})
    assert tool.preview(hands.context()) == "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n"
    assert hands.files() == {"a.txt": b"old\n"}


async def test_writing_the_same_is_no_change(hands: Hands) -> None:
    hands.put({"a.txt": "same"})
    assert (await hands.call("write", file_path="a.txt", content="same")).changes == ()


async def test_write_cannot_replace_a_folder_or_write_git_s_own_files(hands: Hands) -> None:
    hands.put({"folder/x": "x"})
    assert "is a folder" in str((await hands.call("write", file_path="folder", content="x")).error)
    assert (await hands.call("write", file_path=".git/hooks/pre-commit", content="x")).error
    assert (await hands.call("write", file_path="folder/x/y", content="x")).error
    assert hands.files() == {"folder/x": b"x"}


async def test_edit_tells_what_it_replaced_and_keeps_the_mode(hands: Hands) -> None:
    hands.put({"run.sh": "#!/bin/sh\r\necho 1\r\n"})
    (hands.root / "run.sh").chmod(0o755)
    result = await hands.call("edit", file_path="run.sh", old_string="echo 1\n", new_string="echo 2\n")
    assert result.output == "Replaced 1 occurrence in run.sh (line 2)"
    assert (result.metadata["strategy"], result.metadata["replacements"]) == ("exact_match", 1)
    assert hands.files() == {"run.sh": b"#!/bin/sh\r\necho 2\r\n"}
    assert (hands.root / "run.sh").stat().st_mode & 0o777 == 0o755


async def test_an_edit_by_likeness_says_so_and_shows_what_it_did(hands: Hands) -> None:
    hands.put({"m.py": "def f(a, b):\n    return a+b\n"})
    args = {"file_path": "m.py", "old_string": "def f(a,b):\n    return a + b\n", "new_string": "def f(a, b):\n    return b\n"}
    preview = hands.tool("edit", args).preview(hands.context())
    result = await hands.call("edit", **args)
    assert result.title == "Edit (fuzzy): m.py"
    assert result.metadata["fuzzy_confidence"] > 0.8
    assert "+    return b" in result.output
    assert preview == result.changes[0].diff


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"file_path": "a.txt", "old_string": "", "new_string": "x"}, "old_string is empty"),
        ({"file_path": "a.txt", "old_string": "x", "new_string": "x"}, "are the same"),
        ({"file_path": "gone", "old_string": "x", "new_string": "y"}, "File not found: gone"),
        ({"file_path": "a.txt", "old_string": "one", "new_string": "y"}, "occurs 2 times"),
        ({"file_path": "a.txt", "old_string": "not in there at all", "new_string": "y"}, "was not found"),
        ({"file_path": "bin", "old_string": "x", "new_string": "y"}, "binary"),
        ({"file_path": ".", "old_string": "x", "new_string": "y"}, "is a folder"),
    ],
)
async def test_a_refused_edit_says_why_and_changes_nothing(args: dict[str, str], reason: str, hands: Hands) -> None:
    hands.put({"a.txt": "one one\n", "bin": b"x\0"})
    before = hands.files()
    assert reason in str((await hands.call("edit", **args)).error)
    assert hands.files() == before


async def test_twenty_edits_of_one_file_at_once_all_survive(hands: Hands) -> None:
    hands.put({"a.txt": "".join(f"<{n}>\n" for n in range(20))})
    edits = (hands.call("edit", file_path="a.txt", old_string=f"<{n}>", new_string=f"[{n}]") for n in range(20))
    assert [result.error for result in await asyncio.gather(*edits)] == [None] * 20
    assert hands.files()["a.txt"].decode() == "".join(f"[{n}]\n" for n in range(20))


async def test_multiedit_tells_of_each_edit(hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo two\nthree\n"})
    edits = [{"old_string": "one", "new_string": "1"}, {"old_string": "two", "new_string": "2"}, {"old_string": "", "new_string": "x"}]
    result = await hands.call("multiedit", file_path="a.txt", edits=[*edits, {"old_string": "four", "new_string": "4"}])
    assert result.metadata["results"] == [
        "Edit 1: OK - 1 replacement(s)",
        "Edit 2: AMBIGUOUS - 'two' occurs 2 times (at lines 2, 2)",
        "Edit 3: SKIPPED - old_string is empty or the same as new_string",
        "Edit 4: NOT FOUND - 'four'",
    ]
    assert result.output.endswith("Total: 1 replacements across 4 edits")
    assert (result.error, hands.files()) == (None, {"a.txt": b"1\ntwo two\nthree\n"})
    assert len(result.changes) == 1


async def test_multiedit_is_an_error_when_no_edit_could_be_made(hands: Hands) -> None:
    hands.put({"a.txt": "one\n"})
    result = await hands.call("multiedit", file_path="a.txt", edits=[{"old_string": "four", "new_string": "4"}])
    assert "None of the edits" in str(result.error)
    assert result.changes == ()


@pytest.mark.parametrize("tool", ["write", "edit", "multiedit"])
def test_the_plan_file_alone_is_free_while_planning(tool: str, hands: Hands) -> None:
    (hands.root / ".coder").mkdir()
    (hands.root / ".coder/link.md").symlink_to(hands.root / "a.py")
    extra = ARGUMENTS[tool]
    plan, other = (hands.tool(tool, {"file_path": path, **extra}) for path in ("./.coder/plan.md", "a.py"))
    assert not plan.plan_file(hands.context())
    hands.plan = PlanState("planning", plan_file=".coder/plan.md")
    assert plan.plan_file(hands.context())
    assert not other.plan_file(hands.context())
    hands.plan = PlanState("planning", plan_file=".coder/link.md")
    assert not hands.tool(tool, {"file_path": ".coder/link.md", **extra}).plan_file(hands.context())


@pytest.mark.parametrize("new", ["", "x"])
def test_an_edit_of_nothing_has_no_preview(hands: Hands, new: str) -> None:
    hands.put({"a.txt": "one\n"})
    calls: dict[str, dict[str, Any]] = {
        "edit": {"old_string": "", "new_string": new},
        "multiedit": {"edits": [{"old_string": "", "new_string": new, "replace_all": True}]},
    }
    for tool, args in calls.items():
        assert hands.tool(tool, {"file_path": "a.txt", **args}).preview(hands.context()) == ""
