"""What commands see besides the usual: a workspace they may not change, and folders beside it that they may."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import PathRefused, SandboxError
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Exit, Level, Limits, Sandbox, SandboxWish
from tests.agents.sandboxes.conftest import working

GIT = "git -c user.name=a -c user.email=a@example.com"


async def sh(sandbox: Sandbox, line: str) -> Exit:
    return await sandbox.run(["/bin/sh", "-c", line], limits=Limits(seconds=20))


def read_only(workspace: Path, level: Level) -> Sandbox:
    (workspace / "file").write_text("before")
    return open_sandbox(SandboxWish(str(workspace), level=level, writable=False))


async def test_commands_read_a_read_only_workspace_and_cannot_change_it(workspace: Path, strong_level: Level) -> None:
    sandbox = read_only(workspace, strong_level)
    (workspace / "folder").mkdir()
    assert not sandbox.writable
    assert (await sh(sandbox, "cat file")).output == b"before"
    attempts = (
        "echo x > file",
        "echo x >> file",
        "echo x > new",
        "rm file",
        "mv file other",
        "mkdir sub",
        "rmdir folder",
        "truncate -s 0 file",
    )
    for attempt in (
        *attempts,
        "ln -s file link",
        "cp file folder/copy",
        'echo x > "$TMPDIR/x" && mv "$TMPDIR/x" file',
        "sed -i s/b/x/ file",
    ):
        assert (await sh(sandbox, attempt)).code != 0, attempt
    assert (workspace / "file").read_text() == "before"
    assert sorted(path.name for path in workspace.iterdir()) == ["file", "folder"]  # noqa: ASYNC240


async def test_programs_cannot_change_it_either(workspace: Path, strong_level: Level) -> None:
    program = await read_only(workspace, strong_level).start(["/bin/sh", "-c", "echo x > file || echo refused"])
    assert await program.receive() == b"refused\n"
    await program.end()


async def test_temporary_files_and_home_stay_writable(workspace: Path, strong_level: Level) -> None:
    line = 'echo one > "$TMPDIR/file" && echo two > ~/.file && cat "$TMPDIR/file" ~/.file'
    assert (await sh(read_only(workspace, strong_level), line)).output == b"one\ntwo\n"


def test_files_of_a_read_only_workspace_are_read_and_never_changed(workspace: Path, level: Level) -> None:
    files = read_only(workspace, level).files
    assert files.read("file") == b"before"
    with pytest.raises(PathRefused, match="'file' was not changed: this workspace is read-only"):
        files.write("file", b"after")
    with pytest.raises(PathRefused, match="read-only"):
        files.change("file", bytes.upper)
    with pytest.raises(PathRefused, match="read-only"):
        files.delete("file")
    with pytest.raises(PathRefused, match="read-only"):
        files.write("new/file", b"")
    assert files.read("file") == b"before"
    assert [one.path for one in files.entries(".")] == ["file"]


def test_a_local_sandbox_says_that_it_should_not_be_written(workspace: Path) -> None:
    assert not read_only(workspace, "local").writable
    assert open_sandbox(SandboxWish(str(workspace), level="local")).writable


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that must stay hidden, in which a repository has a worktree."""
    home = tmp_path / "home"
    repository = home / "workspaces" / "one"
    repository.mkdir(parents=True)
    (home / "secret").write_text("hidden")
    worktree = home / "worktrees" / "two"
    steps = ("git init -q -b main .", "echo one > file && git add .", f"{GIT} commit -qm one", f"git worktree add -q -b side '{worktree}'")
    for step in steps:
        subprocess.run(["/bin/sh", "-c", step], cwd=repository, check=True)
    return home


def beside(home: Path, level: Level, *more: Path) -> Sandbox:
    also = (str(home / "workspaces" / "one" / ".git"), *map(str, more))
    return open_sandbox(SandboxWish(str(home / "worktrees" / "two"), level=level, hidden=(str(home),), also=also))


async def test_git_works_in_a_worktree_whose_repository_lies_elsewhere(home: Path, level: Level) -> None:
    ended = await sh(beside(home, level), f"echo two > file && {GIT} commit -qam two && git log --format=%s && git status --short")
    assert (ended.code, ended.output) == (0, b"two\none\n")
    log = subprocess.run(["git", "log", "--format=%s", "side"], cwd=home / "workspaces" / "one", check=True, capture_output=True)  # noqa: ASYNC221
    assert log.stdout == b"two\none\n"


async def test_nothing_else_of_what_is_hidden_is_seen(home: Path, strong_level: Level) -> None:
    line = f"cat '{home}/secret' '{home}/workspaces/one/file'; ls '{home}/worktrees/two/..'; echo x > '{home}/workspaces/one/new'"
    assert b"hidden" not in (await sh(beside(home, strong_level), line)).output
    assert (home / "secret").read_text() == "hidden"
    assert sorted(path.name for path in (home / "workspaces" / "one").iterdir()) == [".git", "file"]


async def test_git_finds_the_worktree_where_its_real_path_is_shown_too(home: Path, level: Level) -> None:
    worktree = home / "worktrees" / "two"
    ended = await sh(beside(home, level, worktree), "git worktree prune && git status --short && git worktree list")
    assert (ended.code, str(worktree) in ended.output.decode()) == (0, True)


async def test_folders_beside_a_read_only_workspace_can_be_written(workspace: Path, strong_level: Level, tmp_path: Path) -> None:
    also = tmp_path / "also"
    also.mkdir()
    sandbox = open_sandbox(SandboxWish(str(workspace), level=strong_level, writable=False, also=(str(also),)))
    assert (await sh(sandbox, f"echo text > {also}/file; echo text > file")).code != 0
    assert ((also / "file").exists(), (workspace / "file").exists()) == (True, False)


async def test_what_is_hidden_within_such_a_folder_stays_hidden(workspace: Path, tmp_path: Path) -> None:
    also = tmp_path / "also"
    (also / "keys").mkdir(parents=True)
    (also / "keys" / "one").write_text("sk-secret")
    wish = SandboxWish(str(workspace), level=working("bubblewrap"), hidden=(str(also / "keys"),), also=(str(also),))
    sandbox = open_sandbox(wish)
    assert (await sh(sandbox, f"cat {also}/keys/one")).output.count(b"sk-secret") == 0
    with pytest.raises(SandboxError, match="cannot hide"):
        open_sandbox(replace(wish, level=working("landlock")))
