"""The people of every test: alice runs the team, bob is a member, charlie is a stranger."""

from __future__ import annotations

import pytest

from workspace.accounts.models import Membership, Team, User
from workspace.projects.models import Project


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice", "alice@example.org", "alice's long password", name="Alice Ames")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.org", "bob's long password", name="Bob Boyd")


@pytest.fixture
def charlie(db: None) -> User:
    """In a team of his own, and in no other."""
    charlie = User.objects.create_user("charlie", "charlie@example.org", "charlie's long password", name="Charlie Cole")
    Membership.objects.create(team=Team.objects.create(name="Elsewhere", slug="elsewhere"), user=charlie, role="admin")
    return charlie


@pytest.fixture
def team(alice: User, bob: User) -> Team:
    team = Team.objects.create(name="Reading room", slug="reading-room")
    Membership.objects.create(team=team, user=alice, role="admin")
    Membership.objects.create(team=team, user=bob, role="member")
    return team


@pytest.fixture
def project(team: Team, alice: User) -> Project:
    project = Project.objects.create(team=team, name="Bookshelf", slug="bookshelf", created_by=alice)
    project.root.mkdir(parents=True)
    return project
