"""Starts the friendly MCP server at an address of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def friendly_address(*arguments: str) -> Iterator[str]:
    """Its URL, for as long as it is wanted."""
    command = [sys.executable, "-m", "tests.peers.mcp_friendly", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
