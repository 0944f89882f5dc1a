from __future__ import annotations

import asyncio
import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from agents.reading.archives import MOST_ENTRIES
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from tests.agents.reading import samples
from tests.agents.tools.hands import Hands

MEMBERS: dict[str, str | bytes] = {"src/main.py": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", "README.md": "hello"}
ODD = ("raw", "conflicts", "1", "L1", "raw:notes.txt", "1-2")


async def read(hands: Hands, path: str) -> str:
    result = await hands.call("read", path=path)
    assert result.error is None, result.error
    return result.output


async def refused(hands: Hands, tool: str, **args: str) -> str:
    before = hands.files()
    result = await hands.call(tool, **args)
    assert result.error is not None, result.output
    assert hands.files() == before
    return result.error


@pytest.mark.parametrize("ending", ["zip", "jar", "tar", "tgz", "tar.gz"])
async def test_every_kind_is_listed_and_read_member_by_member(hands: Hands, ending: str) -> None:
    packed = ending in ("tgz", "tar.gz")
    data = samples.zipped(MEMBERS) if ending in ("zip", "jar") else samples.tarred(MEMBERS, "w:gz" if packed else "w")
    hands.put({f"lib/a.{ending}": data})
    assert await read(hands, f"lib/a.{ending}:") == "README.md  5B\nsrc/"
    assert await read(hands, f"lib/a.{ending}") == "README.md  5B\nsrc/"
    assert await read(hands, f"lib/a.{ending}:src/") == "main.py  40B"
    assert await read(hands, f"lib/a.{ending}:README.md") == "1:hello"


async def test_a_compressed_file_is_an_archive_of_one(hands: Hands) -> None:
    hands.put({"app.log.gz": gzip.compress(b"first\nsecond\n")})
    assert await read(hands, "app.log.gz:") == "app.log"
    assert await read(hands, "app.log.gz:app.log:2") == "2:second"


async def test_lines_of_a_member_are_chosen_as_those_of_a_file(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped(MEMBERS)})
    shown = await read(hands, "a.zip:src/main.py:3-3")
    assert shown.startswith("2:two\n3:three\n4:four\n5:five\n6:six\n")
    assert await read(hands, "a.zip:src/main.py:2-3:raw") == "two\nthree"
    assert "beyond end" in await read(hands, "a.zip:src/main.py:50")


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("ending", ["zip", "tar"])
async def test_a_member_whose_name_reads_as_a_selector_wins(hands: Hands, name: str, ending: str) -> None:
    members: dict[str, str | bytes] = {odd: f"this is {odd}" for odd in ODD}
    hands.put({f"a.{ending}": samples.zipped(members) if ending == "zip" else samples.tarred(members)})
    assert await read(hands, f"a.{ending}:{name}") == f"1:this is {name}"


async def test_a_selector_behind_the_archive_itself_selects_of_its_listing(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped(MEMBERS)})
    assert await read(hands, "a.zip:2") == "src/"


async def test_a_file_that_really_has_this_name_is_meant_itself(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped(MEMBERS), "a.zip:README.md": "a plain file"})
    assert "a plain file" in await read(hands, "a.zip:README.md")


async def test_what_is_opened_is_the_file_that_rules_judge(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped({"b.zip:m": "secret"}), "a.zip:b.zip": samples.zipped({"m": "public"})})
    tool = hands.tool("read", {"path": "a.zip:b.zip:m"})
    assert tool.subject(hands.context()) == "a.zip:b.zip"
    assert await read(hands, "a.zip:b.zip:m") == "1:public"
    (hands.root / "a.zip:folder").mkdir()
    assert hands.tool("read", {"path": "a.zip:folder"}).subject(hands.context()) == "a.zip:folder"
    assert (await hands.call("read", path="a.zip:folder")).metadata["kind"] == "folder"


async def test_members_written_at_the_same_time_all_arrive(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped(MEMBERS)})
    results = await asyncio.gather(*(hands.call("write", path=f"a.zip:{name}", content=name) for name in "wxyz"))
    assert [result.error for result in results] == [None] * 4
    with zipfile.ZipFile(hands.root / "a.zip") as archive:
        assert sorted(archive.namelist()) == ["README.md", "src/main.py", "w", "x", "y", "z"]


async def test_a_long_listing_is_cut_and_says_so(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped({f"{number:04}": "" for number in range(MOST_ENTRIES + 3)})})
    result = await hands.call("read", path="a.zip:")
    assert f"[500 of {MOST_ENTRIES + 3} entries shown." in result.output
    assert result.metadata["meta"] == {"source": "a.zip:", "sourcePath": "a.zip", "limits": {"resultLimit": 500}}


async def test_members_that_would_leave_the_archive_are_neither_listed_nor_read(hands: Hands) -> None:
    hands.put({"a.tar": samples.tarred({"../out": "x", "/etc/cron": "x", "in/../../out": "x", "fine": "x"})})
    listing = await read(hands, "a.tar:")
    assert listing == "fine  1B\n[3 members with names that lead outside the archive are left out.]"
    for name in ("../out", "/etc/cron", "in/../../out"):
        assert "outside the archive" in await refused(hands, "read", path=f"a.tar:{name}")


async def test_a_name_cannot_pretend_to_be_two_entries(hands: Hands) -> None:
    hands.put({"a.tar": samples.tarred({"one\ntwo\x1b[2J": "x"})})
    assert await read(hands, "a.tar:") == "one\\ntwo\\x1b[2J  1B"


async def test_what_cannot_be_read_is_told_in_words(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped({"x.bin": b"\0\1"}), "broken.zip": b"PK\3\4 and no more", "b.tar": b"none"})
    assert "Member not found: nope in a.zip" in await refused(hands, "read", path="a.zip:nope")
    assert "is no text" in await refused(hands, "read", path="a.zip:x.bin")
    assert "not a valid zip archive" in await refused(hands, "read", path="broken.zip:")
    assert "not a valid tar archive" in await refused(hands, "read", path="b.tar:x")
    assert "too large" in await refused(hands, "read", path=_put(hands, "huge.zip", samples.zip_claiming(2**31)) + ":big")


def _put(hands: Hands, name: str, data: bytes) -> str:
    hands.put({name: data})
    return name


async def test_documents_notebooks_and_images_in_an_archive_are_shown_as_such(hands: Hands) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (3, 2)).save(picture, "PNG")
    notebook = '{"cells": [{"cell_type": "code", "source": ["print(1)"]}], "nbformat": 4}'
    hands.put({"a.zip": samples.zipped({"minutes.docx": samples.docx(), "n.ipynb": notebook, "p.png": picture.getvalue()})})
    assert samples.WORDS in await read(hands, "a.zip:minutes.docx")
    assert "cell:0" in await read(hands, "a.zip:n.ipynb")
    result = await hands.call("read", path="a.zip:p.png")
    assert "3×2 pixels" in result.output
    assert [attachment.media_type for attachment in result.attachments] == ["image/png"]


async def test_an_archive_outside_the_workspace_is_refused_also_behind_a_link(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "out.zip").write_bytes(samples.zipped(MEMBERS))
    (hands.root / "link.zip").symlink_to(tmp_path / "out.zip")
    for path in ("../out.zip:README.md", "link.zip:README.md", f"{tmp_path}/out.zip:README.md"):
        assert "outside the workspace" in await refused(hands, "read", path=path)
        assert "outside the workspace" in await refused(hands, "write", path=path, content="x")
    assert zipfile.ZipFile(tmp_path / "out.zip").read("README.md") == b"hello"


async def test_a_link_within_the_workspace_is_followed(hands: Hands) -> None:
    hands.put({"real/a.zip": samples.zipped(MEMBERS)})
    (hands.root / "link.zip").symlink_to("real/a.zip")
    result = await hands.call("read", path="link.zip:README.md")
    assert result.output == "1:hello"
    assert result.metadata["meta"]["sourcePath"] == "real/a.zip"


@pytest.mark.parametrize("ending", ["zip", "jar", "tar", "tgz", "tar.gz"])
async def test_members_are_replaced_and_added(hands: Hands, ending: str) -> None:
    packed = ending in ("tgz", "tar.gz")
    data = samples.zipped(MEMBERS) if ending in ("zip", "jar") else samples.tarred(MEMBERS, "w:gz" if packed else "w")
    hands.put({f"a.{ending}": data})
    result = await hands.call("write", path=f"a.{ending}:README.md", content="bye\n")
    assert result.error is None
    assert result.metadata["kind"] == "archive"
    assert result.metadata["resolvedPath"] == f"a.{ending}"
    assert [change.path for change in result.changes] == [f"a.{ending}"]
    await hands.call("write", path=f"a.{ending}:docs/new.md", content="new\n")
    assert await read(hands, f"a.{ending}:README.md:raw") == "bye"
    assert await read(hands, f"a.{ending}:docs/new.md") == "1:new"
    assert "8:eight" in await read(hands, f"a.{ending}:src/main.py")


@pytest.mark.parametrize("name", ["new.zip", "new.jar", "new.tar", "new.tgz", "deep/new.tar.gz"])
async def test_an_archive_is_made_where_there_is_none(hands: Hands, name: str) -> None:
    result = await hands.call("write", path=f"{name}:inner/a.txt", content="text")
    assert result.error is None, result.error
    assert [change.change for change in result.changes] == ["created"]
    if name.endswith(("zip", "jar")):
        assert zipfile.ZipFile(hands.root / name).read("inner/a.txt") == b"text"
    else:
        with tarfile.open(hands.root / name) as archive:
            assert archive.getnames() == ["inner/a.txt"]


async def test_a_gzip_file_is_made_and_rewritten(hands: Hands) -> None:
    for content in ("first", "second"):
        assert (await hands.call("write", path="notes.txt.gz:notes.txt", content=content)).error is None
        assert gzip.decompress((hands.root / "notes.txt.gz").read_bytes()) == content.encode()


@pytest.mark.parametrize("member", ["", "/abs", "folder/", "../up", "a/../../b", "src", "README.md/below"])
async def test_a_bad_name_changes_nothing(hands: Hands, member: str) -> None:
    ending = "tar" if member < "b" else "zip"
    hands.put({"a.zip": samples.zipped(MEMBERS), "a.tar": samples.tarred(MEMBERS)})
    await refused(hands, "write", path=f"a.{ending}:{member}", content="x")


async def test_an_archive_in_the_git_folder_is_not_written(hands: Hands) -> None:
    hands.put({".git/a.zip": samples.zipped(MEMBERS)})
    assert "only git itself" in await refused(hands, "write", path=".git/a.zip:README.md", content="x")


async def test_an_archive_of_a_read_only_workspace_is_not_written(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped(MEMBERS)})
    hands.sandbox = open_sandbox(SandboxWish(str(hands.root), level="local", writable=False))
    assert "read-only" in await refused(hands, "write", path="a.zip:README.md", content="x")


async def test_members_are_searched_and_what_is_no_text_is_passed_over(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped({**MEMBERS, "x.bin": b"hello\0"})})
    result = await hands.call("search", pattern="hello|seven", paths="a.zip")
    assert "a.zip:README.md:1: hello" in result.output
    assert "a.zip:src/main.py:7: seven" in result.output
    assert "x.bin" not in result.output
    result = await hands.call("search", pattern="e", paths="a.zip:src/main.py:3-3")
    assert "a.zip:src/main.py:3: three" in result.output
    assert "src/main.py:1:" not in result.output


async def test_an_archive_of_archives_of_zeros_ends_in_words_and_not_in_memory(hands: Hands) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("zeros", "w") as member:
        for _ in range(65):
            member.write(bytes(2**20))
    hands.put({"bomb.zip": out.getvalue()})
    assert "too large" in await refused(hands, "read", path="bomb.zip:zeros")
    assert "No matches" in (await hands.call("search", pattern="x", paths="bomb.zip")).output


async def test_a_member_of_countless_lines_is_not_counted_through(hands: Hands) -> None:
    hands.put({"a.zip": samples.zipped({"lines": "\n" * 4_100_000})})
    for path in ("a.zip:lines", "a.zip:lines:5-9"):
        assert "more than 4000000 lines" in (await hands.call("read", path=path)).output
