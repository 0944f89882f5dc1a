from __future__ import annotations

import pytest
from django.core.management import call_command

from workspace.accounts.models import Team, User
from workspace.memories.models import Memory
from workspace.projects import git
from workspace.projects.models import Project


@pytest.fixture
def demo(db: None) -> Project:
    call_command("demo", verbosity=0)
    return Project.objects.get()


def test_the_demo_has_people_a_project_and_memories(demo: Project) -> None:
    roles = {member.user.username: member.role for member in demo.team.memberships.select_related("user")}
    assert roles == {"alice": "admin", "bob": "reviewer"}
    assert not any(person.has_usable_password() for person in User.objects.all())
    assert (demo.root / "README.md").exists()
    assert git.diff(demo.root, git.head_tree(demo.root)) == []
    assert {memory.scope for memory in Memory.objects.all()} == {"team", "project"}


def test_making_the_demo_twice_changes_nothing(demo: Project) -> None:
    person = User.objects.get(username="alice")
    person.set_password("my own by now")
    person.save()
    demo.team.memberships.filter(user__username="bob").update(role="viewer")
    call_command("demo", verbosity=0)
    assert (Team.objects.count(), User.objects.count(), Project.objects.count(), Memory.objects.count()) == (1, 2, 1, 2)
    assert User.objects.get(username="alice").check_password("my own by now")
    assert demo.team.memberships.get(user__username="bob").role == "viewer"
