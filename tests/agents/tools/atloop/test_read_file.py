"""read_file: the text as it is, by lines where that is asked for."""

from __future__ import annotations

import codecs
from dataclasses import replace
from typing import Any

import pytest

from agents.host import InMemoryArtifacts
from agents.tools.atloop.read_file import MOST_AT_ONCE, MOST_SHOWN
from tests.agents.tools.hands import Hands

FOUR = "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    ("args", "output", "lines"),
    [
        ({}, FOUR, (1, 4)),
        ({"offset": 2}, "two\nthree\nfour", (2, 4)),
        ({"limit": 2}, "one\ntwo\n", (1, 2)),
        ({"offset": 2, "limit": 2}, "two\nthree\n", (2, 3)),
        ({"offset": 3, "limit": 100}, "three\nfour", (3, 4)),
        ({"offset": 0, "limit": 1}, "one\n", (1, 1)),
        ({"offset": -3}, FOUR, (1, 4)),
        ({"offset": "2", "limit": "1"}, "two\n", (2, 2)),
    ],
)
async def test_lines_are_given_as_they_are(args: dict[str, Any], output: str, lines: tuple[int, int], hands: Hands) -> None:
    hands.put({"a.txt": FOUR})
    result = await hands.call("read_file", path="a.txt", **args)
    assert (result.error, result.output) == (None, output)
    assert (result.metadata["start_line"], result.metadata["end_line"]) == lines
    assert (result.metadata["file_type"], result.metadata["total_lines"], result.metadata["file_size"]) == ("text", 4, len(FOUR))


async def test_a_line_past_the_end_is_told_of(hands: Hands) -> None:
    hands.put({"a.txt": FOUR})
    result = await hands.call("read_file", path="a.txt", offset=10**30, limit=10**30)
    assert (result.error, result.output) == (None, "[Line 1000000000000000000000000000000 is past the end: the file has 4 lines]")


async def test_an_empty_file_is_empty(hands: Hands) -> None:
    hands.put({"a.txt": ""})
    result = await hands.call("read_file", path="a.txt")
    assert (result.error, result.output, result.metadata["total_lines"]) == (None, "", 0)


async def test_line_ends_and_marks_of_other_systems_are_not_shown(hands: Hands) -> None:
    hands.put({"a.txt": codecs.BOM_UTF8 + b"one\r\ntwo\r\n"})
    assert (await hands.call("read_file", path="a.txt")).output == "one\ntwo\n"


async def test_what_is_not_utf8_is_shown_as_far_as_it_goes_and_told_of(hands: Hands) -> None:
    hands.put({"a.txt": b"caf\xe9\nend", "b.txt": "a � of its own"})
    assert (await hands.call("read_file", path="a.txt")).output == (
        "caf�\nend\n\n[The file is not UTF-8 throughout; what does not fit is shown as �]"
    )
    assert "[" not in (await hands.call("read_file", path="b.txt")).output


async def test_of_a_binary_file_only_what_it_is_is_told(hands: Hands) -> None:
    hands.put({"a.png": b"\x89PNG\0\0"})
    for more in ({}, {"offset": 1, "limit": 5}):
        result = await hands.call("read_file", path="a.png", **more)
        assert (result.error, result.metadata["file_type"], result.metadata["file_type_info"]) == (None, "binary", "image/png")
        assert "a.png is a binary file (6 bytes, image/png)" in result.output


async def test_ten_megabytes_are_read_as_a_whole_as_far_as_there_is_room(hands: Hands) -> None:
    hands.put({"a.txt": "x" * 9 + "\n", "b.txt": ("x" * 99 + "\n") * (MOST_AT_ONCE // 100), "c.txt": "x" * (MOST_AT_ONCE + 1)})
    result = await hands.call("read_file", path="b.txt")
    assert result.metadata["file_type"] == "text"
    assert len(result.output) < MOST_SHOWN + 200
    assert result.output.endswith("[Showing lines 1-4000 of 104857, for which there is room; go on with offset 4001]")
    assert (await hands.call("read_file", path="b.txt", offset=4001)).metadata["start_line"] == 4001
    assert (await hands.call("read_file", path="c.txt")).metadata["file_type"] == "large"


async def test_one_endless_line_is_cut_and_told_of(hands: Hands) -> None:
    hands.put({"a.txt": "x" * (MOST_SHOWN + 5) + "\nnext\n"})
    result = await hands.call("read_file", path="a.txt")
    assert result.output.endswith(f"x…\n[This line has {MOST_SHOWN + 6} characters, and is cut]\n")
    assert result.metadata["end_line"] == 1
    assert (await hands.call("read_file", path="a.txt", offset=2)).output == "next\n"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("gone.txt", "File not found: gone.txt"),
        ("folder", "is a folder"),
        ("../x", "x"),
        ("/etc/passwd", "/etc/passwd"),
        ("a.txt/b", "a.txt/b"),
    ],
)
async def test_what_cannot_be_read_is_named(path: str, said: str, hands: Hands) -> None:
    hands.put({"a.txt": "x", "folder/b.txt": "x"})
    assert said in str((await hands.call("read_file", path=path)).error)


@pytest.mark.parametrize("args", [{"limit": 0}, {"limit": -1}, {"offset": "two"}, {"path": ""}, {"offset": 1.5}, {"lines": 3}])
async def test_arguments_that_make_no_sense_are_refused_by_name(args: dict[str, Any], hands: Hands) -> None:
    hands.put({"a.txt": "x"})
    assert f"{next(iter(args))}: " in str((await hands.call("read_file", **{"path": "a.txt", **args})).error)


async def test_it_reads_by_the_path_that_commands_know(hands: Hands) -> None:
    hands.put({"sub/a.txt": "here"})
    assert (await hands.call("read_file", path=f"{hands.sandbox.mount}/sub/a.txt")).output == "here"


async def test_what_was_kept_of_a_command_is_read_by_its_address(hands: Hands) -> None:
    hands.reach = replace(hands.reach, artifacts=InMemoryArtifacts())
    cut = await hands.call("run", cmd="seq 1 10000")
    assert "read_file opens the whole as artifact://1" in cut.output
    assert (await hands.call("read_file", path="artifact://1", offset=3, limit=2)).output == "3\n4\n"
    assert "no artifact://9" in str((await hands.call("read_file", path="artifact://9")).error)


async def test_reading_asks_nobody(hands: Hands) -> None:
    assert hands.tool("read_file", {"path": "a.txt"}).requires_permission(hands.context()) is None
