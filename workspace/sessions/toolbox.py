"""Which tools an agent has: those of its toolset, the team's own, those that MCP servers lend; by feature group and kind of agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.history import History
from agents.ports import McpTool
from agents.tools.own import furnished, own_tools
from agents.tools.profiles import CORE, GROUPS, PROFILES, Choice, deferred, for_agent, select
from agents.tools.registry import TOOLSETS, complaint_about
from agents.tools.remote import remote_tool
from agents.tools.tool import Tool
from agents.workflows import workflow
from workspace.connections.tools import tools_of
from workspace.projects.features import selection_of
from workspace.projects.models import Project
from workspace.sessions.models import Session


@dataclass(frozen=True)
class Stocked:
    """A tool and where it comes from: its toolset's name, "own", or "mcp:" and a server's name."""

    tool: type[Tool]
    origin: str


def stock(project: Project, toolset: str) -> dict[str, Stocked]:
    """Every tool there could be in the project, switched on or not, by name. Raises ToolError for an unknown toolset."""
    own = own_tools().by_toolset.get(toolset, {})
    stocked = {name: Stocked(tool, "own" if name in own else toolset) for name, tool in furnished(toolset).items()}
    for remote in tools_of(project):
        tool = lent(remote.server, remote.name, remote.description, json.dumps(remote.schema), remote.read_only)
        if not complaint_about(tool, {name: one.tool for name, one in stocked.items()}):
            stocked[tool.name] = Stocked(tool, f"mcp:{remote.server}")
    return stocked


@lru_cache(maxsize=4096)
def lent(server: str, name: str, description: str, schema: str, read_only: bool) -> type[Tool]:
    """The class of a server's tool, whose schema is JSON text. Making one takes milliseconds, and a run may have hundreds."""
    return remote_tool(McpTool(server, name, description, json.loads(schema), read_only))


def tools_for(session: Session, history: History) -> dict[str, type[Tool]]:
    """The tools of the session's agent by name, in the order the model is told of them."""
    project, origin = session.project, session.view.origin
    every = {name: one.tool for name, one in stock(project, history.toolset or project.toolset).items()}
    had = for_agent(selection_of(project).among(every), origin.agent_type if origin else None)
    return had | {tool.name: tool for tool in workflow(history.workflow).tools if not complaint_about(tool, had)}


def toolsets() -> list[dict[str, Any]]:
    """Every toolset with its profiles, its groups and its tools, whatever anybody chose; see `ToolsetOut`."""
    return [_toolset(name, furnished(name)) for name in TOOLSETS]


def brief_toolsets() -> list[dict[str, Any]]:
    """Every toolset for those who choose one; see `BriefToolsetOut`."""
    return [{**_named(name), "tools": len(furnished(name))} for name in TOOLSETS]


def _named(name: str) -> dict[str, Any]:
    one = TOOLSETS[name]
    return {"name": name, "title": one.title, "about": one.about, "workflow": one.workflow, "part_of": one.part_of}


def _toolset(name: str, tools: Mapping[str, type[Tool]]) -> dict[str, Any]:
    return {
        **_named(name),
        "profiles": [{"name": profile, "tools": list(select(Choice(profile)).among(tools))} for profile in PROFILES],
        "groups": [{"name": group, "tools": names} for group, names in grouped(tools).items()],
        "tools": [_described(tool) for tool in tools.values()],
    }


def _described(tool: type[Tool]) -> dict[str, Any]:
    return {
        "name": tool.name, "description": tool.description, "parameters": tool.parameters(), "aliases": list(tool.aliases),
        "keywords": list(tool.keywords), "group": tool.group, "always_load": tool.always_load, "strict": tool.strict,
        "read_only": tool.read_only, "asks": tool.asks,
    }  # fmt: skip


def project_tools(project: Project) -> dict[str, Any]:
    """What agents have in the project as its settings are now; see `ProjectToolsOut`."""
    stocked, selection = stock(project, project.toolset), selection_of(project)
    every = {name: one.tool for name, one in stocked.items()}
    here = selection.among(every)
    later = deferred(here)
    return {
        "profile": selection.profile,
        "chosen_profile": project.profile,
        "groups": [
            {"name": group, "on": selection.has(group), "locked": group == CORE or group in selection.locked, "tools": names}
            for group, names in grouped(every).items()
        ],
        "tools": [
            {
                "name": name, "description": tool.description, "group": tool.group, "origin": stocked[name].origin,
                "offered": "searched" if name in later else "always",
            }
            for name, tool in here.items()
        ],
    }  # fmt: skip


def grouped(tools: Mapping[str, type[Tool]]) -> dict[str, list[str]]:
    """Feature group → the names of its tools: every group that comes with us, then those of a team's own making."""
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name, tool in tools.items():
        groups.setdefault(tool.group, []).append(name)
    return groups
