"""The tools of the mcp group that look after the servers themselves: `mcp_session` and `mcp_server_manage`."""

from __future__ import annotations

import shlex
from typing import ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.ports import McpServers, McpStatus, McpWish
from agents.tools.lending import servers
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted


class McpSession(Tool):
    name: ClassVar[str] = "mcp_session"
    description: ClassVar[str] = (
        "How the MCP servers stand: which are connected, how many tools they have. With a server's name as the session_id it is "
        "connected, and its resources are listed too; mcp_discover reads them."
    )
    group: ClassVar[str] = "mcp"
    keywords: ClassVar[tuple[str, ...]] = ("connection", "state", "resources")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    session_id: str = Field("", description="A server's name; empty for an overview of all.")

    async def run(self, context: ToolContext) -> ToolResult:
        mcp = servers(context)
        found = mcp.status()
        if not self.session_id:
            return ToolResult(f"MCP servers: {len(found)}", told(mcp))
        resources = await mcp.resources(self.session_id)
        lines = [f"- mcp://{self.session_id}/{uri} ({name})" for uri, name in resources] or ["It has no resources."]
        state = [_line(one) for one in mcp.status() if one.server == self.session_id]
        return ToolResult(f"MCP server {self.session_id}", "\n".join([*state, *lines]), {"server": self.session_id})


class McpServerManage(Tool):
    """Who may add and remove is asked of the host; people are asked besides."""

    name: ClassVar[str] = "mcp_server_manage"
    description: ClassVar[str] = (
        "List the project's MCP servers, ask one anew what it offers (refresh), or have one added or removed, which a person must "
        "allow. A server is a program that runs in this sandbox (transport stdio, with its command) or an address (transport http)."
    )
    group: ClassVar[str] = "mcp"
    keywords: ClassVar[tuple[str, ...]] = ("install", "add", "remove", "configure")

    action: Literal["list", "add", "remove", "refresh"] = Field(description="What to do.")
    name_: str = Field("", alias="name", description="The server's name; needed for all but list.")
    url: str = Field("", description="Where the server to add is, for transport http.")
    command: str | list[str] = Field("", description="The program to add and its arguments, for transport stdio.")
    transport: Literal["", "stdio", "http"] = Field("", description="Left out, it follows from url or command.")
    description_: str = Field("", alias="description", max_length=500, description="What the server is good for.")

    def subject(self, context: ToolContext) -> str:
        return " ".join(word for word in (self.action, self.name_, self.url or shlex.join(self._words())) if word)

    def prompt(self, context: ToolContext) -> str:
        return f"{self.action} MCP server {self.name_} {self.url or shlex.join(self._words())}".strip()

    def requires_permission(self, context: ToolContext) -> str | None:
        return self.prompt(context) if self.action in ("add", "remove") else None

    def risk(self, context: ToolContext) -> Literal["low", "medium", "high"]:
        return "high" if self.action == "add" else "medium"

    async def run(self, context: ToolContext) -> ToolResult:
        mcp = servers(context)
        if self.action != "list" and not self.name_:
            raise ToolError(f"Name the server to {self.action}.")
        match self.action:
            case "add":
                await mcp.add(self._wish())
            case "remove":
                await mcp.remove(self.name_)
            case "refresh":
                tools = await mcp.tools(self.name_, refresh=True)
                return ToolResult(f"MCP server {self.name_}", f"{self.name_} offers {counted(len(tools), 'tool')} now.")
        return ToolResult(f"MCP servers: {len(mcp.names())}", told(mcp), {"action": self.action, "server": self.name_})

    def _wish(self) -> McpWish:
        transport = self.transport or ("http" if self.url else "stdio")
        return McpWish(self.name_, transport, tuple(self._words()), self.url, self.description_)

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command) if isinstance(self.command, str) else self.command
        except ValueError as wrong:
            raise ToolError(f"The command cannot be taken apart into words: {wrong}.") from wrong


def told(mcp: McpServers) -> str:
    return "\n".join(_line(one) for one in mcp.status()) or "No MCP server is set up for this project."


def _line(one: McpStatus) -> str:
    about = f": {one.description}" if one.description else ""
    return f"- {one.server} ({one.transport}, of the {one.scope}, {one.state}, {counted(one.tools, 'tool')}){about}"
