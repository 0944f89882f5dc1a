"""What may be uploaded as a skill, and every way in which an archive may try to be more than that."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Mapping

import pytest

from tests.workspace.projects.test_archives import plain, tarred, zipped
from tests.workspace.skills.conftest import text
from workspace.errors import Invalid
from workspace.skills.bundle import BYTES_LIMIT, FILE_LIMIT, FILES_LIMIT, TAR_LIMIT, Bundle, of_archive, of_files

MIB = 2**20


def given(files: Mapping[str, bytes]) -> Bundle:
    return of_files((path, io.BytesIO(data)) for path, data in files.items())


def opened(archive: io.BytesIO) -> Bundle:
    size = archive.seek(0, io.SEEK_END)
    archive.seek(0)
    return of_archive(archive, size)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz", "zip"])
@pytest.mark.parametrize("top", ["", "release-main/", "a/b/"])
def test_the_folder_that_skill_md_lies_in_is_the_skill(mode: str, top: str) -> None:
    files = [(f"{top}SKILL.md", text()), (f"{top}references/steps.txt", b"one")]
    archive = zipped(*files) if mode == "zip" else tarred(*(plain(*file) for file in files), mode=mode)
    bundle = opened(archive)
    assert (bundle.name, bundle.description) == ("release", "How a release is made")
    assert bundle.files == {"SKILL.md": text(), "references/steps.txt": b"one"}


def test_single_files_are_a_skill_too_and_empty_ones_are_kept() -> None:
    assert given({"SKILL.md": text(), "scripts/__init__.py": b""}).files.keys() == {"SKILL.md", "scripts/__init__.py"}


def test_small_letters_will_do_for_skill_md() -> None:
    assert given({"x/skill.md": text(), "x/Skill.mdx": b""}).files.keys() == {"SKILL.md", "Skill.mdx"}


def test_a_skill_below_the_skill_is_a_part_of_it() -> None:
    assert given({"SKILL.md": text(), "examples/SKILL.md": b"no head"}).files.keys() == {"SKILL.md", "examples/SKILL.md"}


def test_what_systems_add_by_themselves_is_left_out() -> None:
    junk = ("__MACOSX/._SKILL.md", "x/.DS_Store", "x/.git/config", "x/Thumbs.db")
    assert opened(zipped(("x/SKILL.md", text()), *((name, b"x") for name in junk))).files.keys() == {"SKILL.md"}


@pytest.mark.parametrize(
    "name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "..\\out.txt", "a/..", "C:\\out.txt", "c:/out.txt", "a\0b"]
)
def test_a_name_that_leads_out_refuses_the_upload(name: str) -> None:
    with pytest.raises(Invalid, match="leads out"):
        given({"SKILL.md": text(), name: b"x"})
    if "\0" not in name:  # archives end a name there
        for archive in (zipped(("SKILL.md", text()), (name, b"x")), tarred(plain("SKILL.md", text()), plain(name))):
            with pytest.raises(Invalid, match="leads out"):
                opened(archive)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "x" * 256, "/".join(["abcdefgh"] * 60), "\udcff.txt"])
def test_a_name_that_cannot_be_shown_or_kept_refuses_the_upload(name: str) -> None:
    with pytest.raises(Invalid, match=r"odd name|name is too long"):
        given({"SKILL.md": text(), name: b"x"})


@pytest.mark.parametrize("target", ["SKILL.md", "/etc/passwd", "../../secret"])
def test_a_link_refuses_the_upload(target: str) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("SKILL.md", text())
        archive.writestr(link, target)
    for one in (packed, tarred(plain("SKILL.md", text()), plain("link", type=tarfile.SYMTYPE, target=target))):
        with pytest.raises(Invalid, match="has no links"):
            opened(one)


def test_a_hard_link_is_a_copy_and_one_to_nothing_says_that_the_archive_is_broken() -> None:
    def archive(target: str) -> io.BytesIO:
        return tarred(plain("SKILL.md", text()), plain("copy.md", type=tarfile.LNKTYPE, target=target))

    assert opened(archive("SKILL.md")).files["copy.md"] == text()
    with pytest.raises(Invalid, match="cannot be read"):
        opened(archive("/etc/passwd"))


def test_devices_and_pipes_are_left_out() -> None:
    odd = [plain("pipe", type=tarfile.FIFOTYPE), plain("null", type=tarfile.CHRTYPE)]
    assert opened(tarred(plain("SKILL.md", text()), *odd)).files.keys() == {"SKILL.md"}


def test_bounds_hold_exactly() -> None:
    few = {f"f{number}": b"" for number in range(FILES_LIMIT - 1)}
    assert len(given({"SKILL.md": text(), **few}).files) == FILES_LIMIT
    with pytest.raises(Invalid, match="more than 200 files"):
        given({"SKILL.md": text(), **few, "one more": b""})
    assert len(given({"SKILL.md": text(), "big": b"x" * FILE_LIMIT}).files["big"]) == FILE_LIMIT
    with pytest.raises(Invalid, match="big is larger than 10 MiB"):
        given({"SKILL.md": text(), "big": b"x" * (FILE_LIMIT + 1)})
    with pytest.raises(Invalid, match="together are larger than 20 MiB"):
        given({"SKILL.md": text(), "a": b"x" * FILE_LIMIT, "b": b"x" * FILE_LIMIT})


def test_a_bomb_in_a_zip_is_stopped_while_it_unpacks() -> None:
    bomb = zipped(("SKILL.md", text()), ("zeros", b"\0" * 40 * MIB), packed=True)
    assert bomb.tell() < MIB
    with pytest.raises(Invalid, match="larger than 10 MiB"):
        opened(bomb)


@pytest.mark.parametrize("where", ["zeros", ".git/zeros"])
@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_bomb_in_a_tar_is_stopped_wherever_its_bytes_are(where: str, mode: str) -> None:
    bomb = tarred(plain(where, b"\0" * (TAR_LIMIT + 1)), plain("SKILL.md", text()), mode=mode)
    assert bomb.tell() < MIB
    with pytest.raises(Invalid, match="larger than 20 MiB"):
        opened(bomb)


def test_a_head_of_a_tar_that_declares_more_than_there_is_costs_nothing() -> None:
    huge = tarfile.TarInfo("pax")
    huge.type, huge.size = tarfile.XHDTYPE, 8 * 2**30
    with pytest.raises(Invalid, match="cannot be read"):
        opened(io.BytesIO(huge.tobuf() + b"\0" * 1024))


def test_an_archive_that_is_itself_too_large_is_not_read() -> None:
    with pytest.raises(Invalid, match="archive is larger than 20 MiB"):
        of_archive(io.BytesIO(), BYTES_LIMIT + 1)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x05\x06", b"\x1f\x8b\x08broken", b"BZhbroken", b"\xfd7zXZ\0broken"])
def test_what_is_no_archive_says_so(data: bytes) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        opened(io.BytesIO(data))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_files_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(Invalid, match="there twice"):
        opened(zipped(("SKILL.md", text()), ("a", b"1"), ("./a", b"2")))
    with pytest.raises(Invalid, match="there twice"):
        opened(zipped(("SKILL.md", text()), ("SKILL.md", text("other"))))
    for deep in ("a/b", "a/b/c"):
        with pytest.raises(Invalid, match="both a file and a folder"):
            given({"SKILL.md": text(), "a": b"1", deep: b"2"})


def test_both_spellings_of_skill_md_side_by_side_are_refused() -> None:
    with pytest.raises(Invalid, match="more than one"):
        given({"SKILL.md": text(), "skill.md": text("other")})


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"README.md": b"x"}, r"There is no SKILL\.md"),
        ({}, r"There is no SKILL\.md"),
        ({"a/SKILL.md": text("a"), "b/SKILL.md": text("b")}, "more than one skill.*a, b"),
        ({"a/SKILL.md": text("a"), "b/x.txt": b""}, r"b/x\.txt lies outside of a"),
        ({"SKILL.md": b"# No head\n"}, "no name and no description"),
        ({"SKILL.md": b"---\nname: x\n---\n"}, "no description"),
        ({"SKILL.md": b"---\ndescription: x\n---\n"}, "no name"),
        ({"SKILL.md": text("No Spaces")}, "small letters"),
        ({"SKILL.md": text("UPPER")}, "small letters"),
        ({"SKILL.md": text("x" * 65)}, "small letters"),
        ({"SKILL.md": text("../x")}, "small letters"),
        ({"SKILL.md": text() + b"\xff"}, "no UTF-8"),
    ],
)
def test_what_is_no_skill_is_refused_with_what_is_wrong(files: dict[str, bytes], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        given(files)
