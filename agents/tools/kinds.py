"""The types of sub-agents: which tools there are for each, and how far one may go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from agents.events import AgentType
from agents.tools.tool import Tool

TYPES: tuple[AgentType, ...] = get_args(AgentType)
TOOLS: dict[AgentType, tuple[str, ...]] = {
    "explore": ("read", "glob", "grep", "bash", "webfetch", "websearch"),
    "plan": ("read", "glob", "grep", "plan_enter", "plan_exit", "plan_status", "todowrite"),
    "verify": ("read", "glob", "grep", "bash"),
}
"""Names of the tools that exist for a type; one that is not named here has them all."""
READ_ONLY: frozenset[AgentType] = frozenset({"explore", "verify"})
"""Types whose commands see the workspace read-only."""
REPLIES: dict[AgentType, int] = {"general": 200, "explore": 100, "plan": 100, "verify": 100}
"""Replies of the model in one run, at most."""


def tools_for(agent_type: AgentType, tools: Mapping[str, type[Tool]]) -> dict[str, type[Tool]]:
    """Those of `tools` that a sub-agent of this type has; for it no others exist."""
    names = TOOLS.get(agent_type)
    return {name: tool for name, tool in tools.items() if names is None or name in names}
