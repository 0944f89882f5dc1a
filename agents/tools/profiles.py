"""Which tools of a toolset an agent has: by profile and feature group, as operator and project say, and by what kind of agent it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.pieces import AgentType
from agents.tools.tool import Tool

CORE = "core_tools"
"""The group that cannot be switched off."""
GROUPS = (CORE, "deferred_tools", "web_tools", "planning", "memory", "agents", "lsp", "mcp")
_SMALL = frozenset({CORE, "deferred_tools"})
_LOCAL = _SMALL | {"planning", "memory", "agents"}
PROFILES: Mapping[str, frozenset[str]] = {
    "minimal": _SMALL,
    "standard": _LOCAL | {"web_tools"},
    "full": frozenset(GROUPS),
    "custom": _LOCAL,
}
DEFAULT = "standard"

_LOOKING = (
    "read", "read_file", "glob", "grep", "find", "ls", "search", "search_files", "list_files", "list_code_definition_names",
    "skill", "read_skill_file", "calculate", "get_current_time", "attempt_completion",
)  # fmt: skip
"""What shows and changes nothing, under its name in each toolset; and how one says that its work is done."""
_COMMANDS = ("bash", "run", "execute_command")
_TODOS = ("todowrite", "todo_write", "todo_read", "write_todo_list", "read_todo_list")
AGENT_TOOLS: Mapping[AgentType, tuple[str, ...] | None] = {
    "general": None,
    "explore": (*_LOOKING, *_COMMANDS, "webfetch", "websearch"),
    "plan": (*_LOOKING, *_TODOS, "plan_enter", "plan_exit", "plan_status"),
    "verify": (*_LOOKING, *_COMMANDS),
}
"""The tools that exist for a sub-agent of each type; None: all that its session has."""


@dataclass(frozen=True)
class Choice:
    """What somebody chose: a profile ("" for none) and, over it, groups that are on or off."""

    profile: str = ""
    features: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Selection:
    """What holds: the profile, the groups that are off, and those of them that the operator switched off for every project."""

    profile: str
    off: frozenset[str]
    locked: frozenset[str] = frozenset()

    def has(self, group: str) -> bool:
        """Whether tools of this group exist. A group of a team's own making is on unless somebody switched it off."""
        return group not in self.off

    def among(self, tools: Mapping[str, type[Tool]]) -> dict[str, type[Tool]]:
        """The tools whose groups are on, in their order."""
        return {name: tool for name, tool in tools.items() if self.has(tool.group)}


def select(installation: Choice, project: Choice = Choice()) -> Selection:
    """What holds for a project: its own choice before the installation's, but what the operator switched off stays off.

    A project that names a profile gets that profile, without the groups that the installation adds to its own.
    """
    profile = known_profile(project.profile or installation.profile)
    features = dict(project.features) if project.profile else {**installation.features, **project.features}
    locked = {group for group, on in installation.features.items() if not on} - {CORE}
    chosen = dict.fromkeys(GROUPS, False) | dict.fromkeys(PROFILES[profile], True) | features | dict.fromkeys(locked, False)
    return Selection(profile, frozenset(group for group, on in chosen.items() if not on) - {CORE}, frozenset(locked))


def known_profile(name: str) -> str:
    """The profile of this name, whatever its case and the blanks around it; the default one where there is none such."""
    word = name.strip().lower()
    return word if word in PROFILES else DEFAULT


def choice_of_variables(profile: str, features: Mapping[str, bool]) -> Choice:
    """The operator's choice, from the variables CODER_PROFILE and CODER_FEATURE_…, these by the rest of their names in lower case."""
    groups = {name: on for name, on in features.items() if name != "lsp_tools"}
    return Choice(profile, {**groups, "lsp": True} if features.get("lsp_tools") else groups)


def for_agent(tools: Mapping[str, type[Tool]], agent_type: AgentType | None) -> dict[str, type[Tool]]:
    """The tools that exist for a sub-agent of this type; None is an agent that people work with.

    A tool of a team's own that changes something is not let in by being called like one that only looks.
    """
    allowed = AGENT_TOOLS[agent_type] if agent_type else None
    if allowed is None:
        return dict(tools)
    return {name: tool for name, tool in tools.items() if name in allowed and (not tool.mutates or tool.read_only or name in _COMMANDS)}


def deferred(tools: Mapping[str, type[Tool]]) -> tuple[str, ...]:
    """The names of those that a model is told of only once they were looked up; none where nothing can look them up."""
    return tuple(name for name, tool in tools.items() if not tool.always_load) if "tool_search" in tools else ()
