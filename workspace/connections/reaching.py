"""The MCP servers of a project as its agents reach them: `agents.ports.McpServers` for the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from channels.db import DatabaseSyncToAsync

from agents.errors import SandboxError, ToolError
from agents.mcp.pool import pool
from agents.mcp.server import Server
from agents.ports import McpAnswer, McpStatus, McpTool, McpWish
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

if TYPE_CHECKING:
    from agents.mcp.connection import Connection

P = ParamSpec("P")
T = TypeVar("T")


class ProjectServers:
    """Reads what there is when it is made, in a thread. `acting_for` is whose rights count for adding and removing."""

    def __init__(self, project: Project, acting_for: User | None) -> None:
        self._project, self._acting_for = project, acting_for
        self._rows: dict[str, McpServer] = {}
        self._described: dict[str, Server] = {}
        self._load()

    def names(self) -> Sequence[str]:
        return list(self._rows)

    def status(self) -> Sequence[McpStatus]:
        return [self._status(row) for row in self._rows.values()]

    def known(self, server: str) -> Sequence[McpTool]:
        return known_tools(self._row(server))

    async def tools(self, server: str, refresh: bool = False) -> Sequence[McpTool]:
        row = self._row(server)
        listing = await (await self._connected(row)).listed(refresh)
        if kept_tools(listing) != row.tools:
            row.tools = kept_tools(listing)
            await _in_thread(keep, row, listing)
        return list(listing.tools.values())

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> McpAnswer:
        return await (await self._connected(self._row(server))).call(tool, arguments)

    async def resources(self, server: str) -> Sequence[tuple[str, str]]:
        return await (await self._connected(self._row(server))).resources()

    async def read(self, server: str, uri: str) -> McpAnswer:
        return await (await self._connected(self._row(server))).read(uri)

    async def add(self, wish: McpWish) -> None:
        await _in_thread(self._add, wish)

    async def remove(self, server: str) -> None:
        await _in_thread(self._remove, server)

    def _load(self) -> None:
        self._rows = {row.name: row for row in McpServer.objects.of_project(self._project) if row.enabled}
        self._described.clear()

    def _row(self, server: str) -> McpServer:
        row = self._rows.get(server)
        if row is None:
            raise ToolError(f"There is no MCP server {server!r} here. There are: {', '.join(self._rows) or 'none'}.")
        return row

    def _status(self, row: McpServer) -> McpStatus:
        known = self._described.get(row.name)
        open_now = known is not None and pool().open_here(self._place, known) is not None
        return McpStatus(
            row.name, "connected" if open_now else "idle", cast("Literal['stdio', 'http']", row.transport),
            cast("Literal['team', 'project']", row.scope), len(row.tools), row.description,
        )  # fmt: skip

    @property
    def _place(self) -> str:
        return str(self._project.root)

    async def _connected(self, row: McpServer) -> Connection:
        if row.name not in self._described:
            self._described[row.name] = await _in_thread(described, row)
        server = self._described[row.name]
        try:
            return await pool().connection(self._place, server, lambda: self._start(server), policy())
        except (SandboxError, OSError) as wrong:
            raise server.wrong(f"cannot be started: {wrong}") from wrong

    async def _start(self, server: Server) -> Program:
        sandbox = await _in_thread(self._project.open_sandbox)
        return await sandbox.start(server.command, env=server.env)

    def _add(self, wish: McpWish) -> None:
        self._demand_right()
        place = Place(self._project.team, self._project)
        try:
            add_server(
                place, self._acting_for, name=wish.name, transport=wish.transport, command=list(wish.command), url=wish.url,
                description=wish.description,
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
