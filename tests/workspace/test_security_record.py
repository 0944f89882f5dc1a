"""The holes others had, tried on us, as far as no test beside the code in question does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import get_resolver
from pytest_django import Settings
from rest_framework.test import APIClient

from agents.history import History
from tests.workspace.doors import DOORS, Places
from tests.workspace.test_access import paths_below
from workspace.accounts.credentials import store_provider_key
from workspace.accounts.models import Team, User
from workspace.errors import Forbidden
from workspace.projects.models import Project
from workspace.sessions.workbench import provider_for

KEY = "sk-0123456789abcdef"


@pytest.fixture
def places(team: Team, project: Project, alice: User, bob: User) -> Places:
    return Places.furnish(team, project, alice, bob)


# --- other sites -------------------------------------------------------------------------------------------------------


def test_no_address_changes_anything_for_another_sites_form(places: Places, alice: User) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(alice)
    for path, _ in paths_below(get_resolver()):
        for verb in ("post", "put", "patch", "delete"):
            answer: Any = getattr(browser, verb)("/" + places.filled_in(path), {}, format="json")
            assert answer.status_code == 403, f"{verb} /{path} answered {answer.status_code}"


# --- secrets -----------------------------------------------------------------------------------------------------------


def test_no_answer_of_the_api_holds_a_key(places: Places, team: Team, alice: User) -> None:
    client = APIClient()
    client.force_login(alice)
    store_provider_key(team, alice, provider="openai", base_url="https://example.org/v1", model="", key=KEY)
    for door in DOORS:
        if door.verb == "get":
            assert KEY not in client.get(door.path(places)).content.decode(), str(door)


# --- what the host is sent to -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"])
def test_no_model_is_asked_where_clouds_tell_their_secrets(team: Team, alice: User, host: str) -> None:
    with pytest.raises(Forbidden, match="link-local"):
        store_provider_key(team, alice, provider="openai-compatible", base_url=f"http://{host}/v1", model="", key="")
    assert not team.provider_keys.exists()


def test_a_model_in_the_servers_own_network_is_the_admins_to_name(team: Team, alice: User) -> None:
    assert store_provider_key(team, alice, provider="openai-compatible", base_url="http://127.0.0.1:11434/v1", model="", key="").base_url


def test_the_installations_key_never_goes_to_a_teams_address(team: Team, alice: User, project: Project, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"openai-compatible": {"key": KEY, "base_url": "https://example.org/v1"}}
    store_provider_key(team, alice, provider="openai-compatible", base_url="http://127.0.0.1:9/v1", model="m", key="")
    project.provider = "openai-compatible"
    provider, _ = provider_for(project, History())
    assert KEY not in str(vars(provider))


def test_a_body_that_is_too_large_is_refused_before_it_is_read(bob: User) -> None:
    client = APIClient()
    client.force_login(bob)
    answer = client.post("/api/teams/", json.dumps({"name": "x" * 11 * 2**20}), content_type="application/json")
    assert answer.status_code in (400, 413)
    assert answer.json()["kind"] == "invalid"
