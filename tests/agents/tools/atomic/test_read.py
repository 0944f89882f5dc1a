"""`read` of files and folders as a model calls it: rows, ranges, limits, raw text."""

from __future__ import annotations

import os
import time

import pytest

from agents.edits.hashline.tags import tag_of
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands

TEN = "".join(f"line {number}\n" for number in range(1, 11))
KIB_50 = 50 * 1024


async def read(hands: Hands, path: str) -> ToolResult:
    return await hands.call("read", path=path)


async def output(hands: Hands, path: str) -> str:
    result = await read(hands, path)
    assert result.error is None, result.error
    return result.output


def rows(*numbers: int) -> str:
    return "\n".join(f"{number}:line {number}" for number in numbers)


async def test_a_text_is_shown_by_numbers_below_its_tag(hands: Hands) -> None:
    hands.put({"a/b.txt": TEN})
    result = await read(hands, "a/b.txt")
    tag = tag_of(TEN)
    assert result.output == f"[a/b.txt#{tag}]\n{rows(*range(1, 11))}"
    assert result.metadata == {
        "kind": "text", "path": "a/b.txt", "tag": tag, "lines": [1, 10], "meta": {"source": "a/b.txt", "sourcePath": "a/b.txt"},
    }  # fmt: skip
    assert [one.text for one in hands.reach.snapshots.versions("a/b.txt")] == [TEN]


@pytest.mark.parametrize("path", ["./a/../a/b.txt", "{root}/a/b.txt", "link.txt"])
async def test_the_header_names_the_real_file(hands: Hands, path: str) -> None:
    hands.put({"a/b.txt": TEN})
    (hands.root / "link.txt").symlink_to("a/b.txt")
    assert (await output(hands, path.format(root=hands.root))).startswith("[a/b.txt#")


@pytest.mark.parametrize(
    ("selector", "numbers", "footer"),
    [
        (":4", (4, 5, 6, 7, 8, 9, 10), ""),
        (":3-4", (2, 3, 4, 5, 6, 7), "[3 more lines in file. Continue with path selector :8.]"),
        (":3+2", (2, 3, 4, 5, 6, 7), "[3 more lines in file. Continue with path selector :8.]"),
        (":3..4", (2, 3, 4, 5, 6, 7), "[3 more lines in file. Continue with path selector :8.]"),
        (":L6-L6", (5, 6, 7, 8, 9), "[1 more line in file. Continue with path selector :10.]"),
        (":7-8", (6, 7, 8, 9, 10), ""),
        (":9-9,1-1", (1, 2, 3, 4, 8, 9, 10), ""),
        (":2:3", (1, 2, 3, 4, 5, 6), "[4 more lines in file. Continue with path selector :7.]"),
        (":8:3", (8, 9, 10), ""),
        (":9-500", (8, 9, 10), ""),
    ],
)
async def test_lines_are_chosen_by_a_selector(hands: Hands, selector: str, numbers: tuple[int, ...], footer: str) -> None:
    hands.put({"b.txt": TEN})
    shown = await output(hands, f"b.txt{selector}")
    assert shown == f"[b.txt#{tag_of(TEN)}]\n{rows(*numbers)}" + (f"\n\n{footer}" if footer else "")


async def test_a_file_whose_name_ends_so_is_that_file(hands: Hands) -> None:
    hands.put({"b.txt": TEN, "b.txt:3-4": "other\n", "c:raw": "third\n"})
    assert "1:other" in await output(hands, "b.txt:3-4")
    assert "1:third" in await output(hands, "c:raw")
    assert await output(hands, "c:raw:raw") == "third\n"


@pytest.mark.parametrize(
    ("selector", "why"),
    [(":0", "lines start at 1"), (":5+", "count of at least 1"), (":9-3", "ends before it begins")],
)
async def test_a_wrong_selector_is_an_error_in_words(hands: Hands, selector: str, why: str) -> None:
    hands.put({"b.txt": TEN})
    assert why in str((await read(hands, f"b.txt{selector}")).error)


async def test_lines_behind_the_end_are_told(hands: Hands) -> None:
    hands.put({"b.txt": TEN, "empty": ""})
    result = await read(hands, "b.txt:11-12")
    assert result.error is None
    assert result.output == "[Line 11 is beyond end of file (10 lines total). Read b.txt:10 for the last line.]"
    assert result.metadata["meta"] == {"source": "b.txt", "sourcePath": "b.txt"}
    assert "tag" not in result.metadata
    assert "0 lines total). The file is empty." in await output(hands, "empty:3")
    hands.put({"sub/x": ""})
    assert "beyond end of directory" in await output(hands, "sub:30")


async def test_an_empty_file_has_a_tag(hands: Hands) -> None:
    hands.put({"empty": ""})
    assert await output(hands, "empty") == f"[empty#{tag_of('')}]\n\n[The file is empty.]"


async def test_line_ends_and_a_byte_order_mark_are_not_shown_but_raw_is_exact(hands: Hands) -> None:
    hands.put({"b.txt": b"\xef\xbb\xbfa\r\nb\r\n"})
    assert await output(hands, "b.txt") == f"[b.txt#{tag_of('a' + chr(10) + 'b' + chr(10))}]\n1:a\n2:b"
    assert await output(hands, "b.txt:raw") == "a\r\nb\r\n"


@pytest.mark.parametrize(
    ("selector", "expected"), [(":raw", TEN), (":3-4:raw", "line 3\nline 4"), (":raw:9,2-3", "line 2\nline 3\nline 9\nline 10")]
)
async def test_raw_is_the_bare_text(hands: Hands, selector: str, expected: str) -> None:
    hands.put({"b.txt": TEN})
    result = await read(hands, f"b.txt{selector}")
    assert (result.output, result.metadata.get("tag")) == (expected, None)


async def test_three_thousand_lines_are_shown_at_once(hands: Hands) -> None:
    hands.put({"b.txt": "x\n" * 3500})
    result = await read(hands, "b.txt")
    assert result.output.endswith("3000:x\n\n[Showing lines 1-3000 of 3500. Continue with path selector :3001.]")
    cut = {"truncated": True, "truncatedBy": "lines", "totalLines": 3500, "outputLines": 3000, "maxLines": 3000, "maxBytes": KIB_50}
    assert cut.items() <= result.metadata["truncation"].items()
    assert result.metadata["meta"]["truncation"] == result.metadata["truncation"]
    rest = await output(hands, "b.txt:3001")
    assert rest.split("\n")[1] == "3001:x"
    assert rest.endswith("3500:x")
    assert (await output(hands, "b.txt:raw")).endswith("x\n\n[Showing lines 1-3000 of 3500. Continue with path selector :3001.]")


async def test_fifty_kib_are_shown_at_once_in_whole_lines(hands: Hands) -> None:
    hands.put({"b.txt": ("y" * 99 + "\n") * 2000})
    result = await read(hands, "b.txt")
    assert result.output.endswith("[Showing lines 1-512 of 2000 (50.0KB limit). Continue with path selector :513.]")
    assert result.output.count("y" * 99) == 512
    assert result.metadata["truncation"]["truncatedBy"] == "bytes"
    assert "Showing lines 513-1024 of 2000 (50.0KB limit)" in await output(hands, "b.txt:513")


async def test_letters_of_several_bytes_count_as_bytes(hands: Hands) -> None:
    hands.put({"b.txt": ("ü" * 512 + "\n") * 60})
    assert "Showing lines 1-49 of 60 (50.0KB limit)" in await output(hands, "b.txt")


async def test_a_line_that_is_too_long_by_itself_has_no_tag(hands: Hands) -> None:
    hands.put({"a b.txt": "z" * 60_000 + "\nnext\n"})
    result = await read(hands, "a b.txt")
    assert result.output.startswith("[Line 1 alone has 58.6KB, more than the 50.0KB limit.")
    assert "sed -n '1p' 'a b.txt' | head -c 51200]" in result.output
    assert result.metadata["truncation"]["firstLineExceedsLimit"] is True
    assert "tag" not in result.metadata
    assert "2:next" in await output(hands, "a b.txt:2")


async def test_a_range_that_is_too_much_is_guidance_and_no_error(hands: Hands) -> None:
    hands.put({"b.txt": ("w" * 99 + "\n") * 2000, "c.txt": "v" * 70_000})
    result = await read(hands, "b.txt:1-1000")
    assert result.error is None
    assert "b.txt:1+200" in result.output
    assert result.metadata["oversizedRead"] == {
        "blocked": True, "path": "b.txt", "chars": 1003 * 100 - 1, "maxChars": 50_000, "startLine": 1, "totalFileLines": 2000,
        "firstLineBytes": 99, "byteGuidance": False,
    }  # fmt: skip
    assert result.metadata["meta"]["limits"] == {"maxChars": 50_000}
    by_bytes = await read(hands, "c.txt:1-1")
    assert by_bytes.metadata["oversizedRead"]["byteGuidance"] is True
    assert "head -c 51200" in by_bytes.output


async def test_what_is_no_utf_8_is_shown_without_a_tag(hands: Hands) -> None:
    hands.put({"latin": "caf\xe9\n".encode("latin-1"), "binary": b"\x7fELF\0\0"})
    result = await read(hands, "latin")
    assert result.output.startswith("1:caf\ufffd\n\n[The file is not UTF-8")
    assert "tag" not in result.metadata
    assert "is binary" in str((await read(hands, "binary")).error)


async def test_a_file_too_large_for_edits_is_shown_without_a_tag(hands: Hands) -> None:
    hands.put({"big": "0123456789abcde\n" * (2**20 + 1)})
    result = await read(hands, "big:1048577")
    assert result.output == "1048577:0123456789abcde\n\n[The file has more than 16 MiB. It has no tag and cannot be edited line by line.]"


async def test_what_is_not_there_or_outside_is_told(hands: Hands) -> None:
    hands.put({"file": "x"})
    assert "File not found: gone.txt. Look for it with find." in str((await read(hands, "gone.txt")).error)
    assert "File not found: gone.txt." in str((await read(hands, "gone.txt:3-4")).error)
    for path in ("/etc/passwd", "../x", "a\0b"):
        assert (await read(hands, path)).error
    (hands.root / "out").symlink_to("/etc/passwd")
    assert "root:" not in str(await read(hands, "out"))
    os.mkfifo(hands.root / "pipe")
    assert (await read(hands, "pipe")).error


async def test_of_a_file_of_countless_lines_the_beginning_is_looked_at(hands: Hands) -> None:
    hands.put({"lf.txt": "\n" * 2_200_000, "cr.txt": "a\r" * 2_200_000, "fits.txt": "\n" * 1_999_999})
    for path, left in (("lf.txt", 200_000), ("cr.txt", 400_000)):
        result = await read(hands, f"{path}:1999999-1999999")
        assert result.output.startswith("1999998:")
        assert f"{left} more lie behind" in result.output
        assert "tag" not in result.metadata
        assert "too large" in ((await read(hands, f"{path}:conflicts")).error or "")
    assert "tag" in (await read(hands, "fits.txt")).metadata


async def test_many_ranges_of_many_lines_take_no_time(hands: Hands) -> None:
    hands.put({"a.txt": "x\n" * 300_000})
    began = time.process_time()
    ranges = ",".join(f"{number}-{number}" for number in range(1, 5000, 9))
    assert "\n4996:x" in await output(hands, f"a.txt:{ranges}")
    assert time.process_time() - began < 5


async def test_of_countless_conflicts_the_first_thousand_are_numbered(hands: Hands) -> None:
    hands.put({"a.txt": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n" * 20_000})
    began = time.process_time()
    assert "19000 more have no number yet" in await output(hands, "a.txt:conflicts")
    assert time.process_time() - began < 5
