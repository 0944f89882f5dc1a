"""MCP servers as people keep them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workspace.connections.conftest import signed_in
from workspace.accounts.models import Team, User
from workspace.connections.actions import Place, add_server
from workspace.connections.models import McpServer
from workspace.projects.models import Project

STDIO: dict[str, Any] = {"name": "notes", "transport": "stdio", "command": ["python3", "server.py"], "env": {"KEY": "${NOTES_KEY}"}}
HTTP: dict[str, Any] = {"name": "search", "transport": "http", "url": "https://example.org/mcp"}


def at(project: Project) -> str:
    return f"/api/projects/{project.public_id}/mcp-servers/"


def of(team: Team) -> str:
    return f"/api/teams/{team.public_id}/mcp-servers/"


def test_a_server_is_kept_as_it_was_described(project: Project, alice: User) -> None:
    made = signed_in(alice).post(at(project), STDIO, format="json").json()
    assert {key: made[key] for key in ("name", "scope", "transport", "command", "url", "env", "headers", "enabled")} == {
        **STDIO, "scope": "project", "url": "", "headers": {}, "enabled": True,
    }  # fmt: skip
    assert signed_in(alice).get(at(project)).json() == [made]


def test_a_project_has_its_own_servers_and_its_teams(project: Project, team: Team, alice: User) -> None:
    client = signed_in(alice)
    client.post(of(team), HTTP, format="json")
    client.post(of(team), {**STDIO, "command": ["other"]}, format="json")
    client.post(at(project), STDIO, format="json")
    seen = [(row["name"], row["scope"], row["command"]) for row in client.get(at(project)).json()]
    assert seen == [("notes", "project", STDIO["command"]), ("search", "team", [])]
    assert [row["scope"] for row in client.get(of(team)).json()] == ["team", "team"]


def test_a_name_is_unique_within_its_place(project: Project, team: Team, alice: User) -> None:
    client = signed_in(alice)
    assert [client.post(place, STDIO, format="json").status_code for place in (at(project), of(team), at(project), of(team))] == [
        201, 201, 409, 409,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "No Spaces"}, "name"),
        ({"name": "a__b"}, "name"),
        ({"name": "x" * 31}, "name"),
        ({"transport": "carrier pigeon"}, "transport"),
        ({"command": []}, "command"),
        ({"command": "python3 server.py"}, "command"),
        ({"command": ["a\0b"]}, "command"),
        ({"url": "https://example.org"}, "url"),
        ({"env": {"1BAD": "x"}}, "env"),
        ({"env": {"GOOD": ["x"]}}, "env"),
        ({"headers": {"X": "y"}}, "headers"),
    ],
)
def test_a_program_that_makes_no_sense_is_refused(wrong: dict[str, Any], field: str, project: Project, alice: User) -> None:
    answer = signed_in(alice).post(at(project), {**STDIO, **wrong}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not McpServer.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"url": ""}, "url"),
        ({"url": "file:///etc/passwd"}, "url"),
        ({"url": "https://user:password@example.org/"}, "url"),
        ({"url": "https://[broken/"}, "url"),
        ({"command": ["python3"]}, "command"),
        ({"env": {"A": "b"}}, "env"),
        ({"headers": {"Host": "elsewhere"}}, "headers"),
        ({"headers": {"X-Key": "one\r\nX-Other: two"}}, "headers"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused(wrong: dict[str, Any], field: str, project: Project, alice: User) -> None:
    answer = signed_in(alice).post(at(project), {**HTTP, **wrong}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_values_are_shown_to_whoever_may_change_them_and_to_nobody_else(project: Project, alice: User, bob: User) -> None:
    env = {"TOKEN": "Bearer ${NOTES_KEY}", "PLAIN": "hunter2"}
    signed_in(alice).post(at(project), {**STDIO, "env": env}, format="json")
    assert signed_in(alice).get(at(project)).json()[0]["env"] == env
    assert signed_in(bob).get(at(project)).json()[0]["env"] == {"TOKEN": "Bearer ${NOTES_KEY}", "PLAIN": "…"}


def test_a_change_keeps_what_it_does_not_name(project: Project, alice: User) -> None:
    made = signed_in(alice).post(at(project), STDIO, format="json").json()
    changed = signed_in(alice).patch(f"/api/mcp-servers/{made['id']}/", {"enabled": False}, format="json").json()
    assert changed == {**made, "enabled": False}
    wrong = signed_in(alice).patch(f"/api/mcp-servers/{made['id']}/", {"transport": "http"}, format="json")
    assert wrong.status_code == 400


def test_another_address_makes_the_known_tools_forgotten(project: Project, alice: User) -> None:
    row = add_server(Place(project.team, project), alice, **STDIO)
    McpServer.objects.filter(pk=row.pk).update(tools=[{"name": "x", "description": "", "schema": {}, "read_only": False}])
    door = f"/api/mcp-servers/{row.public_id}/"
    assert signed_in(alice).patch(door, {"env": {}}, format="json").json()["tool_count"] == 1
    assert signed_in(alice).patch(door, {"command": ["other"]}, format="json").json()["tool_count"] == 0


def test_a_server_of_another_team_is_missing(project: Project, alice: User, charlie: User) -> None:
    made = signed_in(alice).post(at(project), STDIO, format="json").json()
    door = f"/api/mcp-servers/{made['id']}/"
    client = signed_in(charlie)
    answers = [client.patch(door, {"enabled": False}, format="json"), client.delete(door), client.post(door + "check/", {}, format="json")]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert client.get(at(project)).status_code == 404


def test_a_teams_program_is_not_tried_in_a_project_of_another_team(team: Team, alice: User, charlie: User) -> None:
    elsewhere = Team.objects.get(slug="elsewhere")
    elsewhere.memberships.create(user=alice, role="admin")
    foreign = Project.objects.create(team=elsewhere, name="Foreign", slug="foreign")
    made = signed_in(alice).post(of(team), STDIO, format="json").json()
    answer = signed_in(alice).post(f"/api/mcp-servers/{made['id']}/check/", {"project": foreign.public_id}, format="json")
    assert answer.status_code == 404
