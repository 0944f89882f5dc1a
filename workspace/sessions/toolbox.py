"""Which tools an agent has: those of its toolset, the team's own, those that MCP servers lend; by feature group and kind of agent."""

from __future__ import annotations

from dataclasses import dataclass

from agents.history import History
from agents.tools.own import furnished, own_tools
from agents.tools.profiles import for_agent
from agents.tools.registry import complaint_about
from agents.tools.remote import remote_tool
from agents.tools.tool import Tool
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
        tool = remote_tool(remote)
        if not complaint_about(tool, {name: one.tool for name, one in stocked.items()}):
            stocked[tool.name] = Stocked(tool, f"mcp:{remote.server}")
    return stocked


def tools_for(session: Session, history: History) -> dict[str, type[Tool]]:
    """The tools of the session's agent by name, in the order the model is told of them."""
    project, origin = session.project, session.view.origin
    every = {name: one.tool for name, one in stock(project, history.toolset or project.toolset).items()}
    return for_agent(selection_of(project).among(every), origin.agent_type if origin else None)
