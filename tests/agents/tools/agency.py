"""Sub-agents for tools under test: they run in this process, and a script is their model."""

from __future__ import annotations

from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.tools.reach import Reach
from agents.tools.registry import toolset
from tests.agents.tools.hands import Hands
from workspace.management.hand_agents import HandAgents, Shop


def agents_of(hands: Hands, script: str) -> HandAgents:
    """The sub-agents that can be started from these hands, and what their model says."""
    provider = ScriptedProvider(load_script(script), pace=0)
    shop = Shop(toolset("oats"), hands.sandbox, hands.memories, Reach(), lambda name, model: (provider, model or "demo"))
    return HandAgents(shop, "s1", "s1", hands.nesting)
