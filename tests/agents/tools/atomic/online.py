"""Hands that reach the web, and a drawer for what they keep beside the workspace."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count

from agents.ports import Artifact, Web
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.tools.hands import Hands

SESSIONS = count(1)


@dataclass
class Drawer:
    """Artifacts in memory."""

    kept: list[tuple[str, bytes]] = field(default_factory=list)

    async def keep(self, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> Artifact:
        self.kept.append((name, data))
        return Artifact(len(self.kept), name, media_type, len(data))

    async def read(self, number: int) -> tuple[Artifact, bytes] | None:
        name, data = self.kept[number - 1]
        return Artifact(number, name, "text/plain", len(data)), data

    async def all(self) -> list[Artifact]:
        return []


@dataclass
class WebHands(Hands):
    """Hands of a session of their own that reach the web."""

    web: Web | None = field(default_factory=lambda: Web(reads_private=True))
    network: bool = True
    drawer: Drawer | None = field(default_factory=Drawer)
    session: str = field(default_factory=lambda: f"web-{next(SESSIONS)}")

    def __post_init__(self) -> None:
        self.sandbox = open_sandbox(SandboxWish(root=str(self.root), level=None if not self.network else self.level, network=self.network))

    def context(self) -> ToolContext:
        context = super().context()
        context.session_id = self.session
        context.reach = replace(self.reach, web=self.web, artifacts=self.drawer)
        return context

    async def read(self, path: str) -> ToolResult:
        return await self.call("read", path=path)
