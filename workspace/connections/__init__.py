"""WHAT IT IS CONNECTED TO: the MCP servers that teams and projects lend their agents."""

from __future__ import annotations
