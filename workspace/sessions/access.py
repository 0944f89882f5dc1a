"""Who may see and do what in a session. What one may not see is missing; what one may see but not do is forbidden."""

from __future__ import annotations

from workspace.accounts.models import Anyone, rights_in
from workspace.accounts.rights import Right
from workspace.errors import Forbidden, Missing
from workspace.sessions.models import Session, SessionQuerySet

DOING: dict[Right, str] = {
    "view": "see this session",
    "comment": "comment here",
    "prompt": "direct the agent here",
    "stop": "stop the agent here",
    "approve_tools": "approve tool calls here",
    "approve_plans": "approve plans here",
    "manage_memories": "change memories here",
    "manage_members": "manage this team's members",
    "manage_projects": "change this project's rules",
}


def sessions_of(person: Anyone) -> SessionQuerySet:
    """Every session this person may see, with what naming one needs."""
    return Session.objects.visible_to(person).select_related("project__team", "created_by")


def find(public_id: str, person: Anyone) -> Session:
    """Raises Missing also where the session exists and is not for this person's eyes."""
    session = sessions_of(person).filter(public_id=public_id).first()
    if session is None:
        raise Missing("No such session", "It may have been deleted, or you are not a member of its team.")
    return session


def rights(person: Anyone, session: Session) -> frozenset[Right]:
    return rights_in(person, session.project.team_id)


def require(person: Anyone, session: Session, *needed: Right) -> None:
    """Raises Missing for a stranger, Forbidden for a member without the right; read afresh, so that a demotion counts at once."""
    held = rights(person, session)
    if "view" not in held:
        raise Missing("No such session", "It may have been deleted, or you are not a member of its team.")
    for right in needed:
        if right not in held:
            raise Forbidden("You may not do this", f"Your role in this team does not let you {DOING[right]}. Ask an admin of the team.")
