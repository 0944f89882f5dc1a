"""Whose keys a search uses."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from workspace.accounts.models import Secret, Team
from workspace.accounts.searching import web_for


@pytest.fixture(autouse=True)
def installation(settings: Settings) -> None:
    settings.SEARCH_KEYS = {"serpapi": "ours", "brave": "ours too", "tavily": ""}
    settings.SEARCH_PLACES = {"brave": "http://search.example"}


def keep(team: Team, name: str, value: str) -> None:
    secret = Secret(team=team, name=name)
    secret.set_value(value)
    secret.save()


def test_a_teams_own_keys_go_before_the_installations(team: Team) -> None:
    keep(team, "BRAVE_SEARCH_API_KEY", "theirs")
    keep(team, "TAVILY_API_KEY", "theirs too")
    keep(team, "OTHER_TOKEN", "not a key of a search backend")
    assert web_for(team).keys == {"serpapi": "ours", "brave": "theirs", "tavily": "theirs too"}


def test_a_team_does_not_search_with_another_teams_keys(team: Team) -> None:
    keep(Team.objects.create(name="Elsewhere", slug="elsewhere"), "BRAVE_SEARCH_API_KEY", "theirs")
    assert web_for(team).keys == web_for(None).keys == {"serpapi": "ours", "brave": "ours too", "tavily": ""}


def test_keys_are_not_shown_by_accident(team: Team) -> None:
    keep(team, "BRAVE_SEARCH_API_KEY", "theirs")
    assert "theirs" not in repr(web_for(team))


@pytest.mark.parametrize("allowed", [True, False])
def test_private_addresses_are_the_operators_to_allow(team: Team, settings: Settings, allowed: bool) -> None:
    settings.ALLOW_PRIVATE_URLS = allowed
    settings.ALLOW_PRIVATE_READS = not allowed
    keep(team, "ATOMIC_ALLOW_PRIVATE_URL_READS", "1")
    assert (web_for(team).allow_private, web_for(team).reads_private) == (allowed, not allowed)
    assert web_for(team).places == {"brave": "http://search.example"}
