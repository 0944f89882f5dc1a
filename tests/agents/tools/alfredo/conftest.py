"""Hands that hold Alfredo's tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.tools.hands import Hands


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    root = tmp_path / "workspace"
    root.mkdir()
    return Hands(root, toolset="alfredo")
