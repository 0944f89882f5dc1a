"""Fetching a skill for somebody: what one may not see is missing, what one may see but not change is forbidden."""

from __future__ import annotations

from workspace.accounts.access import demand
from workspace.accounts.models import Anyone, rights_in
from workspace.errors import Missing
from workspace.skills.models import Skill


def skill_for(user: Anyone, public_id: str) -> Skill:
    """With its measures. Raises Missing."""
    skill = Skill.objects.visible_to(user).measured().filter(public_id=public_id).first()
    if skill is None:
        raise Missing("No such skill", "It was deleted, or it is not for you to see.")
    return skill


def skill_to_change(user: Anyone, public_id: str) -> Skill:
    """One's own always; a team's only with the right to manage its projects. Raises Missing or Forbidden."""
    skill = skill_for(user, public_id)
    if skill.team_id is not None:
        demand(rights_in(user, skill.team_id), "manage_projects")
    return skill
