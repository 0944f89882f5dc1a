"""`manage.py mcp`, as an MCP client uses it: the official SDK's own client and a process of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from tests.peers.mcp import ROOT


@asynccontextmanager
async def client(*arguments: str) -> AsyncIterator[ClientSession]:
    command = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp", *arguments], cwd=ROOT, env=dict(os.environ))
    async with stdio_client(command) as (read, write), ClientSession(read, write, read_timeout_seconds=60) as session:
        await session.initialize()
        yield session


def text(result: CallToolResult) -> str:
    part = result.content[0]
    assert isinstance(part, TextContent)
    return part.text


def refused(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "manage.py", "mcp", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path


async def test_a_folders_tools_are_listed_and_called(root: Path) -> None:
    async with client("--root", str(root)) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert {"read", "write", "bash", "grep", "mcp_call"} <= set(tools)
        assert not {"question", "plan_exit", "agent", "tool_search"} & set(tools)
        assert tools["read"].input_schema["required"] == ["file_path"]
        assert tools["read"].annotations is not None
        assert tools["read"].annotations.read_only_hint
        result = await session.call_tool("read", {"file_path": "a.txt"})
        assert not result.is_error
        assert "1\tone" in text(result)


async def test_what_asks_is_refused_with_a_sentence_and_nothing_happens(root: Path) -> None:
    async with client("--root", str(root)) as session:
        result = await session.call_tool("write", {"file_path": "b.txt", "content": "x"})
        assert result.is_error
        assert "needs a person's approval, and nobody can be asked here (Write file: b.txt)" in text(result)
        assert not (root / "b.txt").exists()
        again = await session.call_tool("read", {"file_path": "a.txt"})
        assert not again.is_error


async def test_the_operator_may_allow_what_asks(root: Path) -> None:
    async with client("--root", str(root), "--allow-asks", "--sandbox", "local") as session:
        assert not (await session.call_tool("write", {"file_path": "b.txt", "content": "x"})).is_error
        assert (root / "b.txt").read_text() == "x"
        assert "hello" in text(await session.call_tool("bash", {"command": "echo hello; echo AKIAIOSFODNN7EXAMPLE"}))
        assert "AKIAIOSFODNN7EXAMPLE" not in text(await session.call_tool("bash", {"command": "echo AKIAIOSFODNN7EXAMPLE"}))


async def test_bad_input_is_an_error_result_and_the_server_goes_on(root: Path) -> None:
    async with client("--root", str(root)) as session:
        assert "There is no tool 'nope'" in text(await session.call_tool("nope", {}))
        wrong = await session.call_tool("read", {"file_path": 7})
        assert wrong.is_error
        assert "file_path" in text(wrong)
        outside = await session.call_tool("read", {"file_path": "/etc/passwd"})
        assert outside.is_error
        assert not (await session.call_tool("read", {"file_path": "a.txt"})).is_error


async def test_servers_of_a_file_can_be_called_through_it(root: Path) -> None:
    (root / "rogue.py").write_text((ROOT / "tests/peers/mcp_rogue.py").read_text())
    config = {"mcpServers": {"rogue": {"command": "python3", "args": ["rogue.py"]}}}
    (root / "mcp.json").write_text(json.dumps(config))
    async with client("--root", str(root), "--mcp", str(root / "mcp.json"), "--allow-asks") as session:
        assert "mcp__rogue__echo" in text(await session.call_tool("mcp_discover", {}))
        assert text(await session.call_tool("mcp_call", {"tool_name": "rogue/echo", "arguments": {"text": "through"}})) == "through"


def test_what_is_missing_is_said_in_a_sentence(root: Path) -> None:
    assert "is not a folder" in refused("--root", str(root / "nowhere"))
    assert "--as USERNAME" in refused("--project", "x")
    (root / "mcp.json").write_text("{}")
    assert "mcpServers" in refused("--root", str(root), "--mcp", str(root / "mcp.json"))
