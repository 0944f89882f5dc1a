from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from agents.errors import ToolError
from agents.reading.members import LARGEST_MEMBER, LARGEST_TAR
from agents.reading.tars import GzipFile, TarArchive
from tests.agents.reading import samples


def opened(data: bytes, *, compressed: bool = False) -> TarArchive:
    return TarArchive(io.BytesIO(data), "a.tar", compressed=compressed)


def content(archive: TarArchive, name: str) -> bytes | None:
    return next(found for member, found in archive.walk(lambda member: member.name == name) if member.name == name)


def names(archive: TarArchive) -> list[str]:
    return [member.name for member, _ in archive.walk(lambda _: False)]


def rewritten(data: bytes, member: str, new: bytes) -> bytes:
    out = io.BytesIO()
    opened(data).rewritten(member, new, out)
    return out.getvalue()


def test_members_are_read_plain_and_compressed() -> None:
    assert content(opened(samples.tarred({"a": "one", "./b/c": "two"})), "b/c") == b"two"
    assert content(opened(samples.tarred({"a": "one"}, "w:gz"), compressed=True), "a") == b"one"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_a_link_is_not_followed(kind: bytes) -> None:
    archive = opened(samples.tarred({"link": samples.tar_entry("link", kind, "/etc/passwd")}))
    with pytest.raises(ToolError, match="is a link to '/etc/passwd'"):
        content(archive, "link")


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_a_device_is_no_file(kind: bytes) -> None:
    with pytest.raises(ToolError, match="device or pipe"):
        content(opened(samples.tarred({"null": samples.tar_entry("null", kind)})), "null")


def test_a_member_beyond_the_limit_is_not_read() -> None:
    sparse = samples.tar_entry("big", tarfile.REGTYPE, size=LARGEST_MEMBER + 1)
    with pytest.raises(ToolError, match="too large: more than 64 MB"):
        content(opened(sparse.tobuf() + bytes(1024)), "big")


def test_a_compressed_archive_that_swells_beyond_the_limit_is_given_up() -> None:
    zeros = samples.gzip_bomb(LARGEST_TAR + 2**20)
    entry = samples.tar_entry("big", tarfile.REGTYPE, size=LARGEST_TAR)
    with pytest.raises(ToolError, match="too large: more than 256 MB"):
        names(opened(gzip.compress(entry.tobuf()) + zeros, compressed=True))


@pytest.mark.parametrize("end", [1, 511, 700, 1100, 2047])
def test_a_tar_that_is_cut_off_says_so(end: int) -> None:
    data = samples.tarred({"a": "x" * 600, "b": "y" * 600})
    with pytest.raises(ToolError, match="not a valid tar archive"):
        names(opened(data[:end]))


def test_damage_in_the_middle_is_not_taken_for_the_end() -> None:
    data = bytearray(samples.tarred({"a": "x", "b": "y"}))
    data[1024 + 148] ^= 0xFF
    with pytest.raises(ToolError, match="damaged in the middle"):
        names(opened(bytes(data)))


@pytest.mark.parametrize("data", [b"", b"no archive at all", b"\x1f\x8b\x08" + bytes(40)])
def test_what_is_no_archive_is_refused_in_words(data: bytes) -> None:
    for compressed in (False, True):
        with pytest.raises(ToolError, match="not a valid tar archive"):
            names(opened(data, compressed=compressed))


def test_headers_that_lead_to_headers_without_end_are_refused() -> None:
    chain = b"".join(samples.tar_entry("x", tarfile.XHDTYPE).tobuf() for _ in range(3000))
    with pytest.raises(ToolError, match="not a valid tar archive"):
        names(opened(chain + bytes(1024)))


def test_rewriting_keeps_the_blocks_of_all_others() -> None:
    long = "deep/" * 40 + "name"
    before = samples.tarred({"a": "one", long: "two", "link": samples.tar_entry("link", tarfile.SYMTYPE, "a"), "z": "end"})
    after = rewritten(before, "a", b"something longer than before" * 40)
    with tarfile.open(fileobj=io.BytesIO(after)) as archive:
        assert archive.getnames() == ["a", long, "link", "z"]
    assert before[1024 : before.find(b"end") + 3] in after
    assert content(opened(after), long) == b"two"
    assert len(after) % 10240 == 0


def test_a_new_member_goes_to_the_end_and_a_replaced_one_keeps_its_mode() -> None:
    info = samples.tar_entry("run", tarfile.REGTYPE)
    info.mode = 0o755
    after = rewritten(rewritten(samples.tarred({"run": info}), "new", b"n"), "run", b"changed")
    with tarfile.open(fileobj=io.BytesIO(after)) as archive:
        assert archive.getnames() == ["run", "new"]
        assert archive.getmember("run").mode == 0o755


def test_a_link_is_not_replaced_by_a_file() -> None:
    with pytest.raises(ToolError, match="is a link"):
        rewritten(samples.tarred({"link": samples.tar_entry("link", tarfile.SYMTYPE, "a")}), "link", b"x")


def test_a_gzip_file_is_one_member_and_takes_no_other() -> None:
    archive = GzipFile(io.BytesIO(gzip.compress(b"text")), "logs/app.log.gz")
    assert [(member.name, found) for member, found in archive.walk(lambda _: True)] == [("app.log", b"text")]
    with pytest.raises(ToolError, match=r"holds one file, app\.log"):
        archive.rewritten("other", b"x", io.BytesIO())


def test_a_gzip_bomb_is_stopped_at_the_limit() -> None:
    archive = GzipFile(io.BytesIO(samples.gzip_bomb(LARGEST_MEMBER + 2**20)), "zeros.gz")
    with pytest.raises(ToolError, match="too large: more than 64 MB"):
        list(archive.walk(lambda _: True))
