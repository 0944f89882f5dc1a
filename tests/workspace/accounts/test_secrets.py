"""Named secrets of a team: written and used, never read back."""

from __future__ import annotations

import pytest

from tests.workspace.accounts.test_credentials import signed_in, stored_text
from workspace.accounts import credentials
from workspace.accounts.models import Secret, Team, User
from workspace.errors import Invalid

VALUE = "ghp-very-secret-0123456789"


def test_a_secret_is_encrypted_at_rest_and_never_shown(team: Team, alice: User) -> None:
    client, door = signed_in(alice), f"/api/teams/{team.public_id}/secrets/"
    made = client.post(door, {"name": "GITHUB_TOKEN", "value": VALUE}, format="json")
    assert made.status_code == 201
    assert set(made.json()) == {"id", "name", "hint", "created"}
    assert made.json()["hint"] == "…6789"
    assert [secret["name"] for secret in client.get(door).json()] == ["GITHUB_TOKEN"]
    assert VALUE not in made.content.decode() + client.get(door).content.decode() + stored_text("accounts_secret")
    assert Secret.objects.values_of(team, ["GITHUB_TOKEN", "OTHER"]) == {"GITHUB_TOKEN": VALUE}


def test_a_name_the_team_has_gets_the_new_value(team: Team, alice: User) -> None:
    first = credentials.store_secret(team, alice, name="TOKEN", value="old")
    again = credentials.store_secret(team, alice, name="TOKEN", value="new")
    assert again.pk == first.pk
    assert Secret.objects.get().value == "new"


@pytest.mark.parametrize("name", ["", "token", "1TOKEN", "TO KEN", "TO-KEN", "T" * 101, "ÄTOKEN"])
def test_a_name_that_no_variable_could_have_is_refused(name: str, team: Team, alice: User) -> None:
    answer = signed_in(alice).post(f"/api/teams/{team.public_id}/secrets/", {"name": name, "value": "x"}, format="json")
    assert answer.status_code == 400
    assert "name" in answer.json()["fields"]


def test_a_team_keeps_only_so_many(team: Team, alice: User) -> None:
    Secret.objects.bulk_create(Secret(team=team, name=f"N{number}", sealed="x") for number in range(credentials.SECRETS_LIMIT))
    with pytest.raises(Invalid, match="Too many secrets"):
        credentials.store_secret(team, alice, name="ONE_MORE", value="x")
    assert credentials.store_secret(team, alice, name="N1", value="changed").value == "changed"


def test_a_secret_of_another_team_cannot_be_deleted(team: Team, alice: User, charlie: User) -> None:
    secret = credentials.store_secret(team, alice, name="TOKEN", value=VALUE)
    assert signed_in(charlie).delete(f"/api/secrets/{secret.public_id}/").status_code == 404
    assert signed_in(alice).delete(f"/api/secrets/{secret.public_id}/").status_code == 204
    assert not Secret.objects.exists()
