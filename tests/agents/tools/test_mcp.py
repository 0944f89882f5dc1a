"""The tools of the mcp group, and a server's own tools, against a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.calls import judged
from agents.errors import InvalidArguments, ToolError
from agents.host import InMemoryMemories
from agents.mcp.pool import pool
from agents.mcp.servers import GivenServers
from agents.permissions import Rule
from agents.ports import McpTool
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.reach import Reach
from agents.tools.registry import toolset
from agents.tools.remote import remote_tool
from agents.tools.tool import Tool, ToolContext, ToolResult
from tests.agents.mcp.conftest import friendly, rogue

ADD = McpTool(
    "friendly", "add", "Adds.", {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}
)


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[ToolContext]:
    sandbox = open_sandbox(SandboxWish(str(tmp_path), level="local"))
    servers = GivenServers({"friendly": friendly(), "rogue": rogue("dies-at-start")}, sandbox)
    yield ToolContext("s1", "c1", sandbox, InMemoryMemories(), reach=Reach(mcp=servers), tools=toolset("oats"))
    await pool().end_all()


def made(name: str, /, **args: Any) -> Tool:
    return toolset("oats")[name].parse(args)


async def call(context: ToolContext, name: str, /, **args: Any) -> ToolResult:
    return await made(name, **args).run(context)


async def test_discovering_shows_each_servers_tools_and_what_is_wrong_with_another(context: ToolContext) -> None:
    result = await call(context, "mcp_discover")
    assert "- mcp__friendly__add(a, b): Adds two whole numbers." in result.output
    assert "- mcp://friendly/notes://today (today)" in result.output
    assert "rogue: MCP server rogue has ended (its last words: no configuration)" in result.output
    assert result.error is None


async def test_discovering_with_words_shows_what_fits_them(context: ToolContext) -> None:
    result = await call(context, "mcp_discover", server="friendly", query="sum of whole numbers")
    assert "mcp__friendly__add" in result.output
    assert "mcp__friendly__picture" not in result.output


async def test_one_server_that_is_asked_for_by_name_fails_as_itself(context: ToolContext) -> None:
    with pytest.raises(ToolError, match="MCP server rogue has ended"):
        await call(context, "mcp_discover", server="rogue")
    with pytest.raises(ToolError, match=r"no MCP server 'nobody' here. There are: friendly, rogue"):
        await call(context, "mcp_discover", server="nobody")


async def test_a_resource_is_read_once_a_person_allows_it(context: ToolContext) -> None:
    reading = made("mcp_discover", query="mcp://friendly/notes://today")
    assert reading.requires_permission(context) == "read mcp://friendly/notes://today"
    assert (await reading.run(context)).output == "Nothing happened."
    assert made("mcp_discover", query="notes").requires_permission(context) is None


@pytest.mark.parametrize("name", ["mcp__friendly__add", "friendly/add"])
async def test_a_tool_is_called_by_either_name(name: str, context: ToolContext) -> None:
    result = await call(context, "mcp_call", tool_name=name, arguments={"a": 1, "b": 2})
    assert "3" in result.output
    assert result.metadata == {"server": "friendly", "tool": "add"}


async def test_a_tools_own_failure_is_the_calls_error(context: ToolContext) -> None:
    result = await call(context, "mcp_call", tool_name="friendly/fail")
    assert result.error == "The MCP server friendly says that fail failed."


async def test_a_name_that_means_nothing_is_met_with_one_that_does(context: ToolContext) -> None:
    await call(context, "mcp_discover", server="friendly")
    with pytest.raises(ToolError, match="Did you mean mcp__friendly__add"):
        await call(context, "mcp_call", tool_name="add")


async def test_one_rule_holds_for_both_ways_of_calling_a_tool(context: ToolContext) -> None:
    ways: list[Tool] = [remote_tool(ADD).parse({"a": 1}), made("mcp_call", tool_name="friendly/add", arguments={"a": 1})]
    for tool in ways:
        assert judged((), tool, context).action == "ask"
        assert judged((Rule("mcp__friendly__add", "*", "allow"),), tool, context).action == "allow"
        assert judged((Rule("mcp__friendly__*", '*"a": 1*', "deny"),), tool, context).action == "deny"
        assert judged((Rule("mcp_call", "*", "allow"),), tool, context).action == "ask"


async def test_a_server_is_not_believed_when_it_calls_a_tool_harmless(context: ToolContext) -> None:
    tool = remote_tool(McpTool("friendly", "echo", "Says.", {"type": "object"}, read_only=True))
    assert not tool.read_only
    assert tool.mutates
    assert judged((), tool.parse({}), context).action == "ask"


async def test_a_servers_own_tool_checks_its_arguments_and_runs(context: ToolContext) -> None:
    tool = remote_tool(ADD)
    assert tool.name == "mcp__friendly__add"
    assert not tool.always_load
    assert tool.parse({"a": 1, "b": None}).arguments() == {"a": 1}
    assert tool.parse({"a": 1}).prompt(context) == "add of the MCP server friendly with a: 1"
    with pytest.raises(InvalidArguments, match=r"a: 'x' is not of type 'integer'. Accepted: a integer, b\? integer"):
        tool.parse({"a": "x"})
    assert "42" in (await tool.parse({"a": 41}).run(context)).output


def test_names_that_cannot_be_said_become_names_that_differ() -> None:
    names = [remote_tool(McpTool("s", name, "", {})).name for name in ("a/b", "a b", "a_b", "x" * 100, "x" * 101)]
    assert len(set(names)) == 5
    assert all(len(name) <= 64 for name in names)
    assert names[2] == "mcp__s__a_b"


async def test_a_chain_gives_each_result_to_the_next_call(context: ToolContext) -> None:
    result = await call(
        context, "mcp_chain",
        calls=[
            {"tool_name": "friendly/add", "arguments": {"a": 1, "b": 1}},
            {"tool_name": "friendly/add", "arguments": {"a": "{{previous.total}}", "b": 5}},
            {"tool_name": "friendly/echo", "arguments": {"text": "it is {{ previous.total }}"}},
        ],
    )  # fmt: skip
    assert result.error is None
    assert result.output.endswith("it is 7")


async def test_a_chain_stops_at_the_first_failure(context: ToolContext) -> None:
    steps = [{"tool_name": f"friendly/{tool}"} for tool in ("fail", "echo", "echo")]
    result = await call(context, "mcp_chain", calls=steps)
    assert result.error == "1 of 1 calls failed. 2 calls behind it were not made."
    missing = await call(context, "mcp_chain", calls=[{"tool_name": "friendly/echo", "arguments": {"text": "{{previous}}"}}])
    assert "no result before the first call" in missing.output


@pytest.mark.parametrize("unknown", ["safe {{previous}}", "safe {{\nprevious\t}}", ["safe", {"deep": "{{ previous.text }}"}]])
async def test_a_chain_whose_arguments_are_not_known_yet_is_allowed_only_by_a_rule_for_everything(
    context: ToolContext, unknown: object
) -> None:
    chain = made("mcp_chain", calls=[{"tool_name": "friendly/echo", "arguments": {"text": unknown}}])
    assert judged((Rule("mcp__friendly__echo", "*safe*", "allow"),), chain, context).action == "ask"
    assert judged((Rule("mcp__friendly__echo", "*", "allow"),), chain, context).action == "allow"
    assert judged((Rule("*", "*", "allow"), Rule("mcp__friendly__echo", "*safe*", "deny")), chain, context).action == "deny"


async def test_a_fan_out_tells_every_result(context: ToolContext) -> None:
    calls = [{"tool_name": "friendly/echo", "arguments": {"text": "one"}}, {"tool_name": "rogue/echo"}, {"tool_name": "friendly/picture"}]
    result = await call(context, "mcp_fan_out", calls=calls)
    assert "1. friendly: echo\none" in result.output
    assert "2. rogue: echo\nError: MCP server rogue has ended" in result.output
    assert result.error == "1 of 3 calls failed."
    assert [file.media_type for file in result.attachments] == ["image/png"]


async def test_the_strictest_rule_holds_for_several_calls(context: ToolContext) -> None:
    calls = [{"tool_name": "friendly/echo"}, {"tool_name": "friendly/look"}]
    rules = (Rule("mcp__*", "*", "allow"), Rule("mcp__friendly__look", "*", "deny"))
    assert judged(rules, made("mcp_fan_out", calls=calls), context).action == "deny"
    assert judged(rules, made("mcp_fan_out", calls=calls[:1]), context).action == "allow"


async def test_ranking_names_the_tool_that_fits_a_task(context: ToolContext) -> None:
    await call(context, "mcp_discover", server="friendly")
    result = await call(context, "mcp_rank", task="add numbers", top_k=1)
    assert result.metadata["tools"] == ["mcp__friendly__add"]


async def test_the_overview_says_what_is_connected(context: ToolContext) -> None:
    assert "- friendly (stdio, of the project, idle, 0 tools)" in (await call(context, "mcp_session")).output
    one = await call(context, "mcp_session", session_id="friendly")
    assert "connected" in one.output
    assert "mcp://friendly/notes://today" in one.output


async def test_servers_are_added_and_removed_when_people_allow_it(context: ToolContext) -> None:
    adding = made("mcp_server_manage", action="add", name="more", command="python3 'a file.py'")
    assert adding.requires_permission(context) == "add MCP server more python3 'a file.py'"
    assert adding.risk(context) == "high"
    assert "more (stdio" in (await adding.run(context)).output
    assert "more" not in (await call(context, "mcp_server_manage", action="remove", name="more")).output
    assert made("mcp_server_manage", action="list").requires_permission(context) is None
    assert "offers 8 tools" in (await call(context, "mcp_server_manage", action="refresh", name="friendly")).output
    with pytest.raises(ToolError, match="Name the server to remove"):
        await call(context, "mcp_server_manage", action="remove")


async def test_without_servers_every_tool_says_so(context: ToolContext) -> None:
    context.reach = Reach()
    with pytest.raises(ToolError, match="No MCP servers can be reached from here"):
        await call(context, "mcp_discover")
