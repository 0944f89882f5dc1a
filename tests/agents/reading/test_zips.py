from __future__ import annotations

import io
import struct
import zipfile

import pytest

from agents.errors import ToolError
from agents.reading.members import LARGEST_MEMBER
from agents.reading.zips import ZipArchive
from tests.agents.reading import samples


def opened(data: bytes) -> ZipArchive:
    return ZipArchive(io.BytesIO(data), "a.zip")


def content(data: bytes, name: str) -> bytes | None:
    return next(found for member, found in opened(data).walk(lambda member: member.name == name) if member.name == name)


def rewritten(data: bytes, member: str, new: bytes) -> bytes:
    out = io.BytesIO()
    opened(data).rewritten(member, new, out)
    return out.getvalue()


def test_a_stored_and_a_compressed_member_are_read() -> None:
    assert content(samples.zipped({"a": "one", "b": "two"}, zipfile.ZIP_STORED), "b") == b"two"
    assert content(samples.zipped({"a": "one" * 99}), "a") == b"one" * 99


@pytest.mark.parametrize("end", [0, 1, 21, 60, -1])
def test_a_zip_that_is_cut_off_is_no_valid_one(end: int) -> None:
    with pytest.raises(ToolError, match="not a valid zip archive"):
        opened(samples.zipped({"a": "content"})[:end])


def test_members_that_share_their_bytes_are_refused() -> None:
    with pytest.raises(ToolError, match="overlaps another"):
        opened(samples.overlapping_zip())


def test_a_member_that_claims_to_be_small_gives_no_more_than_it_claims() -> None:
    with pytest.raises(ToolError, match="damaged"):
        content(samples.zip_claiming(10), "big")


def test_a_member_that_claims_to_be_huge_is_not_even_begun() -> None:
    with pytest.raises(ToolError, match="too large: more than 64 MB"):
        content(samples.zip_claiming(LARGEST_MEMBER + 1), "big")


def test_a_member_whose_checksum_is_wrong_is_damaged() -> None:
    data = samples.zipped({"a": "content"}, zipfile.ZIP_STORED).replace(b"content", b"kontent")
    with pytest.raises(ToolError, match="damaged"):
        content(data, "a")


def test_an_encrypted_member_is_refused_in_words() -> None:
    with pytest.raises(ToolError, match="The member a is encrypted"):
        content(samples.zip_with(flag=1), "a")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 99])
def test_other_methods_of_compression_are_refused_for_their_bombs_cannot_be_bounded(method: int) -> None:
    with pytest.raises(ToolError, match="unsupported compression method"):
        content(samples.zip_with(method=method), "a")


def test_a_link_is_not_followed() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ToolError, match="is a link"):
        content(out.getvalue(), "link")


def test_what_is_not_rewritten_stays_byte_for_byte() -> None:
    before = samples.zipped({"a": "one", "b": "two" * 50, "c": "three"})
    after = rewritten(before, "b", b"new")
    assert content(after, "b") == b"new"
    first = before[: before.find(b"PK\3\4", 4)]
    assert after.startswith(first)
    third = before[before.rfind(b"PK\3\4") : before.find(b"PK\1\2")]
    assert third in after
    assert zipfile.ZipFile(io.BytesIO(after)).testzip() is None


def test_names_in_old_encodings_and_an_archives_comment_survive() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("plain", "x")
        archive.comment = b"keep me"
    before = out.getvalue().replace(b"plain", b"pl\x84in")
    after = zipfile.ZipFile(io.BytesIO(rewritten(before, "new", b"y")))
    assert after.comment == b"keep me"
    assert [info.filename for info in after.infolist()] == ["pläin", "new"]
    assert after.read("pläin") == b"x"


def test_bytes_in_front_of_the_first_member_are_kept() -> None:
    data = samples.zipped({"a": "one"})
    moved = bytearray(b"#!/bin/sh\n" + data)
    place = moved.rfind(b"PK\1\2")
    moved[place + 42 : place + 46] = struct.pack("<I", 10)
    end = moved.rfind(b"PK\5\6")
    moved[end + 16 : end + 20] = struct.pack("<I", place)
    assert rewritten(bytes(moved), "b", b"two").startswith(b"#!/bin/sh\n")


def test_the_mode_of_a_replaced_member_stays() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("run.sh")
        info.external_attr = 0o100755 << 16
        archive.writestr(info, "old")
    after = zipfile.ZipFile(io.BytesIO(rewritten(out.getvalue(), "run.sh", b"new")))
    assert after.getinfo("run.sh").external_attr >> 16 == 0o100755


def test_members_with_data_descriptors_are_not_rewritten() -> None:
    class NoSeek(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, offset: int, whence: int = 0, /) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    out = NoSeek()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "content")
    with pytest.raises(ToolError, match="data descriptor"):
        rewritten(out.getvalue(), "b", b"x")


@pytest.mark.parametrize("name", ["", "/a", "a/", "../a", "a/../b", "a//b", "./a", "a\0b", "a\nb", "C:/x", "x" * 1001])
def test_a_name_that_leads_astray_is_not_written(name: str) -> None:
    with pytest.raises(ToolError, match="The member's name"):
        rewritten(samples.zipped({"a": "one"}), name, b"x")


@pytest.mark.parametrize("name", ["folder", "file/inner"])
def test_a_file_and_a_folder_never_have_one_name(name: str) -> None:
    with pytest.raises(ToolError, match=r"is a folder|is a file"):
        rewritten(samples.zipped({"folder/x": "", "file": ""}), name, b"x")
