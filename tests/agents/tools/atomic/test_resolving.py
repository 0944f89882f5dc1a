from __future__ import annotations

from pathlib import Path

import pytest

from agents.edits.conflicts import regions
from agents.edits.hashline.tags import tag_of
from agents.tools.atomic.conflicts import KEY, MOST, register, standing
from agents.tools.reach import Reach
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands


def conflict(ours: str = "ours", theirs: str = "theirs", base: str | None = None) -> str:
    middle = "" if base is None else f"||||||| 1a2b3c\n{base}\n"
    return f"<<<<<<< HEAD\n{ours}\n{middle}=======\n{theirs}\n>>>>>>> topic\n"


TWO = f"a\n{conflict('o1', 't1')}b\n{conflict('o2', 't2', 'b2')}c\n"


def shown(hands: Hands, path: str) -> list[int]:
    """As `read PATH:conflicts` does."""
    return register(hands.context(), path, regions((hands.root / path).read_text()))


async def write(hands: Hands, url: str, content: str) -> ToolResult:
    result = await hands.call("write", path=url, content=content)
    assert result.error is None
    return result


async def refused(hands: Hands, url: str, content: str = "@ours") -> str:
    before = hands.files()
    result = await hands.call("write", path=url, content=content)
    assert hands.files() == before
    assert result.error
    return result.error


def text(hands: Hands, path: str = "a.txt") -> str:
    return hands.files()[path].decode()


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("@ours", "o2\n"),
        (" @theirs\n", "t2\n"),
        ("@base", "b2\n"),
        ("mine", "mine\n"),
        ("mine\n", "mine\n"),
        ("mine\n\n", "mine\n\n"),
        ("two\r\nlines\r\n", "two\nlines\n"),
        ("", ""),
        ("\n", ""),
        ("@OURS", "@OURS\n"),
        ("keep @ours", "keep @ours\n"),
    ],
)
async def test_a_conflict_becomes_a_side_or_the_text(hands: Hands, content: str, left: str) -> None:
    hands.put({"a.txt": TWO})
    assert shown(hands, "a.txt") == [1, 2]
    await write(hands, "conflict://2", content)
    assert text(hands) == f"a\n{conflict('o1', 't1')}b\n{left}c\n"


async def test_the_result_has_a_fresh_header(hands: Hands) -> None:
    hands.put({"src/a.txt": conflict()})
    shown(hands, "src/a.txt")
    result = await write(hands, "conflict://1", "@theirs")
    assert result.output == f"Resolved conflict 1\n[src/a.txt#{tag_of('theirs' + chr(10))}]"
    assert result.metadata == {
        "kind": "conflict", "resolvedPath": f"{hands.sandbox.mount}/src/a.txt", "tag": tag_of("theirs\n"), "bytes": 7,
        "resolved": [1], "files": [{"path": "src/a.txt", "tag": tag_of("theirs\n")}],
    }  # fmt: skip
    assert [(change.path, change.removed) for change in result.changes] == [("src/a.txt", 4)]
    assert hands.reach.snapshots.versions("src/a.txt")[0].text == "theirs\n"


async def test_where_the_merge_kept_no_base_it_is_empty(hands: Hands) -> None:
    hands.put({"a.txt": f"a\n{conflict()}b\n"})
    await write(hands, "conflict://1", "@base")
    assert text(hands) == "a\nb\n"


async def test_all_are_resolved_at_once(hands: Hands) -> None:
    hands.put({"b/b.txt": TWO, "a.txt": conflict()})
    result = await write(hands, "conflict://*", "@ours")
    assert (text(hands), text(hands, "b/b.txt")) == ("ours\n", "a\no1\nb\no2\nc\n")
    assert result.output.splitlines()[:2] == ["Resolved 3 conflicts", "Snapshots:"]
    assert result.output.splitlines()[2:] == [f"[{path}#{tag_of(text(hands, path))}]" for path in ("a.txt", "b/b.txt")]
    assert [change.path for change in result.changes] == ["a.txt", "b/b.txt"]


async def test_all_means_those_that_were_shown(hands: Hands) -> None:
    hands.put({"a.txt": conflict(), "b.txt": conflict()})
    shown(hands, "b.txt")
    assert (await write(hands, "conflict://*", "@ours")).output.startswith("Resolved 1 conflict\n")
    assert (text(hands), text(hands, "b.txt")) == (conflict(), "ours\n")


async def test_numbers_stay_while_others_are_resolved(hands: Hands) -> None:
    hands.put({"a.txt": conflict("o1", "t1") + conflict("o2", "t2") + conflict("o3", "t3")})
    shown(hands, "a.txt")
    await write(hands, "conflict://1", "one\nmore\nlines")
    await write(hands, "conflict://3", "@theirs")
    await write(hands, "conflict://2", "@ours")
    assert text(hands) == "one\nmore\nlines\no2\nt3\n"
    assert hands.reach.snapshots.noted(KEY) is None


async def test_conflicts_that_look_the_same_are_told_apart(hands: Hands) -> None:
    hands.put({"a.txt": f"{conflict()}x\n{conflict()}y\n{conflict()}"})
    shown(hands, "a.txt")
    await write(hands, "conflict://2", "2")
    await write(hands, "conflict://3", "3")
    await write(hands, "conflict://1", "1")
    assert text(hands) == "1\nx\n2\ny\n3\n"


async def test_numbers_of_a_walk_stay_too(hands: Hands) -> None:
    hands.put({"a.txt": conflict(), "b.txt": conflict(), "c.txt": conflict()})
    await write(hands, "conflict://1", "1")
    await write(hands, "conflict://3", "3")
    assert [text(hands, path) for path in ("a.txt", "b.txt", "c.txt")] == ["1\n", conflict(), "3\n"]


async def test_a_conflict_is_found_where_it_moved_to(hands: Hands) -> None:
    hands.put({"a.txt": TWO})
    shown(hands, "a.txt")
    hands.put({"a.txt": f"new\nlines\n{TWO}"})
    await write(hands, "conflict://1", "@ours")
    assert text(hands).startswith("new\nlines\na\no1\nb\n")


async def test_numbers_of_two_files_do_not_clash(hands: Hands) -> None:
    hands.put({"a.txt": TWO, "b.txt": conflict()})
    assert [shown(hands, path) for path in ("a.txt", "b.txt", "a.txt")] == [[1, 2], [3], [4, 5]]
    await write(hands, "conflict://3", "@ours")
    assert text(hands, "b.txt") == "ours\n"


async def test_where_nothing_shown_stands_any_more_the_workspace_is_searched(hands: Hands) -> None:
    hands.put({"a.txt": conflict(), "b.txt": conflict("other")})
    shown(hands, "a.txt")
    hands.put({"a.txt": "resolved by hand\n"})
    await write(hands, "conflict://1", "@ours")
    assert text(hands, "b.txt") == "other\n"


async def test_a_walk_passes_over_what_is_not_the_projects(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(conflict())
    hands.put(
        {"node_modules/x/a.txt": conflict(), ".git/a.txt": conflict(), "bin": b"\0" + conflict().encode(), "dir/real.txt": conflict()}
    )
    hands.put({".gitignore": "ignored.txt", "ignored.txt": conflict()})
    (hands.root / "link.txt").symlink_to("dir/real.txt")
    (hands.root / "loop").symlink_to(".")
    (hands.root / "out").symlink_to(tmp_path)
    assert [one.path for one in standing(hands.context())] == ["dir/real.txt", "ignored.txt"]
    assert "3 was not found" in await refused(hands, "conflict://3")
    assert (tmp_path / "out.txt").read_text() == conflict()


async def test_a_walk_finds_no_more_than_a_hundred(hands: Hands) -> None:
    hands.put({"a.txt": conflict() * (MOST + 5)})
    assert (await write(hands, "conflict://*", "@ours")).output.startswith(f"Resolved {MOST} conflicts")
    assert text(hands) == "ours\n" * MOST + conflict() * 5


async def test_line_ends_are_kept(hands: Hands) -> None:
    dos = TWO.replace("\n", "\r\n").encode()
    hands.put({"a.txt": b"\xef\xbb\xbf" + dos})
    await write(hands, "conflict://1", "two\nlines")
    await write(hands, "conflict://2", "@base")
    assert hands.files()["a.txt"] == b"\xef\xbb\xbfa\r\ntwo\r\nlines\r\nb\r\nb2\r\nc\r\n"


@pytest.mark.parametrize(("content", "left"), [("@ours", "a\nours"), ("x\ny", "a\nx\ny"), ("", "a\n")])
async def test_a_file_that_ends_without_a_newline_still_does(hands: Hands, content: str, left: str) -> None:
    hands.put({"a.txt": f"a\n{conflict()[:-1]}"})
    await write(hands, "conflict://1", content)
    assert text(hands) == left


async def test_a_conflict_in_the_first_line_keeps_the_byte_order_mark(hands: Hands) -> None:
    hands.put({"a.txt": b"\xef\xbb\xbf" + conflict().encode()})
    await write(hands, "conflict://1", "@ours")
    assert hands.files()["a.txt"] == b"\xef\xbb\xbfours\n"


@pytest.mark.parametrize("side", ["ours", "theirs", "base", "OURS"])
async def test_sides_can_be_read_only(hands: Hands, side: str) -> None:
    hands.put({"a.txt": conflict()})
    told = await refused(hands, f"conflict://1/{side}")
    assert "read-only" in told
    assert f"@{side.lower()} to conflict://1" in told
    assert "read-only" in await refused(hands, f"conflict://*/{side}")


MALFORMED = ("", "0", "-1", "x", "1/both", "1.5", "1/ours/x", "99999999999", "**", "\u0661", "1\0")


@pytest.mark.parametrize("url", [f"conflict://{name}" for name in MALFORMED])
async def test_a_malformed_url_names_no_conflict(hands: Hands, url: str) -> None:
    hands.put({"a.txt": conflict()})
    assert "names no conflict" in await refused(hands, url)


async def test_a_number_nobody_gave_is_not_found(hands: Hands) -> None:
    hands.put({"a.txt": TWO})
    assert "Conflict 3 was not found" in await refused(hands, "conflict://3")


@pytest.mark.parametrize("url", ["conflict://1", "conflict://*"])
async def test_without_markers_there_is_nothing_to_resolve(hands: Hands, url: str) -> None:
    hands.put({"a.txt": "fine\n"})
    assert "No conflict markers found" in await refused(hands, url)


async def test_half_a_character_resolves_nothing(hands: Hands) -> None:
    hands.put({"a.txt": conflict(), "b.txt": conflict()})
    assert "half a character" in await refused(hands, "conflict://*", "\ud800")


async def test_of_a_read_only_workspace_nothing_is_changed(hands: Hands) -> None:
    hands.put({"a.txt": conflict()})
    assert "read-only" in await refused(Hands(hands.root, toolset="atomic", writable=False), "conflict://1")


def tool_of(hands: Hands, url: str) -> list[tuple[str, str]]:
    return list(hands.tool("write", {"path": url, "content": "@ours"}).parts(hands.context()))


def test_rules_judge_every_file_that_would_change(hands: Hands) -> None:
    hands.put({"a.txt": TWO, "b.txt": conflict()})
    assert tool_of(hands, "conflict://*") == [("write", "a.txt"), ("write", "b.txt")]
    assert tool_of(hands, "conflict://3") == [("write", "b.txt")]
    tool = hands.tool("write", {"path": "conflict://*", "content": "@ours"})
    assert tool.subject(hands.context()) == "{a.txt,b.txt}"
    assert tool.prompt(hands.context()) == "Resolve conflicts in: {a.txt,b.txt}"
    assert tool.preview(hands.context()).count("-<<<<<<< HEAD") == 3
    assert hands.files()["b.txt"] == conflict().encode()


def test_a_preview_of_nothing_is_empty(hands: Hands) -> None:
    for url in ("conflict://1", "conflict://nonsense", "conflict://1/ours"):
        tool = hands.tool("write", {"path": url, "content": "@ours"})
        assert tool.preview(hands.context()) == ""
        assert tool.subject(hands.context()) == url


async def test_what_came_up_after_the_call_was_judged_is_left_alone(hands: Hands) -> None:
    hands.put({"a.txt": conflict()})
    assert tool_of(hands, "conflict://*") == [("write", "a.txt")]
    hands.put({"a.txt": "resolved\n", "secret.txt": conflict()})
    assert "secret.txt came up after" in await refused(hands, "conflict://*")
    await write(hands, "conflict://*", "@ours")  # judged anew by whoever calls
    assert text(hands, "secret.txt") == "ours\n"


async def test_another_session_knows_no_numbers(hands: Hands) -> None:
    hands.put({"a.txt": conflict("o1"), "b.txt": conflict("o2")})
    shown(hands, "b.txt")
    hands.reach = Reach()
    await write(hands, "conflict://1", "@ours")
    assert text(hands) == "o1\n"


async def test_what_read_shows_can_be_resolved_by_its_number(hands: Hands) -> None:
    hands.put({"a.txt": TWO, "b.txt": conflict()})
    read = await hands.call("read", path="a.txt:conflicts")
    assert read.error is None
    assert "conflict://2" in read.output
    await write(hands, "conflict://2", "@base")
    assert text(hands).endswith("b\nb2\nc\n")
    again = await hands.call("read", path="a.txt:conflicts")
    assert "conflict://1" in again.output
    await write(hands, "conflict://*", "@theirs")
    assert text(hands) == "a\nt1\nb\nb2\nc\n"


async def test_a_resolved_file_can_be_edited_by_its_fresh_tag(hands: Hands) -> None:
    hands.put({"a.txt": conflict()})
    resolved = await write(hands, "conflict://1", "@ours")
    header = resolved.output.splitlines()[1]
    edited = await hands.call("edit", input=f"{header}\ninsert tail:\n+more\n")
    assert edited.error is None
    assert text(hands) == "ours\nmore\n"
