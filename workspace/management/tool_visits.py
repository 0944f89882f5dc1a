"""Where an MCP client's calls go: into a project as one of its people, or into a folder of this machine."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings

from agents.agent import Agent
from agents.code.pool import Pool
from agents.errors import ToolError
from agents.host import InMemoryArtifacts, InMemoryMemories
from agents.permissions import Rule
from agents.ports import Memories
from agents.providers.catalog import open_provider
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish
from agents.tools.oversize import LONGEST
from agents.tools.profiles import Choice, select
from agents.tools.reach import Reach
from agents.tools.tool import Tool
from workspace.accounts.access import demand
from workspace.accounts.models import User, rights_in
from workspace.accounts.searching import web_for
from workspace.accounts.vault import TeamVault
from workspace.connections.forges import forge_for
from workspace.connections.reaching import ProjectServers
from workspace.errors import Missing
from workspace.management.hand_jobs import HandJobs
from workspace.management.hand_reach import reach_by_hand
from workspace.management.tool_server import ToolServer, served
from workspace.management.who_and_where import person_for, project_named
from workspace.memories.store import DatabaseMemories
from workspace.projects.features import installation, tools_by_hand
from workspace.projects.models import Project
from workspace.sessions.reach import code_for
from workspace.sessions.toolbox import stock
from workspace.skills.store import DatabaseSkills


def project_visit(options: Mapping[str, Any]) -> ToolServer:
    """Raises AppError where there is no such project or person, or the person may not give work there."""
    project = project_named(options["project"])
    person = person_for(project, options["person"])
    rules = _rules_now(project, person)
    toolset = options["toolset"] or project.toolset
    tools = _tools_of(project, toolset, options["profile"] or project.profile)
    sandbox = project.open_sandbox()
    code = code_for(project.open_sandbox(writable=False)) if any(tool.group == "lsp" for tool in tools.values()) else None
    reach = Reach(
        web=web_for(project.team), mcp=ProjectServers(project, person), code=code, forge=forge_for(project), vault=TeamVault(project.team),
        skills=DatabaseSkills(project, person, sandbox.files, Visit()),
    )  # fmt: skip
    agent = _agent(tools, sandbox, DatabaseMemories(project, person, Visit()), reach)
    agent.rules, agent.flags = rules, {"bash_interceptor": project.bash_interceptor, **_flags(toolset)}
    return ToolServer(agent, lambda: database_sync_to_async(_rules_now)(project, person), options["allow_asks"])


def _rules_now(project: Project, person: User) -> tuple[Rule, ...]:
    """The project's rules as they are now. Raises AppError unless the person may still give work there."""
    if not Project.objects.filter(pk=project.pk, archived=False).exists():
        raise Missing("The project was put away", "Choose another.")
    demand(rights_in(person, project.team_id), "prompt")
    return project.rules_for_agent()


def _tools_of(project: Project, toolset: str, profile: str) -> dict[str, type[Tool]]:
    every = {name: one.tool for name, one in stock(project, toolset).items()}
    return served(select(installation(), Choice(profile, project.features)).among(every))


@dataclass(frozen=True)
class Visit:
    """Where memories written over MCP come from: no session, in which nobody else speaks."""

    public_id: str = ""
    head: int = 0
    shared: bool = False


def folder_visit(options: Mapping[str, Any]) -> ToolServer:
    """Raises AgentError or OSError where there is no such folder, or the file of MCP servers is not right."""
    root: Path = options["root"].resolve()
    if not root.is_dir():
        raise ToolError(f"--root {options['root']} is not a folder.")
    sandbox = open_sandbox(SandboxWish(str(root), network=options["network"], level=options["sandbox"]))
    toolset = options["toolset"] or "oats"
    tools = served(tools_by_hand(toolset, options["profile"]))
    agent = _agent(tools, sandbox, InMemoryMemories(), reach_by_hand(sandbox, Pool(), options["mcp"]))
    agent.flags = _flags(toolset)
    return ToolServer(agent, _no_rules, options["allow_asks"])


def _flags(toolset: str) -> dict[str, Any]:
    return {"longest_result": LONGEST.get(toolset, 0), **settings.AROUND}


async def _no_rules() -> tuple[Rule, ...]:
    return ()


def _agent(tools: dict[str, type[Tool]], sandbox: Sandbox, memories: Memories, reach: Reach) -> Agent:
    """No model speaks, so the one that is named is never asked. What tools keep lives as long as the visit."""
    artifacts = InMemoryArtifacts()
    reach = replace(reach, artifacts=artifacts, jobs=HandJobs(sandbox, artifacts))
    return Agent(
        session_id=f"mcp-{uuid.uuid4()}", provider=open_provider("scripted"), model="", system="", tools=tools, sandbox=sandbox,
        memories=memories, reach=reach,
    )  # fmt: skip
