from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from workspace.errors import Invalid
from workspace.projects.archives import unpack


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "place"
    root.mkdir()
    return root


def zipped(*members: tuple[str, bytes], packed: bool = False) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name) if not packed else name, data)
    return file


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> io.BytesIO:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]  # the modes are right
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file


def plain(name: str, data: bytes = b"x", type: bytes = tarfile.REGTYPE, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = type, target
    return info, data if type == tarfile.REGTYPE else b""


def put(file: io.BytesIO, root: Path, **bounds: int) -> list[str]:
    size = file.tell()
    file.seek(0)
    unpack(file, size, root, **bounds)
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_a_zip_is_unpacked(root: Path) -> None:
    assert put(zipped(("a.txt", b"one"), ("b/c.txt", b"two"), ("d/", b"")), root) == ["a.txt", "b", "b/c.txt", "d"]
    assert (root / "b/c.txt").read_bytes() == b"two"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_in_any_compression_is_unpacked(root: Path, mode: str) -> None:
    run = plain("run.sh", b"#!/bin/sh")
    run[0].mode = 0o755
    assert put(tarred(run, plain("b/c.txt"), mode=mode), root) == ["b", "b/c.txt", "run.sh"]
    assert (root / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (root / "b/c.txt").stat().st_mode & 0o777 == 0o644


def test_an_only_folder_is_unwrapped_with_its_links(root: Path) -> None:
    link = plain("shelf-main/docs/first", type=tarfile.SYMTYPE, target="../a.txt")
    assert put(tarred(plain("shelf-main/a.txt", b"one"), link), root) == ["a.txt", "docs", "docs/first"]
    assert (root / "docs/first").read_bytes() == b"one"


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "..\\out.txt", "a/..", "\\\\server\\out.txt"])
def test_a_name_that_leads_out_refuses_the_archive(root: Path, name: str) -> None:
    for archive in (zipped(("ok.txt", b"x"), (name, b"x")), tarred(plain("ok.txt"), plain(name))):
        with pytest.raises(Invalid, match="leads out"):
            put(archive, root)
    assert not (root.parent / "out.txt").exists()


@pytest.mark.parametrize("target", ["/etc/passwd", "../..", "../outside", "inner/../../.."])
def test_a_link_that_leads_out_is_left_out(root: Path, target: str) -> None:
    (root.parent / "outside").mkdir()
    assert put(tarred(plain("a.txt"), plain("way", type=tarfile.SYMTYPE, target=target)), root) == ["a.txt"]


def test_links_that_lead_out_only_together_are_left_out(root: Path) -> None:
    first = plain("d/up", type=tarfile.SYMTYPE, target="..")
    second = plain("far", type=tarfile.SYMTYPE, target="d/up/../..")
    assert "far" not in put(tarred(plain("a.txt"), first, second), root)


def test_nothing_is_written_through_a_link(root: Path) -> None:
    (root.parent / "outside").mkdir()
    way = plain("way", type=tarfile.SYMTYPE, target="../outside")
    put(tarred(way, plain("way/file.txt", b"here"), plain("a.txt")), root)
    assert list((root.parent / "outside").iterdir()) == []
    assert (root / "way/file.txt").read_bytes() == b"here"


def test_devices_and_pipes_are_left_out_and_hard_links_copied(root: Path) -> None:
    members = [plain("a.txt", b"one"), plain("pipe", type=tarfile.FIFOTYPE), plain("null", type=tarfile.CHRTYPE)]
    assert put(tarred(*members, plain("b.txt", type=tarfile.LNKTYPE, target="a.txt")), root) == ["a.txt", "b.txt"]
    (root / "b.txt").write_bytes(b"two")
    assert (root / "a.txt").read_bytes() == b"one"


def test_an_archives_own_repository_is_left_out(root: Path) -> None:
    assert put(zipped(("a.txt", b"x"), (".git/config", b"[core]"), ("b/.GIT/hooks/x", b"x")), root) == ["a.txt"]


def test_a_bomb_is_stopped_while_it_unpacks(root: Path) -> None:
    with pytest.raises(Invalid, match="larger than"):
        put(zipped(("zeros", b"\0" * 40 * 2**20), packed=True), root)
    assert (root / "zeros").stat().st_size <= 17 * 2**20


def test_too_many_files_are_refused(root: Path) -> None:
    with pytest.raises(Invalid, match="more than 10 files"):
        put(zipped(*((f"{number}", b"") for number in range(11))), root, files_limit=10)


def test_too_large_files_are_refused(root: Path) -> None:
    with pytest.raises(Invalid, match="larger than"):
        put(zipped(("a", b"x" * 600), ("b", b"x" * 600)), root, bytes_limit=1000)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x05\x06", b"\x1f\x8b\x08broken"])
def test_what_is_no_archive_says_so(root: Path, data: bytes) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        unpack(io.BytesIO(data), len(data), root)


def test_a_hard_link_to_what_is_not_there_says_so(root: Path) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        put(tarred(plain("a.txt"), plain("b.txt", type=tarfile.LNKTYPE, target="/etc/passwd")), root)


def test_half_an_archive_says_so(root: Path) -> None:
    whole = tarred(plain("a.txt", bytes(range(256)) * 4000)).getvalue()
    with pytest.raises(Invalid, match="cannot be read"):
        unpack(io.BytesIO(whole[: len(whole) // 2]), len(whole), root)


def test_a_file_that_is_also_a_folder_is_refused(root: Path) -> None:
    with pytest.raises(Invalid, match="both a file and a folder"):
        put(zipped(("a", b"x"), ("a/b", b"x")), root)
