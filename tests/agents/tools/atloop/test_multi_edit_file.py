"""multi_edit_file: all of it, or none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents.edits.patching import Outcome
from agents.errors import ToolError
from agents.plan import PlanState
from agents.sandboxes.sandbox import Files
from agents.tools.putting import put_all
from tests.agents.tools.hands import Hands


def one(path: str, old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"path": path, "old_string": old, "new_string": new, **more}


async def test_files_change_together_and_are_counted(hands: Hands) -> None:
    hands.put({"a.txt": "x\n", "b.txt": "x", "c.txt": "x\r\n"})
    result = await hands.call("multi_edit_file", edits=[one(f"{name}.txt", "x", name) for name in "abc"])
    assert result.output == "Successfully edited 3 file(s):\n  - a.txt\n  - b.txt\n  - c.txt"
    assert hands.files() == {"a.txt": b"a\n", "b.txt": b"b\n", "c.txt": b"c\r\n"}
    assert result.metadata == {
        "successful_edits": 3, "failed_edits": 0, "total_edits": 3, "edited_files": ["a.txt", "b.txt", "c.txt"],
    }  # fmt: skip
    assert [change.path for change in result.changes] == ["a.txt", "b.txt", "c.txt"]


async def test_later_edits_see_what_earlier_ones_did_however_the_path_is_spelt(hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo\n"})
    (hands.root / "link.txt").symlink_to("a.txt")
    edits = [one("a.txt", "one", "1"), one("./a.txt", "1\ntwo", "12"), one("link.txt", "12", "3")]
    result = await hands.call("multi_edit_file", edits=edits)
    assert (result.error, result.metadata["edited_files"]) == (None, ["a.txt"])
    assert hands.files() == {"a.txt": b"3\n"}
    assert len(result.changes) == 1


async def test_a_file_is_created_and_may_be_edited_at_once(hands: Hands) -> None:
    result = await hands.call("multi_edit_file", edits=[one("new/a.txt", "", "one"), one("new/a.txt", "one", "two")])
    assert result.error is None
    assert hands.files() == {"new/a.txt": b"two\n"}
    assert [change.change for change in result.changes] == ["created"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (one("b.txt", "nowhere", "x"), "old_string not found"),
        (one("b.txt", "x", "y"), "found 2 times"),
        (one("b.txt", "x", "x"), "the same"),
        (one("b.txt", "", "y"), "is there already"),
        (one("gone.txt", "x", "y"), "File not found"),
        (one("../out.txt", "", "y"), "out.txt"),
        (one("folder", "x", "y"), "is a folder"),
        (one("bin", "x", "y"), "binary"),
        (one("b.txt", "x x", "FILE_CONTENT_#2"), "placeholder"),
        (one("new.txt", "", "\ud800"), "half a character"),
    ],
)
async def test_one_that_does_not_fit_keeps_all_from_being_made(edit: dict[str, Any], said: str, hands: Hands) -> None:
    hands.put({"a.txt": "one\n", "b.txt": "x x\n", "folder/c.txt": "x\n", "bin": b"\0x"})
    before = hands.files()
    result = await hands.call("multi_edit_file", edits=[one("a.txt", "one", "1"), edit, one("a.txt", "nor this", "2")])
    assert hands.files() == before
    assert result.error == "2 of 3 edits could not be made, so none was: every file is as it was."
    assert f"Edit 2, {edit['path']}: " in result.output
    assert said in result.output
    assert "Edit 3, a.txt: old_string not found" in result.output
    assert (result.metadata["failed_edits"], result.metadata["total_edits"], result.changes) == (2, 3, ())


async def test_replace_all_is_of_one_edit_alone(hands: Hands) -> None:
    hands.put({"a.txt": "x x\n", "b.txt": "x x\n"})
    edits = [one("a.txt", "x", "y", replace_all=True), one("b.txt", "x", "y")]
    assert "Edit 2" in (await hands.call("multi_edit_file", edits=edits)).output
    assert (await hands.call("multi_edit_file", edits=edits[:1])).error is None
    assert hands.files() == {"a.txt": b"y y\n", "b.txt": b"x x\n"}


@pytest.mark.parametrize("edits", [[], "all", [{"path": "a"}], [one("a", "b", "c", replaceall=True)], [one("", "b", "c")]])
async def test_edits_that_are_none_are_refused(edits: Any, hands: Hands) -> None:
    assert "edits" in str((await hands.call("multi_edit_file", edits=edits)).error)


class FullDisk:
    """The workspace's files, on a disk that takes no more after so many writes."""

    def __init__(self, files: Files, room: int) -> None:
        self._files, self._room = files, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def write(self, path: str, data: bytes, mode: int | None = None) -> bool:
        self._room -= 1
        if self._room == -1:
            raise OSError(28, "No space left on device")
        return self._files.write(path, data, mode)


@pytest.mark.parametrize("room", [0, 1, 2])
async def test_a_write_that_fails_puts_every_file_back(room: int, hands: Hands) -> None:
    hands.put({"a.txt": "x\n", "c.txt": b"\xef\xbb\xbfx\r\n"})
    before = hands.files()
    hands.sandbox.files = FullDisk(hands.sandbox.files, room)
    result = await hands.call("multi_edit_file", edits=[one("a.txt", "x", "y"), one("b.txt", "", "new"), one("c.txt", "x", "y")])
    assert "No space left on device. No file was changed." in str(result.error)
    assert hands.files() == before


async def test_calls_that_cross_each_other_wait_for_each_other(hands: Hands) -> None:
    hands.put({"a.txt": "0\n", "b.txt": "0\n"})

    async def add(first: str, second: str) -> bool:
        now = (hands.root / first).read_text().strip()
        edits = [one(path, now, str(int(now) + 1)) for path in (first, second)]
        return (await hands.call("multi_edit_file", edits=edits)).error is None

    done = await asyncio.gather(*(add(*names) for names in [("a.txt", "b.txt"), ("b.txt", "a.txt")] * 5))
    assert hands.files()["a.txt"] == hands.files()["b.txt"] == f"{sum(done)}\n".encode()
    assert sum(done) >= 1


def test_people_see_every_path_and_the_whole_change(hands: Hands) -> None:
    hands.put({"a.txt": "x\n", "b.txt": "x\n"})
    call = hands.tool("multi_edit_file", {"edits": [one("b.txt", "x", "y"), one("./a.txt", "x", "y")]})
    context = hands.context()
    assert call.requires_permission(context) == "Make 2 edits in 2 files: a.txt, b.txt"
    assert call.subject(context) == "{a.txt,b.txt}"
    assert call.parts(context) == [("multi_edit_file", "a.txt"), ("multi_edit_file", "b.txt")]
    assert call.preview(context).count("+++ b/") == 2
    assert hands.tool("multi_edit_file", {"edits": [one("a.txt", "no", "y")]}).preview(context) == ""


def test_only_edits_of_nothing_but_the_plan_are_free_while_planning(hands: Hands) -> None:
    hands.plan = PlanState("planning", plan_file=".coder/plan.md")
    plan, other = one(".coder/plan.md", "", "x"), one("a.txt", "", "x")
    assert hands.tool("multi_edit_file", {"edits": [plan, plan]}).plan_file(hands.context())
    assert not hands.tool("multi_edit_file", {"edits": [plan, other]}).plan_file(hands.context())


async def test_what_cannot_even_be_put_back_is_named(hands: Hands) -> None:
    class Broken(FullDisk):
        def write(self, path: str, data: bytes, mode: int | None = None) -> bool:
            if path == "b.txt" or data == b"old\n":
                raise OSError(5, "Input/output error")
            return self._files.write(path, data, mode)

    hands.put({"a.txt": "old\n"})
    files = Broken(hands.sandbox.files, 9)
    with pytest.raises(ToolError, match="could not be put back: a"):
        put_all(files, [Outcome("a.txt", b"old\n", b"new\n"), Outcome("b.txt", None, b"x")])
