"""A project's tools served over MCP: its rules and its people's rights hold for every call."""

from __future__ import annotations

from typing import Any, cast

import pytest
from asgiref.sync import sync_to_async
from mcp_types import CallToolRequestParams, CallToolResult, TextContent

from tests.workspace.skills.conftest import uploaded
from workspace.accounts.models import Team, User
from workspace.errors import AppError
from workspace.management.tool_server import Context, ToolServer
from workspace.management.tool_visits import project_visit
from workspace.memories.models import Memory
from workspace.projects.models import Project, Rule
from workspace.skills.actions import Belonging

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY = cast("Context", None)
"""The server's handlers need nothing of a request but its parameters."""


async def visit(project: Project, person: User, **options: Any) -> ToolServer:
    usual = {"project": project.public_id, "person": person.username, "toolset": None, "profile": None, "allow_asks": False}
    return await sync_to_async(project_visit)({**usual, **options})


async def call(server: ToolServer, name: str, **arguments: Any) -> CallToolResult:
    return await server.call_tool(NOBODY, CallToolRequestParams(name=name, arguments=arguments))


def text(result: CallToolResult) -> str:
    part = result.content[0]
    assert isinstance(part, TextContent)
    return part.text


async def names(server: ToolServer) -> set[str]:
    return {tool.name for tool in (await server.list_tools(NOBODY, None)).tools}


async def test_calls_run_in_the_projects_workspace(project: Project, bob: User) -> None:
    (project.root / "a.txt").write_text("hello\n")
    server = await visit(project, bob)
    assert "hello" in text(await call(server, "read", file_path="a.txt"))


async def test_a_rule_of_the_project_allows_what_would_ask_and_holds_from_the_next_call_on(project: Project, bob: User) -> None:
    server = await visit(project, bob)
    assert (await call(server, "write", file_path="docs/b.txt", content="x")).is_error
    await Rule.objects.acreate(project=project, order=1, tool="write", pattern="docs/*", action="allow")
    assert not (await call(server, "write", file_path="docs/b.txt", content="x")).is_error
    assert (await call(server, "write", file_path="b.txt", content="x")).is_error
    assert (project.root / "docs/b.txt").read_text() == "x"
    assert not (project.root / "b.txt").exists()


async def test_a_rule_that_denies_holds_even_where_the_operator_allows_what_asks(project: Project, bob: User) -> None:
    await Rule.objects.acreate(project=project, order=1, tool="write", pattern="secret*", action="deny")
    server = await visit(project, bob, allow_asks=True)
    assert "not permitted" in text(await call(server, "write", file_path="secret.txt", content="x"))
    assert not (await call(server, "write", file_path="open.txt", content="x")).is_error


async def test_whoever_may_not_give_work_there_gets_no_tools(project: Project, team: Team, bob: User, charlie: User) -> None:
    with pytest.raises(AppError, match="not in the team"):
        await visit(project, charlie)
    await team.memberships.filter(user=bob).aupdate(role="viewer")
    with pytest.raises(AppError, match="You may not give the agent work here"):
        await visit(project, bob)


async def test_a_right_that_is_taken_away_ends_the_calls(project: Project, team: Team, bob: User) -> None:
    (project.root / "a.txt").write_text("hello\n")
    server = await visit(project, bob)
    assert not (await call(server, "read", file_path="a.txt")).is_error
    await team.memberships.filter(user=bob).adelete()
    gone = await call(server, "read", file_path="a.txt")
    assert gone.is_error
    assert "hello" not in text(gone)


async def test_the_profile_chooses_the_tools_and_none_waits_for_people(project: Project, bob: User) -> None:
    assert "webfetch" not in await names(await visit(project, bob, profile="minimal"))
    full = await names(await visit(project, bob, profile="full"))
    assert {"webfetch", "lsp", "mcp_call", "memory_read"} <= full
    assert not {"question", "ask_user", "plan_enter", "agent", "tool_search"} & full


async def test_memories_are_the_projects(project: Project, bob: User) -> None:
    server = await visit(project, bob, allow_asks=True)
    assert not (await call(server, "memory_write", title="Parser", content="is hand-written", type="project")).is_error
    memory = await Memory.objects.aget()
    assert (memory.project_id, memory.created_by_id) == (project.pk, bob.pk)


async def skill(server: ToolServer, name: str) -> CallToolResult:
    return await server.call_tool(NOBODY, CallToolRequestParams(name="skill", arguments={"name": name}))


async def test_skills_are_the_projects_and_the_persons_own(project: Project, alice: User, bob: User) -> None:
    for owner, name in ((alice, "alices"), (bob, "bobs")):
        await sync_to_async(uploaded)(Belonging(owner=owner), owner, name, body=f"The way of {owner.username}.\n")
    server = await visit(project, bob)
    assert "The way of bob." in text(await skill(server, "bobs"))
    refused = await skill(server, "alices")
    assert refused.is_error
    assert "There is no skill 'alices'" in text(refused)


async def test_todos_last_as_long_as_the_connection(project: Project, bob: User) -> None:
    server = await visit(project, bob)
    await call(server, "todowrite", todos=[{"content": "Paint it", "status": "pending", "activeForm": "Painting it"}])
    assert "Paint it" in text(await call(server, "todoread"))
    assert "Paint it" not in text(await call(await visit(project, bob), "todoread"))
