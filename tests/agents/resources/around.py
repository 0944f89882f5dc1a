"""An agent's surroundings in memory: a real folder of files, and stand-ins that keep what they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from agents.errors import ToolError
from agents.events import AgentStarted
from agents.host import InMemoryMemories
from agents.ports import AgentStatus, AgentWish, ForgeItem, ForgeThread, McpAnswer, McpStatus, McpTool, McpWish, PastSession
from agents.resources.resource import Surroundings
from agents.sandboxes.files import ConfinedFiles

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class ListedPast:
    said: dict[str, str] = field(default_factory=dict)

    async def sessions(self, limit: int = 100) -> Sequence[PastSession]:
        return [PastSession(name, f"About {name}", "idle", NOON) for name in self.said][:limit]

    async def transcript(self, session_id: str) -> str | None:
        return self.said.get(session_id)


@dataclass
class ListedForge:
    asked: list[tuple[str, ...]] = field(default_factory=list)

    async def items(self, kind: Literal["issue", "pr"], state: Literal["open", "closed", "all"] = "open") -> Sequence[ForgeItem]:
        self.asked.append((kind, state))
        return [ForgeItem(7, "It breaks", "open", "bob", "2026-11-20")] if state != "closed" else []

    async def thread(self, kind: Literal["issue", "pr"], number: int) -> ForgeThread:
        if number != 7:
            raise ToolError("The forge has no such thing.")
        item = ForgeItem(7, "It breaks", "open", "bob", "2026-11-20")
        return ForgeThread(item, "# It breaks", "diff --git a b\n" if kind == "pr" else "")


@dataclass
class ListedVault:
    values: dict[str, str] = field(default_factory=dict)

    async def names(self) -> Sequence[str]:
        return sorted(self.values)

    async def value(self, name: str) -> str | None:
        return self.values.get(name)


@dataclass
class ListedAgents:
    statuses: dict[str, AgentStatus] = field(default_factory=dict)

    async def start(self, wish: AgentWish) -> AgentStarted:
        raise ToolError("None can be started here.")

    async def status(self, agent_id: str) -> AgentStatus | None:
        return self.statuses.get(agent_id)

    async def all(self) -> Sequence[AgentStatus]:
        return list(self.statuses.values())


@dataclass
class OneServer:
    """An MCP server called `notes`."""

    pages: dict[str, McpAnswer] = field(default_factory=dict)
    read_uris: list[str] = field(default_factory=list)

    def names(self) -> Sequence[str]:
        return ["notes"]

    def status(self) -> Sequence[McpStatus]:
        return [McpStatus("notes", "idle", "http", "team", 0, "What we noted")]

    def known(self, server: str) -> Sequence[McpTool]:
        return []

    async def tools(self, server: str, refresh: bool = False) -> Sequence[McpTool]:
        return []

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> McpAnswer:
        raise ToolError("It has no tools.")

    async def resources(self, server: str) -> Sequence[tuple[str, str]]:
        return [(uri, "A page") for uri in self.pages]

    async def read(self, server: str, uri: str) -> McpAnswer:
        self.read_uris.append(uri)
        return self.pages.get(uri) or McpAnswer("no such page", failed=True)

    async def add(self, wish: McpWish) -> None:
        raise ToolError("No.")

    async def remove(self, server: str) -> None:
        raise ToolError("No.")


def around(root: Path, **more: Any) -> Surroundings:
    return Surroundings(ConfinedFiles(str(root), "/workspace"), more.pop("memories", None) or InMemoryMemories(), **more)


def put(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
