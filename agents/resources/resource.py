"""What an internal URL gives, and what a scheme may reach to give it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agents.events import AnyFact
from agents.pieces import Attachment
from agents.ports import Agents, Artifacts, Forge, McpServers, Memories, Past, Skills, Vault
from agents.resources.address import Address
from agents.sandboxes.sandbox import Files


@dataclass(frozen=True)
class Resource:
    """`file` is the workspace path of what stands behind it, "" where that is no file; what is `immutable` cannot be edited there.

    `facts` are to be kept with the end of the call that read it.
    """

    url: str
    text: str
    media_type: str = "text/plain"
    file: str = ""
    immutable: bool = True
    attachments: tuple[Attachment, ...] = ()
    facts: tuple[AnyFact, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """What there is around the agent that asks. None where the host has no such thing."""

    files: Files
    memories: Memories | None
    artifacts: Artifacts | None = None
    agents: Agents | None = None
    past: Past | None = None
    mcp: McpServers | None = None
    forge: Forge | None = None
    vault: Vault | None = None
    skills: Skills | None = None


Scheme = Callable[[Address, Surroundings], Awaitable[Resource]]
"""How one scheme is read. Raises ToolError with a sentence that says what to do."""
