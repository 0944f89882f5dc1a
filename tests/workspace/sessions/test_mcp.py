"""MCP servers in real runs: their tools, the rules for them, and whose word adds one."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from agents.errors import ToolError
from agents.mcp.pool import pool
from tests.peers.mcp import ROOT
from tests.workspace.sessions.driving import allow_everything, decide, facts, goes_on, of, say, state
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import User
from workspace.connections.actions import Place, add_server
from workspace.connections.models import McpServer
from workspace.connections.reaching import ProjectServers
from workspace.errors import Invalid
from workspace.projects.models import Project, Rule
from workspace.sessions import actions, protocol
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

KEY = "rogue-key-0123456789"
ECHO = {
    "name": "echo",
    "description": "Says it back.",
    "schema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "read_only": False,
}
OWN = "- call: {tool: mcp__rogue__echo, args: {text: hello}, id: c1}\n- text: Done.\n"
BY_NAME = "- call: {tool: mcp_call, args: {tool_name: rogue/echo, arguments: {text: hello}}, id: c1}\n- text: Done.\n"


@pytest.fixture(autouse=True)
async def ended() -> AsyncIterator[None]:
    yield
    await pool().end_all()


@pytest.fixture
def server(project: Project, alice: User) -> McpServer:
    """The project's own, in its workspace, last listed at some time before."""
    shutil.copy(ROOT / "tests/peers/mcp_rogue.py", project.root / "rogue.py")
    Project.objects.filter(pk=project.pk).update(profile="full")
    described: dict[str, Any] = {"command": ["python3", "rogue.py", "nothing"], "env": {"KEY": "${ROGUE_KEY}"}}
    row = add_server(Place(project.team, project), alice, name="rogue", transport="stdio", **described)
    McpServer.objects.filter(pk=row.pk).update(tools=[ECHO])
    store_secret(project.team, alice, name="ROGUE_KEY", value=KEY)
    return row


async def misbehave(server: McpServer, wrong: str) -> None:
    await McpServer.objects.filter(pk=server.pk).aupdate(command=["python3", "rogue.py", wrong])


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("script", [OWN, BY_NAME], ids=["as a tool of ours", "through mcp_call"])
async def test_a_servers_tool_runs_once_a_person_allows_it(script: str, session: Session, alice: User, scripted: Any) -> None:
    scripted(script)
    await say(session, alice)
    assert await state(session) == "waiting"
    (asked,) = await of(e.ApprovalAsked, session)
    assert asked.prompt == "echo of the MCP server rogue with text: hello"
    await decide(session, alice, asked)
    (finished,) = await of(e.ToolFinished, session)
    assert (finished.output, finished.error) == ("hello", None)
    assert await state(session) == "done"


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("script", [OWN, BY_NAME], ids=["as a tool of ours", "through mcp_call"])
@pytest.mark.parametrize("action", ["allow", "deny"])
async def test_one_rule_of_the_project_holds_for_both_ways(
    action: str, script: str, session: Session, project: Project, alice: User, scripted: Any
) -> None:
    await Rule.objects.acreate(project=project, order=1, tool="mcp__rogue__*", pattern="*hello*", action=action)
    scripted(script)
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert (finished.error is None) == (action == "allow")
    assert not await of(e.ApprovalAsked, session)


@pytest.mark.usefixtures("server")
async def test_a_secret_that_a_server_tells_is_in_no_fact(session: Session, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    scripted("- call: {tool: mcp__rogue__echo, args: {text: ''}}\n- text: Done.\n")
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.output == "[redacted]"
    assert KEY not in str(await facts(session))


async def test_a_server_that_dies_costs_its_call_and_nothing_else(session: Session, server: McpServer, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    await misbehave(server, "dies-at-call")
    scripted(OWN)
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert "MCP server rogue has ended" in finished.error
    assert KEY not in finished.error
    await goes_on(session, alice, scripted)


async def test_a_secret_that_went_missing_is_named(session: Session, server: McpServer, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    await server.team.secrets.all().adelete()
    scripted(OWN)
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert "needs the secret ROGUE_KEY" in finished.error


@pytest.mark.usefixtures("server")
async def test_wrong_arguments_are_explained_before_anybody_is_asked(session: Session, alice: User, scripted: Any) -> None:
    scripted("- call: {tool: mcp__rogue__echo, args: {text: 7}}\n- text: Done.\n")
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert "text: 7 is not of type 'string'. Accepted: text? string." in finished.error


@pytest.mark.usefixtures("server")
async def test_a_lent_tool_is_found_by_tool_search(session: Session, alice: User, scripted: Any) -> None:
    scripted("- call: {tool: tool_search, args: {query: say it back}}\n- text: Done.\n")
    await say(session, alice)
    (loaded,) = await of(e.ToolsLoaded, session)
    assert "mcp__rogue__echo" in loaded.tools


async def test_listing_anew_is_remembered_for_the_next_session(session: Session, server: McpServer, alice: User, scripted: Any) -> None:
    await McpServer.objects.filter(pk=server.pk).aupdate(tools=[])
    scripted("- call: {tool: mcp_server_manage, args: {action: refresh, name: rogue}}\n- text: Done.\n")
    await say(session, alice)
    await server.arefresh_from_db()
    assert [tool["name"] for tool in server.tools] == ["echo"]
    assert server.listed is not None


ADD = "- call: {tool: mcp_server_manage, args: {action: add, name: more, command: python3 rogue.py}, id: c1}\n- text: Done.\n"


@pytest.mark.usefixtures("server")
async def test_an_agent_adds_a_server_when_a_person_allows_it_and_may_manage_projects(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    scripted(ADD)
    await say(session, alice)
    assert not await project.mcp_servers.filter(name="more").aexists()
    (asked,) = await of(e.ApprovalAsked, session)
    assert asked.risk == "high"
    await decide(session, alice, asked)
    added = await project.mcp_servers.aget(name="more")
    assert (added.command, added.created_by_id) == (["python3", "rogue.py"], alice.pk)


@pytest.mark.usefixtures("server")
async def test_an_agent_of_somebody_without_the_right_adds_and_removes_none(
    session: Session, project: Project, alice: User, bob: User, scripted: Any
) -> None:
    scripted(ADD)
    await say(session, bob)
    (asked,) = await of(e.ApprovalAsked, session)
    await decide(session, alice, asked)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.error == "Bob Boyd may not change the project's MCP servers. Somebody who manages projects can do it."
    assert [row.name async for row in project.mcp_servers.all()] == ["rogue"]


@pytest.mark.usefixtures("server")
async def test_a_word_for_the_whole_project_becomes_a_rule_for_the_tool_itself(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    scripted(BY_NAME)
    await say(session, alice)
    (asked,) = await of(e.ApprovalAsked, session)
    command = protocol.DecideApproval(approval_id=asked.approval_id, hash=asked.hash, verdict="allow", scope="project")
    await sync_to_async(actions.decide_approval)(session, alice, command)
    rule = await project.rules.alast()
    assert rule is not None
    assert (rule.tool, rule.pattern, rule.action) == ("mcp__rogue__echo", '{"text": "hello"}', "allow")


@pytest.mark.usefixtures("server")
async def test_a_chain_whose_arguments_are_not_known_becomes_no_rule(session: Session, alice: User, scripted: Any) -> None:
    calls = "[{tool_name: rogue/echo, arguments: {text: a}}, {tool_name: rogue/echo, arguments: {text: '{{previous}}'}}]"
    scripted(f"- call: {{tool: mcp_chain, args: {{calls: {calls}}}, id: c1}}\n- text: Done.\n")
    await say(session, alice)
    (asked,) = await of(e.ApprovalAsked, session)
    command = protocol.DecideApproval(approval_id=asked.approval_id, hash=asked.hash, verdict="allow", scope="project")
    with pytest.raises(Invalid, match="No rule can name this"):
        await sync_to_async(actions.decide_approval)(session, alice, command)
    await decide(session, alice, asked)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.output.endswith("2. rogue: echo\na")


@pytest.mark.usefixtures("server")
async def test_an_agent_puts_no_server_in_the_place_of_the_teams(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await McpServer.objects.filter(name="rogue").aupdate(project=None)
    await allow_everything(session)
    scripted(ADD.replace("more", "rogue"))
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.error == "There is an MCP server 'rogue' already. Choose another name."
    assert not await project.mcp_servers.aexists()


async def test_a_server_that_is_switched_off_during_a_run_is_not_called_again(project: Project, server: McpServer, alice: User) -> None:
    servers = await sync_to_async(ProjectServers)(project, alice)
    assert (await servers.call("rogue", "echo", {"text": "a"})).text == "a"
    await McpServer.objects.filter(pk=server.pk).aupdate(enabled=False)
    with pytest.raises(ToolError, match="no MCP server 'rogue'"):
        await servers.call("rogue", "echo", {"text": "a"})


async def test_a_program_that_was_started_with_the_network_is_not_used_without_it(project: Project, server: McpServer, alice: User) -> None:
    project.network = True
    with_it = await sync_to_async(ProjectServers)(project, alice)
    await with_it.call("rogue", "echo", {"text": "a"})
    assert [one.state for one in with_it.status()] == ["connected"]
    project.network = False
    without = await sync_to_async(ProjectServers)(project, alice)
    await without.described(server.name)
    assert [one.state for one in without.status()] == ["idle"]
