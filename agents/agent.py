"""What an agent is made of: a model, its tools, the rules it works under, and the place it works in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from agents.budget import Budget
from agents.history import History
from agents.permissions import Rule
from agents.ports import Memories
from agents.providers.provider import Provider, ToolDefinition
from agents.sandboxes.sandbox import Sandbox
from agents.tools.profiles import deferred
from agents.tools.reach import Nesting, Reach
from agents.tools.registry import resolve
from agents.tools.tool import Tool, ToolContext

Forbids = Callable[[Tool, ToolContext], str]
"""Says why a call may not be made just now; "" where it may."""


@dataclass
class Agent:
    """`system` and `tools` must stay the same for a whole session, so that every request is a prefix of the next.

    `tools` are all it may call. Where `tool_search` is among them the model is told only of those that are always loaded and
    of those that were looked up, in that order: a tool found later is added behind the others. What `forbids` refuses is
    refused whatever the rules and people say.
    """

    session_id: str
    provider: Provider
    model: str
    system: str
    tools: dict[str, type[Tool]]
    sandbox: Sandbox
    memories: Memories
    rules: tuple[Rule, ...] = ()
    max_steps: int = 150
    budget: Budget = field(default_factory=Budget)
    forbids: Forbids = lambda tool, context: ""
    flags: dict[str, Any] = field(default_factory=dict)
    reach: Reach = field(default_factory=Reach)
    nesting: Nesting = field(default_factory=Nesting)
    _offers: dict[tuple[str, ...], tuple[ToolDefinition, ...]] = field(default_factory=dict)

    def offers(self, loaded: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        """What the model is told of, `loaded` being what was looked up so far."""
        if loaded not in self._offers:
            self._offers[loaded] = tuple(tool.definition(self.model) for tool in self._offered(loaded))
        return self._offers[loaded]

    def _offered(self, loaded: tuple[str, ...]) -> list[type[Tool]]:
        later = deferred(self.tools)
        always = [tool for name, tool in self.tools.items() if name not in later]
        return [*always, *(self.tools[name] for name in loaded if name in later)]

    def within(self, usual: Budget) -> Agent:
        """The same agent, bounded by `usual` where its own budget says nothing."""
        return replace(self, budget=self.budget.or_else(usual))

    def used_up(self, history: History) -> str:
        """Which bound of the budget keeps the model from speaking; "" where none does."""
        return self.budget.used_up(history.progress, datetime.now(UTC))

    def seconds_left(self, history: History) -> float | None:
        """Of the run's time of work; None where it is not bounded."""
        return self.budget.seconds_left(history.progress, datetime.now(UTC))

    def tool(self, name: str) -> type[Tool] | None:
        return resolve(self.tools, name)
