"""What tools of MCP servers are called here: mcp__<server>__<tool>, in the letters that every model's provider takes."""

from __future__ import annotations

import hashlib
import re

PREFIX = "mcp__"
LONGEST = 64
NAME = re.compile(r"(?=.{1,30}$)[a-z0-9]+(?:[-_][a-z0-9]+)*")
"""What a server may be called."""
NAME_RULE = "Small letters and digits, with single - or _ between them, at most 30: it becomes part of tool names."
UNSAID = re.compile(r"[^A-Za-z0-9_-]")
MARK = 6
"""Characters that tell two tools apart whose names would become the same."""


def tool_name(server: str, tool: str) -> str:
    """The name of a server's tool; two tools never share one, however odd or long their own names are."""
    plain = f"{PREFIX}{server}__{tool}"
    said = UNSAID.sub("_", plain)
    if said == plain and len(said) <= LONGEST:
        return said
    mark = hashlib.sha256(tool.encode("utf-8", "replace")).hexdigest()[:MARK]
    return f"{said[: LONGEST - MARK - 1]}_{mark}"


def server_in(name: str) -> str:
    """The server such a name is of, "" where it is none."""
    server, between, _ = name.removeprefix(PREFIX).partition("__")
    return server if name.startswith(PREFIX) and between else ""
