"""The MCP servers an agent can reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agents.events import Attachment


@dataclass(frozen=True)
class McpTool:
    """A tool of an MCP server as the server declares it."""

    server: str
    name: str
    description: str
    schema: Mapping[str, Any]
    read_only: bool = False


@dataclass(frozen=True)
class McpAnswer:
    """What an MCP tool or resource gave; `failed` is the server's own word."""

    text: str
    failed: bool = False
    structured: Mapping[str, Any] | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True)
class McpWish:
    """A server that an agent would like to have: a program with its arguments, or an address."""

    name: str
    transport: Literal["stdio", "http"]
    command: tuple[str, ...] = ()
    url: str = ""
    description: str = ""


@dataclass(frozen=True)
class McpStatus:
    """A server as it stands: `state` says whether it is connected now, `tools` how many it had when it was last listed."""

    server: str
    state: Literal["connected", "idle"]
    transport: Literal["stdio", "http"]
    scope: Literal["team", "project"]
    tools: int
    description: str = ""


class McpServers(Protocol):
    """The MCP servers of one session's project, connected when first needed and kept by the host.

    Contract: every method ends within its time limit and raises nothing but ToolError, whose text names the server and what is
    wrong with it. One server that hangs, dies or lies costs nobody else anything.
    """

    def names(self) -> Sequence[str]: ...

    def status(self) -> Sequence[McpStatus]: ...

    def known(self, server: str) -> Sequence[McpTool]:
        """Its tools as they were last listed, without connecting to it."""

    async def tools(self, server: str, refresh: bool = False) -> Sequence[McpTool]: ...

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> McpAnswer: ...

    async def resources(self, server: str) -> Sequence[tuple[str, str]]:
        """(uri, name) of what the server offers to read."""

    async def read(self, server: str, uri: str) -> McpAnswer: ...

    async def add(self, wish: McpWish) -> None:
        """Give the project one more server. Also raises ToolError where the person this session acts for may not do that."""

    async def remove(self, server: str) -> None:
        """Take one of the project's own servers away; the same holds."""
