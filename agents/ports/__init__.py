"""What an agent needs from its host. An in-memory host ships with the library (`agents/host.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from agents.events import AgentFinished, AgentStarted, AgentType, AnyFact, AnyNote, Entry, MemoryScope, MemoryType
from agents.ports.kept import Artifact as Artifact
from agents.ports.kept import Artifacts as Artifacts
from agents.ports.kept import Jobs as Jobs
from agents.ports.kept import JobStatus as JobStatus
from agents.ports.kept import JobWish as JobWish
from agents.ports.kept import Snapshot as Snapshot
from agents.ports.kept import Snapshots as Snapshots
from agents.ports.outside import Forge as Forge
from agents.ports.outside import ForgeItem as ForgeItem
from agents.ports.outside import ForgeThread as ForgeThread
from agents.ports.outside import Past as Past
from agents.ports.outside import PastSession as PastSession
from agents.ports.outside import Vault as Vault
from agents.ports.servers import McpAnswer as McpAnswer
from agents.ports.servers import McpServers as McpServers
from agents.ports.servers import McpStatus as McpStatus
from agents.ports.servers import McpTool as McpTool
from agents.ports.servers import McpWish as McpWish
from agents.ports.skills import SkillEntry as SkillEntry
from agents.ports.skills import Skills as Skills
from agents.ports.skills import SkillSource as SkillSource


class Recorder(Protocol):
    """Where a step puts what happens.

    Contract: `keep` returns once the facts are durable, in order, with nothing in between, and gives their entries; the
    history the step works on has been told of them, and of anything others wrote before them. Once called it is
    carried out, even if the caller is canceled meanwhile. `show` never blocks and
    never raises; what it is given may be lost.
    """

    async def keep(self, *facts: AnyFact) -> tuple[Entry, ...]: ...

    def show(self, note: AnyNote) -> None: ...


@dataclass(frozen=True)
class Memory:
    """One remembered thing. `created` and `updated` in UTC; `source` says where it came from, for people."""

    memory_id: str
    title: str
    content: str
    scope: MemoryScope
    type: MemoryType
    tags: tuple[str, ...]
    created: datetime
    updated: datetime
    source: str = ""


class Memories(Protocol):
    """The memories this session may see: its project's, its team's and those of the person it acts for.

    Contract: writing an existing title in the same scope updates that memory and keeps its id. `find` gives those that hold any of the
    query's words, in whatever form, the best first: titles and tags weigh more than content. An empty query returns everything, newest
    first. Raises nothing but host failures.
    """

    async def find(self, query: str, type: MemoryType | None = None, limit: int = 50) -> list[Memory]: ...

    async def write(self, *, title: str, content: str, type: MemoryType, scope: MemoryScope, tags: tuple[str, ...]) -> Memory: ...

    async def matching(self, id_prefix: str) -> list[Memory]:
        """The memories whose id starts so (so that a tool can say "ambiguous" rather than delete the first)."""

    async def delete(self, memory_id: str) -> bool: ...


# --- sub-agents --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AgentWish:
    """What a parent asks of a sub-agent. Empty provider and model mean the parent's own."""

    call_id: str
    prompt: str
    agent_type: AgentType = "general"
    provider: str = ""
    model: str = ""
    working_dir: str = ""
    background: bool = False
    isolation: Literal["none", "worktree"] = "none"


@dataclass(frozen=True)
class AgentStatus:
    """Where a sub-agent stands. `finished` is None while it works or waits; `waits_for` counts what people must decide in it."""

    agent_id: str
    session_id: str
    agent_type: AgentType
    title: str
    state: str
    waits_for: int = 0
    finished: AgentFinished | None = None


class Agents(Protocol):
    """The sub-agents of one session.

    Contract: `start` opens the sub-agent's session and queues its work, once for each call id: asked again it gives the same
    agent. Raises ToolError with a sentence where there can be none (no such provider, no git repository for a worktree).
    When the work ends the host keeps an AgentFinished in the parent's log and, where a call waits for it, lets the parent go on.
    """

    async def start(self, wish: AgentWish) -> AgentStarted: ...

    async def status(self, agent_id: str) -> AgentStatus | None:
        """The sub-agent of this session, or of one below it, with this id."""

    async def all(self) -> Sequence[AgentStatus]:
        """Those of this session and below it, the upper ones first."""


# --- code intelligence -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Diagnostic:
    """What a language server complains of. Line and column count from 1."""

    line: int
    column: int
    severity: Literal["error", "warning", "information", "hint"]
    message: str
    source: str = ""


class CodeServers(Protocol):
    """Language servers for one workspace, kept warm by the host.

    Contract: every method ends within its time limit and raises nothing but ToolError, whose text says what to do (how to get a
    server that is missing, that one crashed and is started anew by the next call). Paths are relative to the workspace.
    """

    async def query(
        self, operation: str, *, path: str = "", line: int = 1, column: int = 1, query: str = "", include_declaration: bool = False
    ) -> tuple[str, Mapping[str, Any]]:
        """(text for the model, metadata) of one documented operation."""

    async def diagnostics(self, path: str) -> Sequence[Diagnostic] | None:
        """What is wrong with the file as it is on disk now; None where no server is at hand for it. For after an edit: never slow."""


# --- the web -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Web:
    """How this session reaches the web. `keys` by backend name (serpapi, brave, tavily); `allow_private` is the operator's word.

    `reads_private` is the same word for `read` alone. `places` overrides a backend's base URL, for self-hosted ones and for tests.
    """

    allow_private: bool = False
    reads_private: bool = False
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    places: Mapping[str, str] = field(default_factory=dict)
