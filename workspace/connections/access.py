"""Fetching an MCP server for somebody: what one may not see is missing, what one may see but not change is forbidden."""

from __future__ import annotations

from workspace.accounts.access import demand
from workspace.accounts.models import Anyone, rights_in
from workspace.connections.models import McpServer
from workspace.errors import Missing


def server_to_change(user: Anyone, public_id: str) -> McpServer:
    """Raises Missing or Forbidden."""
    server = McpServer.objects.visible_to(user).filter(public_id=public_id).first()
    if server is None:
        raise Missing("No such MCP server", "It was deleted, or it is not for you to see.")
    demand(rights_in(user, server.team_id), server.managed_by)
    return server
