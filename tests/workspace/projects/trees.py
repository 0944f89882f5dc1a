"""Folders of files and worktrees, as the tests of both look at them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agents.events import FileChange
from workspace.errors import Conflict
from workspace.projects import git, landing, worktrees
from workspace.projects.models import Project


def by_hand(root: Path, *arguments: str) -> str:
    env = {**git.ENVIRONMENT, "PATH": os.environ["PATH"]}
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=env).stdout


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in root.rglob("*")
        if not path.is_dir() and ".git" not in path.relative_to(root).parts
    }


def land(place: Project, made: worktrees.Worktree) -> tuple[FileChange, ...]:
    def keep(merged: landing.Landing) -> tuple[FileChange, ...]:
        merged.put()
        return merged.changes

    return landing.land(place, made.path.name, made.base, keep)


def landed(place: Project, made: worktrees.Worktree) -> dict[str, str]:
    return {change.path: change.change for change in land(place, made)}


def refused(place: Project, made: worktrees.Worktree) -> str:
    """The words of the refusal, once it is sure that nothing was changed."""
    before = contents(place.root)
    with pytest.raises(Conflict) as wrong:
        land(place, made)
    assert contents(place.root) == before
    return str(wrong.value)
