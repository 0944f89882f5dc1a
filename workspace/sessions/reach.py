"""What the tools of one session can reach beyond its workspace, as the host has it."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.ports import CodeServers, Skills
from agents.sandboxes.sandbox import Sandbox
from agents.tools.reach import Reach
from agents.tools.tool import Tool
from workspace.accounts.searching import web_for
from workspace.accounts.vault import TeamVault
from workspace.connections.forges import forge_for
from workspace.connections.reaching import ProjectServers
from workspace.sessions.agents import DatabaseAgents
from workspace.sessions.artifacts import DatabaseArtifacts
from workspace.sessions.jobs import DatabaseJobs
from workspace.sessions.models import Run, Session
from workspace.sessions.past import DatabasePast
from workspace.sessions.places import open_to_read
from workspace.sessions.seen import DatabaseSnapshots

language_servers = Pool()
"""Those of this process. They live on its event loop and end with it, however that ends."""


def reach_of(session: Session, run: Run, tools: Mapping[str, type[Tool]], skills: Skills) -> Reach:
    """Everything is opened when it is first needed; this only says what there is."""
    project = session.project
    return Reach(
        agents=DatabaseAgents(session, run),
        web=web_for(project.team),
        mcp=ProjectServers(project, run.acting_for),
        code=code_for(open_to_read(session)) if any(tool.group == "lsp" for tool in tools.values()) else None,
        snapshots=DatabaseSnapshots(session.pk),
        artifacts=DatabaseArtifacts(session),
        jobs=DatabaseJobs(session, run),
        past=DatabasePast(session, run.acting_for),
        forge=forge_for(project),
        vault=TeamVault(project.team),
        skills=skills,
    )


def code_for(sandbox: Sandbox) -> CodeServers:
    """Language servers for what lies in the sandbox: the operator's choice, else what is found."""
    return WorkspaceCode(sandbox, language_servers, Choices(settings.LANGUAGE_SERVERS, settings.PROGRAM_FOLDERS))
