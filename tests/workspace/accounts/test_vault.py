"""The vault: what commands of a team's agents may use by name."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.test import override_settings

from agents.errors import ToolError
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import Team, User
from workspace.accounts.vault import TeamVault

KEYS = "t3QqgJxyVYXQUkm0y0kZw8v9Hq1J3gHcQy8Y2b3m6mE="


@pytest.mark.django_db(transaction=True)
async def test_names_are_listed_and_values_given_one_by_one(team: Team, alice: User) -> None:
    vault = TeamVault(team)
    assert await vault.names() == []
    await _stored(team, alice, "B_TOKEN", "two")
    await _stored(team, alice, "A_TOKEN", "one")
    assert await vault.names() == ["A_TOKEN", "B_TOKEN"]
    assert await vault.value("A_TOKEN") == "one"
    await team.secrets.filter(name="A_TOKEN").adelete()
    assert await vault.value("A_TOKEN") is None


@pytest.mark.django_db(transaction=True)
async def test_the_secrets_of_other_teams_are_none_of_its_business(team: Team, alice: User) -> None:
    other = await Team.objects.acreate(name="Other", slug="other")
    await _stored(other, alice, "THEIRS", "hidden")
    assert await TeamVault(team).names() == []
    assert await TeamVault(team).value("THEIRS") is None


@pytest.mark.django_db(transaction=True)
async def test_one_that_cannot_be_unsealed_is_told_as_such(team: Team, alice: User) -> None:
    await _stored(team, alice, "OLD", "sealed")
    with override_settings(ENCRYPTION_KEY=KEYS), pytest.raises(ToolError, match="OLD cannot be used"):
        await TeamVault(team).value("OLD")


async def _stored(team: Team, person: User, name: str, value: str) -> None:
    await sync_to_async(store_secret)(team, person, name=name, value=value)
