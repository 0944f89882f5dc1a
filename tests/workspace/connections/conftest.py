"""A project whose workspace holds a server that can be run there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rest_framework.test import APIClient

from tests.peers.mcp import ROOT
from workspace.accounts.models import User
from workspace.connections.actions import Place, add_server
from workspace.connections.models import McpServer
from workspace.projects.models import Project


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


@pytest.fixture
def rogue(project: Project) -> Path:
    """The file of a server that does as its argument says."""
    return Path(shutil.copy(ROOT / "tests/peers/mcp_rogue.py", project.root / "rogue.py"))


@pytest.fixture
def server(project: Project, alice: User, rogue: Path) -> McpServer:
    """The project's own, well-behaved, with a secret in its environment."""
    command, env = ["python3", rogue.name, "nothing"], {"KEY": "${ROGUE_KEY}"}
    return add_server(Place(project.team, project), alice, name="rogue", transport="stdio", command=command, env=env)
