"""What the tools of one session can reach beyond its workspace, as the host has it."""

from __future__ import annotations

from agents.tools.reach import Reach
from workspace.accounts.searching import web_for
from workspace.sessions.agents import DatabaseAgents
from workspace.sessions.models import Run, Session


def reach_of(session: Session, run: Run) -> Reach:
    """Everything is opened when it is first needed; this only says what there is."""
    return Reach(agents=DatabaseAgents(session, run), web=web_for(session.project.team))
