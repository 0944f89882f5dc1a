"""`edit` with its workspace: what is read, refused, written and told, over several files and in odd places."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest

from agents.edits.hashline.script import parse
from agents.edits.hashline.tags import tag_of
from agents.errors import ToolError
from agents.plan import PlanState
from agents.tools.atomic.edit import Edit
from agents.tools.atomic.seen import LARGEST_TAGGED, display, saw
from agents.tools.atomic.targets import prepared, write_all
from agents.tools.reach import Reach
from agents.tools.tool import ToolResult
from tests.agents.tools.atomic.test_edit_cases import FailingFiles
from tests.agents.tools.atomic.test_write import Complaining
from tests.agents.tools.hands import Hands

GREET = "def greet(name):\n    print(name)\ngreet('world')\n"


def seen(hands: Hands, path: str, text: str | bytes) -> str:
    """Put a file there and let the session see it: its header."""
    hands.put({path: text})
    data = (hands.root / path).read_bytes()
    return f"[{path}#{saw(hands.context(), path, data.decode()).tag}]"


def edit(script: str) -> Edit:
    return Edit.parse({"input": script})


async def run(hands: Hands, script: str) -> ToolResult:
    return await edit(script).run(hands.context())


async def refusal(hands: Hands, script: str) -> str:
    before = hands.files()
    with pytest.raises(ToolError) as refused:
        await run(hands, script)
    assert hands.files() == before
    return str(refused.value)


async def test_the_result_shows_the_new_header_and_a_numbered_difference(hands: Hands) -> None:
    head = seen(hands, "greet.py", GREET)
    result = await run(hands, f'{head}\nreplace 2..2:\n+    print(f"Hello, {{name}}")\ninsert tail:\n+# done')
    tag = tag_of((hands.root / "greet.py").read_text())
    assert result.output.split("\n") == [
        f"[greet.py#{tag}]",
        "1 def greet(name):",
        "-2     print(name)",
        '+2     print(f"Hello, {name}")',
        " 3 greet('world')",
        "+4 # done",
    ]
    (change,) = result.changes
    assert (change.path, change.change, change.added, change.removed) == ("greet.py", "modified", 2, 1)
    assert result.metadata["diff"] == result.output.split("\n", 1)[1]
    assert result.metadata["patch"].startswith("--- greet.py\n+++ greet.py\n@@ -1,3 +1,4 @@\n def greet(name):\n-    print(name)\n")
    assert (result.metadata["firstChangedLine"], result.metadata["noop"]) == (2, False)


async def test_the_new_tag_is_good_for_the_next_edit(hands: Hands) -> None:
    head = seen(hands, "a.txt", "a\nb\n")
    result = await run(hands, f"{head}\ninsert head:\n+x")
    result = await run(hands, f"{result.output.split(chr(10))[0]}\ndelete 1")
    assert (hands.root / "a.txt").read_text() == "a\nb\n"
    assert result.error is None


async def test_far_changes_are_shown_apart(hands: Hands) -> None:
    head = seen(hands, "a.txt", "".join(f"{n}\n" for n in range(1, 31)))
    result = await run(hands, f"{head}\nreplace 2:\n+two\ndelete 20")
    assert "\n  6 6\n ...\n 16 16\n" in result.output
    assert "\n-20 20\n" in result.output


async def test_blocks_are_told_with_their_lines(hands: Hands) -> None:
    head = seen(hands, "greet.py", GREET)
    body = "replace block 1:\n+def greet():\n+    pass\ninsert after block 3:\n+greet()"
    result = await run(hands, f"{head}\n{body}")
    told = ["replace block 1 → resolved lines 1-2 (2 lines)", "insert after block 3 → resolved lines 3-3 (1 line); body lands after line 3"]
    assert result.output.split("\n")[1:3] == told == result.metadata["sections"][0]["blocks"]


async def test_several_files_are_edited_with_one_call(hands: Hands) -> None:
    one, other = seen(hands, "b.txt", "b\n"), seen(hands, "src/a.txt", "a\n")
    result = await run(hands, f"{one}\nreplace 1:\n+B\n{other}\nreplace 1:\n+A")
    assert hands.files() == {"b.txt": b"B\n", "src/a.txt": b"A\n"}
    assert re.fullmatch(r"\[b\.txt#\w{4}\]\n-1 b\n\+1 B\n\n\[src/a\.txt#\w{4}\]\n-1 a\n\+1 A", result.output)
    assert [change.path for change in result.changes] == ["b.txt", "src/a.txt"]


async def test_nothing_is_written_when_one_section_does_not_fit(hands: Hands) -> None:
    one, other = seen(hands, "a.txt", "a\n"), seen(hands, "b.txt", "b\n")
    assert "Line 9 does not exist" in await refusal(hands, f"{one}\nreplace 1:\n+A\n{other}\ndelete 9")


async def test_a_full_disk_in_the_middle_is_told_file_by_file(hands: Hands) -> None:
    heads = [seen(hands, f"{name}.txt", f"{name}\n") for name in "abc"]
    hands.sandbox.files = FailingFiles(hands.sandbox.files, ["b.txt"])
    result = await run(hands, "\n".join(f"{head}\nreplace 1:\n+new" for head in heads))
    assert result.error
    assert "Failed to write b.txt: No space left on device." in result.error
    assert "already written: a.txt." in result.error
    assert "not written: b.txt, c.txt." in result.error
    assert hands.files() == {"a.txt": b"new\n", "b.txt": b"b\n", "c.txt": b"c\n"}
    assert [change.path for change in result.changes] == ["a.txt"]
    assert result.output.startswith("[a.txt#")


async def test_line_ends_and_the_byte_order_mark_stay(hands: Hands) -> None:
    head = seen(hands, "a.txt", b"\xef\xbb\xbfa\r\nb\r\n")
    await run(hands, f"{head}\r\nreplace 2:\r\n+B\r\n+C\r\n")
    assert (hands.root / "a.txt").read_bytes() == b"\xef\xbb\xbfa\r\nB\r\nC\r\n"


async def test_the_same_edit_without_effect_ends_in_an_error(hands: Hands) -> None:
    script = f"{seen(hands, 'a.txt', 'a' + chr(10))}\nreplace 1:\n+a"
    first, second = await run(hands, script), await run(hands, script)
    assert "produced no change" in first.output
    assert first.metadata["noop"]
    assert "No-op count for this identical edit: 2." in second.output
    assert (await refusal(hands, script)).startswith("STOP")
    assert first.changes == second.changes == ()


async def test_a_stale_edit_is_refused_and_the_file_as_it_is_now_can_be_named(hands: Hands) -> None:
    head = seen(hands, "a.txt", "a\nb\n")
    hands.put({"a.txt": "A\nb\n"})
    said = await refusal(hands, f"{head}\nreplace 1:\n+x")
    assert "changed between read and edit" in said
    assert tag_of("A\nb\n") in said
    await run(hands, f"[a.txt#{tag_of('A' + chr(10) + 'b' + chr(10))}]\nreplace 1:\n+x")
    assert hands.files() == {"a.txt": b"x\nb\n"}


async def test_a_file_that_changes_before_it_is_written_is_left_alone_and_all_others_too(hands: Hands) -> None:
    one, other = seen(hands, "a.txt", "a\n"), seen(hands, "b.txt", "b\n")
    targets = prepared(parse(f"{one}\nreplace 1:\n+A\n{other}\nreplace 1:\n+B"), hands.context(), Edit.finder)
    hands.put({"b.txt": "somebody else's\n"})
    with pytest.raises(ToolError, match=r"Stale hashline tag for b\.txt: file content changed"):
        write_all(targets, hands.context())
    assert hands.files() == {"a.txt": b"a\n", "b.txt": b"somebody else's\n"}


async def test_guessing_a_hash_twice_does_not_help(hands: Hands) -> None:
    hands.put({"a.txt": "a\n"})
    for _ in range(2):
        assert "not from this session" in await refusal(hands, f"[a.txt#{tag_of('a' + chr(10))}]\nreplace 1:\n+x")


async def test_a_preview_changes_nothing_and_remembers_nothing(hands: Hands) -> None:
    head = seen(hands, "a.txt", "a\nb\n")
    assert edit(f"{head}\nreplace 1:\n+x").preview(hands.context()) == "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n"
    hands.put({"a.txt": "A\nb\n"})
    assert edit(f"{head}\nreplace 1:\n+x").preview(hands.context()) == ""
    assert edit("nonsense").preview(hands.context()) == ""
    assert len(hands.reach.snapshots.versions("a.txt")) == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("no.txt", None, "ENOENT"),
        ("folder", None, "EISDIR"),
        ("bin", b"a\0b", "not text"),
        ("latin", b"\xe9", "not UTF-8"),
        (".git/config", "x", ".git"),
    ],
)
async def test_what_cannot_be_edited_is_named(hands: Hands, name: str, text: str | bytes | None, said: str) -> None:
    hands.put({"folder/x": "x", **({name: text} if text is not None else {})})
    message = await refusal(hands, f"[{name}#1A2B]\nreplace 1:\n+x")
    assert f"Could not edit file: {name}" in message
    assert said in message


@pytest.mark.parametrize("path", ["../out.txt", "/etc/passwd", "local://../out.txt", "link.txt"])
async def test_paths_that_leave_the_workspace_are_refused(hands: Hands, path: str) -> None:
    (hands.root / "link.txt").symlink_to("/etc/hostname")
    with pytest.raises(ToolError, match="Could not edit file"):
        await run(hands, f"[{path}#1A2B]\ninsert head:\n+x")


async def test_a_file_too_large_for_tags_is_refused(hands: Hands) -> None:
    hands.put({"big.txt": b"x\n"})
    os.truncate(hands.root / "big.txt", LARGEST_TAGGED + 1)
    assert "larger than 16 MiB" in await refusal(hands, "[big.txt#1A2B]\ninsert head:\n+x")


async def test_a_link_is_edited_where_it_leads_and_named_so(hands: Hands) -> None:
    seen(hands, "real.txt", "a\n")
    (hands.root / "link.txt").symlink_to("real.txt")
    result = await run(hands, f"[link.txt#{tag_of('a' + chr(10))}]\nreplace 1:\n+b")
    assert result.output.startswith("[real.txt#")
    assert hands.files() == {"real.txt": b"b\n"}
    assert display(hands.context(), "link.txt") == "real.txt"


async def test_one_file_by_two_names_is_refused_but_its_full_path_is_no_other_name(hands: Hands) -> None:
    head = seen(hands, "a.txt", "a\nb\n")
    (hands.root / "link.txt").symlink_to("a.txt")
    full = head.replace("[", f"[{hands.root}/")
    assert "resolve to the same file" in await refusal(hands, f"{head}\ndelete 1\n{head.replace('a.txt', 'link.txt')}\ndelete 2")
    await run(hands, f"{head}\nreplace 1:\n+A\n{full}\nreplace 2:\n+B")
    assert hands.files() == {"a.txt": b"A\nB\n"}


async def test_a_local_address_is_the_workspace_file(hands: Hands) -> None:
    head = seen(hands, "notes/a.txt", "a\n")
    tool = edit(f"{head.replace('[', '[local://')}\nreplace 1:\n+b")
    assert tool.subject(hands.context()) == "notes/a.txt"
    await tool.run(hands.context())
    assert hands.files() == {"notes/a.txt": b"b\n"}


async def test_a_notebook_is_edited_as_its_cells(hands: Hands) -> None:
    cell = {"cell_type": "code", "id": "c", "execution_count": 3, "metadata": {"k": 1}, "outputs": [], "source": ["a = 1\n", "b = 2"]}
    notebook: dict[str, Any] = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5, "more": {"kept": True}}
    hands.put({"n.ipynb": json.dumps(notebook)})
    text = "# %% [code] cell:0\na = 1\nb = 2"
    tag = saw(hands.context(), "n.ipynb", text).tag
    result = await run(hands, f"[n.ipynb#{tag}]\nreplace 3:\n+b = 3\n+c = 4")
    after = json.loads((hands.root / "n.ipynb").read_text())
    assert "".join(after["cells"][0]["source"]) == "a = 1\nb = 3\nc = 4"
    assert (after["more"], after["cells"][0]["metadata"]) == ({"kept": True}, {"k": 1})
    assert result.output.startswith(f"[n.ipynb#{tag_of('# %% [code] cell:0' + chr(10) + 'a = 1' + chr(10) + 'b = 3' + chr(10) + 'c = 4')}]")


async def test_a_notebook_read_as_json_is_edited_as_json(hands: Hands) -> None:
    head = seen(hands, "n.ipynb", '{\n "cells": [],\n "nbformat": 4\n}\n')
    await run(hands, f'{head}\nreplace 3:\n+ "nbformat": 5')
    assert json.loads((hands.root / "n.ipynb").read_text())["nbformat"] == 5


async def test_warnings_stand_below_the_header(hands: Hands) -> None:
    head = seen(hands, "a.txt", "a\nb\n")
    result = await run(hands, f"{head}\nreplace 1:\nbare")
    assert result.output.split("\n")[1].startswith("Auto-prefixed bare body row")
    assert result.metadata["sections"][0]["warnings"] == [result.output.split("\n")[1]]


def test_rules_judge_every_file_of_a_call(hands: Hands) -> None:
    tool = edit("[src/a.py#1A2B]\ndelete 1\n[./b.py#1A2B]\ndelete 1\n[../c#1A2B]\ndelete 1")
    assert tool.parts(hands.context()) == [("edit", "src/a.py"), ("edit", "b.py"), ("edit", "../c")]
    assert tool.subject(hands.context()) == "{../c,b.py,src/a.py}"
    assert tool.prompt(hands.context()) == "Edit 3 files: src/a.py, b.py, ../c"
    assert edit("nonsense").parts(hands.context()) == [("edit", "")]


def test_in_plan_mode_only_the_plans_own_file_may_be_edited(hands: Hands) -> None:
    hands.put({"PLAN.md": "x\n"})
    hands.plan = PlanState("planning", plan_file="PLAN.md")
    assert edit("[PLAN.md#1A2B]\ndelete 1").plan_file(hands.context())
    assert not edit("[PLAN.md#1A2B]\ndelete 1\n[a.txt#1A2B]\ndelete 1").plan_file(hands.context())
    assert not edit("nonsense").plan_file(hands.context())


def test_the_only_parameter_is_the_script() -> None:
    parameters = Edit.parameters()
    assert (list(parameters["properties"]), parameters["required"]) == (["input"], ["input"])


async def test_what_an_edit_breaks_is_told(hands: Hands) -> None:
    head = seen(hands, "a.py", "fine\n")
    hands.reach = Reach(code=Complaining(hands), snapshots=hands.reach.snapshots)
    result = await run(hands, f"{head}\nreplace 1:\n+BAD")
    assert result.output.endswith("LSP diagnostics for a.py:\n- error at 1:1: this is BAD")
    assert result.metadata["lsp_diagnostics"] == ["a.py:1:1: error: this is BAD"]


async def test_headers_that_other_tools_show_can_be_used_at_once(hands: Hands) -> None:
    written = await hands.call("write", path="src/a.txt", content="one\ntwo\n")
    edited = await hands.call("edit", input=f"{written.output.splitlines()[0]}\nreplace 1:\n+ONE")
    hands.put({"src/b.txt": "two\n"})
    found = await hands.call("search", pattern="two", paths=["src/b.txt"])
    shown = await hands.call("read", path="src/a.txt")
    heads = [re.findall(r"\[src/\w\.txt#\w{4}\]", result.output)[0] for result in (found, shown)]
    both = await hands.call("edit", input="".join(f"{head}\ninsert tail:\n+end\n" for head in heads))
    assert (edited.error, both.error, both.metadata["sections"][0]["recovered"]) == (None, None, False)
    assert hands.files() == {"src/a.txt": b"ONE\ntwo\nend\n", "src/b.txt": b"two\nend\n"}
