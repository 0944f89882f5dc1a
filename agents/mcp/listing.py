"""What a server offers, taken with care: every tool that can be offered, and why each other one cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.mcp.schemas import SchemaRefused, check_schema
from agents.ports import McpTool

TOOLS_LIMIT = 500
"""Tools of one server; the others are left out."""
NAME_LIMIT = 200
DESCRIPTION_LIMIT = 2_000


@dataclass(frozen=True)
class Declared:
    """A tool as its server declares it, of which nothing is known to be true."""

    name: str
    description: str
    schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None = None
    read_only: bool = False


@dataclass(frozen=True)
class Listing:
    """`faults`: tool name → why it is not offered. `outputs`: tool name → the schema its structured results must fit."""

    tools: Mapping[str, McpTool] = field(default_factory=dict)
    outputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)


def listing(server: str, declared: Iterable[Declared]) -> Listing:
    tools: dict[str, McpTool] = {}
    outputs: dict[str, Mapping[str, Any]] = {}
    faults: dict[str, str] = {}
    for number, tool in enumerate(declared):
        fault = "there are too many tools" if number >= TOOLS_LIMIT else _fault(tool, tools)
        if fault:
            faults[tool.name[:NAME_LIMIT]] = fault
            continue
        tools[tool.name] = McpTool(server, tool.name, tool.description[:DESCRIPTION_LIMIT], tool.schema, tool.read_only)
        if tool.output_schema is not None:
            outputs[tool.name] = tool.output_schema
    return Listing(tools, outputs, faults)


def _fault(tool: Declared, before: Mapping[str, McpTool]) -> str:
    if not tool.name.strip() or len(tool.name) > NAME_LIMIT or not tool.name.isprintable():
        return "its name cannot be used"
    if tool.name in before:
        return "it is declared twice; the first one is offered"
    for what, schema in (("input", tool.schema), ("output", tool.output_schema)):
        try:
            check_schema({} if schema is None else schema)
        except SchemaRefused as refused:
            return f"its {what} schema is not valid: {refused}"
    return ""
