"""What all tools share that work with MCP servers: asking in words, and telling what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.errors import ToolError
from agents.ports import McpAnswer, McpServers
from agents.tools.tool import ToolContext, ToolResult

PROMPT_LIMIT = 300


def servers(context: ToolContext) -> McpServers:
    """Raises ToolError where this session has none."""
    if context.reach.mcp is None:
        raise ToolError("No MCP servers can be reached from here.")
    return context.reach.mcp


def one_line(arguments: Mapping[str, Any]) -> str:
    """The arguments as permission patterns match them: JSON, keys in order."""
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True)


def lines_of(parts: Sequence[tuple[str, str]]) -> str:
    """The subject of a call that calls tools of servers: a line for each."""
    return "\n".join(f"{rule} {subject}" for rule, subject in parts)


def asked(server: str, tool: str, arguments: Mapping[str, Any]) -> str:
    """What a person is asked to approve."""
    said = ", ".join(f"{name}: {_short(value)}" for name, value in arguments.items()) or "no arguments"
    said = said if len(said) <= PROMPT_LIMIT else f"{said[: PROMPT_LIMIT - 1]}…"
    return f"{tool} of the MCP server {server} with {said}"


def result_of(server: str, tool: str, answer: McpAnswer) -> ToolResult:
    return ToolResult(
        f"{server}: {tool}", answer.text, {"server": server, "tool": tool}, attachments=answer.attachments,
        error=f"The MCP server {server} says that {tool} failed." if answer.failed else None,
    )  # fmt: skip


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
