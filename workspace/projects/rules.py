"""Permission rules as people write them: which are valid, and which a new project begins with."""

from __future__ import annotations

import re

from agents.permissions import Action
from agents.tools.registry import toolset

RULES_LIMIT = 200
_TOOL = re.compile(r"[\w*?.:/-]{1,100}")


def default_rules(name: str) -> list[tuple[str, str, Action]]:
    """What a toolset's tools say of themselves: those that change nothing in the workspace are allowed, every other one asks."""
    return [(tool.name, "*", "allow") for tool in toolset(name).values() if tool.asks == "allow"]


def complaint_about_tool(tool: str) -> str:
    """What is wrong with a rule's tool, "" when nothing is."""
    return "" if _TOOL.fullmatch(tool) else "Write a tool's name; * stands for anything, ? for one character."


def complaint_about_pattern(pattern: str) -> str:
    """What is wrong with a rule's pattern, "" when nothing is."""
    if any(character in pattern for character in "\0\n\r"):
        return "A pattern is one line."
    opened = pattern.count("[") - pattern.count("[[]")
    return "A [ begins a set of characters and needs a ]; write [[] for the character itself." if opened > pattern.count("]") else ""
