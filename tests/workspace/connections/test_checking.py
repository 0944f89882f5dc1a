"""Trying a server out, in the project's own sandbox."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as ours
from pytest_django import Settings

from tests.peers.mcp import friendly_address
from tests.workspace.connections.conftest import signed_in
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import User
from workspace.connections.actions import Place, add_server, change_server
from workspace.connections.models import McpServer
from workspace.projects.models import Project
from workspace.sessions.toolbox import project_tools

KEY = "rogue-key-0123456789"


def checked(server: McpServer, who: User) -> dict[str, Any]:
    answer = signed_in(who).post(f"/api/mcp-servers/{server.public_id}/check/", {}, format="json")
    assert answer.status_code == 200
    return dict(answer.json())


def test_a_secret_that_is_missing_is_named(server: McpServer, alice: User) -> None:
    found = checked(server, alice)
    assert not found["ok"]
    assert found["error"] == "MCP server rogue needs the secret ROGUE_KEY, which the team does not have. Its admins can store it."


def test_a_good_server_tells_its_tools_and_the_project_has_them(server: McpServer, project: Project, alice: User) -> None:
    store_secret(project.team, alice, name="ROGUE_KEY", value=KEY)
    found = checked(server, alice)
    assert found["ok"], found["error"]
    assert found["tools"] == [{"name": "echo", "description": "Says it back."}]
    assert found["seconds"] < 15
    project.profile = "full"
    tools = {tool["name"]: tool for tool in project_tools(project)["tools"]}
    assert tools["mcp__rogue__echo"]["origin"] == "mcp:rogue"
    assert tools["mcp__rogue__echo"]["offered"] == "searched"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("dies-at-start", "has ended (its last words: no configuration)"),
        ("wrong-types", "in a form that the protocol does not know"),
        ("no-protocol", "does not speak the protocol"),
    ],
)
def test_what_is_wrong_is_said(wrong: str, told: str, server: McpServer, alice: User) -> None:
    change_server(server, command=["python3", "rogue.py", wrong], env={})
    found = checked(server, alice)
    assert not found["ok"]
    assert told in found["error"]


def test_tools_that_are_left_out_are_told_of(server: McpServer, alice: User) -> None:
    change_server(server, command=["python3", "rogue.py", "bad-schema"], env={})
    found = checked(server, alice)
    assert found["ok"]
    assert "Its tool broken is left out: its input schema is not valid" in found["error"]


def test_a_program_that_is_not_there_is_said(server: McpServer, alice: User) -> None:
    change_server(server, command=["no-such-program"], env={})
    assert "MCP server rogue" in checked(server, alice)["error"]


def test_a_teams_program_is_tried_in_an_empty_folder(project: Project, alice: User) -> None:
    row = add_server(
        Place(project.team), alice, name="lister", transport="stdio", command=["python3", "-c", "import os; exit(str(os.listdir()))"]
    )
    assert "(its last words: [])" in checked(row, alice)["error"]


def test_a_private_address_is_tried_only_where_the_operator_allows_it(project: Project, alice: User, settings: Settings) -> None:
    with friendly_address() as url:
        row = add_server(Place(project.team), alice, name="friendly", transport="http", url=url)
        assert "127.0.0.1 is private" in checked(row, alice)["error"]
        settings.ALLOW_PRIVATE_URLS = True
        found = checked(row, alice)
    assert found["ok"]
    assert found["resources"] == [{"uri": "notes://today", "name": "today"}]


def test_a_secret_is_in_no_answer_even_where_the_server_tells_it(
    server: McpServer, project: Project, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    store_secret(project.team, alice, name="ROGUE_KEY", value=KEY)
    change_server(server, command=["python3", "-c", "import os; exit('my key is ' + os.environ['KEY'])"])
    found = checked(server, alice)
    assert "my key is [redacted]" in found["error"]
    assert KEY not in str(found) + str(signed_in(alice).get(f"/api/projects/{project.public_id}/mcp-servers/").json()) + caplog.text


def test_a_program_cannot_read_the_servers_own_folder(server: McpServer, alice: User) -> None:
    secret = ours.COUNTERSIGN_HOME / "secret-of-the-server"
    secret.write_text("do not read me")
    change_server(server, command=["python3", "-c", f"exit('read: ' + open({str(secret)!r}).read())"], env={})
    told = checked(server, alice)["error"]
    assert "do not read me" not in told
    assert "Error" in told
