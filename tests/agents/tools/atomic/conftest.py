"""Hands that know the Atomic toolset, in an empty workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.host import InMemoryArtifacts
from tests.agents.tools.atomic.commanding import Board
from tests.agents.tools.atomic.online import WebHands
from tests.agents.tools.hands import Hands


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    root = tmp_path / "workspace"
    root.mkdir()
    return Hands(root, toolset="atomic")


@pytest.fixture
def online(tmp_path: Path) -> WebHands:
    root = tmp_path / "online"
    root.mkdir()
    return WebHands(root, toolset="atomic")


@pytest.fixture
def held_back(tmp_path: Path) -> WebHands:
    root = tmp_path / "held-back"
    root.mkdir()
    hands = WebHands(root, toolset="atomic", network=False)
    if hands.sandbox.network:
        pytest.skip("no sandbox here can hold the network back")
    return hands


@pytest.fixture
def shelf() -> InMemoryArtifacts:
    return InMemoryArtifacts()


@pytest.fixture
def board() -> Board:
    return Board()
