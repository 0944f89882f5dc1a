"""Who may see and do what in a session. What one may not see is missing; what one may see but not do is forbidden."""

from __future__ import annotations

from workspace.accounts.access import demand
from workspace.accounts.models import Anyone, rights_in
from workspace.accounts.rights import Right
from workspace.errors import Missing
from workspace.sessions.models import Session, SessionQuerySet


def sessions_of(person: Anyone) -> SessionQuerySet:
    """Every session this person may see, with what naming one needs."""
    return Session.objects.visible_to(person).select_related("project__team", "created_by")


def find(public_id: str, person: Anyone) -> Session:
    """Raises Missing also where the session exists and is not for this person's eyes."""
    session = sessions_of(person).filter(public_id=public_id).first()
    if session is None:
        raise Missing("No such session", "It does not exist, or it is not for you to see.")
    return session


def rights(person: Anyone, session: Session) -> frozenset[Right]:
    return rights_in(person, session.project.team_id)


def require(person: Anyone, session: Session, *needed: Right) -> None:
    """Raises Missing for a stranger, Forbidden for a member without the right; read afresh, so that a demotion counts at once."""
    held = rights(person, session)
    for right in needed:
        demand(held, right)
