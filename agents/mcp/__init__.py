"""Talking to MCP servers: programs in the sandbox and addresses on the web that lend an agent more tools."""

from __future__ import annotations
