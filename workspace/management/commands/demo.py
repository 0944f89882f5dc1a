"""`manage.py demo` makes a team, two people and a project to try things in; what is there already is left alone."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from agents.providers.catalog import DEMO_PROJECT
from workspace.accounts.models import Team, User
from workspace.accounts.rights import Role
from workspace.memories.actions import Belonging, write_memory
from workspace.memories.models import Memory
from workspace.projects.actions import Folder, create_project
from workspace.projects.models import Project

PEOPLE: dict[str, tuple[str, Role]] = {"alice": ("Alice", "admin"), "bob": ("Bob", "reviewer")}


class Command(BaseCommand):
    help = "Make the demo: a team, alice (admin) and bob (reviewer), the project Bookshelf and two memories."

    def handle(self, *args: Any, **options: Any) -> None:
        team, _ = Team.objects.get_or_create(slug="demo-team", defaults={"name": "Demo team"})
        people = [self._person(team, username, name, role) for username, (name, role) in PEOPLE.items()]
        project = team.projects.filter(slug="bookshelf").first() or self._project(team, people[0])
        self.stdout.write(f"{team.name}: {', '.join(person.username for person in people)}; project {project.name}.")

    def _person(self, team: Team, username: str, name: str, role: Role) -> User:
        person, new = User.objects.get_or_create(username=username, defaults={"name": name})
        if new:
            person.set_unusable_password()
            person.save(update_fields=["password"])
        team.memberships.get_or_create(user=person, defaults={"role": role})
        return person

    def _project(self, team: Team, alice: User) -> Project:
        project = create_project(alice, team, "Bookshelf", Folder(DEMO_PROJECT), "A small library to try Countersign on.")
        self._remember(Belonging(team=team), "Review before merge", "Two people look at every change before it is merged.", alice)
        self._remember(Belonging(project=project), "How to run the tests", "Run `python3 -m unittest -q` in the project's folder.", alice)
        return project

    def _remember(self, to: Belonging, title: str, content: str, by: User) -> None:
        if not Memory.objects.filter(title=title, scope=to.scope, project=to.project, team=to.team).exists():
            write_memory(to, title=title, content=content, type="project", tags=["demo"], by=by)
