"""read, ls and find: pages of files, folders and names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.tools.reach import Reach
from tests.agents.tools.hands import Hands


async def read(hands: Hands, path: str, **args: object) -> str:
    result = await hands.call("read", path=path, **args)
    assert result.error is None, result.error
    return result.output


async def refused(hands: Hands, name: str, **args: object) -> str:
    error = (await hands.call(name, **args)).error or ""
    assert error.startswith("Tool execution error: "), error
    return error


async def test_a_file_is_shown_as_it_stands(hands: Hands) -> None:
    hands.put(
        {"a.txt": "one\n\ttwo\n", "b.txt": "no end", "crlf.txt": b"\xef\xbb\xbfa\r\nb\r\n", "empty.txt": "", "latin.txt": b"caf\xe9\n"}
    )
    assert await read(hands, "a.txt") == "one\n\ttwo"
    assert await read(hands, "b.txt") == "no end"
    assert await read(hands, "crlf.txt") == "a\nb"
    assert await read(hands, "empty.txt") == "(empty file)"
    assert await read(hands, "latin.txt") == "caf\ufffd"


async def test_a_page_ends_with_how_it_goes_on(hands: Hands) -> None:
    hands.put({"n.txt": "".join(f"{number}\n" for number in range(1, 2501))})
    assert await read(hands, "n.txt", limit=2) == "1\n2\n\n[2498 more lines in file. Use offset=3 to continue.]"
    assert await read(hands, "n.txt", offset=2499, limit=1) == "2499\n\n[1 more line in file. Use offset=2500 to continue.]"
    assert await read(hands, "n.txt", offset=2499) == "2499\n2500"
    assert (await read(hands, "n.txt")).endswith("2000\n\n[Showing lines 1-2000 of 2500. Use offset=2001 to continue.]")
    assert await read(hands, "n.txt", max_lines=1) == "1\n\n[Showing lines 1-1 of 2500. Use offset=2 to continue.]"
    assert await read(hands, "n.txt", max_bytes=6) == "1\n2\n3\n\n[Showing lines 1-3 of 2500 (byte limit). Use offset=4 to continue.]"
    assert await read(hands, "n.txt", max_bytes=5) == await read(hands, "n.txt", max_bytes=6)


async def test_a_line_that_is_too_long_is_cut_between_characters(hands: Hands) -> None:
    hands.put({"long.txt": "é" * 60_000 + "\nend\n"})
    shown = await read(hands, "long.txt")
    assert shown == (
        "é" * 25_600
        + "\n[This line is cut: it is longer than 51200 bytes]\n\n[Showing lines 1-1 of 2 (byte limit). Use offset=2 to continue.]"
    )
    assert (await read(hands, "long.txt", max_bytes=3)).startswith("é\n[This line is cut")
    assert await read(hands, "long.txt", offset=2) == "end"


async def test_what_cannot_be_read_is_told(hands: Hands) -> None:
    hands.put({"a.txt": "one\n", "b.bin": b"\0\1", "d/x": ""})
    assert "offset 2 is past the end: the file has 1 lines" in await refused(hands, "read", path="a.txt", offset=2)
    assert "no text" in await refused(hands, "read", path="b.bin")
    assert "is a folder" in await refused(hands, "read", path="d")
    assert "File not found: gone.txt. Look for it with find." in await refused(hands, "read", path="gone.txt")


async def test_a_path_starts_from_cwd_and_stays_inside(hands: Hands) -> None:
    hands.put({"d/e/a.txt": "in\n", "top.txt": "top\n"})
    (hands.root / "out").symlink_to("/etc")
    assert await read(hands, "a.txt", cwd="d/e") == "in"
    assert await read(hands, "../../top.txt", cwd="d/e") == "top"
    assert await read(hands, "/workspace/top.txt" if hands.sandbox.mount == "/workspace" else str(hands.root / "top.txt"), cwd="d") == "top"
    for path, cwd in (("passwd", "/etc"), ("../../x", "d"), ("passwd", "out"), ("/etc/passwd", "d"), ("~/x", "d"), ("etc/passwd", "../..")):
        assert "outside" in (error := await refused(hands, "read", path=path, cwd=cwd)) or "home folder" in error


async def test_a_sub_agent_starts_where_it_works(hands: Hands) -> None:
    hands.put({"d/a.txt": "in\n"})
    hands.nesting = replace(hands.nesting, working_dir="d")
    assert await read(hands, "a.txt") == "in"
    assert (await hands.call("ls")).output == "a.txt"


async def test_a_folder_is_listed_by_name_whatever_the_case(hands: Hands) -> None:
    hands.put({"b.txt": "", "A.txt": "", "c/x": "", ".hidden": "", "D/y": ""})
    (hands.root / "empty").mkdir()
    (hands.root / "link").symlink_to("c")
    assert (await hands.call("ls")).output == ".hidden\nA.txt\nb.txt\nc/\nD/\nempty/\nlink/"
    assert (await hands.call("ls", path="x/../c", cwd=".")).error
    assert (await hands.call("ls", path="c")).output == "x"
    assert (await hands.call("ls", cwd="empty")).output == "(empty directory)"
    assert "is not a folder" in await refused(hands, "ls", path="b.txt")
    assert "outside" in await refused(hands, "ls", path="..")


async def test_a_large_folder_is_listed_in_part(hands: Hands) -> None:
    hands.put({f"{number:04}": "" for number in range(510)})
    assert (await hands.call("ls")).output.endswith("0499\n\n[500 of 510 entries. find looks for the others by name]")


async def test_files_are_found_by_glob_in_order(hands: Hands) -> None:
    hands.put({"b.py": "", "a.txt": "", "src/z.py": "", "src/deep/a.py": "", ".git/c.py": "", ".h.py": ""})

    async def found(pattern: str, path: str = ".", cwd: str = "") -> str:
        return (await hands.call("find", pattern=pattern, path=path, cwd=cwd)).output

    assert await found("*.py") == ".h.py\nb.py\nsrc/deep/a.py\nsrc/z.py"
    assert await found("src/*.py") == "src/z.py"
    assert await found("**/a.*") == "a.txt\nsrc/deep/a.py"
    assert await found("*.py", "src") == "src/deep/a.py\nsrc/z.py"
    assert await found("*.py", ".", "src") == "deep/a.py\nz.py"
    assert await found("*.rs") == "No files found matching pattern"
    assert "is not a folder" in await refused(hands, "find", pattern="*", path="b.py")
    assert "leaves the folder" in await refused(hands, "find", pattern="../*", path="src")
    assert "outside" in await refused(hands, "find", pattern="*", path="/etc")


@pytest.mark.parametrize("name", ["ls", "find", "grep"])
async def test_what_a_rule_denies_is_not_spoken_of(hands: Hands, name: str) -> None:
    hands.put({"open.txt": "word", "shut.txt": "word"})
    hands.reach = Reach()
    context = replace(hands.context(), barred=lambda tool, subject: tool == "read" and subject.startswith("shut"))
    args = {"ls": {}, "find": {"pattern": "*", "path": "."}, "grep": {"pattern": "word", "path": "."}}[name]
    output = (await hands.tool(name, args).run(context)).output
    assert "open.txt" in output
    assert "shut" not in output
