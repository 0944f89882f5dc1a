"""The MCP servers of a project as its agents reach them: `agents.ports.McpServers` for the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, ParamSpec, TypeVar, cast

from channels.db import DatabaseSyncToAsync

from agents.errors import ToolError
from agents.mcp.listing import Listing
from agents.mcp.server import Server
from agents.mcp.servers import PlacedServers
from agents.ports import McpStatus, McpTool, McpWish
from agents.sandboxes.sandbox import Program
from workspace.accounts.access import demand
from workspace.accounts.models import User, rights_in
from workspace.connections.actions import Place, add_server
from workspace.connections.checking import keep, policy
from workspace.connections.models import McpServer
from workspace.connections.secrets import described
from workspace.connections.tools import kept_tools, known_tools
from workspace.errors import AppError
from workspace.projects.models import Project

P = ParamSpec("P")
T = TypeVar("T")


class ProjectServers(PlacedServers):
    """Reads what there is when it is made, in a thread. `acting_for` is whose rights count for adding and removing."""

    def __init__(self, project: Project, acting_for: User | None) -> None:
        # A program that was started with the network is not one for a project without it.
        super().__init__(f"{project.root} {'with' if project.network else 'without'} the network", policy())
        self._project, self._acting_for = project, acting_for
        self._described: dict[str, Server] = {}
        self._load()

    def _load(self) -> None:
        self._rows = {row.name: row for row in McpServer.objects.of_project(self._project) if row.enabled}

    def names(self) -> Sequence[str]:
        return list(self._rows)

    def status(self) -> Sequence[McpStatus]:
        return [self._status(row) for row in self._rows.values()]

    def known(self, server: str) -> Sequence[McpTool]:
        return known_tools(self._row(server))

    async def described(self, server: str) -> Server:
        """As it is now: one that was switched off, changed or removed since the run began is not called any more as it was."""
        await _in_thread(self._load)
        self._described[server] = await _in_thread(described, self._row(server))
        return self._described[server]

    async def started(self, server: Server) -> Program:
        sandbox = await _in_thread(self._project.open_sandbox)
        return await sandbox.start(server.command, env=server.env)

    async def heard(self, server: str, listing: Listing) -> None:
        row = self._row(server)
        if kept_tools(listing) != row.tools:
            row.tools = kept_tools(listing)
            await _in_thread(keep, row, listing)

    async def add(self, wish: McpWish) -> None:
        await _in_thread(self._add, wish)

    async def remove(self, server: str) -> None:
        await _in_thread(self._remove, server)

    def _row(self, server: str) -> McpServer:
        if server not in self._rows:
            raise self.none_such(server)
        return self._rows[server]

    def _status(self, row: McpServer) -> McpStatus:
        known = self._described.get(row.name)
        state: Literal["connected", "idle"] = "connected" if known is not None and self.is_open(known) else "idle"
        transport, scope = cast("Literal['stdio', 'http']", row.transport), cast("Literal['team', 'project']", row.scope)
        return McpStatus(row.name, state, transport, scope, len(row.tools), row.description)

    def _add(self, wish: McpWish) -> None:
        self._demand_right()
        if wish.name in self._rows:  # else it would be called where people allowed the other one
            raise ToolError(f"There is an MCP server {wish.name!r} already. Choose another name.")
        try:
            add_server(
                Place(self._project.team, self._project), self._acting_for, name=wish.name, transport=wish.transport,
                command=list(wish.command), url=wish.url, description=wish.description,
            )  # fmt: skip
        except AppError as refused:
            raise ToolError(str(refused)) from refused
        self._load()

    def _remove(self, server: str) -> None:
        self._demand_right()
        row = self._row(server)
        if row.project is None:
            raise ToolError(f"{server} belongs to the whole team; its admins remove it in the team's settings.")
        row.delete()
        self._load()

    def _demand_right(self) -> None:
        person = self._acting_for
        try:
            demand(rights_in(person, self._project.team_id) if person else frozenset(), "manage_projects")
        except AppError as refused:
            who = person.shown_name if person else "Nobody"
            raise ToolError(f"{who} may not change the project's MCP servers. Somebody who manages projects can do it.") from refused


async def _in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do it beside the event loop, on a connection that is good."""
    done: T = await DatabaseSyncToAsync(work, thread_sensitive=False)(*args, **kwargs)
    return done
