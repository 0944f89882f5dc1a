"""The tools of MCP servers as they were last listed: what a session starts with, without connecting to anybody."""

from __future__ import annotations

from typing import Any

from agents.mcp.listing import Listing
from agents.ports import McpTool
from workspace.connections.models import McpServer
from workspace.projects.models import Project


def kept_tools(listing: Listing) -> list[dict[str, Any]]:
    """As the server's row keeps them."""
    return [
        {"name": tool.name, "description": tool.description, "schema": tool.schema, "read_only": tool.read_only}
        for tool in listing.tools.values()
    ]


def known_tools(row: McpServer) -> list[McpTool]:
    return [McpTool(row.name, tool["name"], tool["description"], tool["schema"], tool["read_only"]) for tool in row.tools]


def tools_of(project: Project) -> list[McpTool]:
    """Of all servers the project has that are switched on."""
    return [tool for row in McpServer.objects.of_project(project) if row.enabled for tool in known_tools(row)]
