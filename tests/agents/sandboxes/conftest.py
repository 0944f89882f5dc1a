"""One workspace, and the sandboxes of every level that works on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.sandboxes.choose import LEVELS, open_sandbox, works
from agents.sandboxes.sandbox import Level, Sandbox, SandboxWish


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Level:
    return working(request.param)


@pytest.fixture(params=LEVELS[:-1])
def strong_level(request: pytest.FixtureRequest) -> Level:
    """A level that confines more than time and output."""
    return working(request.param)


def working(level: Level) -> Level:
    if not works(level):
        pytest.skip(f"The kernel or its settings do not let {level} work on this machine.")
    return level


@pytest.fixture
def sandbox(workspace: Path, level: Level) -> Sandbox:
    return open_sandbox(SandboxWish(str(workspace), level=level))


@pytest.fixture
def strong(workspace: Path, strong_level: Level) -> Sandbox:
    return open_sandbox(SandboxWish(str(workspace), level=strong_level))
