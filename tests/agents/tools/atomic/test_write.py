from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from agents.edits.hashline.tags import tag_of
from agents.events import FileChange
from agents.plan import PlanState
from agents.ports import Diagnostic
from agents.tools.atomic.seen import LARGEST_TAGGED
from agents.tools.reach import Reach
from tests.agents.tools.hands import Hands

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "cases" / "hashline-cases.json").read_text())["write_strip_cases"]


async def write(hands: Hands, path: str, content: str) -> str:
    """What a write that succeeds says."""
    result = await hands.call("write", path=path, content=content)
    assert result.error is None
    return result.output


async def refused(hands: Hands, path: str, content: str = "x") -> str:
    """What a write that fails says; nothing is changed by it."""
    before = hands.files()
    result = await hands.call("write", path=path, content=content)
    assert hands.files() == before
    assert result.error
    return result.error


async def test_a_new_file_gets_a_tag_and_its_bytes_are_counted(hands: Hands) -> None:
    result = await hands.call("write", path="src/deep/a.txt", content="ä\n")
    assert hands.files() == {"src/deep/a.txt": "ä\n".encode()}
    assert result.output == f"[src/deep/a.txt#{result.metadata['tag']}]\nSuccessfully wrote 3 bytes to src/deep/a.txt"
    assert result.metadata == {
        "kind": "file", "resolvedPath": f"{hands.sandbox.mount}/src/deep/a.txt", "tag": tag_of("ä\n"), "bytes": 3,
        "stripped": False, "madeExecutable": False,
    }  # fmt: skip
    assert [(change.path, change.change, change.added) for change in result.changes] == [("src/deep/a.txt", "created", 1)]


async def test_the_tag_is_known_to_the_session(hands: Hands) -> None:
    await write(hands, "a.txt", "one\r\ntwo\n")
    (kept,) = hands.reach.snapshots.versions("a.txt")
    assert kept.text == "one\ntwo\n"


async def test_a_file_is_put_byte_for_byte(hands: Hands) -> None:
    hands.put({"a.txt": "\ufeffold\r\n"})
    await write(hands, "a.txt", "\ufeffnew\r\nlines\rand\n")
    assert hands.files() == {"a.txt": "\ufeffnew\r\nlines\rand\n".encode()}


async def test_the_same_text_again_is_no_change(hands: Hands) -> None:
    hands.put({"a.txt": "x\n"})
    assert (await hands.call("write", path="a.txt", content="x\n")).changes == ()


async def test_a_file_may_be_emptied(hands: Hands) -> None:
    hands.put({"a.txt": "x\n"})
    assert await write(hands, "a.txt", "") == "[a.txt#5D05]\nSuccessfully wrote 0 bytes to a.txt"
    assert hands.files() == {"a.txt": b""}


@pytest.mark.parametrize("path", ["./a.txt", "b/../a.txt", "local://a.txt", " local://a.txt"])
async def test_other_spellings_mean_the_same_file(hands: Hands, path: str) -> None:
    hands.put({"b/c.txt": ""})
    assert "[a.txt#" in await write(hands, path, "x")
    assert hands.files()["a.txt"] == b"x"


async def test_an_absolute_path_within_is_shown_from_the_root(hands: Hands) -> None:
    assert "to src/a.txt" in await write(hands, str(hands.root / "src" / "a.txt"), "x")


async def test_a_script_becomes_executable(hands: Hands) -> None:
    result = await hands.call("write", path="run", content="#!/bin/sh\n")
    assert result.metadata["madeExecutable"] is True
    assert (hands.root / "run").stat().st_mode & 0o777 == 0o755


async def test_a_script_that_replaces_a_file_keeps_its_other_bits(hands: Hands) -> None:
    hands.put({"run": "old"})
    (hands.root / "run").chmod(0o640)
    await write(hands, "run", "#!/bin/sh\n")
    assert (hands.root / "run").stat().st_mode & 0o777 == 0o751
    result = await hands.call("write", path="run", content="no script\n")
    assert result.metadata["madeExecutable"] is False
    assert (hands.root / "run").stat().st_mode & 0o777 == 0o751


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_what_was_copied_along_is_left_out(hands: Hands, case: dict[str, Any]) -> None:
    content = case["write"]["content"]
    for path, text in case["known"].items():
        await write(hands, path, text)
        content = content.replace(f"TAG({path})", tag_of(text))
    result = await hands.call("write", path=case["write"]["path"], content=content)
    assert hands.files()[case["write"]["path"]] == case["expect"]["file"].encode()
    assert result.output.splitlines()[-1].startswith("Note: ")
    assert result.metadata["stripped"] is True


async def test_what_another_session_was_shown_is_written_as_it_is(hands: Hands) -> None:
    await write(hands, "a.txt", "one\n")
    hands.reach = Reach()
    copied = f"[a.txt#{tag_of('one' + chr(10))}]\n1:one\n"
    result = await hands.call("write", path="b.txt", content=copied)
    assert hands.files()["b.txt"] == copied.encode()
    assert result.metadata["stripped"] is False
    assert "Note" not in result.output


async def test_a_header_of_a_path_outside_is_text(hands: Hands) -> None:
    await write(hands, "b.txt", "[../../etc/passwd#0000]\n1:root\n")
    assert hands.files()["b.txt"].startswith(b"[../../etc/passwd")


@pytest.mark.parametrize("head", ["// @generated by x\n", "# AUTO-GENERATED\n", "<!-- do not edit -->\n", "/* GENERATED -- do not edit */"])
async def test_a_generated_file_is_not_overwritten(hands: Hands, head: str) -> None:
    hands.put({"a.ts": head + "x\n"})
    assert "Refusing to overwrite generated file a.ts" in await refused(hands, "a.ts")
    assert hands.tool("write", {"path": "a.ts", "content": "x"}).preview(hands.context()) == ""


async def test_a_generated_text_may_be_written_anew(hands: Hands) -> None:
    await write(hands, "a.ts", "// @generated\n")
    assert hands.files() == {"a.ts": b"// @generated\n"}


async def test_a_binary_file_may_be_replaced(hands: Hands) -> None:
    hands.put({"a.bin": b"\0\xff\xfe"})
    result = await hands.call("write", path="a.bin", content="text\n")
    assert result.changes[0].diff.startswith("Binary file a.bin: 3 bytes before")
    assert hands.files() == {"a.bin": b"text\n"}


async def test_text_with_nul_is_written_without_a_tag(hands: Hands) -> None:
    result = await hands.call("write", path="a.bin", content="a\0b")
    assert result.output == "Successfully wrote 3 bytes to a.bin"
    assert result.metadata["tag"] == ""
    assert hands.files() == {"a.bin": b"a\0b"}


async def test_a_huge_text_is_written_without_a_tag(hands: Hands) -> None:
    text = "x" * (LARGEST_TAGGED + 1)
    assert await write(hands, "a.txt", text) == f"Successfully wrote {len(text)} bytes to a.txt"
    assert (hands.root / "a.txt").stat().st_size == len(text)


async def test_half_a_character_is_refused(hands: Hands) -> None:
    assert "half a character" in await refused(hands, "a.txt", "a\ud800b")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("../out.txt", "outside"),
        ("/etc/passwd", "outside"),
        ("local://../out.txt", "outside"),
        ("local://%2e%2e/out.txt", "outside"),
        ("out/a.txt", "outside"),
        ("link.txt", "outside"),
        (".git/config", ".git"),
        ("folder", "is a folder"),
        ("folder/", "folder"),
        (".", "folder"),
        ("file.txt/a.txt", "not a folder"),
        ("a\0b", "NUL"),
        ("x" * 300, "longer than 255 bytes"),
        ("https://example.org/a", "web address"),
        ("www.example.org", "web address"),
        ("skill://a/SKILL.md", "unsupported writable internal resource"),
        ("artifact://1", "unsupported writable internal resource"),
        ("history://x", "unsupported writable internal resource"),
        ("vault://KEY", "unsupported writable internal resource"),
        ("nonsense://x", "unsupported writable internal resource"),
    ],
)
async def test_what_cannot_be_written_is_told(hands: Hands, tmp_path: Path, path: str, told: str) -> None:
    hands.put({"folder/x": "", "file.txt": ""})
    (hands.root / "out").symlink_to(tmp_path)
    (hands.root / "link.txt").symlink_to(tmp_path / "other.txt")
    assert told.lower() in (await refused(hands, path)).lower()
    assert not (tmp_path / "other.txt").exists()
    hands.tool("write", {"path": path, "content": "x"}).preview(hands.context())  # raises nothing


async def test_nothing_is_written_where_the_workspace_is_read_only(hands: Hands) -> None:
    hands.put({"a.txt": "x"})
    here = Hands(hands.root, toolset="atomic", writable=False)
    assert "read-only" in await refused(here, "a.txt")
    assert "read-only" in await refused(here, "new.txt")
    assert here.reach.snapshots.versions("a.txt") == ()


async def test_a_link_within_is_followed_and_named_by_what_it_leads_to(hands: Hands) -> None:
    hands.put({"real.txt": "x"})
    (hands.root / "alias.txt").symlink_to("real.txt")
    assert "to real.txt" in await write(hands, "alias.txt", "y")
    assert hands.files() == {"real.txt": b"y"}
    assert (hands.root / "alias.txt").is_symlink()


def judged_as(hands: Hands, path: str) -> list[str]:
    return [subject for name, subject in hands.tool("write", {"path": path, "content": "x"}).parts(hands.context()) if name == "write"]


def test_rules_judge_the_file_that_changes(hands: Hands) -> None:
    hands.put({"real/a.zip": b"PK\x05\x06" + bytes(18), "real/we:ird.zip:x": "", "b.txt": ""})
    (hands.root / "alias").symlink_to("real")
    assert judged_as(hands, "local://alias/x.txt") == ["real/x.txt"]
    assert judged_as(hands, "alias/a.zip:member/x.txt") == ["real/a.zip"]
    assert judged_as(hands, "new.zip:member") == ["new.zip"]
    assert judged_as(hands, "missing.sqlite:table") == ["missing.sqlite:table"]
    assert judged_as(hands, "real/we:ird.zip:x") == ["real/we:ird.zip:x"]
    subject = hands.tool("write", {"path": "alias/a.zip:m", "content": ""}).subject(hands.context())
    assert subject == "real/a.zip"


def test_the_change_is_shown_before_it_is_made(hands: Hands) -> None:
    hands.put({"a.txt": "one\n"})
    tool = hands.tool("write", {"path": "local://a.txt", "content": "two\n"})
    assert "-one\n+two\n" in tool.preview(hands.context())
    assert tool.prompt(hands.context()) == "Write file: a.txt"
    assert hands.files() == {"a.txt": b"one\n"}


def test_the_plan_may_be_written_in_plan_mode(hands: Hands) -> None:
    hands.plan = PlanState(stage="planning", plan_file=".coder/plan.md")
    fits = [hands.tool("write", {"path": path, "content": "x"}).plan_file(hands.context()) for path in
            (".coder/plan.md", "local://.coder/plan.md", "a.md", "conflict://1", "artifact://1")]  # fmt: skip
    assert fits == [True, True, False, False, False]


async def test_writers_at_the_same_time_lose_nothing(hands: Hands) -> None:
    results = await asyncio.gather(*(hands.call("write", path="a.txt", content=f"{number}\n") for number in range(20)))
    changes: list[FileChange] = [change for result in results for change in result.changes]
    assert sum(change.change == "created" for change in changes) == 1
    assert list(hands.files()) == ["a.txt"]
    assert hands.reach.snapshots.versions("a.txt")[0].text == hands.files()["a.txt"].decode()


async def test_members_and_rows_are_written_where_they_are(hands: Hands) -> None:
    with sqlite3.connect(hands.root / "d.sqlite") as database:
        database.execute("create table books (id integer primary key, title text)")
    database.close()
    member = await hands.call("write", path="a.zip:x/y.txt", content="text")
    row = await hands.call("write", path="local://d.sqlite:books", content="{title: 'Emma'}")
    assert (member.error, row.error) == (None, None)
    assert (member.metadata["kind"], row.metadata["kind"]) == ("archive", "sqlite")
    assert ZipFile(hands.root / "a.zip").read("x/y.txt") == b"text"
    with sqlite3.connect(hands.root / "d.sqlite") as database:
        assert database.execute("select * from books").fetchall() == [(1, "Emma")]
    database.close()
    assert sorted(hands.files()) == ["a.zip", "d.sqlite"]


class Complaining:
    """Code intelligence that finds fault with files that hold BAD."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    async def query(self, operation: str, **asked: Any) -> tuple[str, Mapping[str, Any]]:
        return "", {}

    async def diagnostics(self, path: str) -> Sequence[Diagnostic] | None:
        bad = b"BAD" in self.hands.files().get(path, b"")
        return [Diagnostic(1, 1, "error", "this is BAD")] if bad else []


async def test_what_a_write_breaks_is_told(hands: Hands) -> None:
    hands.reach = Reach(code=Complaining(hands))
    hands.put({"c.py": "<<<<<<< a\nBAD\n=======\nx\n>>>>>>> b\n", "d.py": "<<<<<<< a\nfine\n=======\nx\n>>>>>>> b\n"})
    told = "LSP diagnostics for a.py:\n- error at 1:1: this is BAD"
    assert (await write(hands, "a.py", "BAD\n")).endswith(told)
    assert "LSP" not in await write(hands, "a.py", "BAD still\n")
    hands.put({"d.py": "<<<<<<< a\nfine\n=======\nx\n>>>>>>> b\n"})
    resolved = await hands.call("write", path="conflict://*", content="BAD")
    assert resolved.metadata["lsp_diagnostics"] == ["d.py:1:1: error: this is BAD"]


TEXTS = (
    "one\n",
    "one\ntwo",
    "\n\n\n",
    "a\n\nb\n",
    "[a.txt#0000]\n1:one\n",
    "# src/\n 2:x\n*3:y\n",
    "[2 more lines in file. x]\n",
    "ä\u2028b\x0c\n\t\n",
    " \n",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ending", ["\n", "\n\n", ""])
async def test_all_that_read_shows_can_be_pasted(hands: Hands, text: str, ending: str) -> None:
    hands.put({"a.txt": text})
    shown = await hands.call("read", path="a.txt")
    result = await hands.call("write", path="b.txt", content=shown.output + ending)
    assert result.metadata["stripped"] is True
    assert hands.files()["b.txt"].decode() == (text if ending else text.removesuffix("\n"))


async def test_a_part_that_read_or_search_shows_can_be_pasted(hands: Hands) -> None:
    hands.put({"src/a.txt": "".join(f"line {number}\n" for number in range(1, 41)), "b.txt": "line 3\n"})
    some = await hands.call("read", path="src/a.txt:10-11,30-31")
    await write(hands, "c.txt", some.output)
    assert hands.files()["c.txt"].decode() == "".join(f"line {number}\n" for number in (*range(9, 15), *range(29, 35)))
    found = await hands.call("search", pattern="line 3$", paths=["src"])
    await write(hands, "d.txt", found.output)
    assert hands.files()["d.txt"].decode() == "line 2\nline 3\nline 4\nline 5\nline 6"
