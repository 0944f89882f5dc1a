"""What people do to MCP servers: add them, change them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from workspace.accounts.models import Team, User
from workspace.connections.models import McpServer
from workspace.connections.shape import complaints
from workspace.errors import Conflict, Invalid
from workspace.projects.models import Project

SERVERS_LIMIT = 50
"""MCP servers of one team, those of its projects included."""
DESCRIBED = ("name", "transport", "command", "url", "env", "headers")


@dataclass(frozen=True)
class Place:
    """Where a server belongs: to a project, or to the whole team."""

    team: Team
    project: Project | None = None


def add_server(place: Place, person: User | None, **described: Any) -> McpServer:
    """Raises Invalid, or Conflict where the place has one of this name."""
    if McpServer.objects.filter(team=place.team).count() >= SERVERS_LIMIT:
        raise Invalid("Too many MCP servers", f"A team has at most {SERVERS_LIMIT}. Delete what is no longer used.")
    return _kept(McpServer(team=place.team, project=place.project, created_by=person, **described))


def change_server(server: McpServer, **changed: Any) -> McpServer:
    """What it told of its tools is forgotten where another program or address is meant now. Raises Invalid or Conflict."""
    before = (server.transport, server.command, server.url)
    for field, value in changed.items():
        setattr(server, field, value)
    if (server.transport, server.command, server.url) != before:
        server.tools, server.listed = [], None
    return _kept(server)


def _kept(server: McpServer) -> McpServer:
    wrong = complaints(**{field: getattr(server, field) for field in DESCRIBED})
    if wrong:
        raise Invalid("This is no MCP server", next(iter(wrong.values()))[0], fields=wrong)
    try:
        with transaction.atomic():
            server.save()
    except IntegrityError as taken:
        raise Conflict("There is an MCP server of this name", "Choose another name, or change that one.") from taken
    return server
