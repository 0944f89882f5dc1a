"""`manage.py mcp --project`: a client of the official SDK, a process of ours, a database."""

from __future__ import annotations

import sys

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.processes.world import ROOT, World


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A data folder and nothing that runs on it."""
    alone = World(tmp_path_factory.mktemp("alone"))
    alone.manage("migrate", "--verbosity", "0")
    alone.manage("demo")
    return alone


async def test_a_projects_tools_are_served_to_any_client(alone: World) -> None:
    command = ["manage.py", "mcp", "--project", "bookshelf", "--as", "alice"]
    server = StdioServerParameters(command=sys.executable, args=command, cwd=ROOT, env=dict(alone.environment))
    async with stdio_client(server) as (read, write), ClientSession(read, write, read_timeout_seconds=60) as session:
        await session.initialize()
        assert "bash" in {tool.name for tool in (await session.list_tools()).tools}
        found = await session.call_tool("glob", {"pattern": "**/*.py"})
        assert not found.is_error
        asked = await session.call_tool("write", {"file_path": "x.txt", "content": "x"})
        assert asked.is_error
