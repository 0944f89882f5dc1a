"""What tools can reach beyond the workspace's files and commands, and how deep their agent is nested."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.edits.hashline.store import MemorySnapshots
from agents.ports import Agents, Artifacts, CodeServers, Forge, Jobs, McpServers, Past, Skills, Snapshots, Vault, Web

MOST_DEPTH = 3
"""How deep sub-agents may be nested, unless the host says otherwise."""


@dataclass(frozen=True)
class Reach:
    """None where the host has no such thing, or it is switched off."""

    agents: Agents | None = None
    code: CodeServers | None = None
    web: Web | None = None
    mcp: McpServers | None = None
    snapshots: Snapshots = field(default_factory=MemorySnapshots)
    artifacts: Artifacts | None = None
    jobs: Jobs | None = None
    past: Past | None = None
    forge: Forge | None = None
    vault: Vault | None = None
    skills: Skills | None = None


@dataclass(frozen=True)
class Nesting:
    """`depth` 0 is a session that people opened. `working_dir`, relative to the workspace, is where commands and searches start."""

    depth: int = 0
    most: int = MOST_DEPTH
    parent_session_id: str = ""
    working_dir: str = ""
