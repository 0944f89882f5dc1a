"""write and edit: what they put, what they refuse, and what people are shown before."""

from __future__ import annotations

import pytest

from tests.agents.tools.hands import Hands


def full(hands: Hands, path: str) -> str:
    return f"{hands.sandbox.mount.rstrip('/')}/{path}"


async def test_a_file_is_written_as_given_and_its_bytes_are_counted(hands: Hands) -> None:
    made = await hands.call("write", path="new/é.txt", content="é\n")
    assert made.output == f"Successfully wrote 3 bytes to {full(hands, 'new/é.txt')} (created)"
    assert hands.files() == {"new/é.txt": "é\n".encode()}
    again = await hands.call("write", path="é.txt", content="", cwd="new")
    assert again.output == f"Successfully wrote 0 bytes to {full(hands, 'new/é.txt')} (overwritten)"
    assert hands.files() == {"new/é.txt": b""}
    assert (await hands.call("write", path="new/é.txt", content="")).changes == ()
    assert [change.change for change in (*made.changes, *again.changes)] == ["created", "modified"]


async def test_one_place_is_edited_and_counted(hands: Hands) -> None:
    hands.put({"d/a.txt": b"one\r\ntwo\r\nthree\r\n"})
    result = await hands.call("edit", path="a.txt", old_text="one\ntwo", new_text="1\n2", cwd="d")
    assert result.output == f"Successfully replaced text in {full(hands, 'd/a.txt')} (1 replacement)"
    assert result.metadata["replacements"] == 1
    assert hands.files() == {"d/a.txt": b"1\r\n2\r\nthree\r\n"}
    assert (result.changes[0].path, result.changes[0].added, result.changes[0].removed) == ("d/a.txt", 2, 2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("One", "x", "Could not find the exact text in a.txt"),
        ("one ", "x", "Could not find the exact text in a.txt"),
        ("o", "x", r"Found 3 occurrences of the text in a.txt (lines 1, 2, 3)"),
        ("", "x", "old_text is empty"),
        ("one", "one", "nothing to change"),
    ],
)
async def test_an_edit_that_is_not_clear_changes_nothing(hands: Hands, old: str, new: str, said: str) -> None:
    hands.put({"a.txt": "one\ntwo\nfour\n"})
    result = await hands.call("edit", path="a.txt", old_text=old, new_text=new)
    assert (result.error or "").startswith("Tool execution error: ")
    assert said in (result.error or "")
    assert hands.files() == {"a.txt": b"one\ntwo\nfour\n"}


async def test_nothing_is_written_outside(hands: Hands) -> None:
    (hands.root / "out").symlink_to(hands.root.parent)
    for path, cwd in (("../x", ""), ("x", ".."), ("x", "out"), ("/tmp/x", ""), ("~/x", ""), ("x", "~"), (".git/config", "")):
        for name, more in {"write": {"content": "x"}, "edit": {"old_text": "a", "new_text": "b"}}.items():
            result = await hands.call(name, path=path, cwd=cwd, **more)
            assert (result.error or "").startswith("Tool execution error: "), (name, path, cwd)
    assert hands.files() == {}
    assert sorted(one.name for one in hands.root.parent.iterdir()) == ["workspace"]


async def test_people_see_the_change_before_it_is_made(hands: Hands) -> None:
    hands.put({"d/a.txt": "one\n"})
    write = hands.tool("write", {"path": "a.txt", "content": "two\n", "cwd": "d"})
    edit = hands.tool("edit", {"path": "d/a.txt", "old_text": "one", "new_text": "two"})
    unclear = hands.tool("edit", {"path": "d/a.txt", "old_text": "zero", "new_text": "two"})
    for tool in (write, edit):
        assert tool.subject(hands.context()) == "d/a.txt"
        assert "-one\n+two" in tool.preview(hands.context())
    assert unclear.preview(hands.context()) == ""


async def test_the_plans_own_file_may_be_written_while_planning(hands: Hands) -> None:
    await hands.call("plan_enter", reason="First a plan", plan_file=".coder/plan.md")
    plan = hands.tool("write", {"path": "plan.md", "cwd": ".coder", "content": ""})
    assert plan.plan_file(hands.context())
    assert not hands.tool("write", {"path": "plan.md", "content": ""}).plan_file(hands.context())
