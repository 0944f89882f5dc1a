"""Which project and which person a command names."""

from __future__ import annotations

from django.db.models import Q

from workspace.accounts.models import User
from workspace.errors import Invalid, Missing
from workspace.projects.models import Project


def project_named(name: str) -> Project:
    """By id or slug. Raises Missing, or Invalid where teams have projects of the same slug."""
    found = list(Project.objects.filter(Q(public_id=name) | Q(slug=name)).select_related("team"))
    if not found:
        raise Missing("No such project", f"Nothing is called {name!r} here. `--project` takes an id or a slug.")
    if len(found) > 1:
        ids = ", ".join(f"{project.public_id} ({project.team})" for project in found)
        raise Invalid("Several projects are called that", f"Say which by its id: {ids}.")
    return found[0]


def person_for(project: Project, username: str | None) -> User:
    members = User.objects.filter(memberships__team=project.team, is_active=True)
    chosen = members.filter(username=username) if username else members.filter(memberships__role="admin").order_by("pk")
    person = chosen.first()
    if person is None:
        raise Missing("Nobody to act for", f"{username or 'An admin'} is not in the team {project.team}.")
    return person
