"""What an agent is made of: a model, its tools, the rules it works under, and the place it works in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.permissions import Rule
from agents.ports import Memories
from agents.providers.provider import Provider, ToolDefinition
from agents.sandboxes.sandbox import Sandbox
from agents.tools.registry import resolve
from agents.tools.tool import Tool


@dataclass
class Agent:
    """`system` and `tools` must stay the same for a whole session, so that every request is a prefix of the next."""

    session_id: str
    provider: Provider
    model: str
    system: str
    tools: dict[str, type[Tool]]
    sandbox: Sandbox
    memories: Memories
    rules: tuple[Rule, ...] = ()
    max_steps: int = 150
    flags: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        return tuple(tool.definition() for tool in self.tools.values())

    def tool(self, name: str) -> type[Tool] | None:
        return resolve(self.tools, name)
