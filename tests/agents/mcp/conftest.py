"""Servers to talk to, run in a local sandbox or on a port of this machine."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents.mcp.limits import Patience
from agents.mcp.pool import Pool, Start
from agents.mcp.server import Server
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from tests.peers.mcp import ROOT, friendly_address

PATIENCE = Patience(connect=20, list=10, call=20, idle=60)


def starter(root: Path, server: Server) -> Start:
    sandbox = open_sandbox(SandboxWish(str(root), level="local"))
    return lambda: sandbox.start(server.command, env=server.env)


def rogue(wrong: str, **env: str) -> Server:
    """The server that does this wrong; what its environment holds is secret."""
    command = (sys.executable, f"{ROOT}/tests/peers/mcp_rogue.py", wrong)
    return Server("rogue", "stdio", command, env=env, secrets=tuple(env.values()))


def friendly(**env: str) -> Server:
    command = (sys.executable, "-m", "tests.peers.mcp_friendly")
    return Server("friendly", "stdio", command, env={"PYTHONPATH": str(ROOT), **env}, secrets=tuple(env.values()))


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    pool = Pool(PATIENCE)
    yield pool
    await pool.end_all()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where a friendly server is that wants the key "right"."""
    with friendly_address("--key", "right") as url:
        yield url
