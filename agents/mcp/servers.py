"""The MCP servers of one place, over the connections of this event loop: what hosts make their `agents.ports.McpServers` of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agents.errors import SandboxError, ToolError
from agents.mcp.listing import Listing
from agents.mcp.pool import pool
from agents.mcp.server import Server
from agents.ports import McpAnswer, McpStatus, McpTool, McpWish
from agents.sandboxes.sandbox import Program, Sandbox
from agents.web.addresses import PUBLIC, Policy

if TYPE_CHECKING:
    from agents.mcp.connection import Connection


class PlacedServers(ABC):
    """A host says which servers there are, how one is described and where its program is started.

    `place` names what a connection may be shared by (a workspace), `policy` where servers at addresses may be.
    """

    def __init__(self, place: str, policy: Policy) -> None:
        self._place, self._policy = place, policy

    @abstractmethod
    def names(self) -> Sequence[str]: ...

    @abstractmethod
    async def described(self, server: str) -> Server:
        """Raises ToolError where there is none of this name."""

    @abstractmethod
    async def started(self, server: Server) -> Program: ...

    @abstractmethod
    async def heard(self, server: str, listing: Listing) -> None:
        """It has just told what it offers: remember it."""

    async def tools(self, server: str, refresh: bool = False) -> Sequence[McpTool]:
        listing = await (await self._connected(server)).listed(refresh)
        await self.heard(server, listing)
        return list(listing.tools.values())

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> McpAnswer:
        return await (await self._connected(server)).call(tool, arguments)

    async def resources(self, server: str) -> Sequence[tuple[str, str]]:
        return await (await self._connected(server)).resources()

    async def read(self, server: str, uri: str) -> McpAnswer:
        return await (await self._connected(server)).read(uri)

    def is_open(self, server: Server) -> bool:
        return pool().open_here(self._place, server) is not None

    def none_such(self, server: str) -> ToolError:
        return ToolError(f"There is no MCP server {server!r} here. There are: {', '.join(self.names()) or 'none'}.")

    async def _connected(self, name: str) -> Connection:
        server = await self.described(name)
        return await pool().connection(self._place, server, lambda: self._start(server), self._policy)

    async def _start(self, server: Server) -> Program:
        try:
            return await self.started(server)
        except (SandboxError, OSError) as wrong:
            raise server.wrong(f"cannot be started: {wrong}") from wrong


class GivenServers(PlacedServers):
    """Servers given once, as a file lists them, for one sandbox. What is added or removed is so for this object's life."""

    def __init__(self, servers: Mapping[str, Server], sandbox: Sandbox, policy: Policy = PUBLIC) -> None:
        super().__init__(sandbox.root, policy)
        self._servers, self._sandbox = dict(servers), sandbox
        self._heard: dict[str, Sequence[McpTool]] = {}

    def names(self) -> Sequence[str]:
        return list(self._servers)

    def status(self) -> Sequence[McpStatus]:
        return [
            McpStatus(name, "connected" if self.is_open(server) else "idle", server.transport, "project", len(self.known(name)))
            for name, server in self._servers.items()
        ]

    def known(self, server: str) -> Sequence[McpTool]:
        return self._heard.get(server, ())

    async def described(self, server: str) -> Server:
        if server not in self._servers:
            raise self.none_such(server)
        return self._servers[server]

    async def started(self, server: Server) -> Program:
        return await self._sandbox.start(server.command, env=server.env)

    async def heard(self, server: str, listing: Listing) -> None:
        self._heard[server] = tuple(listing.tools.values())

    async def add(self, wish: McpWish) -> None:
        if wish.name in self._servers:
            raise ToolError(f"There is an MCP server {wish.name!r} already.")
        self._servers[wish.name] = Server(wish.name, wish.transport, wish.command, wish.url)

    async def remove(self, server: str) -> None:
        await self.described(server)
        del self._servers[server]
