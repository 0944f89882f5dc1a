"""Which toolsets there are, and which tool a name means."""

from __future__ import annotations

from collections.abc import Mapping

from agents.errors import ToolError
from agents.tools.oats.apply_patch import ApplyPatch
from agents.tools.oats.bash import Bash
from agents.tools.oats.edit import Edit
from agents.tools.oats.glob import Glob
from agents.tools.oats.grep import Grep
from agents.tools.oats.memories import MemoryDelete, MemoryRead, MemoryWrite
from agents.tools.oats.multiedit import MultiEdit
from agents.tools.oats.plans import PlanEnter, PlanExit, PlanStatus
from agents.tools.oats.questions import AskUser, Question
from agents.tools.oats.read import Read
from agents.tools.oats.todos import TodoRead, TodoWrite
from agents.tools.oats.write import Write
from agents.tools.tool import Tool

OATS: tuple[type[Tool], ...] = (
    Read, Write, Edit, MultiEdit, ApplyPatch, Bash, Glob, Grep, TodoWrite, TodoRead,
    MemoryRead, MemoryWrite, MemoryDelete, PlanEnter, PlanExit, PlanStatus, Question, AskUser,
)  # fmt: skip

TOOLSETS: dict[str, dict[str, type[Tool]]] = {"oats": {tool.name: tool for tool in OATS}}
"""Toolset name → its tools by name, in the order a model is told of them."""


def toolset(name: str) -> dict[str, type[Tool]]:
    """The tools of one toolset. Raises ToolError naming those there are."""
    if name not in TOOLSETS:
        raise ToolError(f"There is no toolset {name!r}. Toolsets: {', '.join(TOOLSETS)}.")
    return TOOLSETS[name]


def resolve(tools: Mapping[str, type[Tool]], name: str) -> type[Tool] | None:
    """The tool with this name; else the first that has it as an alias, so that an alias never hides a tool."""
    return tools.get(name) or next((tool for tool in tools.values() if name in tool.aliases), None)
