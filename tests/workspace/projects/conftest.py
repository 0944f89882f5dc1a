"""A project with a repository, and a worktree of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from workspace.ids import new_id
from workspace.projects import git, worktrees
from workspace.projects.models import Project


@pytest.fixture
def home(settings: Settings, tmp_path: Path) -> Path:
    """A home of its own for each test, so that worktrees can be counted in it."""
    home = tmp_path / "home"
    home.mkdir()
    settings.COUNTERSIGN_HOME = home
    return home


@pytest.fixture
def place(home: Path, project: Project) -> Project:
    (project.root / "shelf.py").write_text("one\ntwo\nthree\n")
    (project.root / "logo.png").write_bytes(b"\x89PNG\0\0")
    (project.root / ".gitignore").write_text("*.log\n")
    git.begin(project.root)
    return project


@pytest.fixture
def made(place: Project) -> worktrees.Worktree:
    return worktrees.make(place, new_id())
