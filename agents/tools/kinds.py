"""The types of sub-agents: which of them change nothing, and how far one may go. Which tools each has stands in profiles.py."""

from __future__ import annotations

from agents.events import AgentType

READ_ONLY: frozenset[AgentType] = frozenset({"explore", "verify"})
"""Types whose commands see the workspace read-only."""
REPLIES: dict[AgentType, int] = {"general": 200, "explore": 100, "plan": 100, "verify": 100}
"""Replies of the model in one run, at most."""
