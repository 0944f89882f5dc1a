"""write_file, append_file and edit_file: one file, byte for byte."""

from __future__ import annotations

import asyncio
import codecs
from typing import Any

import pytest

from agents.plan import PlanState
from agents.tools.registry import toolset
from tests.agents.tools.hands import Hands

WRITERS = {"write_file": {"content": "x"}, "append_file": {"content": "x"}, "edit_file": {"content": "<old>a</old><new>b</new>"}}


def edit(old: str, new: str) -> str:
    return f"<old>{old}</old><new>{new}</new>"


# --- write_file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "bytes_after"),
    [
        ("again", b"again\n"), ("again\n", b"again\n"), ("a\n\n\n", b"a\n\n\n"), ("", b"\n"), ("a\r\nb", b"a\r\nb\r\n"),
        ("  indented\n", b"  indented\n"), ("ä — 🙂", "ä — 🙂\n".encode()), ("x" * 200_000, b"x" * 200_000 + b"\n"),
    ],
)  # fmt: skip
async def test_a_file_is_written_as_given_with_a_newline_at_its_end(content: str, bytes_after: bytes, hands: Hands) -> None:
    result = await hands.call("write_file", path="n/a.txt", content=content)
    assert result.error is None
    assert hands.files() == {"n/a.txt": bytes_after}
    assert result.metadata["byte_count"] == len(bytes_after)
    assert result.metadata["is_new"]


async def test_a_file_that_is_there_is_replaced_and_the_change_told(hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo\n"})
    result = await hands.call("write_file", path="a.txt", content="one\n2")
    assert result.output == "Wrote a.txt (2 lines)"
    assert [(change.path, change.change, change.added, change.removed) for change in result.changes] == [("a.txt", "modified", 1, 1)]
    assert (await hands.call("write_file", path="a.txt", content="one\n2\n")).changes == ()


async def test_a_placeholder_whose_section_never_came_is_no_content(hands: Hands) -> None:
    hands.put({"a.txt": "a\n"})
    for tool in WRITERS:
        result = await hands.call(tool, path="a.txt", content="FILE_CONTENT_#1")
        assert "placeholder FILE_CONTENT_#1" in str(result.error)
    assert hands.files() == {"a.txt": b"a\n"}
    assert (await hands.call("write_file", path="a.txt", content="See FILE_CONTENT_#1")).error is None


@pytest.mark.parametrize("tool", WRITERS)
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../out.txt", "out.txt"),
        ("/etc/passwd", "/etc/passwd"),
        ("folder", "folder"),
        ("a.txt/below", "a.txt/below"),
        (".git/config", ".git"),
    ],
)
async def test_what_cannot_be_written_is_refused_by_name(tool: str, path: str, said: str, hands: Hands) -> None:
    hands.put({"a.txt": "a\n", "folder/b.txt": "a\n", ".git/config": "a\n"})
    before = hands.files()
    result = await hands.call(tool, path=path, **WRITERS[tool])
    assert said in str(result.error)
    assert hands.files() == before


async def test_half_a_character_is_refused_and_nothing_written(hands: Hands) -> None:
    assert "half a character" in str((await hands.call("write_file", path="a.txt", content="\ud800")).error)
    assert hands.files() == {}


@pytest.mark.parametrize("tool", WRITERS)
async def test_a_link_that_leads_outside_is_not_followed(tool: str, hands: Hands) -> None:
    outside = hands.root.parent / "outside.txt"
    outside.write_text("a\n")
    (hands.root / "link.txt").symlink_to(outside)
    assert (await hands.call(tool, path="link.txt", **WRITERS[tool])).error is not None
    assert outside.read_text() == "a\n"


@pytest.mark.parametrize("tool", WRITERS)
async def test_where_nothing_may_be_changed_nothing_is(tool: str, hands: Hands) -> None:
    hands.put({"a.txt": "a\n"})
    bound = Hands(hands.root, toolset="atloop", writable=False)
    assert "read-only" in str((await bound.call(tool, path="a.txt", **WRITERS[tool])).error)


# --- append_file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"one\n", "two", b"one\ntwo"), (b"one\n", "two\n\n", b"one\ntwo\n\n"), (b"one", "two", b"onetwo"), (b"", "x", b"x"),
        (b"one\r\n", "two\r\n", b"one\r\ntwo\r\n"), (b"caf\xe9\n", "x", b"caf\xe9\nx"), (b"one\n", "", b"one\n"),
    ],
)  # fmt: skip
async def test_text_is_appended_byte_for_byte(before: bytes, content: str, after: bytes, hands: Hands) -> None:
    hands.put({"a.txt": before})
    assert (await hands.call("append_file", path="a.txt", content=content)).error is None
    assert hands.files() == {"a.txt": after}


async def test_a_line_that_is_continued_is_told_of(hands: Hands) -> None:
    hands.put({"a.txt": "one", "b.txt": "one\n"})
    assert "continues its last line" in (await hands.call("append_file", path="a.txt", content="two")).output
    assert "continues" not in (await hands.call("append_file", path="b.txt", content="two")).output


async def test_nothing_is_appended_to_a_binary_file(hands: Hands) -> None:
    hands.put({"a.bin": b"\0\1"})
    assert "binary" in str((await hands.call("append_file", path="a.bin", content="x")).error)
    assert hands.files() == {"a.bin": b"\0\1"}


async def test_what_many_append_at_once_is_all_there(hands: Hands) -> None:
    hands.put({"log.txt": ""})
    await asyncio.gather(*(hands.call("append_file", path="log.txt", content=f"{number}\n") for number in range(20)))
    assert sorted(map(int, hands.files()["log.txt"].split())) == list(range(20))


# --- edit_file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"one\ntwo\nthree\n", "two", "2", b"one\n2\nthree\n"),
        (b"one\ntwo\nthree\n", "two", "", b"one\nthree\n"),
        (b"one\ntwo\nthree\n", "two\n", "", b"one\nthree\n"),
        (b"one two\nthree\n", " two", "", b"one\nthree\n"),
        (b"one\ntwo", "two", "", b"one\n"),
        (b"one\n", "one", "", b"\n"),
        (b"one\r\ntwo\r\n", "one\ntwo", "1\n2\n3", b"1\r\n2\r\n3\r\n"),
        (b"one\r\ntwo", "two", "2", b"one\r\n2\r\n"),
        (b"one\r\ntwo\r\nthree\r\n", "two", "", b"one\r\nthree\r\n"),
        (codecs.BOM_UTF8 + b"one\n", "one", "two", codecs.BOM_UTF8 + b"two\n"),
        (b"a\rb\n", "b", "c", b"a\rc\n"),
        ("grün\n".encode(), "grün", "blau 🙂", "blau 🙂\n".encode()),
        (b"one\n\n\n", "one", "two", b"two\n\n\n"),
    ],
)
async def test_an_edit_changes_what_it_names_and_nothing_else(before: bytes, old: str, new: str, after: bytes, hands: Hands) -> None:
    hands.put({"a.txt": before})
    result = await hands.call("edit_file", path="a.txt", content=edit(old, new))
    assert (result.error, hands.files()) == (None, {"a.txt": after})
    assert result.metadata["operation"] == ("update" if new else "delete")


async def test_a_replacement_is_summed_up(hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo\nthree\n"})
    assert (await hands.call("edit_file", path="a.txt", content=edit("two", "2\n2b"))).output == (
        "Updated file: +2 lines, -1 lines (at line 2)."
    )
    assert (await hands.call("edit_file", path="a.txt", content=edit("2\n2b", ""))).output == "Updated file: removed 2 lines (at line 2)."


async def test_all_places_are_replaced_where_that_is_asked_for(hands: Hands) -> None:
    hands.put({"a.txt": "x x\nx\n"})
    result = await hands.call("edit_file", path="a.txt", content=edit("x", "y"), replace_all=True)
    assert (result.error, result.metadata["replace_all"]) == (None, True)
    assert "(3 places)" in result.output
    assert hands.files() == {"a.txt": b"y y\ny\n"}


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (edit("nowhere", "x"), "old_string not found"),
        (edit("\none\n", "x"), "line ends next to the tags"),
        (edit("", "x"), "is empty"),
        (edit("one", "one"), "the same"),
        ("one -> two", "<old>text to replace</old>"),
        ("<old>one</old>", "<old>text to replace</old>"),
        ("<new>one</new>", "<old>text to replace</old>"),
        ("<old>one<new>two</new>", "<old>text to replace</old>"),
        (edit("one", "1") + edit("two", "2"), "2 ways"),
        ("Here it is: " + edit("one", "1"), "nothing else"),
    ],
)
async def test_an_edit_that_makes_no_sense_says_why_and_changes_nothing(content: str, said: str, every: bool, hands: Hands) -> None:
    hands.put({"a.txt": "one\ntwo\n"})
    result = await hands.call("edit_file", path="a.txt", content=content, replace_all=every)
    assert said in str(result.error)
    assert hands.files() == {"a.txt": b"one\ntwo\n"}


async def test_several_places_are_named_by_line(hands: Hands) -> None:
    hands.put({"a.txt": "x\ny\nx\n"})
    result = await hands.call("edit_file", path="a.txt", content=edit("x", "z"))
    assert "found 2 times (at lines 1, 3)" in str(result.error)


@pytest.mark.parametrize(
    ("content", "before", "after"),
    [
        ("<new>2</new>\n<old>one</old>\n", b"one\n", b"2\n"),
        ("  <old>one</old>\n\n<new>2</new>", b"one\n", b"2\n"),
        (edit("<old>one</old>", "<b>one</b>"), b"<old>one</old>\n", b"<b>one</b>\n"),
        (edit("a</new>", "b<new>"), b"a</new>\n", b"b<new>\n"),
        (edit("one", "<old>1</old>"), b"one\n", b"<old>1</old>\n"),
    ],
)
async def test_tags_within_the_texts_are_text(content: str, before: bytes, after: bytes, hands: Hands) -> None:
    hands.put({"a.txt": before})
    assert (await hands.call("edit_file", path="a.txt", content=content)).error is None
    assert hands.files() == {"a.txt": after}


@pytest.mark.parametrize(("data", "said"), [(b"a\0b", "binary"), (b"caf\xe9 one\n", "not UTF-8")])
async def test_what_is_no_text_is_not_edited(data: bytes, said: str, hands: Hands) -> None:
    hands.put({"a.txt": data})
    assert said in str((await hands.call("edit_file", path="a.txt", content=edit("a", "b"))).error)
    assert hands.files() == {"a.txt": data}


async def test_a_file_that_is_not_there_is_not_edited(hands: Hands) -> None:
    assert "File not found: b.txt" in str((await hands.call("edit_file", path="b.txt", content=edit("a", "b"))).error)


async def test_edits_at_once_of_one_file_are_all_kept(hands: Hands) -> None:
    hands.put({"a.txt": "".join(f"<{number}>\n" for number in range(20))})
    calls = (hands.call("edit_file", path="a.txt", content=edit(f"<{number}>", f"done {number}")) for number in range(20))
    assert [result.error for result in await asyncio.gather(*calls)] == [None] * 20
    assert hands.files()["a.txt"] == "".join(f"done {number}\n" for number in range(20)).encode()


# --- permission --------------------------------------------------------------------------------------------------------


def arguments(tool: str, path: str) -> dict[str, Any]:
    return {"path": path, **WRITERS[tool]}


@pytest.mark.parametrize(("tool", "prompt"), [("write_file", "Write"), ("append_file", "Append to"), ("edit_file", "Edit")])
def test_people_are_asked_with_the_path_and_the_change(tool: str, prompt: str, hands: Hands) -> None:
    hands.put({"sub/a.txt": "a\n"})
    call = hands.tool(tool, arguments(tool, "sub/../sub/a.txt"))
    assert call.requires_permission(hands.context()) == f"{prompt} file: sub/a.txt"
    assert call.subject(hands.context()) == "sub/a.txt"
    preview = call.preview(hands.context())
    assert preview.startswith("--- a/sub/a.txt\n+++ b/sub/a.txt\n")
    assert hands.files() == {"sub/a.txt": b"a\n"}
    assert toolset("atloop")[tool].mutates


@pytest.mark.parametrize("tool", WRITERS)
def test_there_is_no_preview_of_what_cannot_be_done(tool: str, hands: Hands) -> None:
    assert hands.tool(tool, arguments(tool, "../a.txt")).preview(hands.context()) == ""


@pytest.mark.parametrize("tool", WRITERS)
def test_the_plan_file_alone_is_free_while_planning(tool: str, hands: Hands) -> None:
    hands.put({".coder/plan.md": "a", "other.md": "a"})
    plan, other = (hands.tool(tool, arguments(tool, path)) for path in (".coder/plan.md", "other.md"))
    assert not plan.plan_file(hands.context())
    hands.plan = PlanState("planning", plan_file=".coder/plan.md")
    assert plan.plan_file(hands.context())
    assert not other.plan_file(hands.context())


@pytest.mark.parametrize("tool", WRITERS)
async def test_a_file_that_would_fill_the_memory_is_neither_previewed_nor_changed(tool: str, hands: Hands) -> None:
    with (hands.root / "holes").open("wb") as file:
        file.truncate(2**33)
    assert hands.tool(tool, arguments(tool, "holes")).preview(hands.context()) == ""
    assert "too much to be changed here" in str((await hands.call(tool, **arguments(tool, "holes"))).error)
    assert (hands.root / "holes").stat().st_size == 2**33
