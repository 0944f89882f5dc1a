"""Fetching a project for somebody: what one may not see is missing, what one may see but not do is forbidden."""

from __future__ import annotations

from workspace.accounts.access import demand
from workspace.accounts.models import Anyone, rights_in
from workspace.accounts.rights import Right
from workspace.errors import Missing
from workspace.projects.models import Project


def project_for(user: Anyone, public_id: str, right: Right = "view") -> Project:
    """Raises Missing or Forbidden."""
    project = Project.objects.visible_to(user).filter(public_id=public_id).select_related("team").first()
    if project is None:
        raise Missing("No such project", "It does not exist, or you are not in its team.")
    demand(rights_in(user, project.team_id), right)
    return project
