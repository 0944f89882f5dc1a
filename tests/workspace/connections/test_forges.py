"""The forge of a project: connected by whoever manages it, read by its agents, its token shown to nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from agents.errors import AddressRefused, ToolError
from tests.peers.forges import TOKEN, github
from tests.peers.site import Site
from tests.workspace.connections.conftest import signed_in
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import Team, User
from workspace.connections.forges import ConnectedForge, connect_forge, forge_for
from workspace.connections.models import Forge
from workspace.projects.models import Project

PRIVATE = override_settings(ALLOW_PRIVATE_URLS=True)


@pytest.fixture
def hub() -> Iterator[Site]:
    with github() as site:
        yield site


@pytest.fixture
def wanted(hub: Site, project: Project, alice: User) -> dict[str, Any]:
    store_secret(project.team, alice, name="FORGE_TOKEN", value=f"{TOKEN}\n")
    return {"kind": "github", "base_url": hub.url, "repository": "owner/shelf", "secret": "FORGE_TOKEN"}


def door(project: Project) -> str:
    return f"/api/projects/{project.public_id}/forge/"


def test_a_project_without_a_forge_says_so_in_the_same_shape(project: Project, bob: User) -> None:
    answer = signed_in(bob).get(door(project))
    assert answer.json() == {"kind": "", "base_url": "", "repository": "", "secret": ""}
    assert forge_for(project) is None


def test_an_admin_connects_changes_and_disconnects_it(project: Project, alice: User, bob: User, wanted: dict[str, Any]) -> None:
    admin = signed_in(alice)
    assert admin.put(door(project), wanted, format="json").json() == wanted
    assert signed_in(bob).get(door(project)).json() == wanted
    other = {"kind": "gitea", "base_url": "https://tea.example.org", "repository": "a/b", "secret": ""}
    assert admin.put(door(project), other, format="json").json() == other
    assert Forge.objects.count() == 1
    assert admin.delete(door(project)).status_code == 204
    assert admin.get(door(project)).json()["kind"] == ""
    assert admin.delete(door(project)).status_code == 204


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "svn"),
        ("base_url", "file:///etc/passwd"),
        ("base_url", "https://me:secret@tea.example.org"),
        ("repository", "../../users"),
        ("repository", ""),
        ("secret", "NOT_THERE"),
        ("secret", "x" * 101),
    ],
)
def test_what_makes_no_sense_is_told_by_field_and_nothing_is_kept(
    project: Project, alice: User, wanted: dict[str, Any], field: str, value: str
) -> None:
    answer = signed_in(alice).put(door(project), {**wanted, field: value}, format="json")
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]
    assert not Forge.objects.exists()


def test_a_secret_of_another_team_cannot_be_named(project: Project, alice: User, charlie: User, wanted: dict[str, Any]) -> None:
    store_secret(Team.objects.create(name="Theirs", slug="theirs"), charlie, name="THEIR_TOKEN", value="theirs-0123456789")
    answer = signed_in(alice).put(door(project), {**wanted, "secret": "THEIR_TOKEN"}, format="json")
    assert answer.json()["fields"] == {"secret": ["The team has no secret THEIR_TOKEN. Store the token under that name first."]}


@PRIVATE
@pytest.mark.django_db(transaction=True)
def test_trying_it_tells_the_repositorys_name(project: Project, alice: User, wanted: dict[str, Any]) -> None:
    connect_forge(project, alice, **wanted)
    found = signed_in(alice).post(f"{door(project)}check/").json()
    assert found == {"ok": True, "error": "", "title": "owner/shelf: Where things stand"}


@PRIVATE
def test_trying_it_with_a_wrong_token_names_the_secret(project: Project, alice: User, wanted: dict[str, Any]) -> None:
    connect_forge(project, alice, **wanted)
    store_secret(project.team, alice, name="FORGE_TOKEN", value="another-token-99")
    found = signed_in(alice).post(f"{door(project)}check/").json()
    assert not found["ok"]
    assert "does not accept the secret FORGE_TOKEN" in found["error"]
    assert "another-token" not in found["error"]


def test_private_addresses_are_the_operators_to_allow(project: Project, alice: User, hub: Site, wanted: dict[str, Any]) -> None:
    connect_forge(project, alice, **wanted)
    found = signed_in(alice).post(f"{door(project)}check/").json()
    assert "is private" in found["error"]
    assert hub.seen == []


def test_trying_none_at_all_is_no_crash(project: Project, alice: User) -> None:
    found = signed_in(alice).post(f"{door(project)}check/").json()
    assert (found["ok"], found["title"]) == (False, "")
    assert "no forge" in found["error"]


@PRIVATE
@pytest.mark.django_db(transaction=True)
async def test_an_agent_reads_it_and_no_longer_once_the_token_is_gone(project: Project, alice: User, wanted: dict[str, Any]) -> None:
    await Forge.objects.acreate(project=project, created_by=alice, **wanted)
    forge = ConnectedForge(project)
    assert [one.number for one in await forge.items("issue")] == [1, 2]
    assert (await forge.thread("pr", 3)).item.title == "Pull 3"
    await project.team.secrets.all().adelete()
    with pytest.raises(ToolError, match="needs the secret FORGE_TOKEN"):
        await forge.items("issue")
    await Forge.objects.all().adelete()
    with pytest.raises(ToolError, match="no forge any more"):
        await forge.items("issue")


@pytest.mark.django_db(transaction=True)
async def test_an_agent_goes_to_no_private_address_either(project: Project, alice: User, wanted: dict[str, Any]) -> None:
    await Forge.objects.acreate(project=project, created_by=alice, **wanted)
    with pytest.raises(AddressRefused):
        await ConnectedForge(project).items("issue")
