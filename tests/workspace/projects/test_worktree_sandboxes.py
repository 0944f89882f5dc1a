"""Commands in a worktree: git works there, and nothing else of the project is in reach."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from pytest_django import Settings

from agents.errors import SandboxError
from agents.sandboxes.choose import LEVELS, works
from agents.sandboxes.private import scratch_folders
from agents.sandboxes.sandbox import Sandbox
from tests.workspace.projects.trees import by_hand, landed
from workspace.projects import worktrees
from workspace.projects.models import Project


@pytest.fixture(params=[level for level in LEVELS if works(level)])
def level(request: pytest.FixtureRequest, settings: Settings) -> str:
    settings.SANDBOX = request.param
    return str(request.param)


@pytest.fixture(params=[level for level in LEVELS[:-1] if works(level)])
def strong_level(request: pytest.FixtureRequest, settings: Settings) -> None:
    """A level that confines more than time and output."""
    settings.SANDBOX = request.param


def shell(sandbox: Sandbox, command: str) -> str:
    ended = asyncio.run(sandbox.run(["bash", "-ec", command]))
    assert ended.code == 0, ended.output.decode()
    return ended.output.decode()


def test_git_works_in_the_sandbox_of_a_worktree(place: Project, made: worktrees.Worktree, level: str) -> None:
    sandbox = place.open_sandbox(made.path)
    assert sandbox.level == level
    assert shell(sandbox, "git status --porcelain") == ""
    shell(sandbox, "echo four >> shelf.py; echo new > new.py")
    assert shell(sandbox, "git status --porcelain").splitlines() == [" M shelf.py", "?? new.py"]
    assert "+four" in shell(sandbox, "git diff")
    identity = "git -c user.name=A -c user.email=a@example.org"
    shell(sandbox, f"git add --all; {identity} commit -qm 'Four'; git log --oneline")
    assert shell(sandbox, "git branch --show-current").strip() == made.branch
    assert by_hand(place.root, "log", "-1", "--format=%s", made.branch) == "Four\n"
    assert by_hand(place.root, "status", "--porcelain") == ""
    assert landed(place, made) == {"shelf.py": "modified", "new.py": "created"}


def test_the_workspace_itself_is_out_of_reach_from_a_worktree(place: Project, made: worktrees.Worktree, strong_level: None) -> None:
    ended = asyncio.run(place.open_sandbox(made.path).run(["bash", "-c", f"cat {place.root}/shelf.py; echo x > {place.root}/shelf.py"]))
    assert b"three" not in ended.output
    assert (place.root / "shelf.py").read_text() == "one\ntwo\nthree\n"


def test_commands_that_may_only_read_change_nothing(place: Project, made: worktrees.Worktree, strong_level: None) -> None:
    sandbox = place.open_sandbox(made.path, writable=False)
    shell(sandbox, f"cat shelf.py; echo x > shelf.py || true; echo x > {place.root}/.git/HEAD || true")
    assert by_hand(made.path, "status", "--porcelain") == ""
    assert by_hand(place.root, "rev-parse", "--abbrev-ref", "HEAD") == "main\n"


def test_a_sandbox_says_when_its_worktree_is_gone(place: Project, made: worktrees.Worktree) -> None:
    worktrees.drop(place, made.path.name)
    with pytest.raises(SandboxError, match="landed or dropped"):
        place.open_sandbox(made.path)


def test_what_commands_kept_aside_goes_with_the_worktree(place: Project, made: worktrees.Worktree, strong_level: None) -> None:
    shell(place.open_sandbox(made.path), 'echo kept > "$HOME/kept"')
    home = Path(scratch_folders(os.path.realpath(made.path))[1])
    assert (home / "kept").exists()
    worktrees.drop(place, made.path.name)
    assert not home.exists()


def test_a_repository_replaced_by_a_link_is_not_shown_to_commands(place: Project, made: worktrees.Worktree, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (place.root / ".git").rename(place.root / "git")
    (place.root / ".git").symlink_to(tmp_path / "secret")
    with pytest.raises(SandboxError, match="git repository"):
        place.open_sandbox(made.path)


def test_a_link_put_there_later_leads_commands_nowhere(
    place: Project, made: worktrees.Worktree, strong_level: None, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("the secret")
    sandbox = place.open_sandbox(made.path)
    (place.root / ".git").rename(place.root / "git")
    (place.root / ".git").symlink_to(tmp_path / "secret")
    ended = asyncio.run(sandbox.run(["bash", "-c", f"cat {place.root}/.git/key; echo x > {place.root}/.git/key"]))
    assert b"the secret" not in ended.output
    assert (tmp_path / "secret" / "key").read_text() == "the secret"


def test_commands_get_no_open_folder_that_leads_out(place: Project, made: worktrees.Worktree, level: str) -> None:
    inherited = shell(place.open_sandbox(made.path), "for one in /proc/self/fd/*; do readlink $one || true; done")
    assert ".git" not in inherited
