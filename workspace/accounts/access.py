"""Fetching a team for somebody: what one may not see is missing, what one may see but not do is forbidden."""

from __future__ import annotations

from rest_framework.request import Request

from workspace.accounts.models import Anyone, Team, User, rights_in
from workspace.accounts.rights import Right
from workspace.errors import Forbidden, Missing

SAID: dict[Right, str] = {
    "view": "see this",
    "comment": "comment here",
    "prompt": "give the agent work here",
    "stop": "stop the agent here",
    "approve_tools": "approve tool calls here",
    "approve_plans": "approve plans here",
    "manage_memories": "change memories here",
    "manage_members": "manage the people of this team",
    "manage_projects": "manage this team's projects",
}


def team_for(user: Anyone, public_id: str, right: Right = "view") -> Team:
    """Raises Missing or Forbidden."""
    team = Team.objects.visible_to(user).filter(public_id=public_id).first()
    if team is None:
        raise Missing("No such team", "It does not exist, or you are not in it.")
    demand(rights_in(user, team), right)
    return team


def demand(rights: frozenset[Right], right: Right) -> None:
    """Raises Missing where even looking is not allowed, else Forbidden where this right is lacking."""
    if "view" not in rights:
        raise Missing("There is nothing here", "It does not exist, or it is not for you to see.")
    if right not in rights:
        raise Forbidden(f"You may not {SAID[right]}", "Ask one of the team's admins for a role that may.")


def person(request: Request) -> User:
    """Who sends this request. Every view of the API demands a signed-in person before it runs."""
    if not isinstance(request.user, User):
        raise Forbidden("Not signed in")
    return request.user
