"""Connections end with the worker's loop, and their programs with them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from agents.mcp.pool import pool
from agents.mcp.server import Server
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from tests.peers.mcp import ROOT
from workspace.sessions.loop import WorkerLoop


async def process_of_a_server(root: Path) -> int:
    """Connect to a server on this loop, leave it connected, and give its process id."""
    sandbox = open_sandbox(SandboxWish(str(root), level="local"))
    server = Server("rogue", "stdio", (sys.executable, f"{ROOT}/tests/peers/mcp_rogue.py", "nothing"))
    connection = await pool().connection(str(root), server, lambda: sandbox.start(server.command))
    answer = await connection.call("echo", {"text": "file:/proc/self/stat"})
    return int(answer.text.split()[0])


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_ends_leaves_no_server_behind(tmp_path: Path) -> None:
    loop = WorkerLoop()
    process = loop.run(process_of_a_server(tmp_path))
    assert is_there(process)
    loop.close()
    deadline = time.monotonic() + 10
    while is_there(process):
        assert time.monotonic() < deadline
        time.sleep(0.02)
