"""Worktrees of sub-agents: what they begin with, what is told of them, how they land and how they go."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from workspace.ids import new_id
from workspace.projects import git, worktrees
from workspace.projects.models import Project


@pytest.fixture
def place(project: Project) -> Project:
    (project.root / "shelf.py").write_text("one\ntwo\nthree\n")
    (project.root / "logo.png").write_bytes(b"\x89PNG\0\0")
    (project.root / ".gitignore").write_text("*.log\n")
    git.begin(project.root)
    return project


def by_hand(root: Path, *arguments: str) -> str:
    env = {**git.ENVIRONMENT, "PATH": os.environ["PATH"]}
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=env).stdout


def test_a_worktree_holds_the_workspace_as_it_is(place: Project) -> None:
    (place.root / "shelf.py").write_text("one\nchanged\n")
    (place.root / "new file.py").write_text("new\n")
    (place.root / "noise.log").write_text("noise\n")
    before = by_hand(place.root, "status", "--porcelain", "--branch")
    made = worktrees.make(place, new_id())
    assert (made.path / "shelf.py").read_text() == "one\nchanged\n"
    assert (made.path / "new file.py").read_text() == "new\n"
    assert not (made.path / "noise.log").exists()
    assert by_hand(place.root, "status", "--porcelain", "--branch") == before
    assert by_hand(made.path, "status", "--porcelain") == ""
    assert by_hand(made.path, "log", "--format=%s").splitlines() == [f"Where sub-agent {made.name} began", "Countersign: start"]
    assert by_hand(made.path, "rev-parse", "--abbrev-ref", "HEAD").strip() == made.branch
    assert by_hand(made.path, "fsck", "--full").strip() == ""
