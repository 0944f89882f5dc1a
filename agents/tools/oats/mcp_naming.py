"""Which tool of which MCP server a name means."""

from __future__ import annotations

from dataclasses import dataclass

from agents.errors import ToolError
from agents.mcp.names import PREFIX, server_in, tool_name
from agents.ports import McpServers, McpTool


@dataclass(frozen=True)
class Meant:
    """`tool` as its server calls it."""

    server: str
    tool: str

    @property
    def rule_name(self) -> str:
        """As permission rules name it, whichever way it is called."""
        return tool_name(self.server, self.tool)


def meant(name: str, mcp: McpServers) -> Meant:
    """The tool with this full name, mcp__server__tool or server/tool; it need not be listed yet. Raises ToolError for any other name."""
    server, slash, tool = name.partition("/")
    if slash and server in mcp.names() and tool:
        return Meant(server, tool)
    server = server_in(name)
    if server in mcp.names():
        listed = next((tool.name for tool in mcp.known(server) if tool_name(server, tool.name) == name), "")
        return Meant(server, listed or name.removeprefix(f"{PREFIX}{server}__"))
    near = [tool_name(one.server, one.name) for one in known_tools(mcp) if name.lower() in one.name.lower()]
    hint = f" Did you mean {' or '.join(near[:3])}?" if near else ""
    raise ToolError(
        f"{name!r} is no tool of an MCP server.{hint} Write mcp__server__tool or server/tool. Servers: {', '.join(mcp.names()) or 'none'}."
    )


def known_tools(mcp: McpServers) -> list[McpTool]:
    """All that the servers told of when they were last listed."""
    return [tool for server in mcp.names() for tool in mcp.known(server)]
