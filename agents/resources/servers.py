"""mcp://: what MCP servers offer to read."""

from __future__ import annotations

from agents.errors import ToolError
from agents.ports import McpServers, McpStatus
from agents.resources.address import Address
from agents.resources.resource import Resource, Surroundings

MOST_LISTED = 500


async def mcp(address: Address, around: Surroundings) -> Resource:
    """The part behind the server's name is the server's own URI, passed on as it is written."""
    servers = around.mcp
    if servers is None:
        raise ToolError(f"{address.url} was not found: no MCP servers can be reached from here.")
    server, _, uri = address.rest.partition("/")
    if not server:
        return Resource(address.url, "\n".join(map(_server_row, servers.status())) or "No MCP server is set up for this project.")
    if server not in servers.names():
        raise ToolError(f"{address.url} was not found: there is no MCP server {server!r}. mcp:// lists those there are.")
    if not uri:
        return Resource(address.url, await _listing(server, servers))
    answer = await servers.read(server, uri)
    if answer.failed:
        raise ToolError(f"The MCP server {server} could not give {uri}: {answer.text}")
    return Resource(address.url, answer.text, attachments=answer.attachments)


def _server_row(one: McpStatus) -> str:
    about = f" — {one.description}" if one.description else ""
    return f"mcp://{one.server} ({one.transport}, {one.state}){about}"


async def _listing(server: str, servers: McpServers) -> str:
    offered = await servers.resources(server)
    rows = [f"mcp://{server}/{uri} ({name})" for uri, name in offered[:MOST_LISTED]]
    return "\n".join(rows) or f"The MCP server {server} offers nothing to read."
