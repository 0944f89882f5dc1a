"""One server, connected: a task of its own holds the line until it is idle, lost or no longer wanted, and every request is bounded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from time import monotonic
from typing import Any, TypeVar

import httpx2
import mcp_types as types
from mcp import ClientSession, MCPError
from mcp.client._transport import TransportStreams
from pydantic import ValidationError

from agents.errors import AgentError, ToolError
from agents.mcp.answers import answer_of_call, answer_of_reading
from agents.mcp.limits import Patience
from agents.mcp.listing import Declared, Listing, listing
from agents.mcp.schemas import SchemaRefused, complaints
from agents.mcp.server import Server
from agents.ports import McpAnswer

T = TypeVar("T")
PAGES_LIMIT = 50
"""Pages of one list; a server that always has another is cut short."""
RESOURCES_LIMIT = 500
MOST_NAMED = 30
FORGOTTEN = "Session terminated"
"""What the SDK says of a server at an address that no longer knows our session."""
Line = Callable[[Callable[[str], None]], AbstractAsyncContextManager[TransportStreams]]
"""Opens the line. It is told whom to tell why the line broke."""


class Connection:
    """Made by `connected`. Any task of its event loop may use it."""

    def __init__(self, server: Server, line: Line, patience: Patience) -> None:
        self.server, self.patience = server, patience
        self._line = line
        self._over = asyncio.Event()
        self._fate = ""
        self._busy = 0
        self._last_used = monotonic()
        self._session: ClientSession | None = None
        self._listing: Listing | None = None
        self._listens = asyncio.Lock()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._hold())

    @property
    def alive(self) -> bool:
        return self._session is not None and not self._over.is_set() and not self._task.done()

    async def opened(self) -> None:
        """Raises ToolError saying why there is no connection."""
        try:
            async with asyncio.timeout(self.patience.connect):
                await asyncio.shield(self._ready)
        except TimeoutError as late:
            await self.end()
            raise self.server.wrong(f"did not connect within {self.patience.connect:g} seconds.") from late
        except BaseException:
            await self.end()
            raise

    async def end(self) -> None:
        self._over.set()
        self._task.cancel()
        await asyncio.wait([self._task])

    async def listed(self, refresh: bool = False) -> Listing:
        """What it offers, asked again where it said that this has changed."""
        async with self._listens:
            if self._listing is None or refresh:
                self._listing = listing(self.server.name, await self._request("its list of tools", self.patience.list, self._all_tools()))
            return self._listing

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> McpAnswer:
        known = await self.listed()
        self._check(known, tool, arguments)
        request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=dict(arguments)))
        asked = self._asked().send_request(request, types.CallToolResult)
        result = await self._request(tool, self.patience.call, asked)
        return await asyncio.to_thread(answer_of_call, self.server, tool, result, known.outputs.get(tool))

    async def resources(self) -> list[tuple[str, str]]:
        return await self._request("its list of resources", self.patience.list, self._all_resources())

    async def read(self, uri: str) -> McpAnswer:
        request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri))
        asked = self._asked().send_request(request, types.ReadResourceResult)
        return answer_of_reading(self.server, await self._request(uri, self.patience.call, asked))

    # --- the line ------------------------------------------------------------------------------------------------------

    async def _hold(self) -> None:
        try:
            async with self._line(self._lost) as (read, write), self._session_over(read, write) as session:
                await session.initialize()
                self._session = session
                self._ready.set_result(None)
                await self._until_idle()
        except (Exception, BaseExceptionGroup) as broken:
            self._lost(f"could not be connected: {_reason(broken)}")
        finally:
            self._over.set()
            if not self._ready.done():
                self._ready.set_exception(self.server.wrong(self._fate or "was let go before it was connected"))
                self._ready.exception()  # nobody may be waiting any more

    def _session_over(self, read: Any, write: Any) -> ClientSession:
        who = types.Implementation(name="countersign", version=version("mcp"))
        return ClientSession(read, write, message_handler=self._heard, client_info=who)

    async def _heard(self, message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._listing = None

    async def _until_idle(self) -> None:
        while self._busy or (left := self._last_used + self.patience.idle - monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.patience.idle if self._busy else left):
                    await self._over.wait()
                    return

    def _lost(self, why: str) -> None:
        self._fate = self._fate or why
        self._over.set()
        if not self._ready.done():
            self._ready.set_exception(self.server.wrong(self._fate))

    # --- requests ------------------------------------------------------------------------------------------------------

    def _asked(self) -> ClientSession:
        if self._session is None or self._over.is_set():
            raise self.server.wrong(self._fate or "is not connected.")
        return self._session

    async def _request(self, what: str, seconds: float, asked: Awaitable[T]) -> T:
        """Raises ToolError, whatever the server does."""
        with self._in_use():
            try:
                async with asyncio.timeout(seconds):
                    return await asked
            except TimeoutError as late:
                raise self.server.wrong(f"did not answer {what} within {seconds:g} seconds.") from late
            except MCPError as refused:
                raise await self._explained(refused, what) from refused
            except ValidationError as lie:
                raise self.server.wrong(f"gave {what} in a form that the protocol does not know: {_first(lie)}.") from lie
            except ToolError:
                raise
            except Exception as broken:
                raise self.server.wrong(f"could not be asked for {what}: {_reason(broken)}") from broken

    async def _explained(self, refused: MCPError, what: str) -> ToolError:
        if refused.message == FORGOTTEN:
            self._lost("has forgotten this connection")
        if self._over.is_set() or refused.code == types.CONNECTION_CLOSED:
            return self.server.wrong(f"{await self._fate_told()} while it was asked for {what}; the next call connects it anew.")
        return self.server.wrong(f"refused {what}: {refused.message[:2000]}")

    async def _fate_told(self) -> str:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self._over.wait()
        return self._fate or "ended the connection"

    @contextlib.contextmanager
    def _in_use(self) -> Iterator[None]:
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1
            self._last_used = monotonic()

    async def _all_tools(self) -> list[Declared]:
        found: list[Declared] = []
        cursor: str | None = None
        for _ in range(PAGES_LIMIT):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self._asked().send_request(types.ListToolsRequest(params=params), types.ListToolsResult)
            found += [_declared(tool) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def _all_resources(self) -> list[tuple[str, str]]:
        capabilities = self._asked().server_capabilities
        if capabilities is None or capabilities.resources is None:
            return []
        found: list[tuple[str, str]] = []
        cursor: str | None = None
        for _ in range(PAGES_LIMIT):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self._asked().send_request(types.ListResourcesRequest(params=params), types.ListResourcesResult)
            found += [(str(resource.uri), resource.name) for resource in page.resources]
            cursor = page.next_cursor
            if not cursor or len(found) >= RESOURCES_LIMIT:
                break
        return found[:RESOURCES_LIMIT]

    def _check(self, known: Listing, tool: str, arguments: Mapping[str, Any]) -> None:
        if tool in known.faults and tool not in known.tools:
            raise self.server.wrong(f"offers {tool} in a way that cannot be used: {known.faults[tool]}.")
        if tool not in known.tools:
            raise self.server.wrong(f"has no tool {tool!r}. It has: {', '.join(list(known.tools)[:MOST_NAMED]) or 'none'}.")
        try:
            wrong = complaints(known.tools[tool].schema, dict(arguments))
        except SchemaRefused as refused:
            raise self.server.wrong(f"declares a schema for {tool} that cannot be followed: {refused}.") from refused
        if wrong:
            raise self.server.wrong(f"does not take these arguments for {tool}: {'; '.join(wrong)}.")


def _declared(tool: types.Tool) -> Declared:
    hints = tool.annotations
    read_only = bool(hints and hints.read_only_hint)
    return Declared(tool.name, tool.description or tool.title or "", tool.input_schema, tool.output_schema, read_only)


def _reason(broken: BaseException) -> str:
    """The innermost cause in words, for errors come wrapped in groups of groups."""
    while isinstance(broken, BaseExceptionGroup):
        broken = broken.exceptions[0]
    if isinstance(broken, AgentError):
        return str(broken)
    if isinstance(broken, ValidationError):
        return f"it does not speak the protocol: {_first(broken)}"
    if isinstance(broken, httpx2.ConnectError):
        return f"nobody answers there ({broken})"
    return f"{broken}" or type(broken).__name__


def _first(wrong: ValidationError) -> str:
    error = wrong.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, error['loc']))}: {error['msg']}"
