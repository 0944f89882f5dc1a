"""What a session opens with."""

from __future__ import annotations

import pytest

from workspace.accounts.models import ProviderKey, User
from workspace.projects.models import Project
from workspace.sessions.opening import OpenSession, open_session


@pytest.mark.django_db
def test_a_session_without_a_wish_asks_the_model_of_the_teams_key(project: Project, alice: User) -> None:
    ProviderKey.objects.create(team=project.team, provider="openai", model="own-model")
    opened = open_session(project, alice, OpenSession(provider="openai")).view
    assert (opened.provider, opened.model) == ("openai", "own-model")


@pytest.mark.django_db
def test_the_projects_model_is_only_asked_of_the_projects_provider(project: Project, alice: User) -> None:
    Project.objects.filter(pk=project.pk).update(provider="openai", model="chosen")
    project.refresh_from_db()
    assert open_session(project, alice, OpenSession()).view.model == "chosen"
    assert open_session(project, alice, OpenSession(provider="scripted")).view.model == "demo"
