from __future__ import annotations

import ctypes
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from agents.errors import PathRefused
from agents.sandboxes.files import ConfinedFiles

OUTSIDE = ["..", "../secret", "a/../../secret", "missing/../../secret", "/etc/passwd", "/workspace/../secret", "/workspaces/secret", "/"]
UNFIT = ["", "a\0b", "~", "~/secret", "~root/secret", "x" * 256, "deep/" * 1000, "\ud800"]
HERE, EXCHANGE = -100, 2
"""renameat2: paths from the working folder; swap the two."""


@pytest.fixture
def files(workspace: Path) -> ConfinedFiles:
    return ConfinedFiles(str(workspace), "/workspace")


@pytest.fixture
def secret(workspace: Path) -> Path:
    """A file beside the workspace."""
    secret = workspace.parent / "secret"
    secret.write_text("hidden")
    return secret


@pytest.mark.parametrize("path", ["a/b.txt", "./a//b.txt", "a/../a/b.txt", "/workspace/a/b.txt", "/workspace//a/./b.txt"])
def test_one_file_has_many_names(files: ConfinedFiles, path: str) -> None:
    files.write("a/b.txt", b"text")
    assert files.read(path) == b"text"
    assert files.relative(path) == "a/b.txt"
    assert files.stat(path).path == "a/b.txt"


def test_a_real_path_below_the_root_is_a_name_too(files: ConfinedFiles, workspace: Path) -> None:
    assert files.write(str(workspace / "new" / "file"), b"text")
    assert files.read("new/file") == b"text"


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_out_of_the_workspace_is_refused(files: ConfinedFiles, secret: Path, path: str) -> None:
    for attempt in (files.relative, files.stat, files.read, files.entries, files.delete, lambda path: files.write(path, b"")):
        with pytest.raises(PathRefused, match="outside the workspace"):
            attempt(path)
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize("path", UNFIT, ids=lambda path: repr(path)[:12])
def test_what_is_no_path_is_refused(files: ConfinedFiles, path: str) -> None:
    for attempt in (files.relative, files.read, lambda path: files.write(path, b"")):
        with pytest.raises(PathRefused, match=r"\.$|…$"):
            attempt(path)


@pytest.mark.parametrize("target", ["../secret", "{outside}/secret", "/etc/passwd", "/workspace/../secret", "in/../../secret"])
def test_a_link_to_a_file_outside_leads_nowhere(files: ConfinedFiles, workspace: Path, secret: Path, target: str) -> None:
    (workspace / "in").mkdir()
    (workspace / "link").symlink_to(target.format(outside=workspace.parent))
    for attempt in (files.relative, files.stat, files.read, lambda path: files.write(path, b"changed")):
        with pytest.raises(PathRefused, match="outside the workspace"):
            attempt("link")
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize("target", ["..", "{outside}", "/"])
def test_a_link_to_a_folder_outside_leads_nowhere(files: ConfinedFiles, workspace: Path, secret: Path, target: str) -> None:
    (workspace / "link").symlink_to(target.format(outside=workspace.parent))
    for attempt in (files.read, files.entries, files.delete, lambda path: files.write(path, b"changed")):
        with pytest.raises(PathRefused, match="outside the workspace"):
            attempt("link/secret")
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize("target", ["real", "./real", "real/../real", "/workspace/real", "{root}/real"])
def test_a_link_within_the_workspace_is_followed(files: ConfinedFiles, workspace: Path, target: str) -> None:
    files.write("real/file", b"text")
    (workspace / "link").symlink_to(target.format(root=workspace))
    assert files.read("link/file") == b"text"
    assert files.relative("link/new") == "real/new"


def test_links_in_a_circle_are_given_up(files: ConfinedFiles, workspace: Path) -> None:
    (workspace / "a").symlink_to("b")
    (workspace / "b").symlink_to("a")
    with pytest.raises(PathRefused, match="more than 40 symbolic links"):
        files.read("a")


def test_writing_through_a_link_changes_what_it_points_to(files: ConfinedFiles, workspace: Path) -> None:
    (workspace / "link").symlink_to("target")
    assert files.write("link", b"text")
    assert (workspace / "link").is_symlink()
    assert (workspace / "target").read_bytes() == b"text"


def test_deleting_a_link_leaves_what_it_points_to(files: ConfinedFiles, workspace: Path, secret: Path) -> None:
    (workspace / "link").symlink_to(secret)
    files.delete("link")
    assert not (workspace / "link").is_symlink()
    assert secret.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux exchanges two names at once.")
def test_no_race_leads_out(files: ConfinedFiles, workspace: Path) -> None:
    """Someone swaps a folder for a link to the outside, over and over, while we write and read below it."""
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / "file").write_text("hidden")
    (workspace / "trap").symlink_to(outside)
    (workspace / "door").mkdir()
    done = threading.Event()
    exchange = ctypes.CDLL(None).renameat2
    door, trap = os.fsencode(workspace / "door"), os.fsencode(workspace / "trap")

    def swap() -> None:
        while not done.is_set():
            exchange(HERE, door, HERE, trap, EXCHANGE)

    swapper = threading.Thread(target=swap)
    swapper.start()
    outcomes = [_attempt(files) for _ in range(1500)]
    done.set()
    swapper.join()
    assert (outside / "file").read_text() == "hidden"
    assert sorted(path.name for path in outside.iterdir()) == ["file"]
    assert b"hidden" not in outcomes
    assert b"written" in outcomes


def _attempt(files: ConfinedFiles) -> bytes | None:
    try:
        files.write("door/file", b"written")
        return files.read("door/file")
    except (PathRefused, OSError):
        return None


@pytest.mark.parametrize("path", [".git/config", ".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", "./sub/../.git/x", ".git"])
def test_git_is_left_to_git(files: ConfinedFiles, workspace: Path, path: str) -> None:
    (workspace / ".git" / "hooks").mkdir(parents=True)
    (workspace / ".git" / "config").write_text("kept")
    for attempt in (files.delete, lambda path: files.write(path, b"changed")):
        with pytest.raises(PathRefused, match=r"inside \.git"):
            attempt(path)
    assert (workspace / ".git" / "config").read_text() == "kept"
    assert not (workspace / "sub" / ".git").exists()


def test_git_is_left_to_git_behind_a_link(files: ConfinedFiles, workspace: Path) -> None:
    (workspace / ".git").mkdir()
    (workspace / "link").symlink_to(".git")
    with pytest.raises(PathRefused, match=r"inside \.git"):
        files.write("link/config", b"changed")
    assert files.write(".gitignore", b"fine")


def test_pipes_and_devices_are_refused_without_waiting(files: ConfinedFiles, workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    for attempt in (files.read, lambda path: files.write(path, b"")):
        with pytest.raises(PathRefused, match="pipe, socket or device"):
            attempt("pipe")
    assert files.stat("pipe").kind == "other"


def test_what_is_not_there_is_told_by_the_name_it_was_asked_by(files: ConfinedFiles) -> None:
    for path in ("missing", "missing/too"):
        with pytest.raises(FileNotFoundError) as raised:
            files.read(path)
        assert raised.value.filename == path


def test_folders_and_files_are_not_taken_for_each_other(files: ConfinedFiles) -> None:
    files.write("folder/file", b"")
    for attempt in (files.read, files.delete, lambda path: files.write(path, b"")):
        with pytest.raises(IsADirectoryError):
            attempt("folder")
    with pytest.raises(NotADirectoryError):
        files.read("folder/file/more")
    with pytest.raises(NotADirectoryError):
        files.entries("folder/file")
    with pytest.raises(IsADirectoryError):
        files.write("new/", b"")


@pytest.mark.parametrize("name", ["with space", "ünïcode-名前", "new\nline", "-dash", "quote'\"", "trailing ", "back\\slash", "~backup"])
def test_unusual_names_work(files: ConfinedFiles, name: str) -> None:
    assert files.write(name, b"text")
    assert files.read(name) == b"text"
    assert [entry.path for entry in files.entries(".")] == [name]
    files.delete(name)
    assert files.entries(".") == []


def test_a_name_that_is_no_text_works(files: ConfinedFiles, workspace: Path) -> None:
    (workspace / os.fsdecode(b"caf\xe9")).write_bytes(b"text")
    [entry] = files.entries(".")
    assert files.read(entry.path) == b"text"


def test_write_tells_new_from_replaced_and_keeps_the_mode(files: ConfinedFiles, workspace: Path) -> None:
    assert files.write("script", b"1") is True
    (workspace / "script").chmod(0o754)
    assert files.write("script", b"2") is False
    assert files.stat("script").mode == 0o754
    files.write("script", b"3", mode=0o600)
    assert stat.S_IMODE((workspace / "script").stat().st_mode) == 0o600


def test_write_leaves_nothing_beside_the_file(files: ConfinedFiles, workspace: Path) -> None:
    files.write("a", b"text")
    (workspace / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        files.write("folder", b"text")
    assert sorted(path.name for path in workspace.iterdir()) == ["a", "folder"]


def test_read_stops_at_its_limit(files: ConfinedFiles) -> None:
    files.write("a", b"0123456789")
    assert files.read("a", 4) == b"0123"
    assert files.read("a", 0) == b""
    assert files.read("a") == b"0123456789"


def test_entries_describe_what_links_lead_to(files: ConfinedFiles, workspace: Path) -> None:
    files.write("folder/file", b"text")
    (workspace / "inside").symlink_to("folder/file")
    (workspace / "outside").symlink_to("/etc")
    (workspace / "nowhere").symlink_to("missing")
    assert {entry.path: entry.kind for entry in files.entries(".")} == {
        "folder": "folder",
        "inside": "file",
        "nowhere": "other",
        "outside": "other",
    }
    assert [(entry.path, entry.size) for entry in files.entries("folder")] == [("folder/file", 4)]


def test_a_root_behind_a_link_works(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    files = ConfinedFiles(str(tmp_path / "link"), "/workspace")
    files.write("file", b"text")
    assert files.read(str(tmp_path / "link" / "file")) == files.read(str(tmp_path / "real" / "file")) == b"text"


def test_a_file_that_would_fill_the_memory_is_read_in_parts_alone(files: ConfinedFiles, workspace: Path) -> None:
    with (workspace / "holes").open("wb") as file:
        file.truncate(2**33)
    assert files.read("holes", 3) == b"\0\0\0"
    with pytest.raises(OSError, match="File too large: 'holes'"):
        files.read("holes")
    with pytest.raises(OSError, match="File too large"):
        files.change("holes", lambda data: data)
