"""The connections of one event loop: opened on first need, shared by who means the same server at the same place."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Hashable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from agents.mcp.limits import USUAL, Patience
from agents.mcp.server import Server
from agents.sandboxes.sandbox import Program
from agents.web.addresses import PUBLIC, Policy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents.mcp.connection import Connection

Start = Callable[[], Awaitable[Program]]
"""Starts the server's program in its sandbox."""


class Pool:
    """Opens at most one connection a key at a time. One that died is opened anew by whoever needs it next."""

    def __init__(self, patience: Patience = USUAL) -> None:
        self.patience = patience
        self._open: dict[Hashable, Connection] = {}
        self._doors: dict[Hashable, asyncio.Lock] = {}

    async def connection(self, place: str, server: Server, start: Start, policy: Policy = PUBLIC) -> Connection:
        """The server's connection for this place (a project's workspace). Raises ToolError."""
        key = (place, server.fingerprint)
        async with self._doors.setdefault(key, asyncio.Lock()):
            known = self._open.get(key)
            if known is None or not known.alive:
                self._open[key] = known = await self.fresh(server, start, policy)
            self._forget_the_dead()
            return known

    async def fresh(self, server: Server, start: Start, policy: Policy = PUBLIC) -> Connection:
        """A connection that nobody shares; whoever asked for it ends it. Raises ToolError."""
        sdk = await asyncio.to_thread(importlib.import_module, "agents.mcp.connection")
        connection: Connection = sdk.Connection(server, _line(server, start, policy, self.patience), self.patience)
        await connection.opened()
        return connection

    def open_here(self, place: str, server: Server) -> Connection | None:
        """The connection, if there is one now."""
        known = self._open.get((place, server.fingerprint))
        return known if known is not None and known.alive else None

    async def end_all(self) -> None:
        for connection in list(self._open.values()):
            await connection.end()
        self._open.clear()

    def _forget_the_dead(self) -> None:
        for key in [key for key, connection in self._open.items() if not connection.alive]:
            del self._open[key]
            if not self._doors[key].locked():
                del self._doors[key]


def _line(server: Server, start: Start, policy: Policy, patience: Patience) -> Callable[[Callable[[str], None]], Any]:
    """Imports what the line needs when it is opened: the SDK takes a second."""

    def opened(lost: Callable[[str], None]) -> AbstractAsyncContextManager[Any]:
        if server.transport == "http":
            return importlib.import_module("agents.mcp.http").address_line(server, policy, patience.connect)  # type: ignore[no-any-return]
        return _program_line(start, lost)

    return opened


@asynccontextmanager
async def _program_line(start: Start, lost: Callable[[str], None]) -> AsyncIterator[Any]:
    program = await start()

    def ended(why: str) -> None:
        words = program.complaints.strip()[-500:]
        lost(f"{why} (its last words: {words})" if words else why)

    async with importlib.import_module("agents.mcp.line").program_line(program, ended) as streams:
        yield streams


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


def pool() -> Pool:
    """The pool of this event loop. Its connections end with the loop's tasks."""
    return _pools.setdefault(asyncio.get_running_loop(), Pool())
